"""Independent proofs side by side, one process a core; a process can only say that all of its proofs succeeded."""

import os
import signal
import sys
import warnings
from collections.abc import Callable, Sequence

Job = Callable[[], bool]


def all_hold(jobs: Sequence[Job]) -> bool:
    """Whether every job was seen to return True; a job that raises, or whose process dies, was not.

    False too where the system cannot fork or there is nothing to gain from it.
    """
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1
    count = min(cores, len(jobs))
    if count < 2:
        return False
    running = [_started(jobs[first::count]) for first in range(count)]
    try:
        while running:
            _, status = os.waitpid(running[0], 0)
            running.pop(0)
            if status != 0:
                return False
    finally:
        for process in running:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
    return True


def _started(jobs: Sequence[Job]) -> int:
    """The id of a new process that ends with status 0 if and only if all jobs hold."""
    with warnings.catch_warnings():
        # a process with threads may fork here: the new one does nothing but integer arithmetic before it ends
        warnings.simplefilter("ignore", DeprecationWarning)
        process = os.fork()
    if process != 0:
        return process
    status = 1
    try:
        status = 0 if all(job() for job in jobs) else 1
    finally:
        os._exit(status)
