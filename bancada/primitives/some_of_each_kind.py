"""Fewer vectors, without losing a kind of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

_Vector = TypeVar("_Vector")


def some_of_each_kind(vectors: Iterable[tuple[str, str, _Vector]], how_many: Callable[[int], int]) -> Iterator[_Vector]:
    """Some of (kind, detail, vector), in their order.

    Of a kind with so many vectors, about `how_many` of them, evenly spread and with the first; and the first of each
    detail within a kind.
    """
    every = tuple(vectors)
    sizes = Counter(kind for kind, _, _ in every)
    seen: Counter[tuple[str, ...]] = Counter()
    for kind, detail, vector in every:
        step = -(-sizes[kind] // how_many(sizes[kind]))
        if seen[kind,] % step == 0 or not seen[kind, detail]:
            yield vector
        seen.update(((kind,), (kind, detail)))
