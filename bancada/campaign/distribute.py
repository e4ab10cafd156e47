"""Works on the batches of a campaign on a cluster of dask.distributed. The store stays on this machine. A worker's
answer is written as it arrives. A worker that dies loses only the batch that it was working on, which is run again.

Batches are handed out here, one to each thread of each worker, and not by the scheduler. So it is known what a dead
worker was working on, and batches that merely waited for it are not suspected.
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

from bancada import __version__
from bancada.campaign import interrupt
from bancada.campaign.campaign import Ledger, Worker
from bancada.campaign.distribute_worker import facts, stop, work_on
from bancada.campaign.wire import packed, unpacked
from bancada.measure.batch import failed
from bancada.model.errors import UserError
from bancada.plan.case import Firmware, Workload
from bancada.plan.laboratory import Laboratory

if TYPE_CHECKING:
    from distributed import Client, Future

# If so many workers died while working on a batch, the batch is the cause.
_DEATHS = 3

# Time between two questions to the scheduler about its workers.
_LOOK_SECONDS = 1.0

# A scheduler and workers may still be starting. After this time they are taken to be absent.
_CONNECT_SECONDS = 10.0
_NO_WORKER_SECONDS = 30.0

_FETCH_SECONDS = 10.0
_STOP_SECONDS = 10.0


@dataclass
class _Task:
    """A batch that waits or is being worked on, and how many workers died meanwhile."""

    workloads: tuple[Workload, ...]
    deaths: int = 0


@dataclass
class _Machine:
    """A worker. `tasks` are the tasks that run there, by their futures. `check` is the future of its facts, until they
    are accepted."""

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
        raise UserError(
            "--dask needs the package dask.distributed; install it with: pip install 'bancada[dask]'"
        ) from None
    return distributed


def on_cluster(
    laboratory: Laboratory,
    address: str,
    say: Callable[[str], None],
    connect_seconds: float = _CONNECT_SECONDS,
    no_worker_seconds: float = _NO_WORKER_SECONDS,
) -> Worker:
    """Works on the cluster whose scheduler is at `address`. `say` gets a line when a worker comes or goes.

    UserError if there is no scheduler or no worker, or if a worker differs from this machine.
    """
    _import_dask()

    def run_on_cluster(batches: list[tuple[Workload, ...]], ledger: Ledger, full: bool) -> None:
        if not batches:
            return
        client = _connect(address, connect_seconds)
        try:
            _Campaign(laboratory, client, address, ledger, full, say, no_worker_seconds).run(batches)
        finally:
            with suppress(OSError, TimeoutError):
                client.close(timeout=5)

    return run_on_cluster


def _connect(address: str, seconds: float) -> Client:
    """A client of the scheduler. The scheduler is asked for its name first, because a client of dask waits for ever for
    one that never answers."""
    distributed = _import_dask()
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # its warnings are said here in one line
    no_scheduler = (
        f"No scheduler of dask answers at {address} ({{}}): start one with 'dask scheduler', and give the address that"
        " it prints."
    )
    try:
        asyncio.run(_greet(distributed, address, seconds))
        return distributed.Client(address, timeout=seconds, set_as_default=False, name="bancada")
    except TimeoutError:
        raise UserError(no_scheduler.format(f"nothing within {seconds:g} s")) from None
    except (OSError, ValueError, TypeError) as error:
        raise UserError(
            no_scheduler.format(str(error).splitlines()[0] if str(error) else type(error).__name__)
        ) from None


async def _greet(distributed: Any, address: str, seconds: float) -> None:
    """Waits until a scheduler says who it is. OSError if none does in time: another program may listen there."""
    async with asyncio.timeout(seconds), distributed.rpc(address, timeout=seconds) as scheduler:
        if "workers" not in await scheduler.identity():
            raise OSError("the program that listens there is not a scheduler")


def _toolchains(batches: list[tuple[Workload, ...]]) -> tuple[tuple[str, str], ...]:
    """Which compiler is needed for which device. A device at several clocks is compiled for once."""
    firmware = [workload.firmware for workloads in batches for workload in workloads if workload.firmware is not None]
    needed = {(one.target.device, _wanted(one)): (one.target.name, _wanted(one)) for one in firmware}
    return tuple(needed.values())


def _wanted(firmware: Firmware) -> str:
    """The compiler's name as another machine is asked for it. '' is the target's own."""
    return firmware.compiler.name if firmware.compiler is not None else ""


def _question(toolchains: tuple[tuple[str, str], ...]) -> Callable[[], dict[str, str]]:
    """The first question to a worker. A nested function travels whole. A worker without Bancada could not load a
    function by the name of a module that it does not have."""

    def ask() -> dict[str, str]:
        from bancada.campaign.distribute_worker import facts_afresh

        return facts_afresh(toolchains)

    return ask


class _Campaign:
    """One campaign on a cluster."""

    def __init__(
        self,
        laboratory: Laboratory,
        client: Client,
        address: str,
        ledger: Ledger,
        full: bool,
        say: Callable[[str], None],
        no_worker_seconds: float,
    ) -> None:
        self._laboratory = laboratory
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
        """Runs until every batch is written. Stops the workers on Ctrl-C and on errors."""
        self._waiting.extend(_Task(workloads) for workloads in batches)
        self._toolchains = _toolchains(batches)
        self._ours = facts(self._laboratory, self._toolchains)
        try:
            seen = time.monotonic()
            while self._waiting or self._suspects or any(machine.tasks for machine in self._machines.values()):
                interrupt.check()
                self._look()
                if self._machines:
                    seen = time.monotonic()
                elif time.monotonic() - seen > self._no_worker_seconds:
                    raise UserError(
                        f"The cluster at {self._address} has no worker (waited {self._no_worker_seconds:g} s): start"
                        f" some with 'dask worker {self._address}'; every finished case is stored, the same command"
                        " resumes."
                    )
                self._deal_out()
                self._take_what_ended()
        except BaseException:
            self._stop()
            raise

    def _look(self) -> None:
        """Updates the list of workers. The batches of lost workers wait again. New workers are asked for their
        facts."""
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
        return UserError(
            f"The scheduler of dask at {self._address} went away; every finished case is stored, the same command"
            " resumes."
        )

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
                self._ledger.write(failed(cases, f"{task.deaths} workers died while they worked on it"))
            else:
                self._suspects.append(task)
        again = f"; what it was at ({len(machine.tasks)}) is run again elsewhere" if machine.tasks else ""
        self._say(f"worker {machine.address} is gone{again}")
        machine.tasks.clear()

    def _deal_out(self) -> None:
        """Gives a batch to every idle thread. A batch during which a worker died gets a worker of its own, so that the
        next death has only one suspect."""
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
        machine.tasks[self._submit(machine.address, work_on, self._name, packed(batch))] = task

    def _take_what_ended(self) -> None:
        """Waits a moment for tasks to end, and takes those that did."""
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
        """Writes the answers to a batch. A worker may die after it answered and before the answer arrives. Then the
        batch is lost as any other."""
        from distributed import KilledWorker

        try:
            answers = unpacked(future.result(timeout=_FETCH_SECONDS), self._laboratory)
        except CancelledError:
            raise self._scheduler_is_gone() from None
        except (UserError, OSError) as error:
            if isinstance(error, TimeoutError) or machine.address not in self._client.nthreads():
                self._ended.put(future)
                return
            raise UserError(
                f"The worker {machine.address} cannot work: {str(error).rstrip('.')}; every finished case is stored."
            ) from error
        except KilledWorker:  # it came back under its old address several times between two looks
            machine.tasks[future].deaths = _DEATHS - 1
            self._machines.pop(machine.address)
            self._lose(machine)
            return
        self._ledger.write(answers)
        del machine.tasks[future]

    def _believe(self, machine: _Machine, future: Future) -> None:
        """Uses a worker that equals this machine. A different one is an error at the start, and is left out later."""
        machine.check = None
        try:
            why_not = self._difference(future.result(timeout=_FETCH_SECONDS))
        except Exception as error:  # another version of Bancada, or none, may answer anything
            why_not = (
                f"has another version of Bancada, or none ({type(error).__name__}: {error}); this machine has"
                f" {__version__}"
            )
        if why_not is None:
            machine.usable = True
            return
        sentence = (
            f"The worker {machine.address} {why_not}: results from there would be no equals of those from here; make"
            " them the same."
        )
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
        with suppress(Exception):  # a worker that cannot be told is gone, and so has stopped
            self._client.cancel(futures, force=True)
            # Otherwise a worker that hangs, or whose network failed, would be waited for until the scheduler gives it
            # up.
            self._client.run(
                stop, self._name, workers=list(self._machines), on_error="ignore", callback_timeout=_STOP_SECONDS
            )
