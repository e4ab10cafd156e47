"""The unit of work. A case holds the things that it is about, so that no later step looks one up by its name."""

from __future__ import annotations

from dataclasses import dataclass

from bancada.catalogue.candidate import Candidate
from bancada.catalogue.target import Target
from bancada.compilers.compilers import Compiler
from bancada.model.board import BOARD
from bancada.model.status import Status
from bancada.primitives.primitive import Primitive


@dataclass(frozen=True)
class Firmware:
    """What is built and run once for several cases: an implementation, compiled one way for one target.

    `compiler` is None where it is the target's own. `compiler_name` is what names of cases say. `arduino_targets` are
    the targets that have an Arduino core: what an Arduino library is told that does not build because there is none.
    """

    target: Target
    candidate: Candidate
    implementation: str
    primitive: Primitive
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
    compiler_name: str
    libraries: tuple[str, ...] = ()
    heap: bool = False
    byte_order: str = ""
    compiler: Compiler | None = None
    arduino_targets: tuple[str, ...] = ()


@dataclass(frozen=True)
class Refusal:
    """Why a combination cannot be measured, and the status that its row gets."""

    status: Status
    reason: str


@dataclass(frozen=True)
class Case:
    """One unit of work: an operation of a firmware, with parameters."""

    firmware: Firmware
    operation: str
    size_bytes: int
    associated_bytes: int
    refusal: Refusal | None = None

    @property
    def target(self) -> Target:
        """The device."""
        return self.firmware.target

    @property
    def question(self) -> tuple[str, int, int]:
        """The operation with its parameters: what tells apart the cases of one firmware."""
        return self.operation, self.size_bytes, self.associated_bytes

    @property
    def identity(self) -> tuple[str, ...]:
        """All names of what is asked, as a part of a result's key. The content behind the names is in other parts of
        it."""
        firmware = self.firmware
        return (
            self.name,
            self.target.engine.name,
            firmware.candidate.name,
            firmware.candidate.version,
            firmware.primitive.name,
            firmware.algorithm,
            firmware.variant,
            str(firmware.key_bits),
            "" if self.refusal is None else self.refusal.reason,
        )

    @property
    def name(self) -> str:
        """The identity a person reads, unique within a store for one version of everything. That of a board begins
        with `board:`."""
        firmware = self.firmware
        size = str(self.size_bytes) + (f"+{self.associated_bytes}" if self.associated_bytes else "")
        target = f"{BOARD}:{self.target.name}" if self.target.engine.name == BOARD else self.target.name
        level = firmware.compiler_name + firmware.optimisation
        return "/".join((target, firmware.implementation, self.operation, size, level))


@dataclass(frozen=True)
class Workload:
    """The cases that one firmware answers. `firmware` is None for cases that cannot be, each of which says why."""

    firmware: Firmware | None
    cases: tuple[Case, ...]
