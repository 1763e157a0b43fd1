#!/usr/bin/env python3
"""The simulator's speed on fixed runs, in RTL device-cycles per second.

usage: scripts/bench.py [--t3sim build/t3sim] [--repeat R]

Prints the best of R executions of each run. Exit code: 0, or that of a run that
did not pass.
"""
import argparse
import json
import subprocess
import sys

RUNS = [
    ("one device, no communication", "--m 1024 --n 1024 --k 256 --tp 1"),
    ("ring of 4", "--m 1024 --n 1024 --k 256 --tp 4"),
    ("ring of 8", "--m 2048 --n 1024 --k 532 --tp 8"),
    ("ring of 8, one thread", "--m 2048 --n 1024 --k 532 --tp 8 --threads 1"),
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--t3sim", default="build/t3sim")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    print(f"{'run':<32}{'device-cycles/s':>16}{'wall s':>10}{'cycles':>12}")
    for name, args in RUNS:
        best = None
        for _ in range(options.repeat):
            done = subprocess.run([options.t3sim, "run", "--json", "-"] + args.split(), capture_output=True, text=True)
            if done.returncode != 0:
                print(done.stderr, file=sys.stderr)
                return done.returncode
            run = json.loads(done.stdout)["runs"][0]
            if best is None or run["wall_s"] < best["wall_s"]:
                best = run
        print(f"{name:<32}{best['device_cycles_per_s']:>16,.0f}{best['wall_s']:>10.2f}{best['cycles']:>12,}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
