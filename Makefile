# The commands of the project; `make help` lists them.
.DEFAULT_GOAL := help
.PHONY: help install run test build configure lint formal bench fuzz waves clean

SANITIZE ?=
BUILD    ?= build$(if $(SANITIZE),-$(SANITIZE))
JOBS     ?= $(shell nproc)
FUZZ     ?= 50
SEED     ?= 1

T3SIM := $(BUILD)/t3sim

help:
	@echo "make run     install what is missing, build, simulate T-NLG FC-2 at TP 8"
	@echo "make test    install what is missing, build, pass all tests"
	@echo "make build   install what is missing, build everything"
	@echo "make lint    check the RTL with Verilator, Yosys and the rules of the project"
	@echo "make formal  prove the properties of the modules"
	@echo "make bench   measure the simulator's speed"
	@echo "make fuzz    FUZZ=$(FUZZ) random runs from SEED=$(SEED)"
	@echo "make waves   record waves of a small run and open them"
	@echo "make clean   remove the build folder"
	@echo
	@echo "SANITIZE=address|undefined|thread builds with that sanitizer, in a folder of its own."
	@echo "BUILD=$(BUILD) and JOBS=$(JOBS) may be set as well."

install:
	@scripts/install_packages.sh $(if $(SANITIZE),--sanitizers)

configure: install
	cmake -S . -B $(BUILD) -G Ninja -DT3_SANITIZE=$(SANITIZE) -Wno-dev --log-level=WARNING

build: configure
	cmake --build $(BUILD) -j $(JOBS)

$(T3SIM): configure
	cmake --build $(BUILD) -j $(JOBS) --target t3sim

run: $(T3SIM)
	$(T3SIM) run --model t-nlg --layer fc2 --tp 8 --progress on

test: build
	ctest --test-dir $(BUILD) -j $(JOBS) --output-on-failure

lint: install
	scripts/lint.py
	scripts/generate_registers.py --check

formal: install
	tb/formal/run.sh

bench: $(T3SIM)
	scripts/bench.py --t3sim $(T3SIM)

fuzz: $(T3SIM)
	scripts/fuzz.py --t3sim $(T3SIM) --count $(FUZZ) --seed $(SEED)

waves: $(T3SIM)
	$(T3SIM) run --m 256 --n 256 --k 64 --tp 4 --trace $(BUILD)/waves.fst
	gtkwave $(BUILD)/waves.fst $(wildcard sim/waves/t3_top.gtkw)

clean:
	rm -rf $(BUILD)
