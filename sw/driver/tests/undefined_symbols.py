#!/usr/bin/env python3
"""Checks that a static library needs nothing from outside but the compiler's own 64-bit arithmetic.

usage: undefined_symbols.py NM LIBRARY
"""
import subprocess
import sys

nm, library = sys.argv[1:]
lines = subprocess.run([nm, library], check=True, capture_output=True, text=True).stdout.splitlines()
symbols = [line.split() for line in lines if " " in line]
defined = {parts[-1] for parts in symbols if len(parts) == 3}
needed = {parts[-1] for parts in symbols if len(parts) == 2 and parts[0] == "U"}
outside = sorted(name for name in needed - defined if not name.startswith("__"))
if not defined:
    sys.exit(f"{library} defines nothing")
if outside:
    sys.exit(f"{library} needs {', '.join(outside)}")
