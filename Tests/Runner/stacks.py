"""The stacks of a process's threads, and the end of a process with all that it began."""

import contextlib
import os
import shutil
import signal
import subprocess

MOST_LINES = 600


def of(number):
    """Lines that show them; where gdb isn't there, one that says so."""
    if shutil.which("gdb") is None:
        return ["(Install gdb to see them.)"]
    ask = ["gdb", "-nx", "-batch", "-p", str(number), "-ex", "thread apply all backtrace 40"]
    try:
        said = subprocess.run(
            ask, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
            timeout=120)
    except subprocess.TimeoutExpired:
        return ["(gdb did not answer within 120 s.)"]
    lines = [line for line in said.stdout.splitlines() if line.startswith(("Thread ", "#"))]
    if not lines:
        return ["(gdb can't tell: " + " ".join(said.stderr.split())[-400:] + ")"]
    return demangled(lines[:MOST_LINES])


def demangled(lines):
    if shutil.which("swift-demangle") is None:
        return lines
    try:
        said = subprocess.run(
            ["swift-demangle", "--simplified"], input="\n".join(lines), capture_output=True,
            text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return lines
    return said.stdout.splitlines() if said.returncode == 0 else lines


def end_tree(number):
    """Ends a process, and all that it began and those began, before it can begin more."""
    ended = set()
    while True:
        # Whoever stands still begins nothing; children of the dead would be no one's.
        new = [one for one in tree(number) if one not in ended]
        if not new:
            break
        for one in new:
            send(one, signal.SIGSTOP)
            ended.add(one)
    for one in ended:
        send(one, signal.SIGKILL)
    # Those whose parents ended before.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(number, signal.SIGKILL)


def send(number, what):
    with contextlib.suppress(ProcessLookupError):
        os.kill(number, what)


def tree(number):
    children = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                parent = int(file.read().rpartition(b")")[2].split()[1])
        except (OSError, IndexError):
            continue
        children.setdefault(parent, []).append(int(name))
    found = [number]
    for one in found:
        found += children.get(one, [])
    return found
