"""Witnesses again: |J(X) u| >= claim * |u| in fixed point from the stored X and u and the file's weights.

    (J u)_i = sum_j P_ij V u_j + sum_j P_ij (ds_ij - mean_i) V x_j,   ds_ij = scale ( <dq_i, k_j> + <q_i, dk_j> ),

mean_i = sum_j P_ij ds_ij. The key bias moves whole rows of ds and drops out with the mean.
"""

from collections.abc import Sequence
from fractions import Fraction

from .activations import HeadAtInput, project
from .exact import Exact
from .fixed import Fixed, beside, fixed
from .weights import Layer


def derivative(at: HeadAtInput, direction: Exact | Fixed) -> Fixed:
    """J u for one head without its output projection, (n, k)."""
    dq, dk, dv = (project(direction, weight) for weight in (at.head.query, at.head.key, at.head.value))
    ds = (dq @ at.key.T + at.query @ dk.T).times(at.scale)
    weighted = at.weights.times(ds)
    centred = weighted - at.weights.times(weighted.row_sums())
    return at.weights @ dv + centred @ at.value


def layer_derivative(layer: Layer, heads: Sequence[HeadAtInput], direction: Exact | Fixed) -> Fixed:
    """J u for the whole map: the heads side by side, then the output weight where there is one."""
    side_by_side = beside(*(derivative(at, direction) for at in heads))
    return side_by_side if layer.output is None else side_by_side @ fixed(layer.output).T


def witnesses(image: Fixed, direction: Exact, claim: Fraction) -> bool:
    """Whether |image| >= claim * |direction| was proved."""
    square = sum(entry * entry for row in direction.rows for entry in row) * direction.unit**2
    return image.norm_square_at_least(claim * claim * square)
