"""The standard facts that proofs may use, each with its letters and hypotheses; a step has to instantiate them all."""

from dataclasses import dataclass


@dataclass(frozen=True)
class StandardFact:
    """A textbook fact: what it says, the letters to be replaced, and the hypotheses to be met."""

    name: str
    says: str
    letters: tuple[str, ...]
    hypotheses: tuple[str, ...] = ()


CAUCHY_SCHWARZ = StandardFact(
    "Cauchy-Schwarz inequality", r"$|\langle x, y\rangle| \le |x|\,|y|$ in Euclidean space", ("x", "y")
)
BLOCK_ROW = StandardFact(
    "norm of a block row",
    r"$|\sum_j B_j e_j|^2 \le \lambda_{\max}\bigl(\sum_j B_j B_j^\top\bigr) \sum_j |e_j|^2$, for the norm of $[B_1, "
    r"B_2, \dots]$ is the root of that eigenvalue",
    ("B_j", "e_j"),
)
TRIANGLE = StandardFact("triangle inequality", r"$\|S + T\| \le \|S\| + \|T\|$", ("S", "T"))
MINKOWSKI = StandardFact(
    "Minkowski inequality",
    r"$(\sum_i |u_i + v_i|^2)^{1/2} \le (\sum_i |u_i|^2)^{1/2} + (\sum_i |v_i|^2)^{1/2}$",
    ("u", "v"),
)
SUBMULTIPLICATIVE = StandardFact(
    "norm of a product", r"$|S T| \le |S|\,|T|$ for the spectral norm, and $|T y| \le |T|\,|y|$", ("S", "T")
)
BLOCK_DIAGONAL = StandardFact(
    "norm of a block-diagonal matrix", r"$|\operatorname{diag}(D_1, \dots, D_n)| = \max_i |D_i|$", ("D_i",)
)
FROBENIUS = StandardFact(
    "Frobenius and spectral norm", r"$\|S T\|_F \le |S|\,\|T\|_F$ and $\|S T\|_F \le \|S\|_F\,|T|$", ("S", "T")
)
MEAN_VALUE = StandardFact(
    "mean value inequality",
    r"a differentiable $f$ on a neighbourhood of a convex set $K$ with $|D f| \le L$ on $K$ is $L$-Lipschitz on $K$",
    ("f", "K", "L"),
    ("convex", "differentiable"),
)
AVERAGE = StandardFact(
    "an average is at most the largest value",
    r"$\sum_j q_j t_j \le (\max_j t_j) \sum_j q_j$ for $q_j \ge 0$",
    ("q", "t"),
    ("nonnegative",),
)
TRACE = StandardFact(
    "the trace bounds a positive semidefinite matrix",
    r"$0 \preceq S$ gives $\lambda_{\max}(S) \le \operatorname{tr} S$",
    ("S",),
    ("positive semidefinite",),
)
LOEWNER = StandardFact(
    "Loewner order and norm", r"$0 \preceq S \preceq T$ gives $|S| \le |T|$", ("S", "T"), ("ordered",)
)
INTERLACING = StandardFact(
    "interlacing for a rank-one change",
    r"adding $p p^\top$ to a symmetric matrix $D$ moves no eigenvalue down and adds no negative one",
    ("D", "p"),
    ("symmetric",),
)
DETERMINANT_LEMMA = StandardFact(
    "matrix determinant lemma",
    r"$\det(D + p p^\top) = \det D\,(1 + p^\top D^{-1} p)$",
    ("D", "p"),
    ("invertible",),
)
HARDY = StandardFact(
    "discrete Hardy inequality",
    r"$\sum_{i} \bigl(\tfrac1i \sum_{j \le i} t_j\bigr)^2 \le 4 \sum_i t_i^2$ for $t_i \ge 0$",
    ("t",),
    ("nonnegative",),
)
DENSITY = StandardFact(
    "empirical measures are dense",
    r"uniform measures on $n$ points of a ball, $n = 1, 2, \dots$, are dense among the probability measures on it in "
    r"$W_2$, and two of them with the same $n$ have an optimal coupling that is a permutation",
    ("points",),
    ("compact",),
)
CONTINUITY = StandardFact(
    "closure",
    r"an inequality between continuous functions that holds on a dense set holds everywhere",
    ("set",),
    ("dense",),
)
SINGULAR_VECTORS = StandardFact(
    "leading singular vectors",
    r"every real matrix $M$ has unit vectors $u$, $v$ with $M v = |M| u$ and $M^\top u = |M| v$",
    ("M",),
)
GAUSSIAN = StandardFact(
    "rotation invariance of the Gaussian distribution",
    r"$W^\top v$ has independent standard Gaussian entries if $W$ has and $v$ is a unit vector",
    ("W", "v"),
    ("independent", "fixed"),
)
POISSON = StandardFact(
    "gamma and Poisson distribution",
    r"if $g$ has $2b$ independent standard Gaussian entries, $|g|^2/2 < t$ has the probability that a Poisson variable "
    r"of mean $t$ is at least $b$, which is at most $t^b / b!$",
    ("g", "t"),
)
CHAIN_RULE = StandardFact(
    "Lipschitz constants multiply",
    r"if $f$ and $g$ have the Lipschitz constants $L_f$ and $L_g$, then $f \circ g$ has $L_f L_g$",
    ("f", "g"),
)
LARGEST = StandardFact(
    "largest value by the sign of the derivative",
    r"a differentiable function on an interval is largest where its derivative turns from positive to negative, if "
    r"that happens once; if it never does, at an end or in the limit",
    ("function", "derivative"),
)
RIESZ_THORIN = StandardFact(
    "Riesz-Thorin interpolation",
    r"$\|M\|_p \le \max(\|M\|_1, \|M\|_\infty)$ for $1 \le p \le \infty$: the largest column sum and the largest row "
    "sum of absolute values",
    ("M",),
)
LIPSCHITZ_TERMS = StandardFact(
    "products of bounded Lipschitz maps",
    r"$|u v - u' v'| \le |u|\,|v - v'| + |v'|\,|u - u'|$ for numbers, and so for vectors entry by entry with "
    r"$|u \odot w| \le |u|\,|w|$",
    ("u", "v"),
)
GAUSSIAN_KERNEL = StandardFact(
    "Gaussian kernel",
    r"for points $y_i$ of a Euclidean space there are unit vectors $\varphi_i$ with $e^{-|y_i - y_j|^2} = \langle "
    r"\varphi_i, \varphi_j\rangle$",
    ("y",),
)
ENTRIES = StandardFact(
    "length and largest entry", r"$|x|_\infty \le |x| \le \sqrt k\, |x|_\infty$ for $x$ with $k$ entries", ("x",)
)
QUOTIENT = StandardFact(
    "a derivative is a limit of difference quotients",
    r"if $f$ is $L$-Lipschitz on $K$ and $X + t E$ lies in $K$ for all small $t \ge 0$, then $|D f(X)[E]| \le L |E|$",
    ("f", "K", "X", "E"),
    ("inside",),
)
GIBBS = StandardFact(
    "Gibbs variational principle",
    r"for probability weights $\mu$ and numbers $f_i$, $\log \sum_i \mu_i e^{f_i} \ge \sum_i \nu_i f_i - "
    r"\mathrm{KL}(\nu | \mu)$ for every $\nu$, with equality where $\nu_i$ is proportional to $\mu_i e^{f_i}$",
    ("f", r"\nu"),
)
WEIGHTED_HARDY = StandardFact(
    "weighted Hardy inequality",
    r"$\sum_g \lambda_g \bigl(\Lambda_g^{-1} \sum_{f \le g} \lambda_f t_f\bigr)^2 \le 4 \sum_g \lambda_g t_g^2$ for "
    r"$t_g \ge 0$ and $\Lambda_g = \lambda_1 + \dots + \lambda_g$ with $\lambda_g > 0$",
    (r"\lambda", "t"),
    ("nonnegative",),
)
