"""What proofs need, asked of them without a program: the functions that they call, on which machines."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from bancada.catalogue.paths import cache_folder
from bancada.formulas.polynomial import Polynomial
from bancada.formulas.word import Word
from bancada.prove.avr import Byte
from bancada.prove.black_box import Cipher
from bancada.prove.digest import prover_digest
from bancada.prove.program import Machine, Program
from bancada.prove.proof import Proof, ProofFunction
from bancada.prove.proof_files import digest_of_proofs, read_proofs
from bancada.prove.records import Buffer, NumberArgument


@dataclass(frozen=True)
class Needs:
    """What a proof calls, and the implementations that it says it is of."""

    functions: tuple[str, ...]
    implementations: tuple[str, ...]
    machines: tuple[Machine, ...]
    """Of whose programs it is."""

    def are_in(self, program: Program) -> bool:
        if program.machine not in self.machines:
            return False
        return all(function in program.functions for function in self.functions)


def needs_of_every(proofs: Path) -> dict[str, Needs]:
    """What each proof of a file or folder needs, by the proof's name.

    Asking all of Tatu's takes ten seconds, because each computes its specification. So the answers are kept in the
    cache, for this state of the proofs and of the prover. UserError as `read_proofs`.
    """
    kept = cache_folder() / "needs-of-proofs" / f"{digest_of_proofs(proofs)[:16]}-{prover_digest()[:16]}.json"
    with suppress(OSError, ValueError, TypeError, AttributeError):  # not there, or not whole
        return {name: _needs(**record) for name, record in json.loads(kept.read_text()).items()}
    needs = {name: needs_of(function) for name, function in read_proofs(proofs).items()}
    with suppress(OSError):  # a cache that cannot be written costs only time
        _keep(kept, needs)
    return needs


def _needs(functions: Sequence[str], implementations: Sequence[str], machines: Sequence[Machine]) -> Needs:
    return Needs(tuple(functions), tuple(implementations), tuple(machines))


def _keep(path: Path, needs: Mapping[str, Needs]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
        json.dump({name: asdict(need) for name, need in needs.items()}, file)
    os.replace(file.name, path)


def needs_of(function: ProofFunction) -> Needs:
    """Asks a proof without a program: with numbers in the place of inputs, and without calls."""
    asking = _Asking()
    # A mistake in the proof itself: prove_one says what it is.
    with suppress(Exception):
        function(asking)
    implementations = tuple(shown.implementation for shown in asking.shown)
    return Needs(tuple(asking.asked), implementations, asking.machines)


_NO_PROGRAM = Program(Path(), b"", {}, {}, {}, 0x100)


class _Asking(Proof):
    def __init__(self) -> None:
        self.asked: list[str] = []
        self.machines: tuple[Machine, ...] = ("avr", "thumb")
        super().__init__(_NO_PROGRAM)
        self._end_of_buffers = sys.maxsize  # an Arm's buffers need not fit into the RAM of an AVR

    def _input(self, name: str) -> int:
        return 0

    def is_for(self, *machines: Machine) -> None:
        self.machines = machines

    def call(self, function: str, *arguments: Buffer | int | Word | NumberArgument) -> Byte:
        self.asked.append(function)
        return 0

    def call_with_pointers(self, function: str, pointers: Mapping[str, tuple[Buffer, int | None]]) -> tuple[Byte, ...]:
        self.machines = ("avr",)
        self.asked.append(function)
        return (0,) * 32

    def product(self, function: str, size: int, is_square: bool = False, scratch: int = 0) -> None:
        self.asked.append(function)

    def pointer_to(self, function: str) -> bytes:
        self.asked.append(function)
        return bytes(2)

    def black_box(self, context: Buffer, functions: Sequence[str], model: Cipher) -> Cipher:
        self.asked += functions
        return model

    def equal(self, buffer: Buffer, expected: Sequence[Word]) -> None:
        pass

    def equal_value(self, what: str, found: Byte, expected: Word) -> None:
        pass

    def equal_modulo(
        self,
        buffer: Buffer,
        expected: Polynomial | int,
        modulus: int,
        bits: int | None = None,
        returned: Byte | None = None,
    ) -> None:
        pass

    def equal_number(self, what: str, found: Byte, expected: Polynomial | int) -> None:
        pass

    def equal_coefficients(
        self, buffer: Buffer, expected: Sequence[Polynomial | int], modulus: int, low: int, high: int
    ) -> None:
        pass
