"""The plain records that flow through the laboratory, one step to the next.

experiment.toml -> plan -> [Case] -> build -> Build -> conformance -> run -> Run -> metrics -> Result -> store -> report

Every record is frozen and holds data only. `Result` is also the public format: its fields, in this
order, are the fields of one line of `bancada export --format jsonl` (schema `SCHEMA`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

SCHEMA = "bancada-result-3"

# The engine of what was measured on a board that is also simulated: results of their own, beside the simulator's.
BOARD = "board"


class Status(StrEnum):
    """How a case ended. Everything but `OK` withholds the figures and says why in `reason`."""

    OK = "ok"
    DOES_NOT_BUILD = "does-not-build"
    DOES_NOT_FIT = "does-not-fit"
    NOT_CONFORMANT = "not-conformant"
    FAILED = "failed"


class Fidelity(StrEnum):
    """How a figure was come by (docs/metrics.md)."""

    EXACT = "exact"
    MODELLED = "modelled"
    MEASURED = "measured"


@dataclass(frozen=True)
class Case:
    """One unit of work: target x implementation x operation x parameters."""

    target: str
    core: str
    engine: str
    candidate: str
    candidate_version: str
    implementation: str
    primitive: str
    algorithm: str
    variant: str
    operation: str
    key_bits: int
    size_bytes: int
    associated_bytes: int
    compiler: str
    optimisation: str
    why_not: str | None = None

    @property
    def name(self) -> str:
        """The identity a person reads, unique within a store for one version of everything. That of a board begins with `board:`."""
        size = str(self.size_bytes) + (f"+{self.associated_bytes}" if self.associated_bytes else "")
        target = f"{BOARD}:{self.target}" if self.engine == BOARD else self.target
        parts = (target, self.implementation, self.operation, size, self.compiler + self.optimisation)
        return "/".join(parts)


@dataclass(frozen=True)
class Firmware:
    """What is built and run once for several cases: an implementation, compiled one way for one target.

    `compiler` is a name or path that bancada.compilers knows; '' is the target's own.
    """

    target: str
    candidate: str
    implementation: str
    primitive: str
    algorithm: str
    variant: str
    key_bits: int
    block_bytes: int
    digest_bytes: int
    nonce_bytes: int
    tag_bytes: int
    adapter: str
    sources: tuple[str, ...]
    include: tuple[str, ...]
    defines: tuple[str, ...]
    adapter_defines: tuple[str, ...]
    monitor_sources: tuple[str, ...]
    operations: tuple[str, ...]
    cbc: str | None
    optimisation: str
    libraries: tuple[str, ...] = ()
    heap: bool = False
    compiler: str = ""


@dataclass(frozen=True)
class Workload:
    """The cases that one firmware answers; `firmware` is None for cases that cannot be, which say why."""

    firmware: Firmware | None
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class Image:
    """What the linker says of one image: `.text`, `.rodata` and `.data` are flash, `.data` and `.bss` static RAM."""

    elf_path: str
    flash_bytes: int
    ram_static_bytes: int


@dataclass(frozen=True)
class Build:
    """Firmware for one implementation, ready to run, or why there is none.

    `status` and `reason` are those of the whole; `operation_reason` says why a single operation does not fit when others do.
    `images` holds the images whose size is the metric: 'none' (the baseline), 'set-key', 'encrypt', 'decrypt', 'both'.
    """

    status: Status
    reason: str | None
    elf_path: str | None
    elf_sha256: str | None
    compiler_version: str
    flags: str
    with_decrypt: bool = True
    operation_reason: dict[str, str] = field(default_factory=dict)
    images: dict[str, Image] = field(default_factory=dict)


@dataclass(frozen=True)
class Conformance:
    """Official vectors, run on the device through the firmware that is measured."""

    passed: int
    total: int
    first_failure: str | None
    sp800_38a: str | None


@dataclass(frozen=True)
class Region:
    """What the engine counted between two markers, for one call of an operation.

    `region_cycles` is all between the markers; None where the engine left out by itself what is not the call. Stack and instructions are None
    where nobody counts them: on a board. `events` are those that a power model may ask for (bancada.events), where the engine counts them.
    """

    cycles: int
    region_cycles: int | None
    stack_bytes: int | None
    instructions: int | None
    events: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Run:
    """Raw samples of one firmware: for each case, one region for each random input.

    A case that the library refused has none, and in `refused` the sentence that says so.
    """

    regions: dict[Case, tuple[Region, ...]]
    context_bytes: dict[str, int]
    main_cycles: int | None
    engine_version: str
    refused: dict[Case, str] = field(default_factory=dict)


# A keystream's block is asked for by its counter and nonce: so many bytes, whatever is made of them.
KEYSTREAM_START_BYTES = 16


@dataclass(frozen=True)
class Result:
    """One line of the export. `None` means not measured or withheld, never zero.

    `audit` is what `bancada audit` found of this operation, put beside the figures when they are read (bancada.audit.marks); None: not audited.
    """

    schema: str
    case: str
    target: str
    core: str
    engine: str
    engine_version: str
    fidelity: Fidelity
    fidelity_band_percent: float | None
    candidate: str
    candidate_version: str
    implementation: str
    primitive: str
    algorithm: str
    variant: str
    operation: str
    key_bits: int
    size_bytes: int
    associated_bytes: int
    compiler: str
    optimisation: str
    flags: str
    status: Status
    reason: str | None
    conformance_passed: int | None
    conformance_total: int | None
    sp800_38a: str | None
    samples: int | None
    cycles_min: int | None
    cycles_median: int | None
    cycles_max: int | None
    instructions_median: int | None
    time_us: float | None
    flash_bytes: int | None
    flash_both_bytes: int | None
    ram_static_bytes: int | None
    ram_context_bytes: int | None
    stack_bytes: int | None
    energy_uj: float | None
    energy_dynamic_uj: float | None
    energy_static_uj: float | None
    energy_source: str | None
    initialisation_us: float | None
    elf_sha256: str | None
    date: str
    audit: str | None = None

    @property
    def is_keystream_block(self) -> bool:
        """Whether `size_bytes` is that of a counter and nonce, and so none of a message: no figure a byte can be made of it."""
        return self.primitive == "keystream" and self.size_bytes == KEYSTREAM_START_BYTES

    def as_dict(self) -> dict[str, Any]:
        """The record as plain JSON values, fields in the order of the schema."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True)
class PublishedFigure:
    """One figure of a study beside ours (experiments/*/published.csv joined with results)."""

    experiment: str
    label: str
    metric: str
    unit: str
    published: float
    ours: float | None
    ratio: float | None
    fidelity: Fidelity | None
    ours_case: str | None
    note: str


class Verdict(StrEnum):
    """What became of a study's finding when it was measured again."""

    HOLDS = "holds"
    HOLDS_IN_PART = "holds in part"
    DOES_NOT_HOLD = "does not hold"
    ANSWERED = "answered"
    NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class Finding:
    """One conclusion of a study beside what we find: `why` is one sentence on agreement or difference.

    `draws_alike`: in how many of a hundred draws of the modelled figures within their bands the verdict is the same; None where no result of the study is modelled.
    """

    claim: str
    published: str
    ours: str
    verdict: Verdict
    why: str
    draws_alike: int | None = None


@dataclass(frozen=True)
class Observation:
    """Something an experiment measures that is no case: a run of the link, an exchange over a network, a throughput.

    `kind` names what it is ('link-simulation'), `name` tells it from others of its kind; `parameters` and `figures` are plain
    JSON values with units in their names.
    """

    kind: str
    name: str
    fidelity: Fidelity
    parameters: dict[str, Any]
    figures: dict[str, Any]
    date: str
