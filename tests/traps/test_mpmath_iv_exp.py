"""Trap: `mpmath.iv.exp` of mpmath 1.3 is not an enclosure. Ours must be, where that one is seen to fail."""

import ast
from pathlib import Path
from typing import Any

import mpmath
import pytest
from mpmath.ctx_iv import MPIntervalContext

from certify.arithmetic import reference
from certify.arithmetic.reference import REFERENCE

TRUTH: Any = mpmath.MPContext()
TRUTH.prec = 900

# (bits of the interval context, doubles in [4, 8) where its exp misses the true value)
MISSED = [
    (53, ["0x1.57e42744ce314p+2", "0x1.609f73568fb13p+2", "0x1.7e7b6d8914072p+2", "0x1.2eae2965f7d34p+2"]),
    (256, ["0x1.4acd47279cab0p+2", "0x1.e1ee538c566a4p+2", "0x1.1c6e8d6e450e8p+2", "0x1.c44b9b8005e5ep+2"]),
]
CASES = [(bits, text) for bits, texts in MISSED for text in texts]


def lies_inside(raw_ends: Any, argument: float) -> bool:
    lower, upper = (TRUTH.make_mpf(raw) for raw in raw_ends)
    return bool(lower <= TRUTH.exp(TRUTH.mpf(argument)) <= upper)


@pytest.mark.parametrize(("bits", "text"), CASES)
def test_mpmath_misses_the_exponential(bits: int, text: str) -> None:
    context: Any = MPIntervalContext()
    context.prec = bits
    assert not lies_inside(context.exp(float.fromhex(text))._mpi_, float.fromhex(text))


@pytest.mark.parametrize(("bits", "text"), CASES)
def test_the_reference_engine_encloses_it(bits: int, text: str) -> None:
    argument = float.fromhex(text)
    assert 4 <= argument < 8
    enclosure: Any = REFERENCE.exp(REFERENCE.number(argument))
    assert lies_inside(enclosure.enclosure._mpi_, argument)


def test_the_cases_meet_the_precision_of_the_reference_engine() -> None:
    """Else `_IV.exp` could come back and these doubles would not notice."""
    assert reference._IV.prec in dict(MISSED)


def trusted(source: str) -> set[str]:
    """What a source takes from its interval context and from mpmath's internals."""
    nodes = list(ast.walk(ast.parse(source)))
    used = {node.attr for node in nodes if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "_IV"}
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mpmath")]
    return used | {alias.name for node in imports for alias in node.names}


def test_the_reference_engine_uses_nothing_of_iv_beyond_the_operators() -> None:
    allowed = {"mpf", "make_mpf", "prec", "MPIntervalContext", "from_man_exp", "mpf_log"}
    source = Path(reference.__file__).read_text(encoding="utf-8")
    assert trusted(source) == allowed
    assert "exp" in trusted(source + "\nbad = _IV.exp(1)\n")
    assert "mpi_exp" in trusted(source + "\nfrom mpmath.libmp import mpi_exp\n")
