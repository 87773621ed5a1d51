"""The words a theorem may use for the map it is about and for the norm, and what each says in print."""

from collections.abc import Mapping

NORMS: Mapping[str, str] = {
    "l2": "The norm of all entries together is the Euclidean one, and that of a map the spectral norm",
    "max-token": r"Inputs and outputs are measured by the longest token, $\max_i |e_i|$",
    "rms-sum": r"Queries, keys and values are measured by their largest RMS norm each, $\max_i |e_i| / \sqrt d$, and "
    "together by the sum of the three; outputs by their largest RMS norm",
    "linf": "Inputs and outputs are measured by their largest entry, maps by their largest row sum of absolute values",
    "lp": r"Inputs and outputs are measured in the same $\ell_p$, for any $p$ from $1$ to $\infty$",
}

MAPS: Mapping[str, str] = {
    "softmax": r"row $i$ of the scores is $\langle A x_i + a, x_j \rangle + c_{ij}$, with one $A$ for every pair of "
    "positions (so no rotary positions)",
    "multi-head softmax": "the heads read the same tokens and their outputs are joined by the output projection $W_O$",
    "rotary softmax": r"row $i$ of the scores is $\langle \mathrm{Rot}_i Q x_i, \mathrm{Rot}_j K x_j \rangle / "
    r"\sqrt k$, each $\mathrm{Rot}$ a rotation, without biases",
    "cross-attention": r"row $i$ of the scores is $\langle A x_i + a, y_j \rangle$, values are $V y_j$, and the map "
    "reads the pair of $X$ and $Y$",
    "l2 attention": r"row $i$ of the scores is $-|W_Q x_i - W_Q x_j|^2 / \sqrt k$ (queries and keys tied), and values "
    r"are $W_V W_Q^\top W_Q x_j / \sqrt k$",
    "sigmoid attention": r"$f(X)_i = \sum_j \mathrm{sigmoid}(\langle A x_i + a, x_j \rangle) V x_j$",
    "cosine attention": r"queries, keys and values are $W y / (|W y|^2 + \varepsilon)^{1/2}$, scores $\tau$ times "
    r"their products, and outputs $\nu$ times the averages",
    "query-key-value attention": r"the map reads queries, keys and values of one size $d$, scores are $\langle q_i, "
    r"k_j\rangle / d$, and outputs the averages of the values",
    "linear attention": r"$f(X)_i = \tfrac1n \sum_j \langle A x_i + a, x_j \rangle V x_j$",
    "softmax function": "the map takes a vector of scores to its softmax",
    "softmax head": "the map takes $x$ to the softmax of $W x + b$",
    "layernorm": r"every token goes to $\gamma (x - \bar x) / (\mathrm{var}(x) + \varepsilon)^{1/2} + \beta$",
    "rmsnorm": r"every token goes to $\gamma x / (|x|^2 / d + \varepsilon)^{1/2}$",
    "centernorm": r"every token goes to $\tfrac{d}{d-1} \gamma (x - \bar x) + \beta$",
    "gelu": r"the map is $x \Phi(x)$ with the normal distribution function $\Phi$, entry by entry",
    "silu": r"the map is $x / (1 + e^{-x})$, entry by entry",
    "relu": r"the map is $\max(x, 0)$, entry by entry",
    "mlp": r"every token goes to $W_2\, \sigma(W_1 x + b_1) + b_2$, the activation $\sigma$ entry by entry",
    "gated mlp": r"every token goes to $W_d (\sigma(W_g x) \odot W_u x)$, with an activation $\sigma(0) = 0$",
    "residual": r"the map is $x + g(x)$",
    "differentiable map": "the map is any that is differentiable at the input",
    "attention sublayer": r"the map is $X + f(X)$, $\mathrm{norm}(X + f(X))$ or $X + f(\mathrm{norm}(X))$ with "
    "multi-head attention $f$ and a LayerNorm or RMSNorm of every token",
}
