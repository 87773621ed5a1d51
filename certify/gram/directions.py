"""Leading output directions of a Jacobian, found in floating point: any prove a bound, good ones make it tight."""

import numpy as np
from scipy.sparse.linalg import ArpackError, ArpackNoConvergence, LinearOperator, eigsh

from ..attention_layer import Array
from ..linear_map import LinearMap

_TOLERANCE = 1e-5  # the proof pays the square of the residual
_DENSE = 192  # outputs up to which all directions are found at once


def leading_outputs(products: LinearMap, count: int) -> tuple[Array, Array]:
    """About the `count` largest eigenvalues of J J^T, ascending, and their eigenvectors (n, d_out, count).

    Fewer where the search fails or there are not as many; the same input gives the same directions.
    """
    n, d_out = products.output_shape
    size = n * d_out

    def gram(g: Array) -> Array:
        return products.jvp(products.vjp(g.reshape(n, d_out))).ravel()

    with np.errstate(over="ignore", invalid="ignore"):
        if size <= max(_DENSE, count + 1):
            columns = np.stack([gram(e) for e in np.eye(size)], axis=1)
            if not np.isfinite(columns).all():
                return _none(n, d_out)
            values, vectors = np.linalg.eigh((columns + columns.T) / 2)
        else:
            start = np.random.default_rng(0).standard_normal(size)
            image = gram(start)
            if not np.isfinite(image).all() or not image.any():
                return _none(n, d_out)
            operator = LinearOperator((size, size), matvec=gram, dtype=np.float64)  # type: ignore[call-arg]
            try:
                values, vectors = eigsh(operator, k=count, v0=start, tol=_TOLERANCE)  # type: ignore[arg-type]
            except ArpackNoConvergence as found:
                values, vectors = found.eigenvalues, found.eigenvectors
            except ArpackError:
                return _none(n, d_out)
    order = np.argsort(values)[-count:]
    return np.maximum(values[order], 0.0), np.ascontiguousarray(vectors[:, order]).reshape(n, d_out, -1)


def _none(n: int, d_out: int) -> tuple[Array, Array]:
    return np.zeros(0), np.zeros((n, d_out, 0))
