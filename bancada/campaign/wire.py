"""Workloads and answers on their way to another machine and back.

The files of a target, a candidate or a primitive lie elsewhere on another machine. So these things travel by their
names, and the other machine replaces each name by its own thing.
"""

from __future__ import annotations

import io
import pickle
from dataclasses import replace
from typing import Any

from bancada.catalogue.candidate import Candidate
from bancada.catalogue.target import Target
from bancada.compilers.compilers import Compiler, compiler_of
from bancada.model.errors import UserError
from bancada.plan.case import Firmware
from bancada.plan.laboratory import Laboratory
from bancada.primitives.primitive import Primitive

_KINDS: tuple[tuple[str, type[Target] | type[Candidate] | type[Primitive]], ...] = (
    ("target", Target),
    ("candidate", Candidate),
    ("primitive", Primitive),
)


def packed(thing: Any) -> bytes:
    """The thing as bytes, with names in the place of things that the other machine has."""
    buffer = io.BytesIO()
    _Packer(buffer, pickle.HIGHEST_PROTOCOL).dump(thing)
    return buffer.getvalue()


def unpacked(data: bytes, laboratory: Laboratory) -> Any:
    """The thing again, with this laboratory's things in the place of names. UserError for a name that it does not
    have."""
    return _Unpacker(io.BytesIO(data), laboratory).load()


class _Packer(pickle.Pickler):
    def persistent_id(self, thing: Any) -> tuple[str, str] | None:
        for kind, of_kind in _KINDS:
            if isinstance(thing, of_kind):
                return kind, thing.name
        return None

    def reducer_override(self, thing: Any) -> Any:
        if isinstance(thing, Firmware) and thing.compiler is not None:
            return _with_compiler, (replace(thing, compiler=None), thing.compiler.name, thing.compiler.command[0])
        return NotImplemented


def _with_compiler(firmware: Firmware, name: str, program: str) -> Firmware:
    """The firmware with this machine's compiler of that name, or at that path."""
    found: Compiler | None = compiler_of(firmware.target, name) or compiler_of(firmware.target, program)
    if found is None:
        raise UserError(f"There is no compiler '{name}' for {firmware.target.name}.")
    return replace(firmware, compiler=found)


class _Unpacker(pickle.Unpickler):
    def __init__(self, buffer: io.BytesIO, laboratory: Laboratory) -> None:
        super().__init__(buffer)
        self._laboratory = laboratory

    def persistent_load(self, reference: Any) -> Any:
        kind, name = reference
        if kind == "target":
            return self._laboratory.target(name)
        if kind == "candidate":
            return self._laboratory.candidate(name)
        return self._laboratory.primitives[name]
