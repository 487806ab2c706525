"""Load on every core and on the disk, for as long as a block lasts."""

import contextlib
import ctypes
import os
import signal
import sys
import tempfile

PR_SET_PDEATHSIG = 1
prctl = ctypes.CDLL(None).prctl


def end_with_parent(by=signal.SIGKILL, parent=None):
    """The kernel signals this process when the thread that began it ends, however that ends.

    A parent that has ended before the kernel was asked is noticed by its number.
    """
    prctl(PR_SET_PDEATHSIG, by)
    if parent is not None and os.getppid() != parent:
        os.kill(os.getpid(), by)


def ending_with_parent(command):
    """The command as one that the kernel kills when the thread that begins it ends.

    A program says so of itself and becomes the command: between fork and exec, a thread may wait
    for ever for a lock that another one held.
    """
    return [sys.executable, "-B", "-S", __file__, str(os.getpid())] + command


def compute():
    while True:
        pass


def write():
    block = os.urandom(1 << 20)
    with tempfile.TemporaryFile() as file:
        while True:
            file.seek(0)
            for _ in range(32):
                file.write(block)
            file.flush()
            os.fsync(file.fileno())


def begin(work):
    sys.stdout.flush()
    parent = os.getpid()
    number = os.fork()
    if number:
        return number
    try:
        for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(one, signal.SIG_DFL)
        end_with_parent(parent=parent)
        work()
    finally:
        os._exit(1)


@contextlib.contextmanager
def load_on_all_cores():
    """Two busy loops a core that this process may use, and one that writes to the disk."""
    running = []
    try:
        for work in [compute] * (2 * len(os.sched_getaffinity(0))) + [write]:
            running.append(begin(work))
        yield
    finally:
        for number in running:
            os.kill(number, signal.SIGKILL)
            os.waitpid(number, 0)


if __name__ == "__main__":
    end_with_parent(parent=int(sys.argv[1]))
    os.execv(sys.argv[2], sys.argv[2:])
