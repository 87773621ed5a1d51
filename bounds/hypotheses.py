"""What a theorem asks of the layer, as named data; `certify` holds a check for every name and refuses the rest."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Hypothesis:
    """A condition on the layer, by name, with the words that a theorem environment prints."""

    name: str
    text: str


UNMASKED = Hypothesis(
    "unmasked", "every token attends to every token, and no constant is added to the scores (no mask, no position bias)"
)
CAUSAL = Hypothesis(
    "causal", "token $i$ attends to the tokens $1$ to $i$, and no constant is added to the scores of those"
)
FINITE_CONSTANTS = Hypothesis(
    "finite-constants",
    r"every token attends to every token, and the constants $c_{ij}$ of one row differ by at most $\Delta$ (no mask)",
)
MASK_ONLY = Hypothesis(
    "mask-only", "every row sees at least one token, and no constant is added to the scores of what it sees"
)
NO_QUERY_BIAS = Hypothesis("no-query-bias", "there is no query bias, $a = 0$")
POSITIVE_SCORES = Hypothesis("positive-scores", "$A$ is symmetric and positive semidefinite")
UNIT_RMS = Hypothesis("unit-rms", "no query, key or value has an RMS norm above one")
OUTPUT_PROJECTION = Hypothesis("output-projection", "the heads are joined by one output projection $W_O$")
OVERLAP = Hypothesis(
    "overlap",
    r"$|W_0^\top v| \ge c$ for a leading right singular vector $v$ of the Jacobian; if the $2b$ columns of $W_0$ are "
    r"independent and standard Gaussian, that fails with probability at most $p = (c^2/2)^b / b!$",
)
