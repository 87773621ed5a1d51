"""J^T J = sum_hg Q_h T_hg Q_g^T with orthonormal Q_h per head does not give |J|^2 <= |[|T_hg|]|.

Heads look into the same tokens, so their row spaces overlap: equal heads exceed what the block norms say.
"""

from dataclasses import replace

import numpy as np

from certify.activations import Activations
from certify.attention_layer import JacobianProducts
from certify.gram.attention_map import AttentionMap
from certify.gram.deflation import deflate
from certify.gram.rounded_rows import rounded_rows
from tests.certify.layers import dense_jacobian, random_layer


def test_equal_heads_exceed_the_norm_of_the_block_norms() -> None:
    """Three equal maps, every Q_h the same unit row: |J|^2 = 9, while the matrix of the blocks' norms has norm 3."""
    blocks, Q = np.ones((3, 3)), np.ones((1, 3))
    assert (Q @ blocks @ Q.T)[0, 0] > np.linalg.norm(blocks, 2)


def test_equal_heads_are_bounded_from_the_sum_of_their_blocks() -> None:
    one = random_layer(3, heads=1, d=4)
    assert one.output_weight is not None
    names = [f"{part}_{kind}" for part in ("query", "key", "value") for kind in ("weight", "bias")]
    three = replace(
        one,
        **{name: np.concatenate([getattr(one, name)] * 3) for name in names},
        output_weight=np.concatenate([one.output_weight] * 3, axis=1),
    )
    X = np.random.default_rng(0).standard_normal((5, 4))
    J = AttentionMap(rounded_rows(Activations(three, X)))
    found = deflate(J, JacobianProducts(three, X), lambda f, tokens: [f(i) for i in tokens])
    norm = np.linalg.norm(dense_jacobian(three, X), 2)
    assert norm * (1 - 1e-12) <= np.sqrt(found.norm) + found.distance <= norm * (1 + 1e-8)
    np.testing.assert_allclose(norm, 3 * np.linalg.norm(dense_jacobian(one, X), 2), rtol=1e-12)
