"""Writes what is searched as a straight-line program, from the circuits in Tatu's sources.

    python3 describe.py KERNEL > description

Each line is an operation, the name of its result, two operands ("-" for none) and the plane of an input or output. The
kernels: `encrypt` and `decrypt`, the S-box of fix-sliced AES and its inverse; `neon-encrypt` and `neon-decrypt`, a
round of eight blocks; `neon-encrypt-last` and `neon-decrypt-last`, the S-box of their last round.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

AES = Path(__file__).resolve().parent.parent / "src" / "aes"

# Of x^8 + x^4 + x^3 + x + 1: where the plane that leaves at the top comes in again (FIPS 197, section 4.2).
FEEDBACK = (1, 3, 4)


class Program:
    """Operations in order, each with a name of its own."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.names: set[str] = set()

    def add(self, kind: str, name: str, a: str = "-", b: str = "-", plane: int = -1) -> str:
        if kind != "output":
            if name in self.names:
                raise ValueError(f"there are two values '{name}'")
            self.names.add(name)
        self.lines.append(f"{kind} {name} {a} {b} {plane}")
        return name


def _fix_sliced(way: str) -> Program:
    """The statements `const uint32_t NAME = A op B` of the portable circuit, and its assignments to planes."""
    header = "aes_substitute_circuit.h" if way == "encrypt" else "aes_inverse_substitute_circuit.h"
    text = (AES / header).read_text().replace('#include "aes_inversion_circuit.inc"', "\1")
    text = text.replace("\1", (AES / "aes_inversion_circuit.inc").read_text())
    start = text.index("substitute_without_constant(struct")
    body = text[start : text.index("\n}\n", start)]
    program = Program()
    names = {}
    for name, plane in re.findall(r"(\w+) = planes->plane\[(\d)\]", body):
        names[name] = program.add("input", name, plane=int(plane))
    for plane, name, a, operator, b in re.findall(
        r"(?:planes->plane\[(\d)\]|const uint32_t (\w+)) = (\w+)(?: ([&^]) (\w+))?;", body
    ):
        if not operator:
            if name:
                names[name] = names[a]
            else:
                program.add("output", names[a], plane=int(plane))
            continue
        made = name or f"out{plane}"
        names[made] = program.add("xor" if operator == "^" else "and", made, names[a], names[b])
        if plane:
            program.add("output", made, plane=int(plane))
    return program


def _expression(program: Program, text: str, name: str) -> str:
    """The value of XOR(..) and AND(..), nested; `name` is that of the result."""
    whole = re.fullmatch(r"(XOR|AND)\((.*)\)", text)
    if whole is None:
        return text
    depth, split = 0, 0
    for at, letter in enumerate(whole[2]):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            split = at
    a = _expression(program, whole[2][:split].strip(), f"{name}_")
    b = _expression(program, whole[2][split + 1 :].strip(), f"{name}__")
    return program.add(whole[1].lower(), name, a, b)


def _neon_substitute(program: Program, macro: str) -> list[str]:
    """The circuit of circuit.h on the planes i0 to i7; its results."""
    text = (AES / "neon" / "circuit.h").read_text()
    start = text.index(f"#define {macro}(")
    body = text[start : text.index("while (0)", start)].replace("\\\n", " ")
    planes = re.findall(r"x\d", body[: body.index(")")])
    # The macro's callers give plane 0 first. Each xi is replaced by what was given for it.
    given = {name: f"in{number}" for number, name in enumerate(planes)}
    body = re.sub(r"\bx\d\b(?!\) =)", lambda found: given[found[0]], body[body.index("do {") :])
    results = {}
    for statement in body.split(";"):
        output = re.search(r"\((x\d)\) = (.*)$", statement.strip(), re.DOTALL)
        if output is not None:
            results[output[1]] = _expression(program, " ".join(output[2].split()), f"s_{output[1]}")
            continue
        for name, value in _definitions(statement):
            _expression(program, value, name)
    return [results[name] for name in planes]


def _definitions(statement: str) -> list[tuple[str, str]]:
    """`const PLANE a = .., b = ..` as pairs."""
    if "const PLANE" not in statement:
        return []
    text = " ".join(statement[statement.index("const PLANE") + len("const PLANE") :].split())
    return [
        (name, value.strip())
        for name, value in re.findall(r"(\w+) = ((?:XOR|AND)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))", text)
    ]


def _mix_columns(program: Program, state: list[str], added: Callable[[int, str], str]) -> None:
    """MixColumns: with the rows s, t, u, v from the one at hand downwards, 2 (s + t) + t + (u + v), FIPS 197, 5.1.3."""
    below = [program.add("turn1", f"below{i}", state[i]) for i in range(8)]
    total = [program.add("xor", f"sum{i}", state[i], below[i]) for i in range(8)]
    for i in range(8):
        value = program.add("xor", f"half{i}", added(i, below[i]), total[(i + 7) % 8])
        if i in FEEDBACK:
            value = program.add("xor", f"fed{i}", value, total[7])
        program.add("output", program.add("crossed", f"out{i}", value, total[i]), plane=i)


def _neon(way: str, is_last: bool) -> Program:
    program = Program()
    for i in range(8):
        program.add("input", f"in{i}", plane=i)
    macro = "TATU_INTERNAL_AES_SUBSTITUTE" if way == "encrypt" else "TATU_INTERNAL_AES_INVERSE_SUBSTITUTE"
    if is_last:
        for i, name in enumerate(_neon_substitute(program, macro)):
            program.add("output", name, plane=i)
        return program
    for i in range(8):
        program.add("key", f"key{i}", plane=i)
    program.add("order", "order")
    substituted = _neon_substitute(program, macro)
    state = [program.add("shift", f"row{i}", substituted[i], "order") for i in range(8)]
    if way == "encrypt":
        _mix_columns(program, state, lambda i, below: program.add("xor", f"keyed{i}", below, f"key{i}"))
        return program
    # InvMixColumns is MixColumns after a + 4 (a + c), where c is two rows below.
    state = [program.add("xor", f"keyed{i}", state[i], f"key{i}") for i in range(8)]
    twice = [program.add("xor", f"twice{i}", state[i], program.add("turn2", f"under{i}", state[i])) for i in range(8)]
    top = program.add("xor", "top", twice[6], twice[7])
    more = [[twice[6]], [top], [twice[0], twice[7]], [twice[1], twice[6]], [twice[2], top], [twice[3], twice[7]]]
    more += [[twice[4]], [twice[5]]]
    for i in range(8):
        for number, one in enumerate(more[i]):
            state[i] = program.add("xor", f"more{i}_{number}", state[i], one)
    _mix_columns(program, state, lambda i, below: below)
    return program


def describe(kernel: str) -> str:
    """The description of a kernel."""
    way = "encrypt" if "encrypt" in kernel else "decrypt"
    program = _neon(way, kernel.endswith("-last")) if kernel.startswith("neon-") else _fix_sliced(way)
    return "\n".join(program.lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(describe(sys.argv[1]))
