"""Works on the batches of a campaign on a cluster of dask.distributed. The store stays here: what a worker answers is written as
it arrives, and a worker that dies takes nothing with it but the time of what it was at.

Batches are dealt out here, one to each thread of each worker, rather than left to the scheduler: so it is known what a worker that
died was at, and what it had only been promised is not suspected of its death.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import time
import uuid
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bancada import __version__, interrupt
from bancada.batch import device_of, failed
from bancada.campaign import Ledger, Worker
from bancada.distribute_worker import facts, stop, work_on
from bancada.errors import UserError
from bancada.records import Workload

if TYPE_CHECKING:
    from distributed import Client, Future

# A batch at which so many workers died is what killed them.
_DEATHS = 3

# How often the scheduler is asked which workers there are.
_LOOK_SECONDS = 1.0

# A scheduler and workers may still be starting; whoever waits longer than this waits for nothing.
_CONNECT_SECONDS = 10.0
_NO_WORKER_SECONDS = 30.0

_FETCH_SECONDS = 10.0
_STOP_SECONDS = 10.0


@dataclass
class _Task:
    """A batch that waits or is under way, and how many workers died of it or beside it."""

    workloads: tuple[Workload, ...]
    deaths: int = 0


@dataclass
class _Machine:
    """A worker: `tasks` under way there by their futures; `check` is the future of what it says it has, until it is believed."""

    address: str
    threads: int
    check: Future | None
    is_late: bool
    usable: bool = False
    tasks: dict[Future, _Task] = field(default_factory=dict)


def _import_dask() -> Any:
    try:
        import distributed
    except ImportError:
        raise UserError("--dask needs the package dask.distributed; install it with: pip install 'bancada[dask]'") from None
    return distributed


def on_cluster(
    address: str,
    say: Callable[[str], None],
    connect_seconds: float = _CONNECT_SECONDS,
    no_worker_seconds: float = _NO_WORKER_SECONDS,
) -> Worker:
    """Works on the cluster whose scheduler is at `address`; `say` is told of workers that came and went.

    UserError if there is no scheduler or no worker, or if one has not what this machine has.
    """
    _import_dask()

    def run_on_cluster(batches: list[tuple[Workload, ...]], ledger: Ledger, full: bool) -> None:
        if not batches:
            return
        client = _connect(address, connect_seconds)
        try:
            _Campaign(client, address, ledger, full, say, no_worker_seconds).run(batches)
        finally:
            with suppress(OSError, TimeoutError):
                client.close(timeout=5)

    return run_on_cluster


def _connect(address: str, seconds: float) -> Client:
    """A client of the scheduler. It is asked for its name first: a client of dask waits for ever for one that never speaks."""
    distributed = _import_dask()
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what it would warn of is said here, in one line
    no_scheduler = f"No scheduler of dask answers at {address} ({{}}): start one with 'dask scheduler', and give the address that it prints."
    try:
        asyncio.run(_greet(distributed, address, seconds))
        return distributed.Client(address, timeout=seconds, set_as_default=False, name="bancada")
    except TimeoutError:
        raise UserError(no_scheduler.format(f"nothing within {seconds:g} s")) from None
    except (OSError, ValueError, TypeError) as error:
        raise UserError(no_scheduler.format(str(error).splitlines()[0] if str(error) else type(error).__name__)) from None


async def _greet(distributed: Any, address: str, seconds: float) -> None:
    """Until a scheduler says who it is. OSError if nobody does in time; whatever else listens there does not speak dask."""
    async with asyncio.timeout(seconds), distributed.rpc(address, timeout=seconds) as scheduler:
        if "workers" not in await scheduler.identity():
            raise OSError("what listens there is no scheduler")


def _toolchains(batches: list[tuple[Workload, ...]]) -> tuple[tuple[str, str], ...]:
    """Which compiler is needed for which device; a device at several clocks is compiled for once."""
    firmware = [workload.firmware for workloads in batches for workload in workloads if workload.firmware is not None]
    return tuple({(device_of(one.target), one.compiler): (one.target, one.compiler) for one in firmware}.values())


def _question(toolchains: tuple[tuple[str, str], ...]) -> Callable[[], dict[str, str]]:
    """What a worker is asked first. A function in a function travels whole: a worker without Bancada would not survive the name of
    one in a module that it has not."""

    def ask() -> dict[str, str]:
        from bancada.distribute_worker import facts_afresh

        return facts_afresh(toolchains)

    return ask


class _Campaign:
    """One campaign on a cluster."""

    def __init__(
        self,
        client: Client,
        address: str,
        ledger: Ledger,
        full: bool,
        say: Callable[[str], None],
        no_worker_seconds: float,
    ) -> None:
        self._client = client
        self._address = address
        self._ledger = ledger
        self._full = full
        self._say = say
        self._no_worker_seconds = no_worker_seconds
        self._name = uuid.uuid4().hex
        self._toolchains: tuple[tuple[str, str], ...] = ()
        self._ours: dict[str, str] = {}
        self._machines: dict[str, _Machine] = {}
        self._left_out: set[str] = set()
        self._waiting: deque[_Task] = deque()
        self._suspects: deque[_Task] = deque()
        self._ended: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._begun = False

    def run(self, batches: list[tuple[Workload, ...]]) -> None:
        """Until every batch is written. Stops the workers' work on Ctrl-C and on errors."""
        self._waiting.extend(_Task(workloads) for workloads in batches)
        self._toolchains = _toolchains(batches)
        self._ours = facts(self._toolchains)
        try:
            seen = time.monotonic()
            while self._waiting or self._suspects or any(machine.tasks for machine in self._machines.values()):
                interrupt.check()
                self._look()
                if self._machines:
                    seen = time.monotonic()
                elif time.monotonic() - seen > self._no_worker_seconds:
                    raise UserError(
                        f"The cluster at {self._address} has no worker (waited {self._no_worker_seconds:g} s): start some with "
                        f"'dask worker {self._address}'; every finished case is stored, the same command resumes."
                    )
                self._deal_out()
                self._take_what_ended()
        except BaseException:
            self._stop()
            raise

    def _look(self) -> None:
        """Which workers there are now: what the lost ones were at waits again, new ones are asked what they have."""
        try:
            there: dict[str, int] = self._client.sync(self._client.scheduler.ncores, callback_timeout=_CONNECT_SECONDS)
        except (OSError, TimeoutError):
            raise self._scheduler_is_gone() from None
        for address in self._machines.keys() - there.keys():
            self._lose(self._machines.pop(address))
        self._left_out &= there.keys()
        for address in there.keys() - self._machines.keys() - self._left_out:
            check = self._submit(address, _question(self._toolchains))
            self._machines[address] = _Machine(address, max(1, there[address]), check, is_late=self._begun)

    def _scheduler_is_gone(self) -> UserError:
        return UserError(f"The scheduler of dask at {self._address} went away; every finished case is stored, the same command resumes.")

    def _submit(self, address: str, function: Callable[..., object], *arguments: object) -> Future:
        future = self._client.submit(function, *arguments, workers=[address], allow_other_workers=False, pure=False)
        future.add_done_callback(self._ended.put)
        return future

    def _lose(self, machine: _Machine) -> None:
        for future, task in machine.tasks.items():
            future.cancel(force=True)
            task.deaths += 1
            if task.deaths >= _DEATHS:
                cases = tuple(case for workload in task.workloads for case in workload.cases)
                self._ledger.write(failed(cases, f"{task.deaths} workers died while they were at it"))
            else:
                self._suspects.append(task)
        again = f"; what it was at ({len(machine.tasks)}) is run again elsewhere" if machine.tasks else ""
        self._say(f"worker {machine.address} is gone{again}")
        machine.tasks.clear()

    def _deal_out(self) -> None:
        """A batch for every idle thread. One at which a worker died has a worker to itself, so that it alone is blamed next time."""
        for machine in self._machines.values():
            if not machine.usable or any(task.deaths for task in machine.tasks.values()):
                continue
            while self._waiting and len(machine.tasks) < machine.threads:
                self._start(machine, self._waiting.popleft())
            if self._suspects and not machine.tasks:
                self._start(machine, self._suspects.popleft())

    def _start(self, machine: _Machine, task: _Task) -> None:
        self._begun = True
        batch = self._ledger.batch(task.workloads, self._full)
        machine.tasks[self._submit(machine.address, work_on, self._name, batch)] = task

    def _take_what_ended(self) -> None:
        """Waits a moment for something to end, and takes all that did."""
        try:
            ended = [self._ended.get(timeout=_LOOK_SECONDS)]
        except queue.Empty:
            return
        with suppress(queue.Empty):
            while True:
                ended.append(self._ended.get_nowait())
        for future in ended:
            machine = next((one for one in self._machines.values() if future is one.check or future in one.tasks), None)
            if machine is None:
                continue
            if future is machine.check:
                self._believe(machine, future)
            else:
                self._finish(machine, future)

    def _finish(self, machine: _Machine, future: Future) -> None:
        """Writes the answers to a batch. A worker may die between its answer and our having it: then it is lost like any other."""
        from distributed import KilledWorker

        try:
            answers = future.result(timeout=_FETCH_SECONDS)
        except CancelledError:
            raise self._scheduler_is_gone() from None
        except (UserError, OSError) as error:
            if isinstance(error, TimeoutError) or machine.address not in self._client.nthreads():
                self._ended.put(future)
                return
            raise UserError(f"The worker {machine.address} cannot work: {str(error).rstrip('.')}; every finished case is stored.") from error
        except KilledWorker:  # it came back under its old address again and again, before anybody looked
            machine.tasks[future].deaths = _DEATHS - 1
            self._machines.pop(machine.address)
            self._lose(machine)
            return
        self._ledger.write(answers)
        del machine.tasks[future]

    def _believe(self, machine: _Machine, future: Future) -> None:
        """Uses a worker that has what this machine has. Another one is an error, but for one that comes when work has begun."""
        machine.check = None
        try:
            why_not = self._difference(future.result(timeout=_FETCH_SECONDS))
        except Exception as error:  # whatever another version of Bancada, or none, makes of the question
            why_not = f"has another version of Bancada, or none ({type(error).__name__}: {error}); this machine has {__version__}"
        if why_not is None:
            machine.usable = True
            return
        sentence = f"The worker {machine.address} {why_not}: results from there would be no equals of those from here; make them the same."
        if not machine.is_late:
            raise UserError(sentence)
        del self._machines[machine.address]
        self._left_out.add(machine.address)
        self._say(f"{sentence} It is left out.")

    def _difference(self, theirs: dict[str, str]) -> str | None:
        for what, ours in self._ours.items():
            if theirs.get(what) != ours:
                return f"has another {what}: '{theirs.get(what, 'none')}', here it is '{ours}'"
        return None

    def _stop(self) -> None:
        futures = [future for machine in self._machines.values() for future in machine.tasks]
        with suppress(Exception):  # whoever cannot be told is gone, which is what stopping is for
            self._client.cancel(futures, force=True)
            # A worker that hangs, or is behind a cable that was pulled, would be waited for as long as the scheduler believes in it.
            self._client.run(stop, self._name, workers=list(self._machines), on_error="ignore", callback_timeout=_STOP_SECONDS)
