"""A small real certificate and its weights file, made with plain numpy and the theorems' 30-digit values."""

import hashlib
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file

import bounds
from certify.arithmetic.interval import Interval
from certify.certificate import Cite, Proof, Step, StoredTensor, Witness, build, ratio
from certify.outcome import Bound, Guarantee

Array = np.ndarray
SLACK = 1 + 1e-12  # what a floating-point norm is off by, at most

POINT = ("local-covariance", "local-schur", "local-softmax-jacobian")
BALL = ("compact-softmax", "compact-softmax-published", "mean-field-published")


def norm(matrix: Array) -> float:
    return float(np.linalg.norm(matrix, 2))


def above(value: Fraction) -> float:
    """The least double that is at least `value`."""
    nearest = value.numerator / value.denominator
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)


@dataclass(frozen=True)
class Model:
    """Random float32 weights of `heads` heads, a LayerNorm before them, and an input."""

    seed: int = 0
    n: int = 4
    d: int = 6
    heads: int = 2
    k: int = 3

    @cached_property
    def tensors(self) -> dict[str, Array]:
        rng = np.random.default_rng(self.seed)
        inner = self.heads * self.k
        shapes = {
            **{f"{name}_weight": (inner, self.d) for name in ("query", "key", "value")},
            **{f"{name}_bias": (inner,) for name in ("query", "key", "value")},
            "output_weight": (self.d, inner),
            "output_bias": (self.d,),
            "norm_weight": (self.d,),
            "norm_bias": (self.d,),
        }
        return {
            role: (rng.standard_normal(shape) * 0.5 / math.sqrt(shape[-1])).astype(np.float32)
            for role, shape in shapes.items()
        }

    @cached_property
    def tokens(self) -> Array:
        return np.random.default_rng(self.seed + 1).standard_normal((self.n, self.d))

    def part(self, role: str, head: int) -> Array:
        return self.tensors[role].astype(np.float64)[head * self.k : (head + 1) * self.k]

    def save(self, folder: Path) -> Path:
        path = folder / "model.safetensors"
        save_file({f"attention.{role}": array for role, array in self.tensors.items()}, path)
        return path

    def stored(self) -> dict[str, StoredTensor]:
        return {
            role: StoredTensor(f"attention.{role}", "F32", array.shape, hashlib.sha256(array.tobytes()).hexdigest())
            for role, array in self.tensors.items()
        }


@dataclass(frozen=True)
class HeadNumbers:
    """Everything about one head in floating point, V replaced by W_O V when `folded`."""

    model: Model
    head: int
    folded: bool = False

    @cached_property
    def maps(self) -> tuple[Array, Array, Array]:
        """A, a, V."""
        Q, K, V = (self.model.part(f"{name}_weight", self.head) for name in ("query", "key", "value"))
        scale = 1 / math.sqrt(self.model.k)
        if self.folded:
            W = self.model.tensors["output_weight"].astype(np.float64)
            V = W[:, self.head * self.model.k : (self.head + 1) * self.model.k] @ V
        return scale * K.T @ Q, scale * K.T @ self.model.part("query_bias", self.head), V

    @cached_property
    def P(self) -> Array:
        A, a, _ = self.maps
        scores = (self.model.tokens @ A.T + a) @ self.model.tokens.T
        weights = np.exp(scores - scores.max(1, keepdims=True))
        return weights / weights.sum(1, keepdims=True)

    @cached_property
    def blocks(self) -> Array:
        """The Jacobian's blocks without the covariance term, and that term: (n, n + 1, v, d)."""
        A, a, V = self.maps
        X, P = self.model.tokens, self.P
        B, means = X @ A.T + a, P @ X
        n = len(X)
        out = np.zeros((n, n + 1, *V.shape))
        for i in range(n):
            centred = X - means[i]
            for j in range(n):
                out[i, j] = P[i, j] * (V + np.outer(V @ centred[j], B[i]))
            out[i, n] = V @ (centred.T * P[i]) @ centred @ A
        return out

    @cached_property
    def jacobian(self) -> Array:
        n, v, d = self.model.n, *self.maps[2].shape
        J = self.blocks[:, :n].copy()
        J[np.arange(n), np.arange(n)] += self.blocks[:, n]
        return J.transpose(0, 2, 1, 3).reshape(n * v, n * d)

    def hints(self, theorem: str) -> dict[str, Array]:
        n, P, rest = self.model.n, self.P, self.blocks[:, : self.model.n]
        if theorem == "local-covariance":
            squares = np.einsum("ijvd,ijwd,ij->ivw", rest, rest, 1 / P)
            return {"lam": np.linalg.eigvalsh(squares)[:, -1] * SLACK}
        J = rest.copy()
        J[np.arange(n), np.arange(n)] += self.blocks[:, n]
        r = (1 / np.sqrt(P)).astype(np.float32).astype(np.float64)
        squares = np.einsum("ijvd,ijwd,ij->ivw", J, J, r**2)
        return {"lam": np.linalg.eigvalsh(squares)[:, -1] * SLACK, "r": r}

    def value(self, symbol: str) -> float:
        A, a, V = self.maps
        X, P, n, d = self.model.tokens, self.P, self.model.n, self.model.d
        G = np.diag(self.model.tensors["norm_weight"].astype(np.float64))
        c = A @ self.model.tensors["norm_bias"].astype(np.float64) + a
        Pi = np.eye(d) - 1 / d
        top = np.sort(P, axis=1)[:, ::-1]
        return {
            "R": lambda: float(np.linalg.norm(X, axis=1).max()),
            "norm_A": lambda: norm(A),
            "norm_a": lambda: float(np.linalg.norm(a)),
            "norm_V": lambda: norm(V),
            "norm_P": lambda: norm(P),
            "norm_X": lambda: norm(X),
            "norm_B": lambda: norm(X @ A.T + a),
            "softmax_sensitivity": lambda: float((top[:, 0] * (top[:, 1:].sum(1) + top[:, 1:2].sum(1))).max()),
            "covariance_term": lambda: max(map(norm, self.blocks[:, n])),
            "weighted_column": lambda: float((P * self.hints("local-covariance")["lam"][:, None]).sum(0).max()),
            "schur_column": lambda: float(
                (self.hints("local-schur")["lam"][:, None] / self.hints("local-schur")["r"] ** 2).sum(0).max()
            ),
            "norm_VG": lambda: norm(V @ G @ Pi),
            "norm_GA": lambda: norm(Pi @ G @ A),
            "norm_AG": lambda: norm(A @ G @ Pi),
            "norm_GAG": lambda: norm(Pi @ G @ A @ G @ Pi),
            "norm_c": lambda: float(np.linalg.norm(c)),
            "norm_Gc": lambda: float(np.linalg.norm(Pi @ G @ c)),
        }[symbol]()

    def step(self, theorem: str, domain: Any) -> Step:
        counts = {"n": self.model.n, "d": self.model.d}
        symbols = [str(symbol) for symbol in bounds.theorem(theorem).symbols]
        values = {symbol: counts.get(symbol) or self.value(symbol) * SLACK for symbol in symbols}
        kind = "folded-head" if self.folded else "head"
        inputs = {s: v if isinstance(v, int) else Interval(v * (1 - 1e-11), v) for s, v in values.items()}
        name = f"{kind}-{self.head}/{domain}/{theorem}"
        return Step(name, theorem, kind, self.head, domain, inputs, claim(theorem, values))

    def witness(self) -> Witness:
        _, values, right = np.linalg.svd(self.jacobian)
        direction = right[0].reshape(self.model.n, self.model.d)
        return Witness(f"head-{self.head}/witness", self.head, direction, float(values[0] / SLACK))


def claim(theorem: str, values: dict[str, Any]) -> float:
    """The least double above the theorem's value."""
    return above(Fraction(str(bounds.theorem(theorem).evaluate(**values))))


def join(model: Model, theorem: str, domain: Any, steps: list[Step]) -> Step:
    values: dict[str, Any] = {"H": model.heads, "L": [step.claim for step in steps]}
    inputs: dict[str, Any] = {"H": model.heads, "L": [Cite(step.id) for step in steps]}
    if theorem == "heads-joined":
        size = norm(model.tensors["output_weight"].astype(np.float64)) * SLACK
        values["norm_WO"], inputs["norm_WO"] = size, Interval.point(size)
    return Step(f"layer/{domain}/{theorem}", theorem, "layer", None, domain, inputs, claim(theorem, values))


def layer_jacobian(model: Model) -> Array:
    """(n d, n d)."""
    return np.sum([HeadNumbers(model, head, folded=True).jacobian for head in range(model.heads)], axis=0)


def layer_hints(model: Model) -> dict[str, Array]:
    """lam and r of the block Schur test for the whole map, r from the block norms."""
    J = layer_jacobian(model).reshape(model.n, model.d, model.n, model.d).transpose(0, 2, 1, 3)
    r = (1 / np.sqrt(np.linalg.norm(J, 2, axis=(2, 3)))).astype(np.float32).astype(np.float64)
    squares = np.einsum("ijvd,ijwd,ij->ivw", J, J, r**2)
    return {"lam": np.linalg.eigvalsh(squares)[:, -1] * SLACK, "r": r}


def layer_schur(model: Model) -> Step:
    hints = layer_hints(model)
    column = float((hints["lam"][:, None] / hints["r"] ** 2).sum(0).max()) * SLACK
    inputs = {"schur_column": Interval.point(column)}
    value = claim("local-schur", {"schur_column": column})
    return Step("layer/point/local-schur", "local-schur", "layer", None, "point", inputs, value)


def layer_witness(model: Model) -> Witness:
    _, values, right = np.linalg.svd(layer_jacobian(model))
    return Witness("layer/witness", None, right[0].reshape(model.n, model.d), float(values[0] / SLACK))


def upper(step: Step) -> dict[str, Any]:
    return {**Bound(step.claim, "upper", Guarantee.PROVED, step.theorem, step.theorem).as_json(), "step": step.id}


def lower(witness: Witness) -> dict[str, Any]:
    return {**Bound(witness.claim, "lower", Guarantee.WITNESS, "lanczos").as_json(), "witness": witness.id}


def section(steps: list[Step], witness: Witness, everywhere: list[Step]) -> dict[str, Any]:
    best, most = (min(part, key=lambda step: step.claim) for part in (steps, everywhere))
    return {
        "upper": upper(best),
        "lower": lower(witness),
        "ratio": ratio(best.claim, witness.claim),
        "candidates": [*map(upper, steps), lower(witness), {"value": None, "method": "dense", "reason": "too large"}],
        "global": {
            "domain": {"kind": "layernorm"},
            "upper": upper(most),
            "candidates": [*map(upper, everywhere)],
        },
    }


def certificate(model: Model) -> dict[str, Any]:
    heads = [HeadNumbers(model, head) for head in range(model.heads)]
    folded = [HeadNumbers(model, head, folded=True) for head in range(model.heads)]
    local = [[h.step(t, "point") for t in POINT] + [h.step(t, "ball") for t in BALL] for h in heads]
    everywhere = [h.step("compact-layernorm", "layernorm") for h in heads]
    folded_steps = [h.step("local-covariance", "point") for h in folded]
    joins = [
        join(model, "heads-joined", "point", [steps[0] for steps in local]),
        join(model, "heads-added", "point", folded_steps),
        layer_schur(model),
    ]
    most = join(model, "heads-joined", "layernorm", everywhere)
    seen = [*(h.witness() for h in heads), layer_witness(model)]
    hints = {
        f"{kind}-{h.head}/point/{t}": h.hints(t)
        for kind, part, names in (("head", heads, POINT[:2]), ("folded-head", folded, POINT[:1]))
        for h in part
        for t in names
    }
    hints["layer/point/local-schur"] = layer_hints(model)
    return build(
        {
            "object": {"model": "small", "layer": 0, "head": None, "heads": model.heads, "n": model.n, "d": model.d},
            "domain": {"kind": "point"},
            "map_norm": "l2",
            **section(joins, seen[-1], [most]),
            "seconds": 0.5,
            "heads": [{"head": i, **section(local[i], seen[i], [everywhere[i]])} for i in range(model.heads)],
        },
        Proof(
            steps=[*(step for steps in local for step in steps), *everywhere, *folded_steps, *joins, most],
            witnesses=seen,
            input=model.tokens,
            weights=model.stored(),
            heads=model.heads,
            head_size=model.k,
            scale_squared=Fraction(1, model.k),
            hints=hints,
        ),
    )
