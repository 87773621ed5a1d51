"""Products of integer matrices, exactly and fast: a row is packed into one long integer.

A scalar times a packed row is one multiplication inside the interpreter instead of one an entry; all sums stay exact.
A matrix is a list of rows.
"""

from collections.abc import Sequence
from functools import lru_cache
from operator import mul

Matrix = list[list[int]]


def product(left: Sequence[Sequence[int]], right: Sequence[Sequence[int]]) -> Matrix:
    """left (m, p) times right (p, q)."""
    columns = len(right[0])
    width = _width(largest(left), largest(right), len(right))
    packed = [pack(row, width) for row in right]
    return [unpack(sum(map(mul, row, packed)), columns, width) for row in left]


def upper_gram(rows: Sequence[Sequence[int]], block: int) -> Matrix:
    """rows^T rows without what lies below its diagonal blocks: row c starts at the first column of its block."""
    columns = len(rows[0])
    size = largest(rows)
    width = _width(size, size, len(rows))
    packed = [0] * len(rows)
    result: Matrix = []
    for start in reversed(range(0, columns, block)):  # the packed rows grow towards the left, block by block
        part = slice(start, start + block)
        packed = [pack(row[part], width) + (tail << 8 * width * block) for row, tail in zip(rows, packed, strict=True)]
        across = transpose([row[part] for row in rows])
        result = [unpack(sum(map(mul, column, packed)), columns - start, width) for column in across] + result
    return result


def transpose(matrix: Sequence[Sequence[int]]) -> Matrix:
    return [list(column) for column in zip(*matrix, strict=True)]


def largest(matrix: Sequence[Sequence[int]]) -> int:
    """The largest absolute value of an entry."""
    return max(max(map(max, matrix)), -min(map(min, matrix)))


def pack(row: Sequence[int], width: int) -> int:
    """sum_j row[j] * 2**(8 width j), for entries below 2**(8 width - 1) in absolute value."""
    bias = 1 << (8 * width - 1)
    shifted = b"".join([(entry + bias).to_bytes(width, "little") for entry in row])
    return int.from_bytes(shifted, "little") - _biases(len(row), width)


def unpack(packed: int, count: int, width: int) -> list[int]:
    """The inverse of `pack`."""
    bias = 1 << (8 * width - 1)
    raw = (packed + _biases(count, width)).to_bytes(width * count, "little")
    return [int.from_bytes(raw[place : place + width], "little") - bias for place in range(0, width * count, width)]


def without_first(packed: int, count: int, dropped: int, width: int) -> int:
    """`pack` of the same row of `count` entries without the first `dropped` ones."""
    return (packed + _biases(count, width) >> 8 * width * dropped) - _biases(count - dropped, width)


@lru_cache(maxsize=256)
def _biases(count: int, width: int) -> int:
    return ((1 << (8 * width * count)) - 1) // ((1 << (8 * width)) - 1) << (8 * width - 1)


def _width(left: int, right: int, terms: int) -> int:
    """Bytes that hold every entry of a product, and every entry of `right`, with their sign."""
    return max(left.bit_length() + right.bit_length() + terms.bit_length(), right.bit_length()) // 8 + 1
