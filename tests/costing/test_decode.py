"""The decoder says of each instruction what an emulated processor is seen to read and write, and tells its parts
apart."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

import pytest

from bancada.costing.decode import Instruction, MemoryOperand, Shift, UnknownInstruction, decode
from bancada.costing.profile import Block, InstructionSet
from tests.costing.processor import CODE, Processor

HERE = Path(__file__).resolve().parent
TOOLS = {"arm": ("arm-linux-gnueabihf-", "-march=armv7-a"), "aarch64": ("aarch64-linux-gnu-", "-march=armv8-a")}


@cache
def assembled(instruction_set: InstructionSet, folder: Path) -> tuple[bytes, ...]:
    prefix, architecture = TOOLS[instruction_set]
    source = HERE / "programs" / f"instructions_{instruction_set}.s"
    made = folder / f"{instruction_set}.o"
    subprocess.run([f"{prefix}as", architecture, str(source), "-o", str(made)], check=True)
    subprocess.run([f"{prefix}objcopy", "-O", "binary", "-j", ".text", str(made), str(made) + ".bin"], check=True)
    code = Path(str(made) + ".bin").read_bytes()
    return tuple(code[start : start + 4] for start in range(0, len(code), 4))


def one(code: bytes, instruction_set: InstructionSet = "arm", address: int = CODE) -> Instruction:
    [instruction] = decode(Block(address, code, instruction_set))
    return instruction


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("assembled")


@pytest.mark.parametrize("instruction_set", ["arm", "aarch64"])
def test_reads_and_writes_are_those_of_an_emulated_processor(instruction_set: InstructionSet, folder: Path) -> None:
    processor = Processor(instruction_set)
    wrong = []
    for seed, code in enumerate(assembled(instruction_set, folder)):
        instruction = one(code, instruction_set)
        memory = instruction.memory
        addresses = {memory.base} if memory is not None else set()
        if instruction.mnemonic in ("bx", "blx", "br", "blr", "ret"):
            addresses = set(instruction.reads)
        observed = processor.observe(code, seed, frozenset(addresses))
        # What an instruction leaves as it was, it is seen to read; whether that is said of it is judged apart: a
        # conditional one reads the destination that it may leave, but nothing waits for the flags that a logical
        # operation leaves.
        left = set(instruction.writes) if instruction.condition != "al" or "flags" in instruction.writes else set()
        said = set(instruction.reads) - left, set(instruction.writes)
        seen = set(observed.reads) - left, set(observed.writes)
        if said != seen:
            wrong.append((instruction.text, *map(sorted, (*said, *seen))))
    assert wrong == []
    assert len(assembled(instruction_set, folder)) > 120


@pytest.mark.parametrize(
    ("code", "memory"),
    [
        ("043091e4", MemoryOperand("r1", None, 0, 0, True)),  # ldr r3, [r1], #4: what is added after is not an offset
        ("043091e5", MemoryOperand("r1", None, 4, 0, False)),  # ldr r3, [r1, #4]
        ("0231b1e7", MemoryOperand("r1", "r2", 0, 2, True)),  # ldr r3, [r1, r2, lsl #2]!
    ],
)
def test_addressing_modes_are_told_apart(code: str, memory: MemoryOperand) -> None:
    assert one(bytes.fromhex(code)).memory == memory


def test_a_shifted_operand_says_by_how_much_and_by_what() -> None:
    by_number = one(bytes.fromhex("620321e0"))  # eor r0, r1, r2, ror #6
    assert by_number.shift == Shift("r2", "ror", 6, None)
    by_register = one(bytes.fromhex("720321e0"))  # eor r0, r1, r2, ror r3
    assert by_register.shift == Shift("r2", "ror", 0, "r3")


def test_the_text_is_what_a_person_reads() -> None:
    assert one(bytes.fromhex("021091e0")).text == "adds r1, r1, r2"
    assert one(bytes.fromhex("02108110")).text == "addne r1, r1, r2"


def test_bytes_that_are_no_instruction_are_named_with_their_address() -> None:
    with pytest.raises(UnknownInstruction) as raised:
        decode(Block(0x8000, bytes.fromhex("021091e0") + b"\xff\xff\xff\xff", "arm"))
    assert raised.value.address == 0x8004
    assert "0x8004" in str(raised.value)
