#!/usr/bin/env python3
"""Generates the register map's three views from rtl/csr/t3_registers.json.

usage: generate_registers.py [--check]

Writes rtl/csr/t3_csr_pkg.sv, sw/driver/t3_regs.h and docs/registers.md. With
--check nothing is written; the exit code is 1 when a committed file differs.
"""
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = "rtl/csr/t3_registers.json"
NOTICE = f"Generated from {SOURCE} by scripts/generate_registers.py: do not edit."
BUS = """  // A write answers in the same cycle, a read in the next; both are one cycle.
  typedef struct packed {
    logic        wr_valid;
    logic [15:0] wr_addr;
    logic [31:0] wr_data;
    logic        rd_valid;
    logic [15:0] rd_addr;
  } req_t;

  // Of one part of t3_csr; 0 when the address is another's.
  typedef struct packed {
    logic        wr_ok;
    logic        wr_refused;  // known, but not allowed now
    logic        rd_ok;
    logic [31:0] rd_data;
  } rsp_t;"""
ACCESS = {"ro": "read", "rw": "read, write", "wo": "write", "w1c": "read, write 1 to clear"}


class MapError(Exception):
    """The register map contradicts itself."""


def number(value):
    return int(value, 0) if isinstance(value, str) else value


def expand_counters(window):
    """Registers LO and HI of each counter of a window of counters."""
    registers = []
    for index, counter in enumerate(window.get("counters", [])):
        for word, suffix in enumerate(("LO", "HI")):
            text = counter["description"] if not word else "High word, latched by the read of the low word."
            field = {"name": "count", "lsb": 0, "width": 32, "description": f"Bits {32 * word + 31}..{32 * word}."}
            registers.append({"name": f"{counter['name']}_{suffix}", "offset": 8 * index + 4 * word,
                              "access": "ro", "description": text, "fields": [field]})
    return registers


def load():
    with open(ROOT / SOURCE, encoding="utf-8") as file:
        description = json.load(file)
    taken = set()
    for window in description["windows"]:
        window["base"], window["stride"] = number(window["base"]), number(window["stride"])
        window.setdefault("registers", expand_counters(window))
        names, offsets = set(), set()
        for register in window["registers"]:
            register["offset"] = number(register["offset"])
            register["reset"] = number(register.get("reset", 0))
            check_register(window, register)
            if register["name"] in names or register["offset"] in offsets:
                raise MapError(f"{register['name']}: name or offset used twice")
            names.add(register["name"])
            offsets.add(register["offset"])
        span = range(window["base"], window["base"] + window["count"] * window["stride"])
        if taken & set(span):
            raise MapError(f"window at {window['base']:#x} overlaps another")
        taken |= set(span)
    return description


def check_register(window, register):
    name = register["name"]
    if register["access"] not in ACCESS:
        raise MapError(f"{name}: access '{register['access']}'; {', '.join(ACCESS)} are known")
    if register["offset"] % 4 or register["offset"] >= window["stride"]:
        raise MapError(f"{name}: offset {register['offset']:#x} is unaligned or outside its window")
    used = 0
    for field in register["fields"]:
        mask = ((1 << field["width"]) - 1) << field["lsb"]
        if mask >> 32 or used & mask:
            raise MapError(f"{name}.{field['name']}: outside the word, or on another field")
        used |= mask
    if register["reset"] & ~used:
        raise MapError(f"{name}: reset value outside its fields")


def prefixed(window, name):
    return f"{window['name']}_{name}" if window["name"] else name


def camel(name):
    return "".join(part.capitalize() for part in name.split("_"))


def enum(name, width, items):
    """Names for numbers: an enum, because an unused name of one is no finding of a linter."""
    body = ",\n".join(f"    {item} = {width}'h{value:02x}" for item, value in items)
    return [f"  typedef enum logic [{width - 1}:0] {{", body, f"  }} {name};"]


def systemverilog(description):
    out = ["// The registers' offsets, places of fields and reset values, and the bus inside t3_csr.",
           f"// {NOTICE}", "package t3_csr_pkg;", "", BUS]
    for window in description["windows"]:
        title = camel(window["name"])
        low = window["name"].lower() or "device"
        out += ["", f"  // {window['description']}"]
        if window["name"]:
            out.append(f"  localparam logic [15:0] {title}Base = 16'h{window['base']:04x};")
        if "counters" in window:
            out.append(f"  localparam int unsigned NumCounters = {len(window['counters'])};")
            continue
        registers = [(camel(prefixed(window, register["name"])), register) for register in window["registers"]]
        out += enum(f"{low}_offset_e", 8, [(f"Off{name}", register["offset"]) for name, register in registers])
        for name, register in registers:
            if register["reset"]:
                out.append(f"  localparam logic [31:0] {name}Reset = 32'h{register['reset']:08x};")
            fields = [(f"{name}{camel(field['name'])}Lsb", field["lsb"]) for field in register["fields"]]
            out += enum(f"{prefixed(window, register['name']).lower()}_lsb_e", 5, fields)
    out += ["", "endpackage", ""]
    return "\n".join(out)


def header(description):
    out = [f"/* Registers of one T3 device. {NOTICE} */", "#ifndef T3_REGS_H_", "#define T3_REGS_H_", ""]
    for window in description["windows"]:
        out.append(f"/* {window['description']} */")
        base = window["base"]
        if window["count"] > 1:
            out.append(f"#define T3_{window['name']}_COUNT {window['count']}u")
        for register in window["registers"]:
            name = prefixed(window, register["name"])
            if window["count"] > 1:
                place = f"0x{base + register['offset']:04x}u + 0x{window['stride']:x}u * (uint32_t)(index)"
                out.append(f"#define T3_REG_{name}(index) ({place})")
            else:
                out.append(f"#define T3_REG_{name} 0x{base + register['offset']:04x}u")
            if "counters" in window:
                continue
            for field in register["fields"]:
                label = f"T3_{name}_{field['name'].upper()}"
                out.append(f"#define {label}_LSB {field['lsb']}")
                out.append(f"#define {label}_MASK 0x{(1 << field['width']) - 1:x}u")
        if "counters" in window:
            out.append("")
            out.append("/* Numbers of the counters: counter i is at T3_REG_COUNTER_ELEMENTS_LO + 8 * i. */")
            out.append("enum t3_counter_id {")
            out += [f"  T3_COUNTER_{counter['name']} = {i},  /* {counter['description']} */"
                    for i, counter in enumerate(window["counters"])]
            out += [f"  T3_NUM_COUNTERS = {len(window['counters'])}", "};"]
        out.append("")
    out += ["#endif  /* T3_REGS_H_ */", ""]
    return "\n".join(out)


def bits(field):
    high = field["lsb"] + field["width"] - 1
    return f"{high}..{field['lsb']}" if field["width"] > 1 else f"{high}"


def markdown(description):
    out = [f"# {description['title']}", "", f"<!-- {NOTICE} -->", ""]
    out += [f"- {note}" for note in description["notes"]]
    for window in description["windows"]:
        end = window["base"] + window["count"] * window["stride"] - 1
        out += ["", f"## 0x{window['base']:04x} to 0x{end:04x}: {window['description'].rstrip('.')}"]
        if window["count"] > 1:
            out += ["", f"{window['count']} blocks, {window['stride']:#x} bytes apart; addresses are those of block 0."]
        if "counters" in window:
            out += ["", "| address | low word of | counts |", "|---|---|---|"]
            out += [f"| 0x{window['base'] + 8 * i:04x} | {window['name']}_{counter['name']} | {counter['description']} |"
                    for i, counter in enumerate(window["counters"])]
            continue
        for register in window["registers"]:
            reset = f", reset {register['reset']:#010x}" if register["reset"] else ""
            out += ["", f"### 0x{window['base'] + register['offset']:04x} {prefixed(window, register['name'])}",
                    "", f"{ACCESS[register['access']]}{reset}. {register['description']}",
                    "", "| bits | field | meaning |", "|---|---|---|"]
            out += [f"| {bits(field)} | {field['name']} | {field['description']} |" for field in register["fields"]]
    return "\n".join(out + [""])


VIEWS = {"rtl/csr/t3_csr_pkg.sv": systemverilog, "sw/driver/t3_regs.h": header, "docs/registers.md": markdown}


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        description = load()
    except (MapError, ValueError, KeyError) as error:
        print(f"{SOURCE}: {error}", file=sys.stderr)
        return 1
    stale = 0
    for name, view in VIEWS.items():
        path, text = ROOT / name, view(description)
        if sys.argv[1:] == ["--check"]:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                print(f"{name} is not what {SOURCE} generates: run scripts/generate_registers.py", file=sys.stderr)
                stale += 1
        else:
            path.write_text(text, encoding="utf-8")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
