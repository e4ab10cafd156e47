"""Costs profiles in other processes: the model of a core is Python, and Python runs one thread of a process at a time.

Measured on two cores: docs/reference/engine-qemu.md, "How fast".
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import BinaryIO

from bancada.catalogue.core import Core
from bancada.costing.cost import Cost, cost
from bancada.costing.decode import UnknownInstruction
from bancada.costing.profile import Profile
from bancada.costing.table import Table
from bancada.monitor.monitor import DeviceError


class _Stopped(Exception):
    """The process is gone because everything was stopped."""


class _Process:
    """One process that costs what it is sent."""

    def __init__(self) -> None:
        # It finds this very package, whatever the folder it is started in has in it.
        code = f"import sys; sys.path[:] = {sys.path!r}; from bancada.engines.qemu.cost_process import serve; serve()"
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is the campaign's to handle
        )
        self._sent: set[str] = set()

    def cost(self, core: str, profile: Profile, table: Table) -> Cost | None:
        """None if it cannot say. EOFError or OSError if the process is gone."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        # The table goes there once, and stays the same object: what was worked out for it is found again.
        pickle.dump(
            (core, None if core in self._sent else table, profile), self._process.stdin, pickle.HIGHEST_PROTOCOL
        )
        self._process.stdin.flush()
        self._sent.add(core)
        found: Cost | None = pickle.load(self._process.stdout)
        return found

    def kill(self) -> None:
        """A thread that waits for it learns at once that it ended."""
        self._process.kill()

    def close(self) -> None:
        """Ends it."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                assert stream is not None
                stream.close()


class _Processes:
    """A process for each thread that costs: a thread's next profile is, as a rule, of the same program, most of which
    is known there."""

    def __init__(self) -> None:
        self._of_thread = threading.local()
        self._all: list[_Process] = []
        self._lock = threading.Lock()
        self._is_stopped = False

    def cost(self, core: str, profile: Profile, table: Table) -> Cost | None:
        """None if no process can say."""
        try:
            return self._mine().cost(core, profile, table)
        except (EOFError, OSError, pickle.UnpicklingError):
            if self._is_stopped:
                raise _Stopped from None
            self._of_thread.process = (
                None  # killed by somebody, or the machine has no room for one: the next profile tries again
            )
            return None

    def _mine(self) -> _Process:
        process: _Process | None = getattr(self._of_thread, "process", None)
        if process is None:
            with self._lock:
                if self._is_stopped:
                    raise _Stopped
                process = self._of_thread.process = _Process()
                self._all.append(process)
        return process

    def stop(self) -> None:
        """Ends every process, and starts no more."""
        with self._lock:
            self._is_stopped = True
            for process in self._all:
                process.kill()

    def close(self) -> None:
        """The same, when nothing waits any more."""
        self.stop()
        for process in self._all:
            process.close()


class Coster:
    """What profiles cost on a core, in this process or in others. Equal profiles are costed once: a core's clocks are
    many targets that execute the same."""

    def __init__(self) -> None:
        self._processes: _Processes | None = None
        self._known = lru_cache(maxsize=1024)(self._cost)

    def cost(self, core: Core, profile: Profile) -> Cost:
        """As bancada.costing.cost, without the memories. UnknownInstruction as there; DeviceError if everything was
        stopped."""
        return self._known(core, profile)

    def _cost(self, core: Core, profile: Profile) -> Cost:
        assert core.table is not None
        if self._processes is not None:
            try:
                found = self._processes.cost(core.name, profile, core.table)
            except _Stopped:
                raise DeviceError("The campaign was stopped.") from None
            if found is not None:
                return found
        # A process that is gone, or that meets an instruction it does not know, costs nothing but time.
        return cost(profile, core.table)

    @contextmanager
    def beside(self, is_wanted: bool) -> Iterator[None]:
        """While it lasts, every thread's profiles are costed in a process of its own, if that is wanted: one thread
        alone gains nothing."""
        if not is_wanted:
            yield
            return
        before, self._processes = self._processes, _Processes()
        try:
            yield
        finally:
            self._processes.close()
            self._processes = before

    def stop(self) -> None:
        """Ends every process that costs."""
        if self._processes is not None:
            self._processes.stop()


def serve() -> None:
    """What such a process does until the other end is closed."""
    questions: BinaryIO = sys.stdin.buffer
    answers = sys.stdout.buffer
    tables: dict[str, Table] = {}
    with suppress(EOFError, BrokenPipeError):
        while True:
            core, table, profile = pickle.load(questions)
            if table is not None:
                tables[core] = table
            found: Cost | None = None
            with suppress(UnknownInstruction):
                found = cost(profile, tables[core])
            pickle.dump(found, answers, pickle.HIGHEST_PROTOCOL)
            answers.flush()
