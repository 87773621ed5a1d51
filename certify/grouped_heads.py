"""Grouped-query and multi-query attention: heads that share their keys and values are heads with the same matrices.

Every theorem about heads holds for them as it stands, and nothing is lost: the Jacobian is the very same.
"""

import numpy as np

from .attention_layer import Array
from .errors import ModelError


def shared(weights: Array, heads: int) -> Array:
    """Keys or values (kv_heads, ...) of grouped queries as those of every head, consecutive heads having the same.

    Raises ModelError unless kv_heads divides heads.
    """
    groups = len(weights)
    if groups == 0 or heads % groups:
        raise ModelError(f"{heads} heads cannot share {groups} keys and values: the number must divide theirs")
    return np.repeat(weights, heads // groups, axis=0)
