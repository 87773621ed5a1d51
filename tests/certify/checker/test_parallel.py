"""Side by side: proved only if every job was seen to succeed; obligations name the first that fails."""

import os
import signal
import sys

import pytest

from certify.checker.obligation import Obligation, demand_all
from certify.checker.parallel import all_hold
from certify.checker.report import Refused

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")


@pytest.fixture(autouse=True)
def _three_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 1, 2})


def raises() -> bool:
    raise ValueError


def dies() -> bool:
    os.kill(os.getpid(), signal.SIGKILL)
    return True


def exits() -> bool:
    sys.exit(0)


@pytest.mark.parametrize("count", [2, 3, 7])
def test_all_hold(count: int) -> None:
    assert all_hold([lambda: True] * count)


@pytest.mark.parametrize("bad", [lambda: False, raises, dies, exits])
@pytest.mark.parametrize("place", range(5))
def test_one_that_does_not_hold_is_enough(bad, place: int, capfd: pytest.CaptureFixture[str]) -> None:
    jobs = [lambda: True] * 5
    jobs[place] = bad
    assert not all_hold(jobs)
    assert capfd.readouterr() == ("", "")


def test_nothing_is_gained_from_one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0})
    assert not all_hold([lambda: True] * 3)
    demand_all([Obligation(None, "here", "failed", lambda: True)] * 3, side_by_side=True)


@pytest.mark.parametrize("side_by_side", [True, False])
def test_the_first_that_fails_is_named(side_by_side: bool) -> None:
    results = [True, True, False, True, False]
    obligations = [Obligation(i % 2, f"place {i}", "failed", lambda x=x: x) for i, x in enumerate(results)]
    demand_all(obligations[:2], side_by_side)
    with pytest.raises(Refused, match=r"^place 2: failed$"):
        demand_all(obligations, side_by_side)


def test_no_child_is_left_behind() -> None:
    assert not all_hold([lambda: False, *[lambda: signal.pause() is None] * 2])
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
