"""One process of a test program, and what becomes of the tests that it runs."""

import os
import re
import select
import subprocess
import sys
import threading
import time

import stacks
from load import ending_with_parent

MARK = re.compile(rb"Test Case '([\w.]+)\.(\w+)' (started|passed|failed|skipped)\b")


class Printed:
    """Passes lines on at once: all, or those of the tests that fail."""

    def __init__(self, everything, output=sys.stdout.buffer):
        self.everything = everything
        self.output = output
        self.kept = []

    def line(self, line):
        if self.everything:
            self.output.write(line)
            self.output.flush()
        else:
            self.kept.append(line)

    def test_began(self):
        del self.kept[:-1]

    def test_ended(self, failed):
        if failed:
            self.output.write(b"".join(self.kept))
            self.output.flush()
        self.kept.clear()

    def say(self, sentence):
        self.line(sentence.encode() + b"\n")


class Interrupted(Exception):
    """No process is begun any more."""


# The processes that run; None once all are ended for good.
running = set()
# The handler of a signal takes it, perhaps while the handler of another one holds it.
running_lock = threading.RLock()


def end_all():
    """Ends all processes that run, with what they began; none is begun any more."""
    global running
    with running_lock:
        ended, running = running or (), None
    for process in ended:
        stacks.end_tree(process.pid)


class TestProgram:
    """The built tests, and where modules have their temporary files: in memory, if they fit."""

    def __init__(self, path, memory=None, in_memory=None):
        self.path = path
        self.memory = memory
        self.in_memory = in_memory

    def start(self, names):
        environment = dict(os.environ)
        if self.memory and re.search(self.in_memory, names[0]):
            environment["TMPDIR"] = self.memory
        return subprocess.Popen(
            ending_with_parent([self.path, ",".join(names)]), env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True)


class WatchedProcess:
    def __init__(self, program, names, limits, printed):
        self.program = program
        self.names = names
        # What is printed names no module.
        self.full = {name.split(".", 1)[1].replace("/", "."): name for name in names}
        self.limits = limits
        self.printed = printed
        self.begun = set()
        self.failed = {}
        self.is_complete = False
        self.open = None
        self.last = None
        self.since = time.monotonic()

    def run(self):
        self.begin()
        try:
            is_over = self.watch()
        except BaseException:
            stacks.end_tree(self.process.pid)
            raise
        if not is_over:
            self.end_hanging()
        self.process.wait()
        with running_lock:
            if running is None:
                raise Interrupted
            running.remove(self.process)
        self.process.stdout.close()
        if is_over:
            self.note_end(self.process.returncode)

    def begin(self):
        with running_lock:
            if running is None:
                raise Interrupted
            self.process = self.program.start(self.names)
            running.add(self.process)

    def watch(self):
        """Returns whether the process came to its end by itself, in time."""
        output = self.process.stdout.fileno()
        rest = b""
        while True:
            # Asked before the pipe is read: what it wrote last stands there by then.
            is_over = self.process.poll() is not None
            ready, _, _ = select.select([output], [], [], 0 if is_over else 0.2)
            chunk = os.read(output, 1 << 16) if ready else b""
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self.heard(line + b"\n")
            # What a test left running may hold the pipe open.
            if not chunk and is_over:
                if rest:
                    self.heard(rest + b"\n")
                return True
            if ready and not chunk:
                time.sleep(0.05)
            if time.monotonic() - self.since > self.limit:
                if rest:
                    self.printed.line(rest + b"\n")
                return False

    @property
    def limit(self):
        return self.limits.of(self.open or self.last or self.names[0])

    def heard(self, line):
        self.printed.line(line)
        for mark in MARK.finditer(line):
            name = self.full.get((mark[1] + b"." + mark[2]).decode())
            if name is not None:
                self.marked(name, mark[3])

    def marked(self, name, what):
        self.begun.add(name)
        self.last = name
        self.since = time.monotonic()
        if what == b"started":
            self.open = name
            self.printed.test_began()
            return
        self.open = None
        if what == b"failed":
            self.failed[name] = "failed"
        self.printed.test_ended(failed=what == b"failed")

    def end_hanging(self):
        culprit = self.fails(f"did not end within {self.limit:g} s")
        self.printed.say(f"── The threads of its process, as {culprit} did not end:")
        for line in stacks.of(self.process.pid):
            self.printed.say(line)
        stacks.end_tree(self.process.pid)
        self.printed.test_ended(failed=True)

    def note_end(self, status):
        self.is_complete = self.open is None and all(name in self.begun for name in self.names)
        how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        if not self.is_complete:
            self.fails(f"did not end: its process {how}")
        elif status not in (0, 1) or (status == 1 and not self.failed):
            self.fails(f"passed, as did all before it, but their process {how}")
        else:
            return
        self.printed.test_ended(failed=True)

    def fails(self, sentence):
        """Blames the test that runs, or the one before or after where none does."""
        culprit = self.open or self.last or self.names[0]
        self.failed[culprit] = sentence
        case, test = culprit.split(".", 1)[1].split("/")
        self.printed.say(f"Test Case '{case}.{test}' failed: it {sentence}")
        return culprit
