"""How the closed forms on a ball behave where a letter is small or large, by SymPy; no number is proved here.

Each form is taken over |V| and without query bias, so that it is a function of the number of tokens n and of
rho = R^2 |A|. `certify.regimes` says which form is least where, with certified crossing points.
"""

from dataclasses import dataclass
from functools import reduce
from typing import Any

import sympy as sp

from .notation import R, norm_A, norm_a, norm_V
from .notation import n as tokens
from .theorem import Theorem

rho, n = sp.symbols("rho n", positive=True)

# from the slowest to the fastest
SCALES_IN_TOKENS = (sp.S.One, sp.sqrt(sp.log(n)), sp.sqrt(n), n)
SCALES_IN_RHO = (sp.S.One, rho, rho * sp.exp(rho), rho * sp.exp(2 * rho))


@dataclass(frozen=True)
class Growth:
    """The form is asymptotically `factor * scale`, the factor free of what grows."""

    factor: sp.Expr
    scale: sp.Expr


def over_value_norm(theorem: Theorem) -> sp.Expr:
    """The form over |V| at a = 0, in n and rho.

    Raises ValueError for a theorem that is no function of these two.
    """
    values: dict[Any, Any] = {norm_a: 0, norm_V: 1, R: 1, norm_A: rho, tokens: n}
    form = theorem.expr.subs(values)
    if theorem.domain != "ball" or form.free_symbols - {rho, n} - _indices(form):
        raise ValueError(f"{theorem.id} is no closed form in n and rho: take a theorem on a ball")
    return form


def without_sums(form: sp.Expr) -> Any:
    """The same form, an expression, with digamma functions in place of its sums over the tokens.

    Raises ValueError for a sum that is not one of 1 / (1 + i q) from i = 0 on.
    """
    return form.replace(sp.Sum, _closed)


def near_zero(theorem: Theorem, order: int = 1) -> sp.Expr:
    """Taylor's polynomial in rho at rho = 0, of degree `order`."""
    terms, derivative = [], over_value_norm(theorem)
    for k in range(order + 1):
        coefficient = sp.simplify(derivative.subs(rho, 0).doit())
        terms.append(coefficient * rho**k / sp.factorial(k))
        derivative = derivative.diff(rho)
    return sp.Add(*terms)


def for_many_tokens(theorem: Theorem) -> Growth:
    """What the form is like as n grows and rho stays."""
    return _growth(without_sums(over_value_norm(theorem)), n, SCALES_IN_TOKENS)


def for_large_scores(theorem: Theorem) -> Growth:
    """What the form is like as rho grows and n stays.

    A sum over the tokens tends to its number of terms, term by term; a maximum is one of its arguments in the end.
    """
    form: Any = over_value_norm(theorem).replace(sp.Sum, _number_of_terms).replace(sp.Max, _largest_in_the_end)
    return _growth(form, rho, SCALES_IN_RHO)


def _growth(form: sp.Expr, letter: sp.Symbol, scales: tuple[sp.Expr, ...]) -> Growth:
    for scale in scales:
        factor = sp.limit(form / scale, letter, sp.oo)
        if factor.is_finite:
            return Growth(sp.simplify(factor), scale)
    raise ValueError(f"{form} grows faster than {scales[-1]}")


def _closed(body: sp.Expr, limits: Any) -> sp.Expr:
    """sum_{i=0}^{m-1} 1 / (1 + i q) = (digamma(m + 1/q) - digamma(1/q)) / q."""
    index, first, last = limits
    q: Any = sp.simplify((1 / body - 1) / index)
    if first != 0 or q.has(index):
        raise ValueError(f"no closed form is known for the sum of {body}")
    return (sp.digamma(last + 1 + 1 / q) - sp.digamma(1 / q)) / q


def _number_of_terms(body: sp.Expr, limits: Any) -> sp.Expr:
    index, first, last = limits
    if sp.limit(body.subs(index, sp.Symbol("i", positive=True)), rho, sp.oo) != 1:
        raise ValueError(f"the terms {body} do not tend to one")
    return last - first + 1


def _largest_in_the_end(*arguments: sp.Expr) -> sp.Expr:
    return reduce(lambda one, other: one if sp.limit(one - other, rho, sp.oo) >= 0 else other, arguments)


def _indices(form: sp.Expr) -> set[sp.Basic]:
    return {limits[0] for total in form.atoms(sp.Sum) for limits in total.limits}
