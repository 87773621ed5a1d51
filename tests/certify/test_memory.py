import pytest

from certify import memory
from certify.certify_layer import certify_layer
from certify.errors import InputError
from certify.memory import available_bytes, estimated_bytes, require_memory
from certify.progress import Progress
from tests.certify.layers import random_layer

torch = pytest.importorskip("torch")


def test_the_estimate_grows_with_tokens_and_width() -> None:
    small, large = random_layer(0, d=8), random_layer(0, d=64, v=32)
    assert estimated_bytes(small, 4) < estimated_bytes(small, 400) < estimated_bytes(large, 400)


def test_memory_that_is_there_is_told() -> None:
    assert available_bytes() > 1e8
    steps, notes = [], []
    require_memory(random_layer(0), 4, Progress(steps.append, notes.append))
    require_memory(random_layer(0, d=512, v=256), 100, Progress(steps.append, notes.append))
    assert [len(steps), len(notes)] == [1, 1]
    assert steps[0].startswith("4 tokens: about 0.1")
    assert notes[0].startswith("100 tokens: about 1.")


def test_too_little_memory_is_refused_before_the_work_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 1e6)
    module = torch.nn.MultiheadAttention(6, 2)
    with pytest.raises(InputError, match=r"^the tight tier takes about 0\.15 GB of memory for 3 tokens, 0\.00 GB are"):
        certify_layer(module, torch.zeros(3, 6))
    assert certify_layer(module, torch.zeros(3, 6), tier="fast").upper.side == "upper"
