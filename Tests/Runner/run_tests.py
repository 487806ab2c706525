#!/usr/bin/env python3
"""Runs the tests of a built test program, each module in a process of its own, under watch.

run_tests.py PROGRAM [--filter RE]… [--skip RE]… [--lane RE]… [--memory RE] [--limit SECONDS]
             [--soak ROUNDS]

A test that takes longer than it may is named and its process ended; so is one that takes its process
down. The rest of its module goes on in another process. What is printed is passed on line by line.
Tests that fit a lane run one after the other, beside those of other lanes and those that fit none.
Modules that fit `--memory` have their temporary files in memory, where a flush costs nothing.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from limits import Limits
from load import end_with_parent, load_on_all_cores
from watched_process import Printed, TestProgram, WatchedProcess, end_all

# The names of the tests are one argument, for which the system allows 128 KiB.
LONGEST_ARGUMENT = 100_000
# Where Linux has a file system in memory, and how many bytes have to be free there.
MEMORY = "/dev/shm"
MEMORY_NEEDED = 2 << 30
# How much longer a test may take beside the load of a soak.
SOAK_FACTOR = 5


def arguments():
    parser = argparse.ArgumentParser(prog="Tests/run", add_help=False, allow_abbrev=False)
    parser.add_argument("program")
    parser.add_argument("--filter", action="append", default=[])
    parser.add_argument("--skip", action="append", default=[])
    parser.add_argument("--lane", action="append", default=[])
    parser.add_argument("--memory")
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--soak", type=int)
    return parser.parse_args()


def chosen_tests(asked):
    """The names, as Module.Class/test, in the order in which the program runs them."""
    listed = subprocess.run(
        [asked.program, "--list-tests"], stdout=subprocess.PIPE, text=True, check=True)
    return [
        line for line in listed.stdout.splitlines()
        if re.fullmatch(r"\w+\.[\w.]+/\w+", line)
        and (not asked.filter or any(re.search(one, line) for one in asked.filter))
        and not any(re.search(one, line) for one in asked.skip)
    ]


def parts(names):
    """Tests that one process can run: of one module, as what is printed doesn't name modules."""
    part, length = [], 0
    for name in names:
        if part and (name.split(".")[0] != part[0].split(".")[0]
                     or length + len(name) > LONGEST_ARGUMENT):
            yield part
            part, length = [], 0
        part.append(name)
        length += len(name) + 1
    if part:
        yield part


def run_part(program, names, limits, printed):
    """Returns what failed, as sentences by the test's name."""
    failed, rest = {}, list(names)
    while rest:
        process = WatchedProcess(program, rest, limits, printed)
        process.run()
        failed.update(process.failed)
        left = [name for name in rest if name not in process.begun]
        if len(left) == len(rest):
            for name in left:
                failed.setdefault(name, "was not run, as no process got as far")
            break
        rest = left
    return failed


def lanes_of(names, patterns):
    """The names by the first pattern that they fit; those that fit none are a lane, too."""
    lanes = collections.defaultdict(list)
    for name in names:
        fitting = (number for number, one in enumerate(patterns) if re.search(one, name))
        lanes[next(fitting, None)].append(name)
    return list(lanes.values())


def run_lane(program, names, limits, printed):
    failed = {}
    for part in parts(names):
        failed.update(run_part(program, part, limits, printed))
    return failed


def run_lanes(program, lanes, limits, everything):
    """The output of the first lane comes at once, that of the others once all have ended."""
    failed = {}
    with contextlib.ExitStack() as stack:
        outputs = [sys.stdout.buffer] + [
            stack.enter_context(tempfile.TemporaryFile()) for _ in lanes[1:]]
        pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor(len(lanes)))
        running = [
            pool.submit(run_lane, program, names, limits, Printed(everything, output))
            for names, output in zip(lanes, outputs)]
        try:
            left = running
            while left:
                # In turns: a signal that another thread was given is handled by this one only when
                # it wakes.
                _, left = concurrent.futures.wait(left, timeout=0.2)
            for work in running:
                failed.update(work.result())
        finally:
            # Also after an interrupt: what failed until then is named.
            pool.shutdown()
            for output in outputs[1:]:
                output.seek(0)
                shutil.copyfileobj(output, sys.stdout.buffer)
            sys.stdout.buffer.flush()
    return failed


def run_once(program, lanes, limits):
    start = time.monotonic()
    failed = run_lanes(program, lanes, limits, everything=True)
    if failed:
        print("── What failed:")
        for name, sentence in failed.items():
            print(f"{name} {sentence}")
    print(f"Executed {sum(map(len, lanes))} tests, with {len(failed)} failures, "
          f"in {time.monotonic() - start:.0f} seconds")
    return failed


def soak(program, lanes, limits, rounds):
    """Every test `rounds` times beside load; only what fails is shown."""
    counts, sentences = collections.Counter(), {}
    os.environ["TESTS_BESIDE_LOAD"] = "1"
    limits.factor = SOAK_FACTOR
    done = 0
    with load_on_all_cores():
        try:
            for number in range(1, rounds + 1):
                start = time.monotonic()
                failed = run_lanes(program, lanes, limits, everything=False)
                counts.update(failed.keys())
                sentences.update(failed)
                done = number
                print(f"── Round {number} of {rounds}: {sum(map(len, lanes))} tests, "
                      f"{len(failed)} failed, {time.monotonic() - start:.0f} s")
        finally:
            print(f"── What failed how often, of {done} whole rounds beside load:")
            for name, count in counts.most_common():
                print(f"{count}× {name} {sentences[name]}")
            if not counts:
                print("nothing")
    return counts


def interrupt(number, frame):
    # Here, as an exception would wait for the lanes.
    end_all()
    raise KeyboardInterrupt


@contextlib.contextmanager
def test_program(asked):
    is_there = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= MEMORY_NEEDED
    if asked.memory is None or not is_there:
        yield TestProgram(asked.program)
        return
    with tempfile.TemporaryDirectory(prefix="tests-", dir=MEMORY) as memory:
        yield TestProgram(asked.program, memory, asked.memory)


def main():
    for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, interrupt)
    end_with_parent(signal.SIGTERM)
    sys.stdout.reconfigure(line_buffering=True)
    asked = arguments()
    names = chosen_tests(asked)
    if not names:
        print("No test has such a name.", file=sys.stderr)
        return 64
    limits = Limits(asked.limit)
    lanes = lanes_of(names, asked.lane)
    with test_program(asked) as program:
        if asked.soak is None:
            return 1 if run_once(program, lanes, limits) else 0
        return 1 if soak(program, lanes, limits, asked.soak) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("The tests were interrupted.", file=sys.stderr)
        sys.exit(130)
