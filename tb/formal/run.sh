#!/usr/bin/env bash
# Proves the properties of tb/formal, each for all time and all inputs (ABC's
# property-directed reachability), and prints a table.
#
# usage: tb/formal/run.sh [NAME ...]     without names: all
#
# Needs yosys and yosys-abc (or berkeley-abc). Exit code: 0 all proved, 1 not all.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
abc=$(command -v yosys-abc || command -v berkeley-abc) || { echo "formal: yosys-abc is missing" >&2; exit 1; }

prove() {  # name
  local top=$1_formal start=$SECONDS
  yosys -q -p "
    read_verilog -formal -sv -Irtl/include -Itb/formal rtl/t3_pkg.sv $(ls rtl/common/*.sv | tr '\n' ' ') rtl/mem/t3_mc_arbiter.sv tb/formal/$top.sv
    prep -top $top -flatten; chformal -cover -remove; async2sync; memory_map -formal; formalff -clk2ff
    setundef -undriven -anyseq; setattr -unset keep; delete -output; opt -full; techmap; opt -fast
    simplemap; dffunmap; abc -g AND -fast; opt_clean
    write_aiger -I -B -zinit -map $work/$1.aim $work/$1.aig" >"$work/$1.log" 2>&1 ||
    { echo "$1 cannot-prepare - $((SECONDS - start)) s"; tail -n 3 "$work/$1.log"; return; }
  timeout "${FORMAL_SECONDS:-300}" "$abc" -c "read_aiger $work/$1.aig; fold; strash; pdr" >"$work/$1.out" 2>&1
  if grep -q "Property proved" "$work/$1.out"; then echo "$1 proved unbounded $((SECONDS - start)) s"
  else echo "$1 FAILED - $((SECONDS - start)) s"; tail -n 2 "$work/$1.out" >&2; fi
}

names=("$@")
[ ${#names[@]} -gt 0 ] || names=($(cd tb/formal && ls *_formal.sv | sed 's/_formal.sv//'))
printf '%-16s %-10s %-10s %s\n' module result depth time
proved=0
for name in "${names[@]}"; do
  line=$(prove "$name")
  printf '%-16s %-10s %-10s %s %s\n' $(echo "$line" | head -n 1)
  case $line in *" proved "*) proved=$((proved + 1)) ;; esac
done
echo "formal: $proved proved, $((${#names[@]} - proved)) failed"
[ "$proved" -eq ${#names[@]} ]
