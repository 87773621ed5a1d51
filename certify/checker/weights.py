"""The layer's matrices, exactly, from the tensors that the certificate names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from .document import Document, number
from .exact import Exact, exact, plus, through_normalisation
from .report import Refused
from .safetensors_file import open_file, read_tensor

NEEDED = ("query_weight", "key_weight", "value_weight")


@dataclass(frozen=True)
class Head:
    """One head: query, key, value (k, d); both biases (k, 1); output (d_out, k) or None; gamma and beta (1, d)."""

    query: Exact
    key: Exact
    value: Exact
    query_bias: Exact
    key_bias: Exact
    output: Exact | None
    gamma: Exact | None
    beta: Exact | None

    @cached_property
    def query_gram(self) -> Exact:
        return self.query.gram()

    @cached_property
    def key_gram(self) -> Exact:
        return self.key.gram()

    @cached_property
    def value_gram(self) -> Exact:
        return self.value.gram()

    @cached_property
    def query_gram_through(self) -> Exact:
        return self._through(self.query)

    @cached_property
    def key_gram_through(self) -> Exact:
        return self._through(self.key)

    @cached_property
    def value_gram_through(self) -> Exact:
        return self._through(self.value)

    @cached_property
    def output_gram(self) -> Exact:
        """W_O^T W_O, (k, k)."""
        if self.output is None:
            raise Refused("proof.weights", "output_weight is missing")
        return self.output.T.gram()

    @cached_property
    def shifted_bias(self) -> Exact:
        """W_Q beta + b_Q, (k, 1)."""
        if self.beta is None:
            raise Refused("proof.weights", "norm_bias is missing")
        return plus(self.query @ self.beta.T, self.query_bias)

    def _through(self, weight: Exact) -> Exact:
        if self.gamma is None:
            raise Refused("proof.weights", "norm_weight is missing")
        return through_normalisation(weight, self.gamma).gram()


@dataclass(frozen=True)
class Norm:
    """gamma and beta (1, d) and eps; `centred` for a LayerNorm, not for an RMSNorm."""

    gamma: Exact
    beta: Exact
    eps: Fraction
    centred: bool


@dataclass(frozen=True)
class Layer:
    """All heads, the scale of the scores squared, the output weight (d_out, heads * k) or None, and what only a block
    needs: value bias (1, heads * k), output bias (1, d_out) or None, and its norm.
    """

    heads: tuple[Head, ...]
    scale_squared: Fraction
    output: Exact | None
    value_bias: Exact
    output_bias: Exact | None
    block_norm: Norm | None


def load_layer(document: Document, model: str | Path) -> Layer:
    """Read and verify every tensor, and cut it into heads.

    Raises:
        Refused: a tensor differs from what the certificate says, or the shapes fit no layer.
    """
    proof, about = document["proof"], document["object"]
    header = open_file(model)
    tensors = {
        role: _matrix(read_tensor(header, f"proof.weights.{role}", stored), stored["shape"])
        for role, stored in proof["weights"].items()
    }
    heads, size, d = proof["geometry"]["heads"], proof["geometry"]["head_size"], about["d"]
    groups = proof["geometry"].get("kv_heads", heads)
    if not 0 < groups <= heads or heads % groups:
        raise Refused("proof.geometry.kv_heads", f"{heads} heads cannot share {groups} keys and values")
    read = proof["context"]["shape"][1] if "context" in proof else d
    _check_shapes(proof["weights"], heads * size, groups * size, d, read)
    if "around" in proof["geometry"]:
        _check_outputs(proof["weights"], heads * size, d)
    zero = Exact([[0] * (heads * size)], Fraction(1))
    none = Exact([[0] * (groups * size)], Fraction(1))
    shared = [h // (heads // groups) * size for h in range(heads)]  # the first row of each head's keys and values
    output = tensors.get("output_weight")
    gamma = tensors.get("norm_weight")
    beta = tensors.get("norm_bias", None if gamma is None else Exact([[0] * d], Fraction(1)))
    parts = tuple(
        Head(
            query=tensors["query_weight"].slice(h, h + size),
            key=tensors["key_weight"].slice(g, g + size),
            value=tensors["value_weight"].slice(g, g + size),
            query_bias=tensors.get("query_bias", zero).columns(h, h + size).T,
            key_bias=tensors.get("key_bias", none).columns(g, g + size).T,
            output=None if output is None else output.columns(h, h + size),
            gamma=gamma,
            beta=beta,
        )
        for h, g in zip(range(0, heads * size, size), shared, strict=True)
    )
    return Layer(
        heads=parts,
        scale_squared=Fraction(proof["geometry"]["scale_squared"]),
        output=output,
        value_bias=_side_by_side(tensors.get("value_bias", none), shared, size),
        output_bias=tensors.get("output_bias"),
        block_norm=_block_norm(proof["geometry"].get("around"), tensors, d),
    )


def _block_norm(around: Mapping[str, Any] | None, tensors: Mapping[str, Exact], d: int) -> Norm | None:
    if around is None or around["norm"] is None:
        return None
    ones, zeros = Exact([[1] * d], Fraction(1)), Exact([[0] * d], Fraction(1))
    gamma, beta = tensors.get("block_norm_weight", ones), tensors.get("block_norm_bias", zeros)
    return Norm(gamma, beta, Fraction(number(around["eps"])), around["norm"] == "layernorm")


def _side_by_side(bias: Exact, starts: Sequence[int], size: int) -> Exact:
    """The value bias of every head, one after another."""
    return Exact([[entry for start in starts for entry in bias.rows[0][start : start + size]]], bias.unit)


def _matrix(values: list[float], shape: list[int]) -> Exact:
    """A vector becomes one row."""
    columns = shape[-1] if shape else 1
    return exact([values[i : i + columns] for i in range(0, len(values), columns)])


def _check_outputs(stored: Mapping[str, Any], inner: int, d: int) -> None:
    """A residual connection adds outputs to tokens."""
    outputs = stored["output_weight"]["shape"][0] if "output_weight" in stored else inner
    if outputs != d:
        raise Refused("proof.geometry.around", f"outputs of size {outputs} are not added to tokens of size {d}")
    if "output_bias" in stored and stored["output_bias"]["shape"] != [d]:
        raise Refused("proof.weights.output_bias.shape", f"{stored['output_bias']['shape']} is not [d = {d}]")


def _check_shapes(stored: Mapping[str, Any], inner: int, shared: int, d: int, read: int) -> None:
    """inner is heads * head_size, shared the same of keys and values, read the size of a token that they read."""
    for role in NEEDED:
        if role not in stored:
            raise Refused(f"proof.weights.{role}", "is missing")
    if inner < 1:
        raise Refused("proof.geometry.head_size", "must be at least 1")
    expected = {
        "query_weight": [inner, d],
        "query_bias": [inner],
        **{role: [shared, read] for role in ("key_weight", "value_weight")},
        **{role: [shared] for role in ("key_bias", "value_bias")},
        "norm_weight": [d],
        "norm_bias": [d],
        "block_norm_weight": [d],
        "block_norm_bias": [d],
    }
    for role, entry in stored.items():
        shape, wanted = entry["shape"], expected.get(role)
        if role == "output_weight" and (len(shape) != 2 or shape[0] < 1 or shape[1] != inner):
            raise Refused(f"proof.weights.{role}.shape", f"{shape} is not [d_out, heads * head_size = {inner}]")
        if wanted is not None and shape != wanted:
            raise Refused(f"proof.weights.{role}.shape", f"{shape} does not fit the layer: it needs {wanted}")
