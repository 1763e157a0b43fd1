#!/usr/bin/env python3
"""Random runs of t3sim; each must pass.

usage: scripts/fuzz.py [--t3sim build/t3sim] [--count N] [--seed S]

Run i of seed S is always the same command; a failing one is printed so that it
can be repeated. Exit code: 0 all passed, 1 not all.
"""
import argparse
import random
import subprocess
import sys


def command(rng):
    """The arguments of one random run, small enough for seconds."""
    tp = rng.choice([1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 12, 16])
    tile_m, wavefronts = rng.choice([(128, 4), (128, 4), (64, 2), (32, 8), (96, 3), (16, 1)])
    tile_n = rng.choice([128, 128, 64, 48, 20])
    args = [
        "--m", rng.randint(1, 6 * tile_m), "--n", rng.randint(1, 6 * tile_n), "--k", rng.randint(1, 200),
        "--tp", tp,
        "--mode", rng.choice(["t3", "t3-mca"]),
        "--collective", rng.choice(["ar", "rs"]),
        "--direction", rng.choice(["up", "down"]),
        "--dtype", rng.choice(["fp16", "bf16", "fp32"]),
        "--data", rng.choice(["random", "specials"]),
        "--seed", rng.randrange(2**32),
        "--repeat", rng.choice([1, 1, 1, 2, 3]),
        "--rtl-config", rng.choice(["default", "default", "tiny", "wide"]),
    ]
    if rng.random() < 0.5:
        args += ["--stress", rng.randrange(2**32)]
    settings = {
        "gpu.tile_m": tile_m,
        "gpu.wavefronts_per_workgroup": wavefronts,
        "gpu.tile_n": tile_n,
        "gpu.tile_order": rng.choice(["row", "column"]),
        "gpu.pitch_padding": rng.choice([0, 0, 1, 7, 64]),
        "gpu.compute_units": rng.choice([1, 4, 80]),
        "link.latency_ns": rng.choice([1, 50, 500]),
        "link.credits": rng.choice([16, 200, 2048]),
        "link.header_bytes": rng.choice([0, 16]),
        "dram.queue_entries": rng.choice([4, 16, 64]),
    }
    for key, value in settings.items():
        if rng.random() < 0.6 or key in ("gpu.tile_m", "gpu.wavefronts_per_workgroup"):
            args += ["--set", f"{key}={value}"]
    return [str(arg) for arg in args]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--t3sim", default="build/t3sim")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failed = 0
    for index in range(options.count):
        args = [options.t3sim, "run"] + command(random.Random(options.seed * 1000003 + index))
        done = subprocess.run(args, capture_output=True, text=True, errors="replace")
        verdict = (done.stdout.strip().splitlines() or ["no verdict"])[-1]
        print(f"{index + 1:4} of {options.count}  exit {done.returncode}  {verdict}", flush=True)
        if done.returncode != 0:
            failed += 1
            print("     " + " ".join(args))
            print("     " + done.stderr.strip().replace("\n", "\n     "))
    print(f"seed {options.seed}: {options.count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
