"""An out-of-order core: instructions enter a window in order, issue when their operands and a unit are there, leave in order."""

from __future__ import annotations

from collections import deque
from heapq import heappop, heappush

from bancada.costing.cortex_a_operations import Operation, Resource
from bancada.costing.cortex_a_table import OutOfOrderTable

# A unit's calendar forgets what is so long ago that nothing can issue there any more.
_CALENDAR_CYCLES = 4096


class OutOfOrderPipeline:
    """The state of an out-of-order core between two instructions."""

    def __init__(self, table: OutOfOrderTable) -> None:
        self._table = table
        self._cycle = 0
        self._slots = 0
        self._left = 0.0
        self._lost = 0.0
        self._window: deque[float] = deque()
        self._queues: dict[tuple[str, ...], list[int]] = {}
        self._busy: dict[str, set[int]] = {}
        self._ready: dict[str, float] = {}
        self._multiplied: dict[str, int] = {}

    def copy(self) -> OutOfOrderPipeline:
        """An independent pipeline in the same state."""
        twin = OutOfOrderPipeline(self._table)
        twin._cycle, twin._slots, twin._left, twin._lost = self._cycle, self._slots, self._left, self._lost
        twin._window = deque(self._window)
        twin._queues = {name: list(queue) for name, queue in self._queues.items()}
        twin._busy = {name: set(cycles) for name, cycles in self._busy.items()}
        twin._ready, twin._multiplied = dict(self._ready), dict(self._multiplied)
        return twin

    @property
    def now(self) -> float:
        """When the last instruction left the window, lost cycles included."""
        return self._left + self._lost

    @staticmethod
    def split_stall(cycles: float) -> tuple[float, float]:
        """A stall as what the instructions behind it depend on, nothing, and what is only added to their cycles."""
        return 0.0, cycles

    def stall(self, cycles: float) -> None:
        """Adds lost cycles and leaves the window as it is: what a misprediction costs is one number, its refill included."""
        self._lost += cycles

    def step(self, operation: Operation) -> int:
        """Sends the next instruction of the program through the window; the cycle at which it issues, counted from 0."""
        entered = self._dispatch(operation)
        start = max(entered + 1, int(-(-self._needs(operation) // 1)))
        start = self._issue(operation.resources, start)
        if operation.resources:
            heappush(self._queues.setdefault(operation.resources[0].units, []), start)
        for unit, latency in operation.results:
            self._ready[unit] = start + latency
            if operation.timing.chain is not None:
                self._multiplied[unit] = start
            else:
                self._multiplied.pop(unit, None)
        done = start + max((latency for _, latency in operation.results), default=1.0)
        self._left = max(self._left + operation.slots / self._table.dispatch_width, done)
        self._window.extend([self._left] * operation.slots)
        return start

    def _dispatch(self, operation: Operation) -> int:
        table = self._table
        count = operation.slots
        if self._slots + count > table.dispatch_width and self._slots:
            # What does not fit goes to the next cycle; more than one cycle's worth takes all of several.
            self._cycle += 1
            self._slots = 0
        while len(self._window) + count > table.window:
            self._wait_until(self._window.popleft())
        if operation.resources:
            queue = self._queues.setdefault(operation.resources[0].units, [])
            while queue and queue[0] <= self._cycle:
                heappop(queue)
            while len(queue) >= table.queue_entries:
                self._wait_until(heappop(queue))
        self._cycle += (count - 1) // table.dispatch_width
        self._slots += count - (count - 1) // table.dispatch_width * table.dispatch_width
        return self._cycle

    def _wait_until(self, cycle: float) -> None:
        if cycle > self._cycle:
            self._cycle = int(-(-cycle // 1))
            self._slots = 0

    def _needs(self, operation: Operation) -> float:
        needs = 0.0
        chain = operation.timing.chain
        for source in operation.sources:
            if source.unit in self._ready:
                when = self._ready[source.unit] + source.early
                if source.is_addend and chain is not None and source.unit in self._multiplied:
                    when = self._multiplied[source.unit] + chain
                needs = max(needs, when)
        return needs

    def _issue(self, resources: tuple[Resource, ...], start: int) -> int:
        while True:
            held = []
            for resource in resources:
                span = range(start, start + resource.cycles)
                unit = next((name for name in resource.units if self._is_free(name, span)), None)
                if unit is None:
                    break
                held.append((unit, span))
            else:
                for unit, span in held:
                    calendar = self._busy.setdefault(unit, set())
                    calendar.update(span)
                    if len(calendar) > 2 * _CALENDAR_CYCLES:
                        self._busy[unit] = {cycle for cycle in calendar if cycle > self._cycle - 8}
                return start
            start += 1

    def _is_free(self, unit: str, span: range) -> bool:
        calendar = self._busy.get(unit)
        return calendar is None or calendar.isdisjoint(span)
