"""What there is to measure with and to measure: targets, cores, candidates, experiments, read from their TOML files.

A folder below any root (bancada.paths.roots) adds one; a name found again in a later root replaces the earlier one.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from bancada.costing.memory import Memory
from bancada.costing.profile import InstructionSet
from bancada.costing.table import PublishedCycles, Table
from bancada.errors import UserError, unknown_name
from bancada.event_names import event_names
from bancada.flasher import Flasher
from bancada.paths import room
from bancada.records import KEYSTREAM_START_BYTES, Fidelity
from bancada.toml_record import read_record


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    folder: Path = Field(exclude=True)
    name: str
    title: str


class Toolchain(BaseModel):
    """How firmware for a target is compiled. The same flags for every candidate, but for the optimisation level."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    compiler: str
    package: str
    flags: tuple[str, ...]
    link_flags: tuple[str, ...]
    cpp_flags: tuple[str, ...] = ()


class Arduino(BaseModel):
    """What the Arduino core calls a target's board (its boards.txt); `ide` is the version of the IDE that libraries are told of."""

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
    """What one event of a core costs: a coefficient of the cluster's dynamic power, and the counted events it is multiplied by
    (bancada.events, and `cycles`; a name with a minus sign in front is subtracted)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    events: tuple[str, ...]
    coefficient: float
    source: str


class EventPower(BaseModel):
    """A published model of a cluster's power: watts = sum of coefficient x events a second x V^2, plus static power.

    Rates are averaged over `cores`, of which one works here: an event costs coefficient / cores x V^2 joules.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: str
    cores: int = Field(gt=0)
    term: tuple[EventTerm, ...]
    voltage_v: float | None = Field(default=None, gt=0)
    static_w: float | None = Field(default=None, ge=0)


class OperatingPoint(BaseModel):
    """One clock of a target that has several, with what its power depends on. `label` tells one from another at the same clock, and
    `about` says whose voltage it is."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    clock_hz: int = Field(gt=0)
    voltage_v: float | None = Field(default=None, gt=0)
    static_w: float | None = Field(default=None, ge=0)
    label: str = Field(default="", pattern=r"^[A-Za-z0-9.]*$")
    about: str = ""


class Emulator(BaseModel):
    """How QEMU runs a target's programs: without `machine`, `program` runs a Linux process."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    program: Literal["qemu-arm", "qemu-aarch64", "qemu-system-arm"]
    cpu: str
    machine: str | None = None
    # RAM of the machine from the target's 'ram_origin' on, where it has more than the device.
    ram_bytes: int | None = Field(default=None, gt=0)
    # Extensions that the emulated processor has and the device has not: what executes them fails (bancada.engines.qemu_extensions).
    missing_on_device: tuple[Literal["cryptography"], ...] = ()


class Target(_Entry):
    """A device and how it is clocked and powered (targets/<name>/target.toml).

    One with operating points stands for as many targets, `<name>@<clock>MHz` or `<name>@<clock>MHz-<label>`. `mcu` is simavr's name of the device, `emulator`
    how QEMU runs it. `board_layer` (of the harness, where the core does not name it), `startup`, `linker_script` and the origins are
    those of firmware for a bare device; `emulated_flash_origin` is where the emulated machine has the flash, if elsewhere.
    """

    core: str
    engine: Literal["simavr", "qemu", "gem5", "board"]
    gem5_model: Literal["ex5_big", "ex5_LITTLE", "HPI"] | None = None
    mcu: str = ""
    emulator: Emulator | None = None
    board_layer: str | None = None
    startup: tuple[str, ...] = ()
    linker_script: str | None = None
    flash_origin: int | None = Field(default=None, ge=0)
    ram_origin: int | None = Field(default=None, ge=0)
    emulated_flash_origin: int | None = Field(default=None, ge=0)
    clock_hz: int = Field(default=0, gt=0)
    operating_point: tuple[OperatingPoint, ...] = ()
    flash_bytes: int = Field(gt=0)
    ram_bytes: int = Field(gt=0)
    baud: int = Field(default=0, ge=0)
    about: str
    toolchain: Toolchain
    # Neither can change what is measured: they are no part of a result's key.
    flasher: Flasher | None = Field(default=None, exclude=True)
    simulator: Literal["simavr", "qemu"] | None = Field(default=None, exclude=True)
    arduino: Arduino | None = None
    memory: Memory | None = None
    power: Power | None = None
    event_power: EventPower | None = None

    @property
    def simulated(self) -> Target:
        """This target on its simulator, where a board stands in its place."""
        return self if self.simulator is None else self.model_copy(update={"engine": self.simulator, "simulator": None})

    @property
    def linked_flash_origin(self) -> int | None:
        """Where firmware for the emulated machine has its flash."""
        return self.flash_origin if self.emulated_flash_origin is None else self.emulated_flash_origin

    @model_validator(mode="after")
    def _engine_has_what_it_needs(self) -> Self:
        if self.engine == "simavr" and not self.mcu:
            raise ValueError("a target of the engine 'simavr' needs 'mcu'")
        if self.engine == "board" or self.simulator is not None:
            raise ValueError("'engine' is what simulates the target; its board is asked for with --port")
        if self.engine in ("qemu", "gem5") and self.emulator is None:
            raise ValueError(f"a target of the engine '{self.engine}' needs a table 'emulator'")
        if (self.engine == "gem5") != (self.gem5_model is not None):
            raise ValueError("a target of the engine 'gem5', and no other, needs 'gem5_model'")
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
                    raise ValueError(f"'event_power' names the event '{event}', which nobody counts: there are {', '.join(sorted(known))}")
        return self

    def at_operating_points(self) -> tuple[Target, ...]:
        """This target, or one for each of its operating points; the times of its memory are cycles of its clock."""
        every = tuple(self._at(point) for point in self.operating_point) or (self,)
        return tuple(
            target if target.memory is None else target.model_copy(update={"memory": target.memory.at_clock(target.clock_hz)}) for target in every
        )

    def _at(self, point: OperatingPoint) -> Target:
        mhz = f"{point.clock_hz / 1_000_000:g}"
        power = self.event_power
        if power is not None:
            source = f"{power.source} {point.about}".rstrip()
            power = power.model_copy(update={"voltage_v": point.voltage_v, "static_w": point.static_w, "source": source})
        changed = {"clock_hz": point.clock_hz, "operating_point": (), "event_power": power}
        label = f"-{point.label}" if point.label else ""
        title = f"{self.title}, {mhz} MHz{f', {point.label}' if point.label else ''}"
        return self.model_copy(update={"name": f"{self.name}@{mhz}MHz{label}", "title": title, **changed})


class Core(_Entry):
    """A processor, what its cycle counts are worth, and its file of the harness's board layer (cores/<name>.toml).

    A core that is modelled has the table that turns execution profiles into cycles, the published figures that the table was
    tuned on or judged by, and the band in per cent that every result carries.
    """

    fidelity: Fidelity
    board_layer: str | None = None
    source: str
    architecture: InstructionSet | None = None
    table: Table | None = None
    published: tuple[PublishedCycles, ...] = ()
    band_percent: float | None = Field(default=None, gt=0)


class Source(BaseModel):
    """Where a candidate's sources are fetched from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    registry: Literal["pypi", "crate", "debian-source", "debian-binary"]
    package: str
    version: str
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    architecture: str | None = None


Architecture = Literal["armhf", "arm64"]


class Compiled(BaseModel):
    """A distribution's package that brings a library compiled, with its hash for each architecture (bancada.prebuilt)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    package: str
    version: str
    sha256: dict[Architecture, Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]]


class Implementation(BaseModel):
    """One row of implementations in candidate.toml: every variant with every key size."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    primitive: Literal["block-cipher", "hash", "mac", "keystream", "aead", "signature", "message", "mode"]
    algorithm: str
    variant: tuple[str, ...]
    key_bits: tuple[int, ...]
    block_bytes: int = Field(default=0, ge=0)
    digest_bytes: int = Field(default=0, ge=0)
    nonce_bytes: int = Field(default=0, ge=0)
    tag_bytes: int = Field(default=0, ge=0)
    adapter: str
    sources: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    adapter_defines: tuple[str, ...] = ()
    monitor_sources: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    heap: bool = False
    operations: tuple[
        Literal["set-key", "set-decrypt-key", "encrypt", "decrypt", "hash", "mac", "keystream", "sign", "verify", "send", "receive"], ...
    ]
    cbc: Literal["caller", "library"] | None = None
    notes: str = ""

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        needed = {
            "block-cipher": ({"set-key", "encrypt"}, ("block_bytes",)),
            "hash": ({"hash"}, ("digest_bytes",)),
            "mac": ({"set-key", "mac"}, ("digest_bytes",)),
            "keystream": ({"keystream"}, ("digest_bytes",)),
            "aead": ({"encrypt"}, ("nonce_bytes", "tag_bytes")),
            "signature": ({"sign", "verify"}, ("digest_bytes",)),
            "message": ({"send", "receive"}, ("digest_bytes",)),
            "mode": ({"encrypt"}, ("nonce_bytes",)),
        }
        operations, fields = needed[self.primitive]
        if not operations <= set(self.operations):
            raise ValueError(f"a {self.primitive} has at least the operations {', '.join(sorted(operations))}")
        for name in fields:
            if not getattr(self, name):
                raise ValueError(f"a {self.primitive} needs '{name}'")
        return self

    def all_operations(self) -> tuple[str, ...]:
        """The operations, with that of setting a decryption key where a block cipher decrypts."""
        if self.primitive == "block-cipher" and "decrypt" in self.operations:
            return tuple(dict.fromkeys((*self.operations, "set-decrypt-key")))
        return self.operations


class Candidate(_Entry):
    """One library's offer (candidates/<name>/candidate.toml). What is not `usable` is there to be compared with, and is measured
    only where an experiment or --candidate names it. With `arduino` the sources are an Arduino library, compiled as the IDE does
    (bancada.arduino), and `sources` of an implementation are what there is beside it."""

    version: str
    licence: str
    about: str
    source: Source | None = None
    compiled: tuple[Compiled, ...] = ()
    root: str | None = None
    usable: bool = True
    arduino: bool = False
    implementation: tuple[Implementation, ...]

    @model_validator(mode="after")
    def _has_sources(self) -> Self:
        for row in self.implementation:
            if not (self.arduino or self.compiled or row.sources):
                raise ValueError(f"the implementation '{row.name}' needs 'sources': what is compiled, for example [\"src/*.c\"]")
        return self


class Beside(BaseModel):
    """Which of our figures stands beside which row of published.csv.

    `row` selects rows by their columns. `ours` selects our results by their fields; `{column}` in a value is filled in from
    the row. `operations` are summed (a published figure that includes the key schedule). `choose` says which of several
    results is taken: the one with the least of the metric.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    row: dict[str, str]
    ours: dict[str, str]
    operations: tuple[str, ...]
    metric: Literal[
        "cycles_median",
        "cycles_per_byte",
        "cycles_per_block",
        "time_us",
        "time_ms",
        "flash_bytes",
        "flash_both_bytes",
        "stack_bytes",
        "sram_bytes",
        "initialisation_us",
    ]
    label: str
    note: str


# Random inputs that a figure stands on at least (docs/metrics.md, "cycles").
_LEAST_INPUTS = 16


class Experiment(_Entry):
    """The cases that answer one question (experiments/<name>/experiment.toml).

    `sizes_bytes` are those of messages; a block cipher is measured on one block, or on packets of many (in ECB, one after the
    other in one call) where there are `packet_sizes_bytes`; variants of `smallest_packet_only`, too slow for more, on the smallest
    of these. A keystream is measured on one block, whose size is that of its counter and nonce, and on messages of
    `stream_sizes_bytes`.
    """

    question: str
    study: str
    citation: str
    targets: tuple[str, ...]
    candidates: tuple[str, ...]
    algorithms: tuple[str, ...]
    operations: tuple[str, ...]
    key_bits: tuple[int, ...]
    optimisations: tuple[str, ...]
    sizes_bytes: tuple[int, ...] = ()
    associated_sizes_bytes: tuple[int, ...] = (0,)
    packet_sizes_bytes: tuple[int, ...] = ()
    stream_sizes_bytes: tuple[Annotated[int, Field(gt=KEYSTREAM_START_BYTES)], ...] = ()
    smallest_packet_only: tuple[str, ...] = ()
    samples: int = Field(ge=1)
    notes: tuple[str, ...] = ()
    plots: bool = True
    beside: tuple[Beside, ...] = ()

    @model_validator(mode="after")
    def _stands_on_enough_inputs(self) -> Self:
        if self.samples < _LEAST_INPUTS and not self.packet_sizes_bytes:
            raise ValueError(f"'samples' is at least {_LEAST_INPUTS}, unless there are packets, of many random blocks each")
        return self


_E = TypeVar("_E", bound=_Entry)


def _load(room_name: str, file_name: str, kind: type[_E]) -> dict[str, _E]:
    """Entries by name: `<room>/<name>/<file_name>`, or `<room>/<name>.toml` where `file_name` is empty."""
    found: dict[str, _E] = {}
    for folder in room(room_name):
        paths = sorted(folder.glob(f"*/{file_name}" if file_name else "*.toml"))
        for path in paths:
            entry = read_record(path, kind, folder=path.parent)
            expected = path.parent.name if file_name else path.stem
            if entry.name != expected:
                raise UserError(f"{path}: key 'name': is '{entry.name}', but the folder or file says '{expected}'.")
            found[entry.name] = entry
    return found


# Watts of every target that has no published power (--watts).
_watts: list[float] = []


def assume_watts(watts: float | None) -> None:
    """Takes the user's watts for targets whose power nobody published; None takes them back."""
    _watts[:] = [] if watts is None else [watts]
    targets.cache_clear()


# The target that is a board on this machine (--port).
_boards: list[str] = []


def use_board(target_name: str | None) -> None:
    """Takes the board in the place of that target's simulator; None takes it back."""
    _boards[:] = [] if target_name is None else [target_name]
    targets.cache_clear()


def _on_its_board(target: Target) -> Target:
    return target.model_copy(update={"engine": "board", "simulator": target.engine}) if target.name in _boards else target


def _with_assumed_power(target: Target) -> Target:
    if not _watts or target.power is not None or target.event_power is not None:
        return target
    power = Power(voltage_v=1.0, active_ma=_watts[0] * 1000, source=f"{_watts[0]:g} W, as the user said (--watts).")
    return target.model_copy(update={"power": power})


@cache
def targets() -> dict[str, Target]:
    found = _load("targets", "target.toml", Target)
    every = (_on_its_board(_with_assumed_power(point)) for target in found.values() for point in target.at_operating_points())
    return {target.name: target for target in every}


@cache
def cores() -> dict[str, Core]:
    return _load("cores", "", Core)


@cache
def candidates() -> dict[str, Candidate]:
    return _load("candidates", "candidate.toml", Candidate)


@cache
def experiments() -> dict[str, Experiment]:
    return _load("experiments", "experiment.toml", Experiment)


def named(kind: str, entries: dict[str, _E], name: str) -> _E:
    """The entry of that name; UserError with the nearest name if there is none."""
    if name not in entries:
        raise unknown_name(kind, name, entries)
    return entries[name]


def forget() -> None:
    """Reads everything afresh next time (for tests that add folders)."""
    for reader in (targets, cores, candidates, experiments):
        reader.cache_clear()
