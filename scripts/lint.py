#!/usr/bin/env python3
"""Checks the RTL without simulating it.

usage: scripts/lint.py [CHECK ...]     without arguments: all checks

  files      rtl/t3.f names every file of rtl/, once, and nothing else
  style      at most 400 lines a file; no construct that one of the tools refuses
  verilator  -Wall without a warning, for each configuration of rtl/configs.txt
  yosys      Yosys reads all files and elaborates each configuration

Exit code: 0 clean, 1 findings, 2 wrong usage.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RTL = ROOT / "rtl"

# Refused, or silently miscompiled, by a tool that must read the RTL.
FORBIDDEN = [
    (r"^\s*import\b", "import"),
    (r"\bparameter\s+type\b", "parameter type"),
    (r"\breturn\b", "return"),
    (r"\bbreak\s*;", "break"),
    (r"\bforeach\b", "foreach"),
    (r"\binside\s*\{", "inside"),
    (r"\$bits\s*\(", "$bits"),
    (r"'\{", "assignment pattern"),
    (r"\bendfunction\s*:", "label at endfunction"),
    (r"\bassert\b[^;]*\belse\b", "assert .. else"),
    (r"\b(logic|wire|reg)\s*(\[[^\]]+\]\s*){2,}\w+\s*[;,=)]", "packed array of more than one dimension"),
    (r"\btypedef\s+logic\s*(\[[^\]]+\]\s*){2,}", "typedef of a packed two-dimensional vector"),
]
MAX_LINES = 400


def file_list():
    """The files of rtl/t3.f and its include folders, relative to rtl/."""
    files, folders = [], []
    for line in (RTL / "t3.f").read_text().splitlines():
        line = line.strip()
        if line.startswith("+incdir+"):
            folders.append(line[len("+incdir+"):])
        elif line and not line.startswith(("#", "//")):
            files.append(line)
    return files, folders


def configurations():
    """(name, [Name=Value]) for each line of rtl/configs.txt."""
    for line in (RTL / "configs.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, *params = line.split()
            yield name, params


def without_comments(text):
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
    return re.sub(r"//[^\n]*", "", text)


def check_files():
    listed, _ = file_list()
    present = {str(path.relative_to(RTL)) for path in RTL.rglob("*.sv")}
    findings = [f"rtl/t3.f: {name} is listed twice" for name in sorted({n for n in listed if listed.count(n) > 1})]
    findings += [f"rtl/t3.f: there is no rtl/{name}" for name in listed if name not in present]
    findings += [f"rtl/{name}: missing in rtl/t3.f" for name in sorted(present - set(listed))]
    return findings


def check_style():
    findings = []
    for path in sorted(RTL.rglob("*.sv")):
        name = path.relative_to(ROOT)
        text = path.read_text()
        lines = text.splitlines()
        if len(lines) > MAX_LINES:
            findings.append(f"{name}: {len(lines)} lines, {MAX_LINES} are allowed")
        for number, line in enumerate(without_comments(text).splitlines(), 1):
            for pattern, what in FORBIDDEN:
                if re.search(pattern, line):
                    findings.append(f"{name}:{number}: {what}: {lines[number - 1].strip()}")
    return findings


def check_verilator():
    findings = []
    for name, params in configurations():
        done = subprocess.run(
            ["verilator", "--lint-only", "-Wall", "--assert", "--no-timing", "--unroll-count", "256", "-F", "rtl/t3.f",
             "--top-module", "t3_top"] + ["-G" + param for param in params],
            cwd=ROOT, capture_output=True, text=True)
        if done.returncode != 0 or done.stderr.strip():
            findings.append(f"configuration {name}: Verilator says\n{done.stderr.strip()}")
    return findings


def check_yosys():
    files, folders = file_list()
    includes = " ".join(f"-I rtl/{folder}" for folder in folders)
    read = f"read_verilog -sv {includes} " + " ".join(f"rtl/{name}" for name in files)
    findings = []
    for name, params in configurations():
        values = " ".join("-chparam {} {}".format(*param.split("=")) for param in params)
        done = subprocess.run(["yosys", "-q", "-p", f"{read}; hierarchy -check -top t3_top {values}"],
                              cwd=ROOT, capture_output=True, text=True)
        if done.returncode != 0:
            findings.append(f"configuration {name}: Yosys says {done.stderr.strip()}")
    return findings


CHECKS = {"files": check_files, "style": check_style, "verilator": check_verilator, "yosys": check_yosys}


def main():
    names = sys.argv[1:] or list(CHECKS)
    unknown = [name for name in names if name not in CHECKS]
    if unknown:
        print(f"lint.py: there is no check '{unknown[0]}'; {', '.join(CHECKS)} are accepted", file=sys.stderr)
        return 2
    count = 0
    for name in names:
        findings = CHECKS[name]()
        count += len(findings)
        print(f"{name}: {'clean' if not findings else f'{len(findings)} findings'}")
        for finding in findings:
            print(f"  {finding}")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
