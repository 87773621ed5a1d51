"""Enclosed spectral norms of one head's maps: A = scale K^T Q, a = scale K^T b_Q, V, plain and through a LayerNorm.

With Gamma = diag(gamma), Pi = I - 11^T/d and beta of the LayerNorm that feeds the layer, the tokens are
Gamma z + beta with z centred; K Gamma Pi and Q Gamma Pi are the maps that z meets.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .activations import scale_ball
from .arithmetic.arb import ARB
from .arithmetic.elementary import reciprocal
from .arithmetic.interval import Interval
from .arithmetic.matrices import BallMatrix
from .attention_layer import AttentionLayer
from .domains import LayerNormImage
from .norms import spectral_norm, vector_norm


@dataclass(frozen=True)
class HeadNorms:
    """Norms of a layer of one head; the ones through a LayerNorm need `image`."""

    layer: AttentionLayer
    image: LayerNormImage | None = None

    @cached_property
    def _query(self) -> BallMatrix:
        return BallMatrix.exact(self.layer.query_weight[0])

    @cached_property
    def _key(self) -> BallMatrix:
        return BallMatrix.exact(self.layer.key_weight[0])

    @cached_property
    def _value(self) -> BallMatrix:
        return BallMatrix.exact(self.layer.value_weight[0])

    @cached_property
    def A(self) -> Interval:
        return self._bilinear(self._key, self._query)

    @cached_property
    def a(self) -> Interval:
        bias = BallMatrix.exact(self.layer.query_bias[0][:, None])
        return vector_norm((self._key.T @ bias) * scale_ball(self.layer))

    @cached_property
    def V(self) -> Interval:
        return spectral_norm(self._value)

    @cached_property
    def V_through(self) -> Interval:
        """|V Gamma Pi|."""
        return spectral_norm(self._through(self._value))

    @cached_property
    def A_left(self) -> Interval:
        """|Pi Gamma A|."""
        return self._bilinear(self._through(self._key), self._query)

    @cached_property
    def A_right(self) -> Interval:
        """|A Gamma Pi|."""
        return self._bilinear(self._key, self._through(self._query))

    @cached_property
    def A_both(self) -> Interval:
        """|Pi Gamma A Gamma Pi|."""
        return self._bilinear(self._through(self._key), self._through(self._query))

    @cached_property
    def shift(self) -> Interval:
        """|A beta + a|."""
        return vector_norm(self._shift(self._key))

    @cached_property
    def shift_through(self) -> Interval:
        """|Pi Gamma (A beta + a)|."""
        return vector_norm(self._shift(self._through(self._key)))

    def _shift(self, key: BallMatrix) -> BallMatrix:
        beta = BallMatrix.exact(self._known_image.beta[:, None])
        query = self._query @ beta + BallMatrix.exact(self.layer.query_bias[0][:, None])
        return (key.T @ query) * scale_ball(self.layer)

    @property
    def _known_image(self) -> LayerNormImage:
        if self.image is None:
            raise ValueError("this head has no LayerNorm before it")
        return self.image

    def _through(self, weight: BallMatrix) -> BallMatrix:
        """W Gamma Pi: columns times gamma, then every row less its mean."""
        scaled = weight * BallMatrix.exact(self._known_image.gamma[None])
        width = BallMatrix.exact(np.float64(scaled.shape[1]))
        return scaled - (scaled.sum(1) * reciprocal(width))[:, None]

    def _bilinear(self, key: BallMatrix, query: BallMatrix) -> Interval:
        scale = scale_ball(self.layer)
        root = ARB.number(float(scale.lower()), float(scale.upper()))
        norm = product_norm(key, query)
        return ARB.bounds(root * ARB.number(norm.lower, norm.upper))


def product_norm(key: BallMatrix, query: BallMatrix) -> Interval:
    """An enclosure of |K^T Q| for K, Q of shape (k, d), from k x k matrices only.

    For any C, D with K K^T = C C^T + E and Q Q^T = D D^T + F,
    | |K^T Q|^2 - |C^T D|^2 | <= |E||Q|^2 + |F||C|^2. C and D come from LAPACK and only need to be good.
    """
    C, E = _gram_root(key)
    D, F = _gram_root(query)
    core, size_C, size_Q = (spectral_norm(M) for M in (C.T @ D, C, query))
    square = ARB.number(core.lower, core.upper) * ARB.number(core.lower, core.upper)
    upper_C, upper_Q = ARB.number(size_C.upper), ARB.number(size_Q.upper)
    slack = ARB.number(E) * upper_Q * upper_Q + ARB.number(F) * upper_C * upper_C
    least = max(ARB.bounds(square - slack).lower, 0.0)
    return ARB.bounds(ARB.sqrt(ARB.number(least, ARB.bounds(square + slack).upper)))


def _gram_root(weight: BallMatrix) -> tuple[BallMatrix, float]:
    """An exact C and an upper bound of |W W^T - C C^T|."""
    gram = weight @ weight.T
    values, vectors = np.linalg.eigh(gram.mid)
    C = BallMatrix.exact(vectors * np.sqrt(np.maximum(values, 0.0)))
    return C, spectral_norm(gram - C @ C.T).upper
