"""Programs with one instruction changed: what the prover says of each, and what the engine shows."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bancada.prove.aarch64 import decode as aarch64_decode
from bancada.prove.alteration import KINDS as ALTERATIONS
from bancada.prove.alteration import Alteration
from bancada.prove.arm import decode_arm, decode_neon, in_arm_state
from bancada.prove.arm_cpu import ArmCpu
from bancada.prove.avr_decode import Instruction, decode
from bancada.prove.encoding import Decoded
from bancada.prove.program import Program
from bancada.prove.proof import Proof, ProofFunction
from bancada.prove.prove import NOT_POSSIBLE, PROVED, REFUTED, Demand, prove_one
from bancada.prove.replay import replay
from bancada.prove.thumb_decode import Address, Register
from bancada.prove.thumb_decode import Instruction as ThumbInstruction
from bancada.prove.thumb_decode import decode as thumb_decode
from bancada.prove.trial import Trial

KINDS = ("dropped", "register", "constant", "opcode")
# What came of a mutant, with the heading of its column.
SHOWN, BROKEN, BROKEN_UNSEEN, EQUAL, UNSEEN, UNDECIDED = (
    "refuted",
    "broken",
    "broken-unseen",
    "equal",
    "refuted-unseen",
    "undecided",
)
OUTCOMES = {
    SHOWN: "refuted, and differs in the engine",
    BROKEN: "breaks the contract, and differs in the engine",
    BROKEN_UNSEEN: "breaks the contract, outputs as before",
    EQUAL: "proved equal",
    UNSEEN: "refuted, no difference in the engine",
    UNDECIDED: "undecided",
}
# What came of a mutant of the specification.
SPECIFICATION = ("specification-refuted", "specification-equal", "specification-not-refuted")
OUTCOMES |= {
    SPECIFICATION[0]: "of the specification: refuted, and differs in the engine",
    SPECIFICATION[1]: "of the specification: proved equal",
    SPECIFICATION[2]: "of the specification: not refuted, or not in the engine",
}
_NOP, _THUMB_NOP, _AARCH64_NOP, _ARM_NOP = 0x0000, 0xBF00, 0xD503201F, 0xE320F000
# Names of fields in the encodings of A64 and of NEON.
_REGISTERS = frozenset("n m d t t2 vn vm vd rn rm".split())
_LIMIT_SECONDS = 20.0
# Alters no operation, so that all are counted.
_NOTHING = Alteration(-1, ALTERATIONS[0])
# A mutant may loop longer than the original, or for ever.
_TIMES = 3
_REPLAYS = 4


@dataclass(frozen=True)
class Mutant:
    """One instruction changed. `address` is in bytes; the second word of an AVR's instruction stays. `opcode` has the
    instruction's bytes, the first of which is the least significant."""

    kind: str
    address: int
    opcode: int


def mutants_of(program: Program, original: Proof, count: int, seed: str) -> list[Mutant]:
    """Mutants of the instructions that a proof executes: as many of each kind, as far as there are.

    Dropped: NOP in its place. The others have one bit of the opcode changed: the instruction has another register,
    another constant, or is another instruction. The same seed gives the same mutants.
    """
    found: dict[str, list[Mutant]] = {kind: [] for kind in KINDS}
    of_one = {"avr": _of_an_avr, "thumb": _of_a_thumb, "aarch64": _of_an_aarch64, "armv7-a": _of_an_arm}[
        program.machine
    ]
    for address in sorted(original.executed):
        for mutant in of_one(program, address):
            found[mutant.kind].append(mutant)
    draw = random.Random(seed)
    for each in found.values():
        draw.shuffle(each)
    chosen: list[Mutant] = []
    while len(chosen) < count and any(found.values()):
        chosen += [each.pop() for each in found.values() if each][: count - len(chosen)]
    return chosen


def _of_an_avr(program: Program, pc: int) -> Iterator[Mutant]:
    """`pc` is in words."""
    opcode, following = (int.from_bytes(program.flash[2 * at : 2 * at + 2], "little") for at in (pc, pc + 1))
    before = decode(opcode, following)
    assert before is not None
    if before.words == 1 and opcode != _NOP:
        yield Mutant("dropped", 2 * pc, _NOP)
    for bit in range(16):
        after = decode(opcode ^ 1 << bit, following)
        if after is not None and after.words == before.words and after != before:
            yield Mutant(_kind(before, after), 2 * pc, opcode ^ 1 << bit)


def _of_a_thumb(program: Program, address: int) -> Iterator[Mutant]:
    at = address - program.flash_start
    before = thumb_decode(program.flash[at : at + 4], address)
    assert before is not None
    size = before.size
    opcode = int.from_bytes(program.flash[at : at + size], "little")
    if opcode != _THUMB_NOP:
        yield Mutant("dropped", address, _THUMB_NOP if size == 2 else _THUMB_NOP << 16 | _THUMB_NOP)
    for bit in range(8 * size):
        changed = (opcode ^ 1 << bit).to_bytes(size, "little") + program.flash[at + size : at + 4]
        after = thumb_decode(changed, address)
        if after is not None and after.size == size and replace(after, text=before.text) != before:
            yield Mutant(_kind_of_thumb(before, after), address, opcode ^ 1 << bit)


def _of_an_aarch64(program: Program, address: int) -> Iterator[Mutant]:
    at = address - program.flash_start
    opcode = int.from_bytes(program.flash[at : at + 4], "little")
    before = aarch64_decode(opcode)
    assert before is not None
    if opcode != _AARCH64_NOP:
        yield Mutant("dropped", address, _AARCH64_NOP)
    for bit in range(32):
        after = aarch64_decode(opcode ^ 1 << bit)
        if after is not None:
            yield Mutant(_kind_of_fields(before, after), address, opcode ^ 1 << bit)


def _of_an_arm(program: Program, address: int) -> Iterator[Mutant]:
    """An instruction of NEON's, of Arm state or of Thumb state. Which state it is in is seen from the function."""
    at = address - program.flash_start
    code = program.flash[at : at + 4]
    if _is_in_arm_state(program, address):
        yield from _of_a_word(address, int.from_bytes(code, "little"), _decode_in_arm_state)
    elif in_arm_state(*_halves(code)) is not None:
        yield from _of_a_word(address, int.from_bytes(code, "little"), _decode_in_thumb_state)
    else:
        yield from _of_a_thumb(program, address)


def _is_in_arm_state(program: Program, address: int) -> bool:
    starts = [start for start in program.functions.values() if start <= address]
    return max(starts, default=0) in program.in_arm_state


def _halves(code: bytes) -> tuple[int, int]:
    return int.from_bytes(code[:2], "little"), int.from_bytes(code[2:4], "little")


Either = Decoded[ArmCpu] | ThumbInstruction


def _decode_in_arm_state(code: bytes, address: int) -> Either | None:
    return decode_neon(int.from_bytes(code, "little")) or decode_arm(code, address)


def _decode_in_thumb_state(code: bytes, address: int) -> Either | None:
    opcode = in_arm_state(*_halves(code))
    return decode_neon(opcode) if opcode is not None else None


def _of_a_word(address: int, opcode: int, decode_one: Callable[[bytes, int], Either | None]) -> Iterator[Mutant]:
    before = decode_one(opcode.to_bytes(4, "little"), address)
    if before is None:
        return
    nop = _ARM_NOP if decode_one is _decode_in_arm_state else _THUMB_NOP << 16 | _THUMB_NOP
    if opcode != nop:
        yield Mutant("dropped", address, nop)
    for bit in range(32):
        after = decode_one((opcode ^ 1 << bit).to_bytes(4, "little"), address)
        if isinstance(before, Decoded) and isinstance(after, Decoded):
            yield Mutant(_kind_of_fields(before, after), address, opcode ^ 1 << bit)
        elif (
            isinstance(before, ThumbInstruction)
            and isinstance(after, ThumbInstruction)
            and replace(after, text=before.text) != before
        ):
            yield Mutant(_kind_of_thumb(before, after), address, opcode ^ 1 << bit)


def _kind_of_fields(before: Decoded[Any], after: Decoded[Any]) -> str:
    """By the field that is another one; fields that are neither registers nor constants are part of the opcode."""
    if before.encoding != after.encoding:
        return "opcode"
    [changed] = [name for name, value in before.fields.items() if after.fields[name] != value]
    if changed in _REGISTERS:
        return "register"
    return "constant" if changed.startswith("imm") else "opcode"


def _kind_of_thumb(before: ThumbInstruction, after: ThumbInstruction) -> str:
    if [type(each) for each in before.operands] != [type(each) for each in after.operands]:
        return "opcode"
    if replace(before, operands=(), text="") != replace(after, operands=(), text=""):
        return "opcode"
    pairs = [(one, other) for one, other in zip(before.operands, after.operands, strict=True) if one != other]
    is_register = any(
        isinstance(one, Register)
        and isinstance(other, Register)
        and one.number != other.number
        or isinstance(one, Address)
        and isinstance(other, Address)
        and (one.base, one.index) != (other.base, other.index)
        for one, other in pairs
    )
    return "register" if is_register else "constant"


def _kind(before: Instruction, after: Instruction) -> str:
    if (before.name, before.step, before.pointer) != (after.name, after.step, after.pointer):
        return "opcode"
    return "constant" if before.value != after.value else "register"


def mutated(program: Program, mutant: Mutant) -> Program:
    """The program with this one instruction changed."""
    at, size = mutant.address - program.flash_start, 2
    is_word = program.machine == "armv7-a" and (
        _is_in_arm_state(program, mutant.address) or in_arm_state(*_halves(program.flash[at : at + 4])) is not None
    )
    if program.machine == "aarch64" or is_word:
        size = 4
    elif program.machine != "avr":
        before = thumb_decode(program.flash[at : at + 4], mutant.address)
        size = before.size if before is not None else 2
    changed = mutant.opcode.to_bytes(size, "little")
    return replace(program, flash=program.flash[:at] + changed + program.flash[at + size :])


def judge(program: Program, name: str, function: ProofFunction, proofs: Path, mutant: Mutant, original: Proof) -> str:
    """What the prover says of a mutant, held against the engine: one of OUTCOMES.

    A mutant that breaks the contract has no counterexample of its own: it is run with random inputs.
    """
    changed = mutated(program, mutant)
    most = _TIMES * max(call.instructions for call in original.calls)
    proved = prove_one(changed, name, function, proofs, Demand(1, _LIMIT_SECONDS, most_instructions=most))
    if proved.verdict == PROVED:
        return EQUAL
    if proved.verdict == REFUTED:
        return SHOWN if proved.is_replayed else UNSEEN
    if proved.verdict == NOT_POSSIBLE:
        is_seen = any(_differences(program, function, changed, seed) for seed in range(_REPLAYS))
        return BROKEN if is_seen else BROKEN_UNSEEN
    return UNDECIDED


def _differences(program: Program, function: ProofFunction, changed: Program, seed: int) -> tuple[str, ...]:
    trial = Trial(program, seed)
    function(trial)
    return replay(trial, {}, changed.flash).differences


def outcomes(
    program: Program, name: str, function: ProofFunction, proofs: Path, count: int, known: Mapping[Mutant, str]
) -> Iterator[tuple[Mutant, str]]:
    """Each mutant of a proof with what came of it. `known` has those of earlier runs, which are not judged again."""
    original = Trial(program, 0)
    function(original)
    if original.has_products:
        # What is not followed is no part of the proof: no mutant is of it.
        followed = Proof(program)
        function(followed)
        original.executed = followed.executed
    for mutant in mutants_of(program, original, count, name):
        yield mutant, known.get(mutant) or judge(program, name, function, proofs, mutant, original)


def outcomes_of_specification(
    program: Program, name: str, function: ProofFunction, proofs: Path, count: int, known: Mapping[Mutant, str]
) -> Iterator[tuple[Mutant, str]]:
    """Each mutant of a proof's specification with what came of it: as many of each kind, as far as there are. Each
    makes an operation give something else for some inputs. `Mutant.address` is the operation's number here."""
    original = Trial(program, 0, alteration=_NOTHING)
    function(original)
    by_kind: dict[str, list[int]] = {kind: [] for kind in ALTERATIONS}
    for at, kinds in enumerate(original.watcher.matters):
        for kind in kinds:
            by_kind[kind].append(at)
    draw = random.Random(name)
    for each in by_kind.values():
        draw.shuffle(each)
    chosen: list[Alteration] = []
    while len(chosen) < count and any(by_kind.values()):
        chosen += [Alteration(each.pop(), kind) for kind, each in by_kind.items() if each][: count - len(chosen)]
    for alteration in chosen:
        mutant = Mutant(f"specification: {alteration.kind}", alteration.at, 0)
        yield mutant, known.get(mutant) or _judged_specification(program, name, function, proofs, alteration)


def _judged_specification(
    program: Program, name: str, function: ProofFunction, proofs: Path, alteration: Alteration
) -> str:
    proved = prove_one(program, name, function, proofs, Demand(1, _LIMIT_SECONDS, alteration=alteration))
    if proved.verdict == PROVED:
        return SPECIFICATION[1]
    return SPECIFICATION[0] if proved.verdict == REFUTED and proved.is_replayed else SPECIFICATION[2]
