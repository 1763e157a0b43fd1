#!/usr/bin/env python3
"""End-to-end tests of the program t3sim.

usage: program_test.py PATH_OF_T3SIM [unittest arguments]
"""
import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

T3SIM = "t3sim"
SMALL = ["--m", "256", "--n", "200", "--k", "32", "--tp", "3"]
# Fields that may differ between equal runs.
VOLATILE = {"wall_s", "device_cycles_per_s", "command", "threads", "git"}


def call(*args):
    return subprocess.run([T3SIM, *args], capture_output=True, text=True, timeout=300)


def stable(value):
    if isinstance(value, dict):
        return {key: stable(inner) for key, inner in value.items() if key not in VOLATILE}
    if isinstance(value, list):
        return [stable(inner) for inner in value]
    return value


class Program(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="t3sim-test-")
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def report(self, *args):
        done = call("run", *SMALL, *args, "--json", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_a_run_ends_with_its_verdict(self):
        done = call("run", *SMALL)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines()[-1], "PASS 51200 elements checked, 0 wrong")
        self.assertEqual(done.stderr, "")

    def test_traffic_is_that_of_the_fused_ring(self):
        run = self.report("--mode", "t3")["runs"][0]
        output = 256 * 200 * 2  # bytes
        dram = run["dram_bytes"]
        self.assertEqual(dram["rs_read"], output)  # N - 2
        self.assertEqual(dram["gemm_write"] + dram["rs_write"], 4 * output)  # 2 (N - 1)
        self.assertEqual((dram["ag_read"], dram["ag_write"]), (2 * output, 2 * output))
        self.assertEqual(run["link_bytes"], 4 * output)
        self.assertEqual(sum(device["link_bytes"] for device in run["per_device"]), run["link_bytes"])

    def test_times_add_up(self):
        run = self.report()["runs"][0]
        self.assertAlmostEqual(run["gemm_us"] + run["rs_us"] + run["ag_us"], run["time_us"], delta=3e-6)

    def test_results_do_not_depend_on_the_threads(self):
        one = self.report("--threads", "1", "--stress", "5")
        self.assertEqual(stable(one), stable(self.report("--threads", "3", "--stress", "5")))

    def test_csv_and_json_say_the_same(self):
        done = call("run", *SMALL, "--mode", "all", "--json", self.path("r.json"), "--csv", self.path("r.csv"))
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("r.json")) as text:
            runs = json.load(text)["runs"]
        with open(self.path("r.csv"), newline="") as text:
            rows = list(csv.DictReader(text))
        self.assertEqual([row["mode"] for row in rows], ["t3", "t3-mca"])
        for run, row in zip(runs, rows):
            self.assertEqual(int(row["cycles"]), run["cycles"])
            self.assertEqual(int(row["dram_bytes.rs_read"]), run["dram_bytes"]["rs_read"])
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["r.csv", "r.json"])

    def test_waves_of_a_window(self):
        done = call("run", *SMALL, "--trace", self.path("w.fst"), "--trace-from", "100", "--trace-to", "200")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(os.listdir(self.folder.name), ["w.fst"])
        values = subprocess.run(["fst2vcd", self.path("w.fst")], capture_output=True, text=True, check=True).stdout
        self.assertIn("$enddefinitions", values)

    def test_a_window_never_reached_leaves_no_file(self):
        done = call("run", *SMALL, "--trace", self.path("w.fst"), "--trace-from", "1000000000")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"^warning: --trace .*cycle \d+")
        self.assertEqual(os.listdir(self.folder.name), [])

    def test_lost_credits_are_no_progress(self):
        done = call("run", *SMALL, "--set", "link.credits=8", "--set", "link.latency_ns=10",
                    "--test-hook", "lose-credits")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stdout.splitlines()[-1], "^FAIL .*first ")

    def test_a_corrupt_packet_is_a_failed_run(self):
        done = call("run", *SMALL, "--test-hook", "corrupt-packet@1:5")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout.splitlines()[-1], "^FAIL .*first ")

    def test_an_interrupt_ends_the_run_and_leaves_no_file(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen(
                [T3SIM, "run", "--model", "t-nlg", "--layer", "fc2", "--tp", "2", "--json", self.path("r.json")],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(1)
            process.send_signal(number)
            out, _ = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130)
            self.assertEqual(out, "")
            self.assertEqual(os.listdir(self.folder.name), [])


if __name__ == "__main__":
    T3SIM = sys.argv.pop(1)
    unittest.main()
