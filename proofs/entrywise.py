"""From the slope of a function of one number to the map that applies it entry by entry."""

from .facts import BLOCK_DIAGONAL, MEAN_VALUE
from .steps import Fact, Step


def entry_by_entry(slope: str) -> tuple[Step, ...]:
    """The Jacobian is diagonal, and its bound is a Lipschitz constant."""
    return (
        Fact(
            rf"Entry by entry the Jacobian is diagonal, and its norm at most {slope}.",
            BLOCK_DIAGONAL,
            letters={"D_i": "the derivative at one entry"},
        ),
        Fact(
            r"The bound of the Jacobian is a Lipschitz constant.",
            MEAN_VALUE,
            letters={"f": "the activation", "K": "all inputs", "L": slope},
            because={"convex": "the whole space", "differentiable": "a product of smooth functions"},
        ),
    )
