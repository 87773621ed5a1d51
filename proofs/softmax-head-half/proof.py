"""Softmax behind a linear map."""

from bounds.notation import norm_W

from ..facts import CHAIN_RULE
from ..proof import Proof
from ..steps import Cites, Concludes, Fact

_half = Cites(r"Softmax is $1/2$-Lipschitz, in $\ell_2$ as well.", "softmax-half")

PROOF = Proof(
    "softmax-head-half",
    definitions=(r"$W$ is the linear map; its bias moves no difference",),
    steps=(
        _half,
        Fact(
            r"The linear map has the constant $\|W\|$.",
            CHAIN_RULE,
            letters={"f": "softmax", "g": r"$x \mapsto W x + b$"},
        ),
        Concludes(r"The constant is $\|W\| / 2$.", bound=_half.bound * norm_W),
    ),
)
