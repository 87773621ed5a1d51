"""Three maps, one after the other, each token alone."""

from bounds.notation import norm_W1, norm_W2, slope

from ..facts import BLOCK_DIAGONAL, CHAIN_RULE
from ..proof import Proof
from ..steps import Concludes, Fact

PROOF = Proof(
    "mlp",
    definitions=(r"$\ell$ is a Lipschitz constant of $\sigma$; biases move no difference",),
    steps=(
        Fact(
            r"On all tokens together the linear maps have the norms $\|W_1\|$ and $\|W_2\|$, and $\sigma$, entry by "
            r"entry, makes no difference longer than $\ell$ times.",
            BLOCK_DIAGONAL,
            letters={"D_i": "$W_1$, $W_2$, or the quotients of the differences of one entry"},
        ),
        Fact(
            r"One after the other they multiply; the fact is used twice.",
            CHAIN_RULE,
            letters={"f": r"$W_2$, and $W_2 \sigma$", "g": r"$\sigma$, and $W_1$"},
        ),
        Concludes(r"The constant is $\ell \|W_1\| \|W_2\|$.", bound=slope * norm_W1 * norm_W2),
    ),
)
