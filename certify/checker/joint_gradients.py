"""The gradients b^h_i = scale K_h^T q^h_i of the scores, as far as the block rows of all heads need them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from .activations import HeadAtInput
from .coarse import Coarse, coarse, product_error, shortened, times
from .exact import Exact
from .fixed import fixed


def stack(heads: Sequence[HeadAtInput], name: str) -> Exact:
    """The heads' weights `name` (query, key or value) one above the other, (H k, d)."""
    parts: list[Exact] = [getattr(at.head, name) for at in heads]
    return Exact([row for part in parts for row in part.rows], parts[0].unit)


@dataclass(frozen=True)
class JointGradients:
    """Of all heads; each method gives what concerns token i."""

    heads: Sequence[HeadAtInput]
    places: int

    def values(self, i: int) -> Coarse:
        """Row h holds V_g b^h for every g, (H, H k)."""
        return _of_token(self._values, i)

    def queries(self, i: int) -> Coarse:
        """Row h holds Q_g b^h for every g, (H, H k)."""
        return _of_token(self._queries, i)

    def products(self, i: int) -> Coarse:
        """<b^h, b^g> = <scale q^g, K_g b^h>, (H, H)."""
        keys = _of_token(self._keys, i)
        k = len(self._query[0].rows[0])
        rows = [
            [
                sum(x * y for x, y in zip(row[g * k : (g + 1) * k], query.rows[i], strict=True))
                for g, query in enumerate(self._query)
            ]
            for row in keys.rows
        ]
        return shortened(Coarse(rows, k * max(product_error(keys, query) for query in self._query)), self.places)

    @cached_property
    def _query(self) -> list[Coarse]:
        """scale q_i^h, (n, k) for every h."""
        return [coarse(at.query.times(at.scale), self.places) for at in self.heads]

    @cached_property
    def _values(self) -> list[Coarse]:
        return self._through("value")

    @cached_property
    def _queries(self) -> list[Coarse]:
        return self._through("query")

    @cached_property
    def _keys(self) -> list[Coarse]:
        return self._through("key")

    def _through(self, name: str) -> list[Coarse]:
        """The stacked weights times b^h_i, (n, H k) for every h."""
        products = coarse(fixed(stack(self.heads, "key") @ stack(self.heads, name).T), self.places)
        k = len(self._query[0].rows[0])
        return [
            shortened(times(query, Coarse(products.rows[h * k : (h + 1) * k], products.error)), self.places)
            for h, query in enumerate(self._query)
        ]


def _of_token(parts: Sequence[Coarse], i: int) -> Coarse:
    return Coarse([part.rows[i] for part in parts], max(part.error for part in parts))
