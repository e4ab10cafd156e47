"""The engine `qemu` as the laboratory drives it: a firmware with the monitor, whose regions are costed as they end."""

from __future__ import annotations

import os
import select
import time
from dataclasses import replace
from functools import lru_cache
from subprocess import PIPE
from pathlib import Path
from typing import Self

from bancada import catalogue
from bancada.catalogue import Core, Emulator, Target, named
from bancada.costing import Cost, UnknownInstruction, cost
from bancada.costing.memory import CacheLevel, Memory, memory_cycles
from bancada.costing.profile import CacheCounts, Profile
from bancada.engines import cost_process
from bancada.engines.cost_process import cost_beside
from bancada.engines.frames import Frames
from bancada.engines.qemu import engine_version, profile_regions
from bancada.engines.qemu_call import call_in, without_marker
from bancada.engines.qemu_extensions import missing_instruction
from bancada.engines.qemu_process import QemuProcess
from bancada.errors import UserError
from bancada.events import events_of
from bancada.monitor import SIMULATED_ANSWER_S, SIMULATED_LONGEST_S, DeviceError
from bancada.records import Region
from bancada.symbols import symbols

_PIPE_BYTES = 65536
_MARKERS = ("device_region_begin", "device_region_end")
_RESET_LIMIT_S = 20.0

_live: set[QemuProcess] = set()


def emulator_command(emulator: Emulator, elf_path: str) -> list[str]:
    """The emulator's command line for a firmware that talks on standard input and output."""
    processor = [emulator.program, "-cpu", emulator.cpu]
    if emulator.machine is None:
        return [*processor, elf_path]
    console = ["-display", "none", "-monitor", "none", "-serial", "none", "-semihosting-config", "enable=on,target=native"]
    return [*processor, "-machine", emulator.machine, *console, "-kernel", elf_path]


class QemuSession:
    """One device in the emulator: a transport for the monitor, and the regions that the profiler reports."""

    is_counting = True
    answer_wait_s = SIMULATED_ANSWER_S
    longest_wait_s = SIMULATED_LONGEST_S

    def __init__(self, target: Target, core: Core, elf_path: str, is_counted: bool = True) -> None:
        assert target.emulator is not None
        self._core = core
        self._missing = target.emulator.missing_on_device
        self._memory = memory_as_linked(target)
        self._symbols = symbols(Path(elf_path))
        begin, end = (self._symbols.address(name) for name in _MARKERS)
        options = [f"begin={begin:#x}", f"end={end:#x}", "stack=1"]
        path = Path(elf_path)
        command = emulator_command(target.emulator, path.name)
        self._process = QemuProcess(
            command, self._symbols, options, memory=self._memory, is_counted=is_counted, folder=path.parent, stdin=PIPE, stdout=PIPE
        )
        self._frames = Frames()
        self._profiles: list[Profile] = []
        _live.add(self._process)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        _live.discard(self._process)
        self._process.close()

    def write(self, data: bytes) -> None:
        """Sends bytes to the firmware."""
        assert self._process.process.stdin is not None
        try:
            self._process.process.stdin.write(data)
        except BrokenPipeError as error:
            raise self._gone() from error

    def read_frame(self, timeout_s: float) -> bytes | None:
        """Bytes from the firmware up to the next zero, without it; None if none came in time."""
        assert self._process.process.stdout is not None
        output = self._process.process.stdout.fileno()
        deadline = time.monotonic() + timeout_s
        while (frame := self._frames.next()) is None:
            left_s = deadline - time.monotonic()
            ready = select.select([output, self._process.events], [], [], max(left_s, 0))[0]
            if self._process.events in ready:
                self._collect()  # or the profiler would wait for room in the pipe
            if output not in ready:
                if left_s <= 0 or not ready:
                    return None
                continue
            data = os.read(output, _PIPE_BYTES)
            if not data:
                raise self._gone()
            self._frames.hear(data)
        return frame

    def _collect(self) -> None:
        self._profiles += self._process.profiles()[0]

    def profiles(self) -> list[Profile]:
        """The profiles of the regions that ended since the last call, from behind the first marker to before the second."""
        self._collect()
        found, self._profiles = self._profiles, []
        return [without_marker(profile) for profile in found]

    def regions(self) -> list[Region]:
        """The regions that ended since the last call. DeviceError if the core's table does not know an instruction in one."""
        return [self._region(profile) for profile in self.profiles()]

    def _region(self, profile: Profile) -> Region:
        unknown = missing_instruction(profile, self._missing)
        if unknown is not None:
            place = self._symbols.function_at(unknown.address)
            raise DeviceError(f"It executes '{unknown.text}' at {unknown.address:#x} in {place}, which the device's processor was built without.")
        call = call_in(profile)
        if call is None:
            whole = self._counted(profile)
            return replace(whole, region_cycles=whole.cycles)
        inside = self._counted(call.profile)
        if call.behind is not None:
            inside = _less(inside, self._counted(replace(call.behind, caches=_none_of(profile))))
        return replace(inside, stack_bytes=profile.stack_bytes)

    def _counted(self, profile: Profile) -> Region:
        waiting = memory_cycles(self._memory, profile.caches) if self._memory is not None else 0.0
        found = self._cost(replace(profile, stack_bytes=0, caches=()))
        return Region(round(found.cycles + waiting), None, profile.stack_bytes, found.instructions, events_of(profile))

    def _cost(self, profile: Profile) -> Cost:
        """Without the memories, which is what calls of code that does the same whatever its data have in common."""
        try:
            return _cost_of(self._core.name, profile)
        except UnknownInstruction as error:
            raise DeviceError(f"{error} It is in the function {self._symbols.function_at(error.address)}.") from error

    def place(self) -> str | None:
        """The function under execution."""
        return self._process.place()

    def _gone(self) -> DeviceError:
        ending = self._process.ending()
        said = self._process.said()
        return DeviceError(f"The firmware {ending}; the emulator said: {said or 'nothing'}.")


@lru_cache(maxsize=1024)
def _cost_of(core: str, profile: Profile) -> Cost:
    """Shared by all sessions: a core's clocks are many targets that execute the same."""
    table = named("core", catalogue.cores(), core).table
    assert table is not None
    return cost_beside(core, profile, table)


def _none_of(profile: Profile) -> tuple[CacheCounts, ...]:
    return tuple(CacheCounts(cache.name, 0, 0) for cache in profile.caches)


def _less(region: Region, other: Region) -> Region:
    assert region.instructions is not None and other.instructions is not None
    return replace(
        region,
        cycles=region.cycles - other.cycles,
        instructions=region.instructions - other.instructions,
        events={name: times - other.events[name] for name, times in region.events.items()},
    )


def memory_as_linked(target: Target) -> Memory | None:
    """The target's memory with its flash where the emulated machine has it."""
    memory, origin, linked = target.memory, target.flash_origin, target.linked_flash_origin
    if memory is None or origin is None or linked is None or origin == linked:
        return memory
    end = origin + target.flash_bytes - 1

    def moved(level: CacheLevel) -> CacheLevel:
        if not origin <= level.first_address <= level.last_address <= end:
            return level
        shift = linked - origin
        return level.model_copy(update={"first_address": level.first_address + shift, "last_address": level.last_address + shift})

    return memory.model_copy(update={"level": tuple(moved(level) for level in memory.level)})


class Qemu:
    """The engine of targets that QEMU emulates and a core's table costs."""

    def open(self, target: Target, core: Core, elf_path: str, is_counted: bool) -> QemuSession:
        """Starts a firmware. UserError if QEMU is not installed or the core has no table."""
        self.version(target)
        if core.table is None:
            raise UserError(f"The core '{core.name}' has no cost table (cores/{core.name}.toml, [table]): the engine 'qemu' cannot say its cycles.")
        return QemuSession(target, core, elf_path, is_counted)

    def version(self, target: Target) -> str:
        """The emulator and the digest of the profiler's sources."""
        assert target.emulator is not None
        return engine_version(target.emulator.program)

    def cycles_to_main(self, target: Target, core: Core, elf_path: str) -> int | None:
        """Cycles from reset to the first instruction of `main`; None under Linux, where a loader comes before."""
        assert target.emulator is not None
        if target.emulator.machine is None or core.table is None:
            return None
        memory = memory_as_linked(target)
        found = symbols(Path(elf_path))
        options = [f"begin={found.address('startup_reset'):#x}", f"end={found.address('main'):#x}"]
        command = emulator_command(target.emulator, elf_path)
        [profile] = profile_regions(command, found, options, memory, "startup_reset", 1, 0, _RESET_LIMIT_S)
        return round(cost(profile, core.table, memory).cycles)

    def stop_all(self) -> None:
        """Ends every emulator of this process."""
        for process in list(_live):
            process.process.kill()
        cost_process.stop_all()
