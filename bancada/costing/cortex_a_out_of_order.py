"""An out-of-order core. Instructions enter a window in order. They issue when their operands are ready and a unit is
free. They leave in order."""

from __future__ import annotations

from collections import defaultdict, deque
from heapq import heappop, heappush
from math import ceil

from bancada.costing.cortex_a_operations import Operation, Resource
from bancada.costing.cortex_a_table import OutOfOrderTable

# A unit's calendar drops cycles that are so old that nothing can issue there any more.
_CALENDAR_CYCLES = 4096


class OutOfOrderPipeline:
    """The state of an out-of-order core between two instructions."""

    def __init__(self, table: OutOfOrderTable) -> None:
        self._table = table
        self._width, self._window_entries, self._queue_entries = table.dispatch_width, table.window, table.queue_entries
        self._cycle = 0
        self._slots = 0
        self._left = 0.0
        self._lost = 0.0
        self._window: deque[float] = deque()
        self._queues: dict[tuple[str, ...], list[int]] = {}
        self._busy: defaultdict[str, set[int]] = defaultdict(set)
        self._ready: dict[str, float] = {}
        # The last multiplication that wrote each register: when it issued, and which of its results this is.
        self._multiplied: dict[str, tuple[int, int]] = {}
        self._integer_units = table.integer_units
        # The registers whose last writer was one of these units.
        self._bypassed: set[str] = set()

    def copy(self) -> OutOfOrderPipeline:
        """An independent pipeline in the same state."""
        twin = OutOfOrderPipeline(self._table)
        twin._cycle, twin._slots, twin._left, twin._lost = self._cycle, self._slots, self._left, self._lost
        twin._window = deque(self._window)
        twin._queues = {name: list(queue) for name, queue in self._queues.items()}
        twin._busy = defaultdict(set, {name: set(cycles) for name, cycles in self._busy.items()})
        twin._ready, twin._multiplied, twin._bypassed = dict(self._ready), dict(self._multiplied), set(self._bypassed)
        return twin

    @property
    def now(self) -> float:
        """The cycle at which the last instruction left the window, with lost cycles."""
        return self._left + self._lost

    @staticmethod
    def split_stall(cycles: float) -> tuple[float, float]:
        """A stall in two parts: the part that later instructions depend on, which is zero here, and the part that is
        only added to their cycles."""
        return 0.0, cycles

    def stall(self, cycles: float) -> None:
        """Adds lost cycles and does not change the window: the cost of a misprediction is one number, with the
        refill."""
        self._lost += cycles

    def step(self, operation: Operation) -> int:
        """Sends the next instruction of the program through the window; the cycle at which it issues, counted from
        0."""
        entered = self._dispatch(operation)
        base_ready = None if operation.base is None else self._update_base(operation.base, entered)
        needs = self._needs(operation)
        start = entered + 1 if needs <= entered + 1 else ceil(needs)
        if operation.resources:
            start = self._issue(operation.resources, start)
            heappush(self._queues.setdefault(operation.resources[0].units, []), start)
        longest = self._deliver(operation, start)
        if operation.base is not None and base_ready is not None:
            self._ready[operation.base] = base_ready
            self._bypassed.add(operation.base)
        left = self._left + operation.slots / self._width
        self._left = left if left >= start + longest else start + longest
        for _ in range(operation.slots):
            self._window.append(self._left)
        return start

    def _deliver(self, operation: Operation, start: int) -> float:
        """Records when the results are ready, and returns the latency of the last one."""
        longest = 1.0 if not operation.results else operation.results[0][1]
        bypasses = bool(operation.resources) and operation.resources[0].units[0] in self._integer_units
        for place, (unit, latency) in enumerate(operation.results):
            self._ready[unit] = start + latency
            if bypasses:
                self._bypassed.add(unit)
            else:
                self._bypassed.discard(unit)
            if latency > longest:
                longest = latency
            if operation.timing.chain is not None:
                self._multiplied[unit] = start, place if unit[0] != "d" else 0
            elif self._multiplied:
                self._multiplied.pop(unit, None)
        return longest

    def _dispatch(self, operation: Operation) -> int:
        count, width, window = operation.slots, self._width, self._window
        if self._slots + count > width and self._slots:
            # What does not fit in this cycle goes to the next one. Operations may fill several cycles.
            self._cycle += 1
            self._slots = 0
        while len(window) + count > self._window_entries:
            self._wait_until(window.popleft())
        if operation.resources:
            self._wait_for_room(operation.resources[0].units)
        if operation.base is not None:
            self._wait_for_room(self._integer_units)
        more = (count - 1) // width
        self._cycle += more
        self._slots += count - more * width
        return self._cycle

    def _update_base(self, base: str, entered: int) -> int:
        """Issues the operation that updates a base register. It waits for nothing else. Returns the cycle at which the
        register is ready again."""
        needs = self._ready.get(base, 0.0)
        start = self._issue_for_a_cycle(self._integer_units, entered + 1 if needs <= entered + 1 else ceil(needs))
        heappush(self._queues.setdefault(self._integer_units, []), start)
        return start + 1

    def _wait_for_room(self, units: tuple[str, ...]) -> None:
        """Dispatch waits until one of the operations before these units has left their queue."""
        queue = self._queues.setdefault(units, [])
        while queue and queue[0] <= self._cycle:
            heappop(queue)
        while len(queue) >= self._queue_entries:
            self._wait_until(heappop(queue))

    def _wait_until(self, cycle: float) -> None:
        if cycle > self._cycle:
            self._cycle = ceil(cycle)
            self._slots = 0

    def _needs(self, operation: Operation) -> float:
        needs = 0.0
        chain, without_bypass = operation.timing.chain, operation.timing.without_bypass
        for source in operation.sources:
            ready = self._ready.get(source.unit)
            if ready is not None:
                when = ready + source.early
                if without_bypass and source.unit in self._bypassed:
                    when += without_bypass
                if source.is_addend and chain is not None and source.unit in self._multiplied:
                    issued, place = self._multiplied[source.unit]
                    if place == source.place:
                        when = issued + chain
                if when > needs:
                    needs = when
        return needs

    def _issue(self, resources: tuple[Resource, ...], start: int) -> int:
        if len(resources) == 1 and resources[0].cycles == 1:
            return self._issue_for_a_cycle(resources[0].units, start)
        while True:
            held = []
            for resource in resources:
                span = range(start, start + resource.cycles)
                unit = next((name for name in resource.units if self._busy[name].isdisjoint(span)), None)
                if unit is None:
                    break
                held.append((unit, span))
            else:
                for unit, span in held:
                    self._busy[unit].update(span)
                    self._forget(unit)
                return start
            start += 1

    def _issue_for_a_cycle(self, units: tuple[str, ...], start: int) -> int:
        """The same for an instruction that holds one unit for one cycle, as most do."""
        busy = self._busy
        while True:
            for unit in units:
                if start not in busy[unit]:
                    busy[unit].add(start)
                    self._forget(unit)
                    return start
            start += 1

    def _forget(self, unit: str) -> None:
        calendar = self._busy[unit]
        if len(calendar) > 2 * _CALENDAR_CYCLES:
            self._busy[unit] = {cycle for cycle in calendar if cycle > self._cycle - 8}
