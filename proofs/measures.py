"""From a constant for every number of tokens to the map of measures on the ball, in the distance W_2."""

from .facts import CONTINUITY, DENSITY
from .steps import Fact, Step

TO_MEASURES: tuple[Step, ...] = (
    Fact(
        r"On uniform measures on $n$ points, with an optimal permutation as the order of the second set of "
        r"points, $\|X - Y\|_F = \sqrt n\, W_2(\mu, \nu)$ and $W_2(f_\# \mu, f_\# \nu) \le \|f(X) - f(Y)\|_F / "
        r"\sqrt n$: a constant for every $n$ is one for these measures.",
        DENSITY,
        letters={"points": "the tokens; permuting them permutes the output"},
        because={"compact": "a closed ball"},
    ),
    Fact(
        r"Two measures are approached by uniform measures with a common number of points, and the map of measures "
        r"is continuous in $W_2$ on a ball; so the constant holds for all measures.",
        CONTINUITY,
        letters={"set": "pairs of uniform measures with equal numbers of points"},
        because={"dense": "multiplying the number of points leaves a uniform measure as it is"},
    ),
)
