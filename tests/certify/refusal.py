"""Every refusal is seen to refuse: the exact kind and the exact, single line that the user reads."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from certify.errors import AttentionBoundsError


@contextmanager
def refused(kind: type[AttentionBoundsError], message: str) -> Iterator[None]:
    with pytest.raises(kind) as caught:
        yield
    assert str(caught.value) == message
    assert caught.type is kind
    assert "\n" not in message
