"""The libraries of the study, as survey.csv lists them, and what is told of each library from its results."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bancada.model.result import Result
from bancada.model.status import Status

BLOCK_CIPHER = "aes"
MESSAGE = "mode-aes-cbc"
KEY_BITS = 128

# An empty sketch, by the study's compiler and ours: what a published flash has besides the library.
EMPTY_SKETCH_BYTES = 450

ENCRYPT = ("set-key", "encrypt")
DECRYPT = ("set-decrypt-key", "decrypt")

Build = dict[str, Result]


@dataclass(frozen=True)
class Surveyed:
    """One row of survey.csv: what the study says of a library besides figures, and the candidate that it is here."""

    library: str
    candidate: str
    key_bits: str
    modes: str
    licence: str
    embeds: str
    fips_197: str
    sp800_38a: str


def surveyed(folder: Path) -> tuple[Surveyed, ...]:
    """The libraries of the study in its order."""
    with (folder / "survey.csv").open(newline="", encoding="utf-8") as file:
        return tuple(Surveyed(**row) for row in csv.DictReader(file))


def builds(results: Iterable[Result], key_bits: int = KEY_BITS) -> list[Build]:
    """The right results of each build of each implementation of AES, by operation."""
    found: dict[tuple[str, ...], Build] = {}
    for result in results:
        if result.status is Status.OK and (result.algorithm, result.key_bits) == (BLOCK_CIPHER, key_bits):
            build = (result.target, result.implementation, result.compiler, result.optimisation)
            found.setdefault(build, {})[result.operation] = result
    return list(found.values())


def least(values: Iterable[int | None]) -> int | None:
    """The least that is known."""
    return min((value for value in values if value is not None), default=None)


def least_of(found: Sequence[Build], figure: Callable[[Build], int | None]) -> int | None:
    """The least of a figure over several builds."""
    return least(figure(build) for build in found)


def cycles(*operations: str) -> Callable[[Build], int | None]:
    """The cycles of these operations together, the key schedule once in each direction: those of one build.

    A library whose one call runs the schedule itself has it in that call, and its set-key only copies the key.
    """

    def of(build: Build) -> int | None:
        counted = [name for name in operations if not (name.startswith("set-") and _in_one_call(build))]
        known = [build[name].cycles_median if name in build else None for name in counted]
        return None if None in known else sum(value for value in known if value is not None)

    return of


def _in_one_call(build: Build) -> bool:
    return any(result.variant == "one-call" for result in build.values())


def flash_added(direction: str) -> Callable[[Build], int | None]:
    """What a build adds to a program that does `encrypt`, `decrypt` or `both`."""

    def of(build: Build) -> int | None:
        if direction == "both":
            return least(result.flash_both_bytes for result in build.values())
        return build[direction].flash_bytes if direction in build else None

    return of


def ram_between_calls(build: Build) -> int | None:
    """What stays in RAM between two calls: static RAM and the context. The larger of both directions."""
    known = [
        None
        if result.ram_static_bytes is None or result.ram_context_bytes is None
        else result.ram_static_bytes + result.ram_context_bytes
        for result in _directions(build)
    ]
    return None if None in known or not known else max(value for value in known if value is not None)


def ram_in_a_call(build: Build) -> int | None:
    """The same with the deepest stack of a call. Unknown where one direction is."""
    known = [result.ram_bytes for result in _directions(build)]
    return None if None in known or not known else max(value for value in known if value is not None)


def ram_besides_heap(is_in_a_call: bool) -> Callable[[Build], int | None]:
    """The same of a library whose context is on the heap, which is not counted: static RAM, and the stack of a call."""

    def of(build: Build) -> int | None:
        known = [
            None
            if result.ram_static_bytes is None or result.stack_bytes is None
            else result.ram_static_bytes + result.stack_bytes * is_in_a_call
            for result in _directions(build)
        ]
        return None if None in known or not known else max(value for value in known if value is not None)

    return of


def _directions(build: Build) -> list[Result]:
    return [build[name] for name in ("encrypt", "decrypt") if name in build]
