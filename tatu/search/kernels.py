"""Finds the code that was searched in Tatu's sources, executes it, and says what FIPS 197 gives for the same planes.

It reads the few instructions that the search prints, in assembly, for all three machines. README.md has the kernels.

    python3 kernels.py neon-encrypt < assembly

puts a NEON kernel that the search has printed into the sources: the instructions, and the order of the keys.
"""

from __future__ import annotations

import random
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

AES = Path(__file__).resolve().parent.parent / "src" / "aes"
KERNELS = tuple(
    f"{machine}-{way}{part}"
    for machine in ("thumb1", "thumb2", "neon")
    for way in ("encrypt", "decrypt")
    for part in (("", "-last") if machine == "neon" else ("",))
)
CONSTANT = 0x63
# Where the assembly for ARMv6-M keeps the planes; beyond every word that is put aside.
PLANES_AT = 4000


@dataclass(frozen=True)
class Kernel:
    """Instructions as text, where each plane is when they begin, and which plane of the key is read first, second..."""

    machine: str
    way: str
    is_last: bool
    lines: tuple[str, ...]
    planes: tuple[str, ...]
    keys: tuple[int, ...] = ()


def description_of(kernel: str) -> str:
    """What describe.py calls the program of a kernel."""
    machine, rest = kernel.split("-", 1)
    return kernel if machine == "neon" else rest


def committed(kernel: str) -> Kernel:
    """A kernel of KERNELS as it is in Tatu's sources."""
    machine, way, *last = kernel.split("-")
    if machine == "neon":
        text = (AES / "neon" / f"aes_{way}_eight_neon.S").read_text()
        c_twin = (AES / "neon" / f"aes_{way}_blocks_neon.c").read_text()
        keys = re.findall(r"key_bits\[8\] = \{([^}]*)\}", c_twin)[-1]
        body = _between(text, "bne 1b", "end_rounds") if last else _between(text, "\n1:", "subs r2")
        order = tuple(int(number) for number in keys.split(","))
        return Kernel(machine, way, bool(last), body, tuple(f"q{i}" for i in range(8)), () if last else order)
    text = (AES / machine / f"aes_fixsliced_{way}_{machine}.S").read_text()
    if machine == "thumb1":
        body = _between(text, "ldmia r0, {r0-r7}", "bx lr")
        return Kernel(machine, way, False, body, tuple(f"r{i}" for i in range(8)))
    names = dict(re.findall(r"#define (p\d) (\w+)", text))
    start = "\nsubstitute:" if way == "encrypt" else "\nround:"
    end = "ldr pc, [sp" if way == "encrypt" else "sub t0, t0"
    body = tuple(line for line in _between(text, start, end) if "SP_" not in line)
    return Kernel(machine, way, False, body, tuple(names[f"p{i}"] for i in range(8)))


def found(kernel: str, printed: str) -> Kernel:
    """The same from what the search has printed."""
    machine, way, *last = kernel.split("-")
    planes = re.findall(r"@ plane \d (\w+)", printed) or [f"{'q' if machine == 'neon' else 'r'}{i}" for i in range(8)]
    keys = re.search(r"@ keys(.*)", printed)
    order = tuple(int(number) for number in keys[1].split()) if keys else ()
    return Kernel(machine, way, bool(last), _instructions(printed), tuple(planes), order)


def _between(text: str, start: str, end: str) -> tuple[str, ...]:
    after = text.index("\n", text.index(start) + 1)
    return _instructions(text[after : text.index(end, after)])


def _instructions(text: str) -> tuple[str, ...]:
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    stripped = (re.sub(r"[@/].*", "", line).strip() for line in text.splitlines())
    return tuple(line for line in stripped if line and not line.startswith((".", "#")) and not line.endswith(":"))


@dataclass
class _Processor:
    """Registers and words of memory. A vector register is two halves of eight bytes."""

    words: dict[str, int] = field(default_factory=dict)
    halves: dict[int, bytes] = field(default_factory=dict)
    stack: dict[int, int] = field(default_factory=dict)
    vectors: dict[str, bytes] = field(default_factory=dict)
    keys: list[bytes] = field(default_factory=list)

    def vector(self, name: str) -> bytes:
        number = int(name[1:])
        return self.halves[2 * number] + self.halves[2 * number + 1] if name[0] == "q" else self.halves[number]

    def set_vector(self, name: str, value: bytes) -> None:
        number = int(name[1:])
        if name[0] == "q":
            self.halves[2 * number], self.halves[2 * number + 1] = value[:8], value[8:]
        else:
            self.halves[number] = value

    def step(self, line: str) -> None:
        name, rest = line.split(None, 1)
        operands = [one.strip() for one in re.split(r",(?![^{\[]*[}\]])", rest)]
        if name.startswith("v"):
            self._vector_step(name, operands)
        elif name.startswith(("eor", "and")):
            a, b = self.words[operands[-2]], self.words[operands[-1]]
            self.words[operands[0]] = a ^ b if name.startswith("eor") else a & b
        elif name in ("mov", "movs"):
            self.words[operands[0]] = self.words[operands[1]]
        elif name in ("ldr", "str"):
            place = re.fullmatch(r"\[sp, #(SP_PLANES \+ )?(\d+)\]", operands[1])
            assert place is not None, line
            at = int(place[2]) + (PLANES_AT if place[1] else 0)
            if name == "ldr":
                self.words[operands[0]] = self.stack[at]
            else:
                self.stack[at] = self.words[operands[0]]
        else:
            raise ValueError(f"the search prints no '{line}'")

    def _vector_step(self, name: str, operands: list[str]) -> None:
        if name in ("veor", "vand"):
            pairs = zip(self.vector(operands[1]), self.vector(operands[2]), strict=True)
            self.set_vector(operands[0], bytes(a ^ b if name == "veor" else a & b for a, b in pairs))
        elif name == "vext.8":
            both = self.vector(operands[1]) + self.vector(operands[2])
            start = int(operands[3][1:])
            self.set_vector(operands[0], both[start : start + 16])
        elif name == "vtbl.8":
            table = self.vector(operands[1].strip("{}"))
            self.set_vector(operands[0], bytes(table[index] for index in self.vector(operands[2])))
        else:
            low = operands[0].strip("{}").split("-")[0]
            whole = f"q{int(low[1:]) // 2}"
            pointer = operands[1].strip("[]!").split(":")[0]
            if name == "vst1.64":
                self.vectors[pointer] = self.vector(whole)
            elif pointer == "r1":
                self.set_vector(whole, self.keys.pop(0))
            else:
                assert name == "vld1.64", name
                self.set_vector(whole, self.vectors[pointer])


def execute(kernel: Kernel, planes: list[int], key: list[int]) -> list[int]:
    """The planes after the kernel; planes and keys are integers of 32 or 128 bits, in the byte order of registers."""
    processor = _Processor()
    if kernel.machine == "neon":
        for name, plane in zip(kernel.planes, planes, strict=True):
            processor.set_vector(name, plane.to_bytes(16, "little"))
        processor.keys = [key[plane].to_bytes(16, "little") for plane in kernel.keys]
        turns = 1 if kernel.way == "encrypt" else 3
        processor.vectors["r0"] = bytes(
            (4 * row + (column + turns * row) % 4) % 8 for row in range(4) for column in range(4)
        )
        for line in kernel.lines:
            processor.step(line)
        return [int.from_bytes(processor.vector(name), "little") for name in kernel.planes]
    for number, (name, plane) in enumerate(zip(kernel.planes, planes, strict=True)):
        processor.words[name] = plane
        processor.stack[PLANES_AT + 4 * number] = plane
    for line in kernel.lines:
        processor.step(line)
    if kernel.machine == "thumb1":
        return [processor.stack[PLANES_AT + 4 * number] for number in range(8)]
    return [processor.words[name] for name in kernel.planes]


def _times(a: int, b: int) -> int:
    product = 0
    for _ in range(8):
        product ^= a * (b & 1)
        a, b = (a << 1) ^ (0x11B if a & 0x80 else 0), b >> 1
    return product


def _sbox() -> list[int]:
    """SubBytes by its definition (FIPS 197, section 5.1.1)."""
    table = []
    for value in range(256):
        inverse = next((one for one in range(256) if _times(value, one) == 1), 0)
        turned = [(inverse << i | inverse >> (8 - i)) & 255 for i in range(5)]
        table.append(turned[0] ^ turned[1] ^ turned[2] ^ turned[3] ^ turned[4] ^ CONSTANT)
    return table


SBOX = _sbox()
INVERSE = [SBOX.index(value) for value in range(256)]


def _bytes_of(planes: list[int], bits: int) -> list[int]:
    """The byte that each bit of the planes belongs to."""
    return [sum((plane >> at & 1) << i for i, plane in enumerate(planes)) for at in range(bits)]


def _planes_of(values: list[int]) -> list[int]:
    return [sum((value >> i & 1) << at for at, value in enumerate(values)) for i in range(8)]


def expected(kernel: Kernel, planes: list[int], key: list[int]) -> list[int]:
    """What the kernel must give. Its S-box leaves out the constant, which the round keys make up for."""
    bits = 128 if kernel.machine == "neon" else 32
    values = _bytes_of(planes, bits)
    if kernel.way == "encrypt":
        values = [SBOX[value] ^ CONSTANT for value in values]
    else:
        values = [INVERSE[value ^ CONSTANT] for value in values]
    if kernel.machine != "neon" or kernel.is_last:
        return _planes_of(values)
    keys = _bytes_of(key, bits)
    # Bit `block` of byte 4 row + column is of the byte of that row and column of that block.
    made = [0] * 128
    for block in range(8):
        state = [[values[8 * (4 * row + column) + block] for column in range(4)] for row in range(4)]
        added = [[keys[8 * (4 * row + column) + block] for column in range(4)] for row in range(4)]
        turns = 1 if kernel.way == "encrypt" else 3
        state = [[line[(column + turns * row) % 4] for column in range(4)] for row, line in enumerate(state)]
        if kernel.way == "encrypt":
            state = [
                [a ^ b for a, b in zip(*rows, strict=True)]
                for rows in zip(_mixed(state, (2, 3, 1, 1)), added, strict=True)
            ]
        else:
            state = [[a ^ b for a, b in zip(*rows, strict=True)] for rows in zip(state, added, strict=True)]
            state = _mixed(state, (14, 11, 13, 9))
        for row in range(4):
            for column in range(4):
                made[8 * (4 * row + column) + block] = state[row][column]
    return _planes_of(made)


def _mixed(state: list[list[int]], factors: tuple[int, ...]) -> list[list[int]]:
    """MixColumns and its inverse (FIPS 197, sections 5.1.3 and 5.3.3)."""
    mixed = [[0] * 4 for _ in range(4)]
    for row in range(4):
        for column in range(4):
            for step, factor in enumerate(factors):
                mixed[row][column] ^= _times(state[(row + step) % 4][column], factor)
    return mixed


def is_right(kernel: Kernel, states: int, seed: int) -> bool:
    """Whether the kernel does what FIPS 197 says, for so many random states and keys."""
    chance = random.Random(seed)
    bits = 128 if kernel.machine == "neon" else 32
    for _ in range(states):
        planes = [chance.getrandbits(bits) for _ in range(8)]
        key = [chance.getrandbits(bits) for _ in range(8)]
        if execute(kernel, planes, key) != expected(kernel, planes, key):
            return False
    return True


# Of the assembly, what is before and behind the instructions of a kernel.
BORDERS = {
    "": ("AddRoundKey */\n", "    subs r2, r2, #1\n"),
    "-decrypt": ("InvMixColumns */\n", "    subs r2, r2, #1\n"),
    "-last": ("SubBytes */\n", "    end_rounds\n"),
}


def _put(path: Path, before: str, behind: str, text: str) -> None:
    old = path.read_text()
    start = old.rindex(before, 0, old.index(behind)) + len(before)
    path.write_text(old[:start] + text + old[old.index(behind) :])


def apply(kernel: str, printed: str) -> None:
    """Writes the kernel's instructions into its `.S`, and the order of its keys into the C around it."""
    new = found(kernel, printed)
    border = "-last" if new.is_last else "-decrypt" if new.way == "decrypt" else ""
    lines = "".join(f"    {line}\n" for line in new.lines)
    _put(AES / "neon" / f"aes_{new.way}_eight_neon.S", *BORDERS[border], lines)
    if new.keys:
        path = AES / "neon" / f"aes_{new.way}_blocks_neon.c"
        text = path.read_text()
        start = text.rindex("key_bits[8] = {")
        end = text.index("}", start)
        path.write_text(text[:start] + "key_bits[8] = {" + ", ".join(map(str, new.keys)) + text[end:])


if __name__ == "__main__":
    apply(sys.argv[1], sys.stdin.read())
