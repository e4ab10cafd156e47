"""Loads that wait for earlier stores, in the walk of a pipeline: which stores are in flight, and where."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from functools import lru_cache

from bancada.costing.cortex_a_addresses import NUMBER, Registers
from bancada.costing.cortex_a_operations import Operation
from bancada.costing.cortex_a_table import StoreToLoad


class Memory:
    """The stores that a load may still wait for, and what is known of the registers."""

    __slots__ = ("_longest", "_registers", "_rules", "_stores")

    def __init__(self, rules: tuple[StoreToLoad, ...]) -> None:
        self._rules = {(rule.stores == "vector", rule.loads == "vector"): rule for rule in rules}
        self._longest = max(rule.cycles for rule in rules)
        self._registers = Registers()
        # Of each store: when it issued, whether it is of the vector unit, its symbol and constant, and its bytes.
        self._stores: deque[tuple[int, bool, int, int, int]] = deque()

    def copy(self) -> Memory:
        """An independent memory in the same state."""
        twin = Memory.__new__(Memory)
        twin._rules, twin._longest = self._rules, self._longest
        twin._registers = self._registers.copy()
        twin._stores = deque(self._stores)
        return twin

    def know(self, numbers: dict[str, int], skipped: Iterable[Operation]) -> None:
        """Says which core registers held which numbers before the operations that are `skipped`."""
        self._registers = Registers(numbers)
        for operation in skipped:
            self._registers.move(operation.moves)

    def needs(self, operation: Operation, earliest: float) -> float:
        """When the operation can issue, if nothing but earlier stores keeps it from issuing at `earliest`."""
        access, stores = operation.access, self._stores
        while stores and stores[0][0] + self._longest <= earliest:
            stores.popleft()
        if access is None or access.is_store or not stores:
            return earliest
        symbol, constant = self._registers.of(access.base)
        first = constant + access.offset
        needs = earliest
        for issued, is_vector, store_symbol, store_first, store_bytes in stores:
            if store_symbol != symbol:
                continue
            rule = self._rules.get((is_vector, operation.is_vector))
            if rule is None or issued + rule.cycles <= earliest:
                continue
            place = store_first if symbol == NUMBER else None
            share = _share(first - store_first, store_bytes, access.size, rule.granule_bytes, place)
            if share:
                needs = max(needs, round(earliest + share * (issued + rule.cycles - earliest)))
        return needs

    def follow(self, operation: Operation, issued: int) -> None:
        """Records a store, and what the operation does to registers."""
        access = operation.access
        if access is not None and access.is_store:
            symbol, constant = self._registers.of(access.base)
            self._stores.append((issued, operation.is_vector, symbol, constant + access.offset, access.size))
        if operation.moves:
            self._registers.move(operation.moves)


@lru_cache(maxsize=65536)
def _share(distance: int, store_bytes: int, load_bytes: int, granule: int, place: int | None) -> float:
    """The share of alignments at which a load, `distance` bytes behind a store, is in one of the store's blocks of
    `granule` bytes; 0 or 1 if the store's `place` is known.

    Accesses are taken to be aligned to their sizes."""
    if place is not None:
        places = [place % granule]
    else:
        places = [
            place
            for place in range(0, granule, _alignment(store_bytes, granule))
            if not (place + distance) % _alignment(load_bytes, granule)
        ]
        # Accesses that are not aligned to their sizes.
        places = places or list(range(0, granule, _alignment(distance, granule)))
    shared = 0
    for start in places:
        stored = range(start // granule, (start + store_bytes - 1) // granule + 1)
        begin = start + distance
        shared += any(block in stored for block in range(begin // granule, (begin + load_bytes - 1) // granule + 1))
    return shared / len(places)


def _alignment(number: int, most: int) -> int:
    """The largest power of two, at most `most`, that divides the number."""
    return (number | most) & -(number | most)
