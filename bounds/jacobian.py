"""Differentiates a map written in indexed sums, for any number of tokens and coordinates.

The directional derivative D f(X)[E] is found node by node, by one table of rules:

    constant or symbol      D c = 0
    input entry             D X[i, u] = E[i, u]
    defined entry           D P[i, j] = (dot P)[i, j], a new letter defined by the derivative of P's definition
    sum, indexed sum        D (f + g) = D f + D g,   D Sum_j f_j = Sum_j D f_j    (limits hold no input)
    product                 D (f g) = (D f) g + f (D g)
    power                   D f^c = c f^(c - 1) D f                               (c holds no input)
    function                D phi(f) = phi'(f) D f, with exp, log, erf, tanh, cos and sin in the table of slopes
    ramp                    D max(f, 0) = 1[f > 0] D f                             (where f is not 0)
    cases                   D differentiates every case                           (conditions hold no input)

New letters keep the result as small as the map, and make it right for recursive definitions too. A node outside the
table is refused, never guessed.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import sympy as sp

from .errors import NotDifferentiable
from .formula import Definition, Formula, Letter, letter_of, letters_in
from .letters import letter

Directions = Mapping[Letter, Letter]

SLOPES: Mapping[type, Callable[[Any], Any]] = {
    sp.exp: sp.exp,
    sp.log: lambda x: 1 / x,
    sp.erf: lambda x: 2 * sp.exp(-(x**2)) / sp.sqrt(sp.pi),
    sp.tanh: lambda x: 1 - sp.tanh(x) ** 2,
    sp.cos: lambda x: -sp.sin(x),
    sp.sin: sp.cos,
}


def directional_derivative(formula: Formula, directions: Directions) -> Formula:
    """The derivative of the formula as each input moves along its direction, for symbolic sizes.

    Every rule in the table above is an identity, so the result equals the derivative wherever that exists.

    Raises NotDifferentiable for a function outside the table, or an input in an exponent, a limit or a condition.
    """
    moving = _moving(formula, directions)
    dotted = {moved: letter(rf"\dot{{{moved.label}}}") for moved in moving} | dict(directions)
    new = [
        Definition(dotted[definition.letter][definition.indices], _derivative(definition.right, dotted))
        for definition in formula.where
        if definition.letter in moving
    ]
    return Formula(_derivative(formula.value, dotted), (*formula.where, *new))


def _moving(formula: Formula, inputs: Iterable[Letter]) -> set[Letter]:
    """The inputs and every letter whose definition leads to one."""
    moving = set(inputs)
    while True:
        more = {item.letter for item in formula.where if letters_in(item.right) & moving}
        if more <= moving:
            return moving
        moving |= more


def _derivative(expr: sp.Basic, dotted: Directions) -> Any:
    if not letters_in(expr) & set(dotted):
        return sp.Integer(0)
    for kind, rule in RULES.items():
        if isinstance(expr, kind):
            return rule(expr, dotted)
    raise NotDifferentiable(f"no rule for {type(expr).__name__} in {expr}; add one to the table of bounds/jacobian.py")


def _refuse_moving(parts: Iterable[sp.Basic], expr: sp.Basic, dotted: Directions) -> None:
    if any(letters_in(part) & set(dotted) for part in parts):
        raise NotDifferentiable(f"an input stands in an exponent, a limit, a condition or an index of {expr}")


def _entry(expr: Any, dotted: Directions) -> Any:
    _refuse_moving(expr.indices, expr, dotted)
    return dotted[letter_of(expr)][tuple(expr.indices)]


def _sum(expr: Any, dotted: Directions) -> Any:
    return sp.Add(*(_derivative(term, dotted) for term in expr.args))


def _indexed_sum(expr: Any, dotted: Directions) -> Any:
    _refuse_moving(expr.limits, expr, dotted)
    return sp.Sum(_derivative(expr.function, dotted), *expr.limits)


def _product(expr: Any, dotted: Directions) -> Any:
    factors = expr.args
    return sp.Add(
        *(sp.Mul(*factors[:at], _derivative(factor, dotted), *factors[at + 1 :]) for at, factor in enumerate(factors))
    )


def _power(expr: Any, dotted: Directions) -> Any:
    base, exponent = expr.args
    _refuse_moving((exponent,), expr, dotted)
    return exponent * base ** (exponent - 1) * _derivative(base, dotted)


def _function(expr: Any, dotted: Directions) -> Any:
    (argument,) = expr.args
    return SLOPES[expr.func](argument) * _derivative(argument, dotted)


def _ramp(expr: Any, dotted: Directions) -> Any:
    others = [argument for argument in expr.args if argument != 0]
    if len(others) != 1 or len(expr.args) != 2:
        raise NotDifferentiable(f"of maxima only max(f, 0) has a rule, not {expr}")
    return sp.Heaviside(others[0]) * _derivative(others[0], dotted)


def _cases(expr: Any, dotted: Directions) -> Any:
    _refuse_moving((case.cond for case in expr.args), expr, dotted)
    return sp.Piecewise(*((_derivative(case.expr, dotted), case.cond) for case in expr.args), evaluate=False)


RULES: Mapping[type | tuple[type, ...], Callable[[Any, Directions], Any]] = {
    sp.Indexed: _entry,
    sp.Add: _sum,
    sp.Sum: _indexed_sum,
    sp.Mul: _product,
    sp.Pow: _power,
    tuple(SLOPES): _function,
    sp.Max: _ramp,
    sp.Piecewise: _cases,
}
