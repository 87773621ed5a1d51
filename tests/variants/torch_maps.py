"""Every variant again in plain torch, as its papers write it: whole tensors, library functions, none of our formulas.

`MAPS[id]` takes the letters by name (`Q`, `bQ` for b^Q, `tau`, sizes as ints) and returns the output.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor


def _project(z: Any) -> tuple[Tensor, Tensor, Tensor]:
    return F.linear(z.X, z.Q, z.bQ), F.linear(z.X, z.K, z.bK), F.linear(z.X, z.V, z.bV)


def _attend(scores: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(scores, dim=-1) @ values


def _one_head(z: Any, bias: Tensor | float = 0.0, scale: float | None = None) -> Tensor:
    q, k, v = _project(z)
    scale = 1 / math.sqrt(z.k) if scale is None else scale
    return F.linear(_attend(q @ k.T * scale + bias, v), z.O, z.bO)


def _hidden(visible: Tensor) -> Tensor:
    return torch.zeros(visible.shape, dtype=torch.float64).masked_fill(~visible, -torch.inf)


def _before(n: int) -> Tensor:
    """i - j."""
    return torch.arange(n)[:, None] - torch.arange(n)[None, :]


def _sliding_window(z: Any) -> Tensor:
    ones = torch.ones(z.n, z.n, dtype=torch.bool)
    return _one_head(z, _hidden(ones.tril() & ones.triu(1 - z.w)))


def _t5(z: Any) -> Tensor:
    return _one_head(z, z.beta[z.n - 1 - _before(z.n)], scale=1.0)


def _heads(z: Any, queries_a_group: int) -> Tensor:
    """Batched over heads, keys and values repeated as libraries do."""
    q = torch.einsum("hkd,nd->hnk", z.Q, z.X) + z.bQ[:, None]
    k, v = (
        (torch.einsum("gkd,nd->gnk", w, z.X) + b[:, None]).repeat_interleave(queries_a_group, dim=0)
        for w, b in ((z.K, z.bK), (z.V, z.bV))
    )
    joined = F.scaled_dot_product_attention(q, k, v).transpose(0, 1).reshape(z.n, -1)
    return F.linear(joined, z.O.reshape(z.d, -1), z.bO)


def _multi_query(z: Any) -> Tensor:
    z.K, z.bK, z.V, z.bV = (w[None] for w in (z.K, z.bK, z.V, z.bV))
    return _heads(z, z.H)


def _cross(z: Any) -> Tensor:
    q, k, v = F.linear(z.X, z.Q, z.bQ), F.linear(z.Y, z.K, z.bK), F.linear(z.Y, z.V, z.bV)
    return F.linear(_attend(q @ k.T / math.sqrt(z.k), v), z.O, z.bO)


def _rope(z: Any) -> Tensor:
    """Each pair as a complex number, turned by multiplication."""
    phase = torch.exp(1j * torch.arange(1, z.n + 1)[:, None] * z.theta)

    def turned(x: Tensor) -> Tensor:
        return torch.view_as_real(torch.view_as_complex(x.reshape(z.n, z.c, 2)) * phase).reshape(z.n, -1)

    q, k, v = _project(z)
    return _attend(turned(q) @ turned(k).T / math.sqrt(2 * z.c), v)


def _squared_distances(q: Tensor, k: Tensor) -> Tensor:
    return (q[:, None] - k[None, :]).square().sum(-1)


def _l2_tied(z: Any) -> Tensor:
    q = z.X @ z.Q.T
    return _attend(-_squared_distances(q, q) / math.sqrt(z.k), q @ z.Q @ z.V.T / math.sqrt(z.k))


def _l2_untied(z: Any) -> Tensor:
    q, k, v = _project(z)
    return _attend(-_squared_distances(q, k) / math.sqrt(z.k), v)


def _sigmoid(z: Any) -> Tensor:
    q, k, v = _project(z)
    return torch.sigmoid(q @ k.T / math.sqrt(z.k) + z.c) @ v


def _linear(z: Any) -> Tensor:
    """Keys and values meet first, as in linear time."""
    q, k, v = _project(z)
    return q @ (k.T @ v) / math.sqrt(z.k) / z.n


def _sinkhorn(z: Any) -> Tensor:
    """In the logarithmic domain."""
    q, k, v = _project(z)
    log = q @ k.T / math.sqrt(z.k)
    for step in range(z.T):
        log = log - torch.logsumexp(log, dim=1 - step % 2, keepdim=True)
    return log.exp() @ v


def _cosine(z: Any) -> Tensor:
    q, k, v = (y / (y.square().sum(-1, keepdim=True) + z.epsilon).sqrt() for y in (z.X @ w.T for w in (z.Q, z.K, z.V)))
    return z.nu * _attend(z.tau * q @ k.T, v)


def _qk_norm(z: Any) -> Tensor:
    q = F.rms_norm(z.X @ z.Q.T, (z.k,), z.gQ, z.epsilon)
    k = F.rms_norm(z.X @ z.K.T, (z.k,), z.gK, z.epsilon)
    return _attend(q @ k.T / math.sqrt(z.k), F.linear(z.X, z.V, z.bV))


MAPS: Mapping[str, Callable[[Any], Tensor]] = {
    "softmax": _one_head,
    "causal": lambda z: _one_head(z, _hidden(_before(z.n) >= 0)),
    "sliding-window": _sliding_window,
    "arbitrary-mask": lambda z: _one_head(z, z.w.log()),
    "alibi": lambda z: _one_head(z, _hidden(_before(z.n) >= 0) - z.alpha * _before(z.n).double()),
    "t5-relative-bias": _t5,
    "temperature": lambda z: _one_head(z, scale=1 / z.tau),
    "multi-head": lambda z: _heads(z, 1),
    "grouped-query": lambda z: _heads(z, z.G),
    "multi-query": _multi_query,
    "cross-attention": _cross,
    "rope": _rope,
    "l2-tied": _l2_tied,
    "l2-untied": _l2_untied,
    "sigmoid": _sigmoid,
    "linear": _linear,
    "sinkhorn": _sinkhorn,
    "cosine": _cosine,
    "qk-norm": _qk_norm,
    "softmax-function": lambda z: torch.softmax(z.x, dim=0),
    "softmax-head": lambda z: torch.softmax(z.W @ z.x + z.b, dim=0),
    "layernorm": lambda z: F.layer_norm(z.X, (z.d,), z.gamma, z.beta, z.epsilon),
    "rmsnorm": lambda z: F.rms_norm(z.X, (z.d,), z.gamma, z.epsilon),
    "centernorm": lambda z: z.gamma * z.d / (z.d - 1) * (z.X - z.X.mean(-1, keepdim=True)) + z.beta,
    "gelu": lambda z: F.gelu(z.x),
    "gelu-tanh": lambda z: F.gelu(z.x, approximate="tanh"),
    "silu": lambda z: F.silu(z.x),
    "relu": lambda z: F.relu(z.x),
    "mlp": lambda z: F.linear(F.gelu(F.linear(z.X, z.W1, z.b1)), z.W2, z.b2),
    "gated-mlp": lambda z: F.linear(F.silu(F.linear(z.X, z.Wg)) * F.linear(z.X, z.Wu), z.Wd),
}
