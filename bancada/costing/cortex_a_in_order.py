"""An in-order pipeline as a scoreboard. Each instruction issues at the first possible cycle, never before the previous
instruction."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from math import ceil

from bancada.costing.cortex_a_memory import Memory
from bancada.costing.cortex_a_operations import Operation, Resource
from bancada.costing.cortex_a_table import InOrderTable


class _Scoreboard:
    """One pipeline of a given width."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.cycle = 0
        self.issued = 0
        self.is_open = True
        # The cycle in which the previous instruction takes a slot too.
        self.trailed = -1
        self.written: set[str] = set()
        self.ready: dict[str, float] = {}
        self.multiplied: dict[str, float] = {}
        self.free: dict[str, int] = {}

    def issue(self, operation: Operation, resources: tuple[Resource, ...], earliest: float, needs: float) -> int:
        """Issues at the first possible cycle that is at least `earliest` and `needs`, and returns it."""
        pairs = operation.timing.pairs
        start = self.cycle
        if earliest > start or needs > start:
            start = max(ceil(earliest), ceil(needs))
        joins = self.is_open and self.issued < self.width and pairs in ("any", "second")
        if joins and self.issued and any(unit in self.written for unit, _ in operation.results):
            joins = False
        if start == self.cycle and self.issued and not joins:
            start += 1
        held: list[tuple[str, int]] = []
        for resource in resources:
            units = resource.units
            unit = units[0] if len(units) == 1 else min(units, key=lambda name: self.free.get(name, 0))
            start = max(start, self.free.get(unit, 0))
            held.append((unit, resource.cycles))
        if start == self.trailed and start > self.cycle and pairs not in ("any", "second"):
            start += 1
        for unit, cycles in held:
            self.free[unit] = start + cycles
        last = start + operation.cycles - 1
        if last > self.cycle:
            self.issued = 1 if last == self.trailed else 0
            self.written = set()
        if operation.timing.trails:
            self.trailed = last + 1
        self.cycle = last
        self.issued += 1
        self.is_open = pairs in ("any", "first")
        for unit, _ in operation.results:
            if unit != "flags":
                self.written.add(unit)
        return start

    def needs(self, operation: Operation) -> float:
        """The cycle at which all registers that the instruction reads are ready."""
        needs = 0.0
        is_chained = operation.timing.chain is not None
        for source in operation.sources:
            ready = self.ready.get(source.unit)
            if ready is None:
                continue
            when = ready + source.early
            if source.is_addend and is_chained and source.unit in self.multiplied:
                when = self.multiplied[source.unit]
            if when > needs:
                needs = when
        return needs

    def deliver(self, operation: Operation, start: int, delay: float = 0.0) -> None:
        """Records when the results are ready."""
        for unit, latency in operation.results:
            self.ready[unit] = start + latency + delay
            if operation.timing.chain is not None:
                self.multiplied[unit] = start + operation.timing.chain
            elif self.multiplied:
                self.multiplied.pop(unit, None)


class InOrderPipeline:
    """The state of an in-order core between two instructions."""

    def __init__(self, table: InOrderTable) -> None:
        self._core = _Scoreboard(table.issue_width)
        self._queue = table.queue
        self._vector = _Scoreboard(table.queue.width) if table.queue is not None else self._core
        self._waiting: deque[int] = deque()
        self._memory = Memory(table.store_to_load) if table.store_to_load else None

    def copy(self) -> InOrderPipeline:
        """An independent pipeline in the same state."""
        twin = InOrderPipeline.__new__(InOrderPipeline)
        twin._core = _copy(self._core)
        twin._queue = self._queue
        twin._vector = _copy(self._vector) if self._queue is not None else twin._core
        twin._waiting = deque(self._waiting)
        twin._memory = self._memory.copy() if self._memory is not None else None
        return twin

    def know(self, numbers: dict[str, int], skipped: Iterable[Operation] = ()) -> None:
        """Says which core registers held which numbers before the operations that are `skipped` here."""
        if self._memory is not None:
            self._memory.know(numbers, skipped)

    @property
    def now(self) -> float:
        """The current cycle of the program. Half a cycle means that one more instruction may issue in this cycle."""
        core = self._core
        return core.cycle + min(core.issued, core.width) / core.width

    @staticmethod
    def split_stall(cycles: float) -> tuple[float, float]:
        """A stall in two parts: the part that later instructions depend on, and the part that is only added to their
        cycles, which is zero here."""
        return ceil(cycles), 0.0

    def stall(self, cycles: float) -> None:
        """No instruction issues for this many cycles."""
        core = self._core
        if cycles > 0:
            core.cycle += ceil(cycles)
            core.issued = 0
            core.written = set()
            core.is_open = True

    def step(self, operation: Operation) -> int:
        """Issues the next instruction of the program; the cycle at which it issues, counted from 0."""
        core, memory = self._core, self._memory
        needs = core.needs(operation)
        if memory is not None and operation.access is not None:
            needs = memory.needs(operation, max(core.cycle, needs))
        if self._queue is None or not operation.is_vector:
            start = core.issue(operation, operation.resources, 0, needs)
            core.deliver(operation, start)
            if memory is not None:
                memory.follow(operation, start)
            return start
        queue, vector = self._queue, self._vector
        room = 0
        if len(self._waiting) >= queue.entries:
            room = self._waiting[-queue.entries]
        entered = core.issue(_entering(operation), operation.core_resources, room, needs)
        start = vector.issue(operation, operation.resources, entered + queue.delay_cycles, vector.needs(operation))
        vector.deliver(operation, start)
        for unit, latency in operation.results:
            if unit[0] != "d":
                # The integer pipeline updates a base register. The vector unit returns everything else.
                is_base = latency == operation.timing.writeback and unit in {
                    source.unit for source in operation.sources
                }
                core.ready[unit] = entered + latency if is_base else start + queue.to_core_cycles
        if memory is not None:
            memory.follow(operation, start)
        self._waiting.append(start)
        if len(self._waiting) > queue.entries:
            self._waiting.popleft()
        return start


def _entering(operation: Operation) -> Operation:
    """A vector instruction in the integer pipeline: one cycle, without a result."""
    return Operation(operation.timing, 1, 1, operation.sources, (), (), operation.core_resources, True)


def _copy(board: _Scoreboard) -> _Scoreboard:
    twin = _Scoreboard(board.width)
    twin.cycle, twin.issued, twin.is_open, twin.written = board.cycle, board.issued, board.is_open, set(board.written)
    twin.trailed = board.trailed
    twin.ready, twin.multiplied, twin.free = dict(board.ready), dict(board.multiplied), dict(board.free)
    return twin
