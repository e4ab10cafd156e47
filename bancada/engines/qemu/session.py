"""The engine `qemu` as the laboratory drives it: a firmware with the monitor, whose regions are costed as they end."""

from __future__ import annotations

import os
import select
import time
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE
from typing import Self

from bancada.build.symbols import symbols
from bancada.catalogue.target import Target
from bancada.costing.cost import Cost
from bancada.costing.decode import UnknownInstruction
from bancada.costing.events import events_of
from bancada.costing.memory import CacheLevel, Memory, memory_cycles
from bancada.costing.profile import CacheCounts, Profile
from bancada.engines.qemu.call import call_in, without_marker
from bancada.engines.qemu.cost_process import Coster
from bancada.engines.qemu.extensions import missing_instruction
from bancada.engines.qemu.process import QemuProcess
from bancada.engines.qemu.settings import QemuSettings, qemu_settings
from bancada.model.run import Region
from bancada.monitor.frames import Frames
from bancada.monitor.monitor import SIMULATED_ANSWER_S, SIMULATED_LONGEST_S, DeviceError

_PIPE_BYTES = 65536
_MARKERS = ("device_region_begin", "device_region_end")


def emulator_command(emulator: QemuSettings, elf_path: str) -> list[str]:
    """The emulator's command line for a firmware that talks on standard input and output."""
    processor = [emulator.program, "-cpu", emulator.cpu]
    if emulator.machine is None:
        return [*processor, elf_path]
    console = [
        "-display",
        "none",
        "-monitor",
        "none",
        "-serial",
        "none",
        "-semihosting-config",
        "enable=on,target=native",
    ]
    return [*processor, "-machine", emulator.machine, *console, "-kernel", elf_path]


class QemuSession:
    """One device in the emulator: a transport for the monitor, and the regions that the profiler reports."""

    is_counting = True
    answer_wait_s = SIMULATED_ANSWER_S
    longest_wait_s = SIMULATED_LONGEST_S

    def __init__(
        self,
        target: Target,
        elf_path: str,
        is_counted: bool = True,
        coster: Coster | None = None,
        live: set[QemuProcess] | None = None,
    ) -> None:
        """`coster` says what a profile costs; the session's process is in `live` while it lasts."""
        emulator = qemu_settings(target)
        self._core = target.core
        self._coster = coster or Coster()
        self._live = live if live is not None else set()
        self._missing = emulator.missing_on_device
        self._memory = memory_as_linked(target)
        self._symbols = symbols(Path(elf_path))
        begin, end = (self._symbols.address(name) for name in _MARKERS)
        options = [f"begin={begin:#x}", f"end={end:#x}", "stack=1"]
        path = Path(elf_path)
        command = emulator_command(emulator, path.name)
        self._process = QemuProcess(
            command,
            self._symbols,
            options,
            memory=self._memory,
            is_counted=is_counted,
            folder=path.parent,
            stdin=PIPE,
            stdout=PIPE,
        )
        self._frames = Frames()
        self._profiles: list[Profile] = []
        self._live.add(self._process)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._live.discard(self._process)
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
        """The profiles of the regions that ended since the last call, from behind the first marker to before the
        second."""
        self._collect()
        found, self._profiles = self._profiles, []
        return [without_marker(profile) for profile in found]

    def regions(self) -> list[Region]:
        """The regions that ended since the last call. DeviceError if the core's table does not know an instruction in
        one."""
        return [self._region(profile) for profile in self.profiles()]

    def _region(self, profile: Profile) -> Region:
        unknown = missing_instruction(profile, self._missing)
        if unknown is not None:
            place = self._symbols.function_at(unknown.address)
            raise DeviceError(
                f"It executes '{unknown.text}' at {unknown.address:#x} in {place}, which the device's processor was"
                " built without."
            )
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
            return self._coster.cost(self._core, profile)
        except UnknownInstruction as error:
            raise DeviceError(f"{error} It is in the function {self._symbols.function_at(error.address)}.") from error

    def place(self) -> str | None:
        """The function under execution."""
        return self._process.place()

    def _gone(self) -> DeviceError:
        ending = self._process.ending()
        said = self._process.said()
        return DeviceError(f"The firmware {ending}; the emulator said: {said or 'nothing'}.")


def _none_of(profile: Profile) -> tuple[CacheCounts, ...]:
    return tuple(CacheCounts(cache.name, 0, 0) for cache in profile.caches)


def _less(region: Region, other: Region) -> Region:
    assert region.instructions is not None
    assert other.instructions is not None
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
        return level.model_copy(
            update={"first_address": level.first_address + shift, "last_address": level.last_address + shift}
        )

    return memory.model_copy(update={"level": tuple(moved(level) for level in memory.level)})
