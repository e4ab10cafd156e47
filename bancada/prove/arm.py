"""What each instruction of an Armv7-A processor does to bits: in Thumb state as thumb.py has it, in Arm state a part of
that (Arm Architecture Reference Manual, DDI 0406, chapter A5), and in both NEON."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import capstone

from bancada.prove import arm_neon, arm_neon_memory
from bancada.prove.arm_cpu import ArmCpu
from bancada.prove.encoding import Decoded, Table
from bancada.prove.errors import CannotProve
from bancada.prove.thumb import execute
from bancada.prove.thumb import step as thumb_step
from bancada.prove.thumb_decode import Address, Instruction, Register, instruction_of

NEON: Table[ArmCpu] = Table([*arm_neon.TABLE.encodings, *arm_neon_memory.TABLE.encodings])
# What is followed in Arm state, where every instruction has a condition: only a branch may have one here.
_IN_ARM_STATE = frozenset("add and b bic bx eor ldm ldr mov mvn nop orr pop push stm str sub tst".split())
_ALWAYS = 0xE
_LOGIC_WITH_FLAGS = frozenset("and bic eor mov mvn orr tst".split())


@cache
def decode_neon(opcode: int) -> Decoded[ArmCpu] | None:
    """An instruction of NEON's, as it is encoded in Arm state."""
    return NEON.decode(opcode)


def in_arm_state(first: int, second: int) -> int | None:
    """The encoding of NEON's instruction of Thumb state in Arm state (DDI 0406, sections A7.4 to A7.8); None if it is
    none. Its half-words."""
    whole = first << 16 | second
    match first >> 8:
        case 0xEF | 0xFF:
            return whole & 0x00FF_FFFF | (0xF3 if first >> 12 & 1 else 0xF2) << 24
        case 0xF9 if not first & 0x10:
            return whole & 0x00FF_FFFF | 0xF4 << 24
        case 0xEC | 0xED | 0xEE:
            return whole
    return None


def step(cpu: ArmCpu) -> None:
    """Executes the instruction at the program counter. Raises what thumb.py's step does."""
    at = cpu.pc - cpu.flash_start
    if at < 0 or at + (4 if cpu.is_arm else 2) > len(cpu.flash):
        raise CannotProve(f"execution leaves the program at 0x{cpu.pc:08x}")
    code = cpu.flash[at : at + 4]
    if cpu.is_arm:
        opcode: int | None = int.from_bytes(code, "little")
    elif len(code) < 4:
        opcode = None
    else:
        opcode = in_arm_state(int.from_bytes(code[:2], "little"), int.from_bytes(code[2:], "little"))
    neon = decode_neon(opcode) if opcode is not None else None
    if neon is not None:
        if cpu.conditions:
            raise CannotProve(f"the instruction at {cpu.where()} is NEON's in an IT block, which is not followed")
        cpu.instructions += 1
        cpu.trace.append(cpu.pc)
        neon.execute(cpu)
        cpu.pc += 4
    elif cpu.is_arm:
        _step_in_arm_state(cpu, code)
    else:
        thumb_step(cpu)


def _step_in_arm_state(cpu: ArmCpu, code: bytes) -> None:
    instruction = decode_arm(code, cpu.pc)
    if instruction is None:
        raise CannotProve(f"'{text_of(code, cpu.pc)}' at {cpu.where()} is not followed")
    cpu.instructions += 1
    cpu.trace.append(cpu.pc)
    execute(cpu, instruction)
    cpu.pc = cpu.next_pc


@lru_cache(maxsize=1 << 16)
def decode_arm(code: bytes, address: int) -> Instruction | None:
    """An instruction of Arm state; None if it is not followed here."""
    opcode = int.from_bytes(code, "little")
    raw = next(_decoder().disasm(code, address, 1), None)
    if raw is None:
        return None
    found = instruction_of(raw)
    if found is None or found.name not in _IN_ARM_STATE or not _is_plain(opcode, found):
        return None
    return found


def _is_plain(opcode: int, found: Instruction) -> bool:
    """Whether the instruction is one of those whose meaning is the same as in Thumb state."""
    if opcode >> 28 != _ALWAYS and found.name != "b":
        return False
    numbers = [each.number for each in found.operands if isinstance(each, Register)]
    if found.name in ("b", "bx", "nop"):
        return opcode >> 28 != 0xF
    if found.name in ("ldm", "stm", "push", "pop"):
        is_single = opcode >> 26 & 3 == 1  # push and pop of one register are LDR and STR
        listed = numbers if found.name in ("push", "pop") else numbers[1:]
        return (
            not is_single
            and opcode >> 22 & 1 == 0
            and 15 not in numbers[:1]
            and (13 not in listed and (found.name in ("ldm", "pop") or 15 not in listed))
            and not (found.writes_back and found.name in ("ldm", "stm") and numbers[0] in listed)
        )
    if found.name in ("ldr", "str"):
        [address] = [each for each in found.operands if isinstance(each, Address)]
        is_plain = opcode >> 25 & 1 == 0 and not found.writes_back and 15 not in numbers
        return is_plain and (found.name == "ldr" or address.base != 15)
    if numbers[:1] == [15] or any(isinstance(each, Register) and each.shift in ("rrx",) for each in found.operands):
        return False
    zero = 12 if found.name == "tst" else 16 if found.name in ("mov", "mvn") else None
    if zero is not None and opcode >> zero & 15 or len(found.operands) > (3 if zero is None else 2):
        return False  # bits that have to be 0, and a constant in another form than the usual one
    # A shift by a register, and flags of logic with a constant, whose carry is another one than in Thumb state.
    is_constant = opcode >> 25 & 1
    if not is_constant and opcode >> 4 & 1:
        return False
    return not (is_constant and found.sets_flags and found.name in _LOGIC_WITH_FLAGS and opcode >> 8 & 15)


@cache
def _decoder() -> Any:
    decoder = capstone.Cs(capstone.CS_ARCH_ARM, capstone.CS_MODE_ARM)
    decoder.detail = True
    return decoder


def text_of(code: bytes, address: int) -> str:
    """The instruction of Arm state as an assembler has it, by Capstone."""
    raw = next(_decoder().disasm(code, address, 1), None)
    return code[::-1].hex() if raw is None else f"{raw.mnemonic} {raw.op_str}".rstrip()
