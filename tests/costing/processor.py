"""What an instruction really reads and writes: an emulated processor executes it from random states, each with one
register changed."""

from __future__ import annotations

import random
from dataclasses import dataclass

import unicorn
from unicorn import arm64_const, arm_const

from bancada.costing.profile import InstructionSet

CODE, CODE_BYTES, DATA, DATA_BYTES = 0x10000, 0x10000, 0x400000, 0x2000
TRIALS = 6
# The assembly names no higher vector register; what an instruction does not name it cannot touch.
VECTORS = 12


@dataclass(frozen=True)
class Observed:
    """The registers whose change was seen to matter, and those that were seen to change."""

    reads: frozenset[str]
    writes: frozenset[str]


def _registers(instruction_set: InstructionSet) -> dict[str, tuple[int, int]]:
    """Unicorn's number and the bits of each register that the decoder knows, the flags and pc apart."""
    if instruction_set == "aarch64":
        names = [f"x{n}" for n in range(31)] + ["sp"] + [f"v{n}" for n in range(VECTORS)]
        bits = {name: 128 if name[0] == "v" else 64 for name in names}
        return {name: (getattr(arm64_const, f"UC_ARM64_REG_{name.upper()}"), bits[name]) for name in names}
    names = [f"r{n}" for n in range(13)] + ["sp", "lr"] + [f"d{n}" for n in range(VECTORS)]
    return {name: (getattr(arm_const, f"UC_ARM_REG_{name.upper()}"), 64 if name[0] == "d" else 32) for name in names}


class Processor:
    """One emulated core; `observe` says what an instruction reads and writes."""

    def __init__(self, instruction_set: InstructionSet) -> None:
        self._is_64 = instruction_set == "aarch64"
        self._registers = _registers(instruction_set)
        kind = unicorn.UC_ARCH_ARM64 if self._is_64 else unicorn.UC_ARCH_ARM
        self._emulator = unicorn.Uc(kind, unicorn.UC_MODE_ARM)
        if not self._is_64:
            self._emulator.ctl_set_cpu_model(arm_const.UC_CPU_ARM_MAX)
        self._emulator.mem_map(CODE, CODE_BYTES)
        # Each instruction has its own place: the emulator remembers what it translated at an address.
        self._place = CODE
        self._addresses: frozenset[str] = frozenset()
        self._emulator.mem_map(DATA, DATA_BYTES)
        if self._is_64:
            self._emulator.reg_write(arm64_const.UC_ARM64_REG_CPACR_EL1, 3 << 20)
            self._pc, self._flags, self._float_flags = (
                arm64_const.UC_ARM64_REG_PC,
                arm64_const.UC_ARM64_REG_NZCV,
                arm64_const.UC_ARM64_REG_FPSR,
            )
        else:
            self._emulator.reg_write(arm_const.UC_ARM_REG_C1_C0_2, 0xF << 20)
            self._emulator.reg_write(arm_const.UC_ARM_REG_FPEXC, 1 << 30)
            self._pc, self._flags, self._float_flags = (
                arm_const.UC_ARM_REG_PC,
                arm_const.UC_ARM_REG_APSR,
                arm_const.UC_ARM_REG_FPSCR,
            )

    def observe(self, code: bytes, seed: int, addresses: frozenset[str]) -> Observed:
        """Executes the instruction from random states. The registers `addresses` point into the data."""
        chance = random.Random(seed)
        self._addresses = addresses
        self._place += 64
        self._emulator.mem_write(self._place, code)
        reads: set[str] = set()
        writes: set[str] = set()
        for _ in range(TRIALS):
            state = self._random_state(chance)
            contents = chance.randbytes(DATA_BYTES)
            after, memory = self._execute(len(code), state, contents)
            writes |= {name for name in after if after[name] != state.get(name, 0)}
            for name in state:
                changed = {**state, name: self._other(name, state[name], chance)}
                also_after, also_memory = self._execute(len(code), changed, contents)
                differs = {one for one in after if one != name and after[one] != also_after[one]}
                is_kept = after[name] == state[name] and also_after[name] == changed[name]
                moves_along = after[name] == also_after[name] or is_kept
                if differs or memory != also_memory or not moves_along:
                    reads.add(name)
        return Observed(frozenset(reads), frozenset(writes))

    def _random_state(self, chance: random.Random) -> dict[str, int]:
        state = {name: self._random(name, chance) for name in self._registers}
        return {**state, "flags": chance.getrandbits(4), "fpflags": chance.getrandbits(4)}

    def _random(self, name: str, chance: random.Random) -> int:
        bits = self._registers[name][1]
        if name[0] in "dv":
            return chance.getrandbits(bits)
        if name in self._addresses or name == "sp":
            # In the middle of the data, aligned for everything.
            return DATA + 0x800 + 16 * chance.randrange(256)
        # Small numbers too, that shift by less than a word.
        return chance.getrandbits(bits) if chance.random() < 0.5 else chance.choice((0, chance.randrange(bits)))

    def _other(self, name: str, value: int, chance: random.Random) -> int:
        while True:
            other = chance.getrandbits(4) if name in ("flags", "fpflags") else self._random(name, chance)
            if other != value:
                return other

    def _execute(self, size: int, state: dict[str, int], contents: bytes) -> tuple[dict[str, int], bytes]:
        emulator = self._emulator
        emulator.mem_write(DATA, contents)
        emulator.reg_write_batch([(number, state[name]) for name, (number, _) in self._registers.items()])
        emulator.reg_write(self._flags, state["flags"] << 28)
        emulator.reg_write(self._float_flags, state["fpflags"] << 28)
        emulator.emu_start(self._place, 0, count=1)
        values = emulator.reg_read_batch([number for number, _ in self._registers.values()])
        after = dict(zip(self._registers, values, strict=True))
        after["flags"] = int(emulator.reg_read(self._flags)) >> 28 & 15
        after["fpflags"] = int(emulator.reg_read(self._float_flags)) >> 28 & 15
        next_address = int(emulator.reg_read(self._pc))
        after["pc"] = 0 if next_address == self._place + size else next_address
        return after, bytes(emulator.mem_read(DATA, DATA_BYTES))
