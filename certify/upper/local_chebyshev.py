"""A random start and a Chebyshev recurrence for one head: its norm with a stated probability, in few products."""

from ..chebyshev.perturbation import perturbed
from ..chebyshev.recurrence import chebyshev
from ..errors import NoEnclosure
from ..method import Enclosed, Method
from ..situation import Situation


def enclosed(situation: Situation) -> Enclosed:
    """level, growth and inverse_degree, at a level near the witness.

    Raises NoEnclosure where no random numbers may be drawn.
    """
    if situation.chance is None:
        raise NoEnclosure("no failure probability was given: no random bound")
    near = situation.witnessed.bound.value
    return chebyshev(perturbed(situation.activations), near, situation.chance, situation.place)


METHOD = Method(theorem="local-chebyshev", domain="point", enclosed=enclosed, tier="probable")
