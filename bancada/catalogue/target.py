"""A device, how it is clocked and powered, and how it is simulated: targets/<name>/target.toml."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field, SerializeAsAny, model_validator

from bancada.catalogue.core import Core
from bancada.catalogue.entry import Entry
from bancada.catalogue.flasher import Flasher
from bancada.costing.memory import Memory
from bancada.model.event_names import event_names
from bancada.model.measurement import Measurement
from bancada.model.run import Region
from bancada.monitor.monitor import Transport


class Toolchain(BaseModel):
    """How firmware for a target is compiled. The flags are the same for every candidate; only the optimisation level
    differs."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    compiler: str
    package: str
    flags: tuple[str, ...]
    link_flags: tuple[str, ...]
    cpp_flags: tuple[str, ...] = ()


class Arduino(BaseModel):
    """What the Arduino core calls a target's board (its boards.txt); `ide` is the version of the IDE that libraries are
    told of."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    core: str
    variant: str
    board: str
    architecture: str
    ide: int


class Power(BaseModel):
    """Supply of the target while it computes and while it sleeps, with the source of each figure."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    voltage_v: float = Field(gt=0)
    active_ma: float = Field(gt=0)
    sleep_ua: float | None = Field(default=None, ge=0)
    source: str


class EventTerm(BaseModel):
    """What one event of a core costs: a coefficient of the cluster's dynamic power, and the counted events it is
    multiplied by (bancada.costing.events, and `cycles`; a name with a minus sign in front is subtracted)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    events: tuple[str, ...]
    coefficient: float
    source: str


class EventPower(BaseModel):
    """A published model of a cluster's power: watts = sum of coefficient x events a second x V^2, plus static power.

    Rates are averaged over `cores`, of which one works here: an event costs coefficient / cores x V^2 joules.
    `error_percent` is the model's mean error as its authors published it (`error_source`).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: str
    cores: int = Field(gt=0)
    error_percent: float | None = Field(default=None, gt=0)
    error_source: str = ""
    term: tuple[EventTerm, ...]
    voltage_v: float | None = Field(default=None, gt=0)
    static_w: float | None = Field(default=None, ge=0)


class OperatingPoint(BaseModel):
    """One clock of a target that has several, with what its power depends on. `label` tells one from another at the
    same clock, and `about` says whose voltage it is."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    clock_hz: int = Field(gt=0)
    voltage_v: float | None = Field(default=None, gt=0)
    static_w: float | None = Field(default=None, ge=0)
    label: str = Field(default="", pattern=r"^[A-Za-z0-9.]*$")
    about: str = ""


class EngineSettings(BaseModel):
    """An engine's own part of target.toml, in a table with the engine's name. Every engine has a record of its own,
    derived from this one; the properties are what the rest of the laboratory asks of it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @property
    def is_linux(self) -> bool:
        """Whether firmware is a process of a Linux system, started by a loader."""
        return False

    @property
    def linked_flash_origin(self) -> int | None:
        """Where the simulated machine has its flash, if elsewhere than the device."""
        return None

    @property
    def linked_ram_bytes(self) -> int | None:
        """The RAM of the simulated machine, if it has more than the device."""
        return None

    @property
    def stack_is_watched(self) -> bool:
        """Whether the engine sees a stack that reaches static RAM at the instruction where it does."""
        return True


class Session(Transport, Protocol):
    """One device under an engine: a transport for the monitor, and what the engine counted. Leaving it ends the
    engine."""

    @property
    def is_counting(self) -> bool:
        """Whether the engine counts; otherwise the device's own timer does."""

    @property
    def answer_wait_s(self) -> float:
        """How long an answer may take that is ready at once."""

    @property
    def longest_wait_s(self) -> float:
        """How long any answer may take."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *raised: object) -> None: ...

    def regions(self) -> list[Region]:
        """The timed regions that ended since the last call. DeviceError if the engine reported a fault."""


@dataclass(frozen=True)
class SecretBytes:
    """Bytes of a device's RAM that are secret."""

    address: int
    size_bytes: int


@dataclass(frozen=True)
class SecretPlace:
    """A place where the course of a firmware, or an address that it uses, depended on a secret.

    `kind` is one of bancada.audit.findings.TITLES. `symbol` is empty where the symbol table names nothing. `callers`
    are the addresses of the calls around it, the innermost first.
    """

    kind: str
    address: int
    symbol: str
    callers: tuple[int, ...]
    count: int


class SecretSession(Transport, Protocol):
    """One device under an engine that follows secrets. Leaving it ends the engine."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *raised: object) -> None: ...

    def places(self) -> list[SecretPlace]:
        """What was found in the timed regions since the last call. DeviceError if the firmware crashed."""


@dataclass(frozen=True)
class FunctionRequest:
    """What to measure of any program: `calls` calls of a function (name or address), from the `first_call`-th on,
    counted from 1.

    `arguments` and `environment` ("NAME=VALUE") are those of a Linux program, which is given up after `limit_s`; bare
    firmware is given up after `limit_cycles`. `machine` is QEMU's name of a board, for firmware that is linked for
    another memory than the target's own emulated one. `stdin` opens, for each run, the file that a Linux program
    reads on its standard input; without it there is nothing to read.
    """

    elf: Path
    function: str
    first_call: int = 1
    calls: int = 1
    hottest: int = 5
    arguments: tuple[str, ...] = ()
    limit_s: float = 120.0
    limit_cycles: int = 2_000_000_000
    machine: str | None = None
    environment: tuple[str, ...] = ()
    stdin: Callable[[], int] | None = None


@dataclass(frozen=True)
class Tool:
    """A program that an engine needs: what for, and the package that brings it. `is_needed` is False where what it
    makes is there already."""

    program: str
    purpose: str
    package: str
    required: bool
    is_needed: bool = True


@runtime_checkable
class Engine(Protocol):
    """What executes firmware for targets. One folder below bancada/engines, or below `engines` in a folder of
    BANCADA_PATH."""

    @property
    def name(self) -> str:
        """What `engine` in target.toml and in results says."""

    def settings(self, tables: Mapping[str, Mapping[str, Any]]) -> EngineSettings:
        """The engine's part of a target.toml, of which `tables` are the tables that have an engine's name.

        ValueError (pydantic's ValidationError is one) for what it cannot work with.
        """

    def check(self, target: Target) -> None:
        """ValueError if the target lacks something outside the engine's own table."""

    def tools(self, target: Target) -> tuple[Tool, ...]:
        """What this machine needs so that the engine can run the target's firmware."""

    def open(self, target: Target, elf_path: str, is_counted: bool) -> Session:
        """Starts a firmware; `is_counted` says whether anybody will ask for regions. UserError if the engine cannot be
        had, with what to install."""

    def version(self, target: Target) -> str:
        """The engine and what else of it can change a figure, as results record it."""

    def cycles_to_main(self, target: Target, elf_path: str) -> int | None:
        """Cycles from reset to the first instruction of `main`; None if it is not reached, or the target has no
        reset."""

    def measure_function(self, target: Target, request: FunctionRequest) -> Measurement:
        """Calls of a function of any program. UserError if the engine cannot measure one, or the program does not call
        it."""

    @property
    def follows_secrets(self) -> bool:
        """Whether `follow` works: the engine taints memory and sees where the taint goes."""

    def follow(self, target: Target, elf_path: str, secrets: tuple[SecretBytes, ...]) -> SecretSession:
        """Starts a firmware whose secrets are followed. UserError if the engine cannot, or cannot be had."""

    def several(self, is_wanted: bool) -> AbstractContextManager[None]:
        """While it lasts, several threads of this process use the engine at once, if that is wanted."""

    def stop_all(self) -> None:
        """Ends every session of this process. A thread that waits for one gets a DeviceError at once."""


class Target(Entry):
    """A device and how it is clocked and powered (targets/<name>/target.toml).

    One with operating points describes as many targets, `<name>@<clock>MHz` or `<name>@<clock>MHz-<label>`. `mcu` is
    the compiler's and simavr's name of an AVR. `board_layer` (of the harness, where the core does not name it),
    `startup`, `linker_script` and the origins are those of firmware for a bare device. `settings` is the engine's own
    part.
    """

    core: Core
    engine: Engine = Field(exclude=True)
    settings: SerializeAsAny[EngineSettings]
    mcu: str = ""
    board_layer: str | None = None
    startup: tuple[str, ...] = ()
    linker_script: str | None = None
    flash_origin: int | None = Field(default=None, ge=0)
    ram_origin: int | None = Field(default=None, ge=0)
    clock_hz: int = Field(default=0, gt=0)
    operating_point: tuple[OperatingPoint, ...] = ()
    flash_bytes: int = Field(gt=0)
    ram_bytes: int = Field(gt=0)
    baud: int = Field(default=0, ge=0)
    about: str
    toolchain: Toolchain
    # Neither can change what is measured, so they are not part of a result's key.
    flasher: Flasher | None = Field(default=None, exclude=True)
    simulator: Engine | None = Field(default=None, exclude=True)
    arduino: Arduino | None = None
    memory: Memory | None = None
    power: Power | None = None
    event_power: EventPower | None = None

    __hash__ = Entry.__hash__

    @property
    def device(self) -> str:
        """The device that this target is, at whatever clock."""
        return self.name.partition("@")[0]

    @property
    def described(self) -> str:
        """All that target.toml and its core's file say, as a part of a result's key."""
        return f"{self.engine.name} {self.model_dump_json()}"

    def band_of(self, cycles: float | None) -> float | None:
        """The band of a call of that many cycles: the core's, or that of its memory where this is wider."""
        band = self.core.band_of(cycles)
        if band is None or self.memory is None or self.memory.band_percent is None:
            return band
        return max(band, self.memory.band_percent)

    @property
    def simulated(self) -> Target:
        """This target on its simulator, where a board has replaced it."""
        return self if self.simulator is None else self.model_copy(update={"engine": self.simulator, "simulator": None})

    def on_board(self, board: Engine) -> Target:
        """This target with the board in the place of its simulator."""
        return self.model_copy(update={"engine": board, "simulator": self.engine})

    def with_watts(self, watts: float) -> Target:
        """This target with the user's watts, if its power was never published."""
        if self.power is not None or self.event_power is not None:
            return self
        power = Power(voltage_v=1.0, active_ma=watts * 1000, source=f"{watts:g} W, as the user said (--watts).")
        return self.model_copy(update={"power": power})

    @property
    def linked_flash_origin(self) -> int | None:
        """Where firmware for the simulated machine has its flash."""
        elsewhere = self.settings.linked_flash_origin
        return self.flash_origin if elsewhere is None else elsewhere

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if (self.clock_hz == 0) != bool(self.operating_point):
            raise ValueError("a target has either 'clock_hz' or tables 'operating_point'")
        if self.linker_script is not None and (self.flash_origin is None or self.ram_origin is None):
            raise ValueError("'linker_script' needs 'flash_origin' and 'ram_origin'")
        if self.power is not None and self.event_power is not None:
            raise ValueError("a target has either 'power' or 'event_power'")
        if self.event_power is not None:
            known = event_names(level.name for level in self.memory.level) if self.memory else event_names(())
            for event in (name.removeprefix("-") for term in self.event_power.term for name in term.events):
                if event not in known:
                    raise ValueError(
                        f"'event_power' names the event '{event}', which no engine counts: there are"
                        f" {', '.join(sorted(known))}"
                    )
        return self

    def at_operating_points(self) -> tuple[Target, ...]:
        """This target, or one for each of its operating points; the times of its memory are cycles of its clock."""
        every = tuple(self._at(point) for point in self.operating_point) or (self,)
        return tuple(
            (
                target
                if target.memory is None
                else target.model_copy(update={"memory": target.memory.at_clock(target.clock_hz)})
            )
            for target in every
        )

    def _at(self, point: OperatingPoint) -> Target:
        mhz = f"{point.clock_hz / 1_000_000:g}"
        power = self.event_power
        if power is not None:
            source = f"{power.source} {point.about}".rstrip()
            power = power.model_copy(
                update={"voltage_v": point.voltage_v, "static_w": point.static_w, "source": source}
            )
        changed = {"clock_hz": point.clock_hz, "operating_point": (), "event_power": power}
        label = f"-{point.label}" if point.label else ""
        title = f"{self.title}, {mhz} MHz{f', {point.label}' if point.label else ''}"
        return self.model_copy(update={"name": f"{self.name}@{mhz}MHz{label}", "title": title, **changed})
