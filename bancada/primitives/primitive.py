"""What the laboratory needs to know of a primitive: its contract's firmware, its vectors, its timed calls."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from bancada.catalogue import Source
from bancada.monitor import Facts, Monitor
from bancada.records import Case, Firmware


@dataclass(frozen=True)
class Check:
    """One thing to verify on the device: its name, and what gives (expected, got). `group` names a sub-question."""

    name: str
    run: Callable[[], tuple[str, str]]
    group: str | None = None


class Client(Protocol):
    """A primitive's calls on one device."""

    def checks(self, full: bool) -> Iterator[Check]:
        """Every conformance check that this firmware must pass."""

    def prepare(self, case: Case, source: random.Random) -> None:
        """Random keys and input for one timed call, and all that must precede it."""

    def call(self, case: Case) -> int:
        """The timed call; cycles on the device's own timer, the cost of an empty region included."""

    def context_bytes(self, operation: str) -> int:
        """Size of the context that the caller must keep for the operation."""


@dataclass(frozen=True)
class Library:
    """Sources of a registry that a primitive's own programs need beside the candidate's: patterns below the unpacked source."""

    source: Source
    sources: tuple[str, ...]
    include: tuple[str, ...]


@dataclass(frozen=True)
class Primitive:
    """One primitive: file names in harness/src, the images for size, and how to make its client.

    `images` numbers the images of the size source, the baseline 'none' first; those of `decrypting` need decryption. Where a
    decrypting program keeps another context, 'none-decrypt' is its baseline.
    """

    operations_source: str
    size_source: str
    images: dict[str, int]
    decrypting: frozenset[str]
    client: Callable[[Monitor, Facts, Firmware, bool], Client]
    library: Library | None = None
