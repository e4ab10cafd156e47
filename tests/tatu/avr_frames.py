"""Follows each function of a program for AVR through all its ways, with what is known of the registers and the stack,
and holds its call frame information to that.

Where both halves of the stack pointer are written, they are taken as written at once, with the lower one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from elftools.dwarf.callframe import FDE, CFARule, RegisterRule
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from bancada.prove.avr_decode import Instruction, decode

SP, RETURN_ADDRESS = 32, 36  # as DWARF numbers them; the registers have their own numbers
SPL, SPH = 0x3D, 0x3E
CALLEE_SAVED = (*range(2, 18), 28, 29)
UNKNOWN = -1_000_000
MOST_DEPTHS = 40  # at an instruction in a loop that pushes
# Code that two kinds of callers share, described for the other kind.
UNDESCRIBED_STARTS = {
    "tatu_internal_aes_plain_first_round": "the rounds of encryption, which CTR calls and encryption jumps to",
}

# What is known of a register: a number; ("register", n), what the caller had in it; ("low", d) or ("high", d), that
# half of the caller's stack pointer - d; or nothing.
Value = int | tuple[str, int] | None
Rules = dict[int, RegisterRule]


@dataclass
class State:
    """`depth` is how far the stack pointer is below the caller's; `stack` has what was pushed, by depth."""

    depth: int
    registers: list[Value]
    stack: dict[int, Value]
    is_zero: bool | None = None
    is_carry: bool | None = None
    lowered: int | None = None  # what was taken from a low half of the stack pointer just before

    def copy(self) -> State:
        return State(self.depth, list(self.registers), dict(self.stack), self.is_zero, self.is_carry, self.lowered)

    def joined(self, other: State) -> bool:
        """Forgets what the other does not hold. True if there was any such thing."""
        changed = False
        for number, value in enumerate(other.registers):
            if self.registers[number] is not None and self.registers[number] != value:
                self.registers[number] = None
                changed = True
        for depth in [one for one, value in self.stack.items() if other.stack.get(one) != value]:
            del self.stack[depth]
            changed = True
        for name in ("is_zero", "is_carry", "lowered"):
            if getattr(self, name) is not None and getattr(self, name) != getattr(other, name):
                setattr(self, name, None)
                changed = True
        return changed


def at_entry(call_bytes: int) -> State:
    return State(call_bytes, [("register", number) for number in range(32)], {})


@dataclass
class Program:
    code: dict[int, Instruction]
    rows: dict[int, tuple[CFARule, Rules]]
    call_bytes: int
    names: dict[str, int]  # of functions
    labels: dict[int, str]


def program(path: Path, call_bytes: int) -> Program:
    with path.open("rb") as file:
        elf = ELFFile(file)
        rows: dict[int, tuple[CFARule, Rules]] = {}
        for description in elf.get_dwarf_info().CFI_entries():
            if not isinstance(description, FDE):
                continue
            assert description.cie is not None
            assert description.cie["return_address_register"] == RETURN_ADDRESS
            table = description.get_decoded().table
            low = description["initial_location"]
            ends = [row["pc"] for row in table[1:]] + [low + description["address_range"]]
            for row, end in zip(table, ends, strict=True):
                rules = {key: rule for key, rule in row.items() if isinstance(key, int)}
                for pc in range(row["pc"], end, 2):
                    rows[pc] = (row["cfa"], rules)
        text = elf.get_section_by_name(".text")
        symbols = elf.get_section_by_name(".symtab")
        assert text is not None
        assert isinstance(symbols, SymbolTableSection)
        names: dict[str, int] = {}
        labels: dict[int, str] = {}
        for symbol in symbols.iter_symbols():
            if symbol["st_info"]["type"] == "STT_FUNC":
                names[symbol.name] = symbol["st_value"]
            if symbol["st_info"]["type"] in ("STT_FUNC", "STT_NOTYPE") and symbol["st_shndx"] != "SHN_ABS":
                labels.setdefault(symbol["st_value"], symbol.name)
        words = memoryview(text.data()).cast("H")
        code: dict[int, Instruction] = {}
        for pc in sorted(rows):
            if pc - 2 in code and code[pc - 2].words == 2:
                continue
            at = (pc - text["sh_addr"]) // 2
            one = decode(words[at], words[at + 1] if at + 1 < len(words) else 0)
            assert one is not None, hex(pc)
            code[pc] = one
        return Program(code, rows, call_bytes, names, labels)


@dataclass
class Walker:
    """Follows one function through all its ways."""

    program: Program
    is_held: bool  # whether a caller in C must find its registers
    preserved: dict[int, frozenset[int]]  # by other functions
    states: dict[tuple[int, int], State] = field(default_factory=dict)
    depths: Counter[int] = field(default_factory=Counter)
    called: set[int] = field(default_factory=set)
    ends: list[State] = field(default_factory=list)
    wrong: dict[int, str] = field(default_factory=dict)

    def walk(self, start: int) -> None:
        ways = [(start, at_entry(self.program.call_bytes))]
        while ways:
            pc, state = ways.pop()
            key = (pc, state.depth)
            before = self.states.get(key)
            if before is None:
                self.depths[pc] += 1
                if self.depths[pc] > MOST_DEPTHS:
                    self.wrong[pc] = "there is no end to what is pushed"
                    continue
                self.states[key] = state.copy()
            elif not before.joined(state):
                continue
            else:
                state = before.copy()
            if pc not in self.program.rows:
                self.wrong[pc] = "no description"
                continue
            ways += self.step(pc, state)
        for (pc, _), state in self.states.items():
            if pc in self.program.rows and (what := self.fault(pc, state)):
                self.wrong[pc] = what

    def fault(self, pc: int, state: State) -> str | None:
        cfa, rules = self.program.rows[pc]
        if cfa.expr is not None:
            bytes_above = table_above(bytes(cfa.expr), state)
            if bytes_above != state.depth:
                return f"the caller's stack is {state.depth} bytes above, not {bytes_above}"
        elif cfa.reg == SP:
            if cfa.offset != state.depth:
                return f"the caller's stack is {state.depth} bytes above, not {cfa.offset}"
        else:
            assert cfa.reg is not None
            assert cfa.offset is not None
            low, high = state.registers[cfa.reg], state.registers[cfa.reg + 1]
            if low != ("low", cfa.offset % 256) or high != ("high", cfa.offset):
                return f"r{cfa.reg} is not {cfa.offset} bytes below the caller's stack, but {low}, {high}"
        if place(rules.get(RETURN_ADDRESS)) != self.program.call_bytes - 1:
            return "the return address is not there"
        for number in CALLEE_SAVED if self.is_held else ():
            if number in rules and rules[number].type == RegisterRule.UNDEFINED:
                continue  # the function keeps it elsewhere than on the stack
            saved_at = place(rules.get(number))
            found = state.registers[number] if saved_at is None else state.stack.get(saved_at)
            if found != ("register", number):
                return f"r{number} of the caller is not where it should be ({saved_at}: {found})"
        return None

    def step(self, pc: int, state: State) -> list[tuple[int, State]]:
        one = self.program.code[pc]
        name, after = one.name, pc + 2 * one.words
        if name == "RET":
            if state.depth != self.program.call_bytes:
                self.wrong[pc] = f"RET {state.depth - self.program.call_bytes} bytes too low"
            self.ends.append(state)
            return []
        if name in ("RJMP", "JMP"):
            return [(target(pc, one), state)]
        if name == "IJMP":
            low, high = state.registers[30], state.registers[31]
            if isinstance(low, int) and isinstance(high, int):
                return [(2 * (low | high << 8), state)]
            self.ends.append(state)  # a function of the caller's choice
            return []
        if name in ("RCALL", "CALL", "ICALL"):
            where = target(pc, one) if name != "ICALL" else 0
            kept: frozenset[int] = frozenset((*CALLEE_SAVED, 1))
            if where in self.program.rows:
                self.called.add(where)
                kept = self.preserved.get(where, kept)
            state.registers = [value if n in kept else None for n, value in enumerate(state.registers)]
            state.is_zero = state.is_carry = None
            return [(after, state)]
        if name in ("BRBS", "BRBC"):
            flag = {0: state.is_carry, 1: state.is_zero}.get(one.destination)
            there = after + 2 * one.value
            taken = None if flag is None else flag == (name == "BRBS")
            return [(to, state.copy()) for to, is_way in ((there, True), (after, False)) if taken in (None, is_way)]
        if name in ("CPSE", "SBRC", "SBRS", "SBIC", "SBIS"):
            there = after + 2 * self.program.code[after].words
            taken = skips(one, state)
            return [(to, state.copy()) for to, is_way in ((there, True), (after, False)) if taken in (None, is_way)]
        self.compute(one, state)
        if state.depth == UNKNOWN:
            # A frame's end, from a pointer that loops moved. What is popped then tells whether the table is right.
            offset = self.program.rows[after][0].offset
            assert offset is not None
            state.depth = offset
        return [(after, state)]

    def compute(self, one: Instruction, state: State) -> None:
        name, to, values = one.name, one.destination, state.registers
        lowered, state.lowered = state.lowered, None
        had, other = values[to], values[one.source]
        if name == "PUSH":
            state.stack[state.depth] = had
            state.depth += 1
            state.lowered = lowered
        elif name == "POP":
            state.depth -= 1
            values[to] = state.stack.pop(state.depth, None)
        elif name == "IN":
            values[to] = {SPL: ("low", state.depth % 256), SPH: ("high", state.depth)}.get(one.value)
            state.lowered = lowered
        elif name == "OUT":
            if one.value == SPL:
                # Both halves are written together: the depth is that of the high half, which was written before.
                highs = [one[1] for one in values if isinstance(one, tuple) and one[0] == "high"]
                depths = [depth for depth in highs if had == ("low", depth % 256)]
                state.depth = depths[0] if depths else UNKNOWN
            state.lowered = lowered
        elif name == "MOV":
            values[to] = other
        elif name == "MOVW":
            values[to : to + 2] = values[one.source : one.source + 2]
        elif name == "LDI":
            values[to] = one.value
        elif name in ("ADIW", "SBIW"):
            amount = one.value if name == "SBIW" else -one.value
            low, high = values[to : to + 2]
            values[to : to + 2] = [None, None]
            state.is_zero = state.is_carry = None
            if isinstance(low, tuple) and isinstance(high, tuple) and (low[0], high[0]) == ("low", "high"):
                depth = high[1] + amount
                values[to : to + 2] = [("low", depth % 256), ("high", depth)]
            elif isinstance(low, int) and isinstance(high, int):
                number = (low | high << 8) - amount & 0xFFFF
                values[to : to + 2] = [number & 255, number >> 8]
                state.is_zero = number == 0
        elif name in ("ADD", "ADC") and isinstance(had, tuple) and had[0] in ("low", "high") and isinstance(other, int):
            state.is_zero = state.is_carry = None
            values[to] = None
            if name == "ADD" and had[0] == "low":
                values[to] = ("low", (had[1] - other) % 256)
                state.lowered = -other
            elif name == "ADC" and had[0] == "high" and lowered is not None:
                values[to] = ("high", had[1] + lowered - 256 * other)
        elif name in ("SUBI", "SBCI") and isinstance(had, tuple) and had[0] in ("low", "high"):
            state.is_zero = state.is_carry = None
            values[to] = None
            if name == "SUBI" and had[0] == "low":
                values[to] = ("low", (had[1] + one.value) % 256)
                state.lowered = one.value
            elif name == "SBCI" and had[0] == "high" and lowered is not None:
                amount = lowered + 256 * one.value
                values[to] = ("high", had[1] + (amount - 65536 if amount > 32767 else amount))
        elif name in ("ST", "STD", "LD", "LDD", "LPM Z", "STS", "LDS", "LPM"):
            moved = {"+": 1, "-": -1}.get(one.step, 0)
            at = pointed_at(one, state)
            if name in ("LD", "LDD") and at is not None:
                values[to] = values[at]
            elif name in ("ST", "STD") and at is not None:
                values[at] = had
            elif name in ("LD", "LDD", "LPM Z", "LDS", "LPM"):
                values[0 if name == "LPM" else to] = None
            if moved:
                low, high = values[one.pointer : one.pointer + 2]
                values[one.pointer : one.pointer + 2] = [None, None]
                if isinstance(low, int) and isinstance(high, int):
                    number = (low | high << 8) + moved & 0xFFFF
                    values[one.pointer : one.pointer + 2] = [number & 255, number >> 8]
                elif isinstance(low, tuple) and isinstance(high, tuple) and (low[0], high[0]) == ("low", "high"):
                    values[one.pointer : one.pointer + 2] = [
                        ("low", (high[1] - moved) % 256),
                        ("high", high[1] - moved),
                    ]
        elif name in ("MUL", "MULS", "MULSU", "FMUL", "FMULS", "FMULSU"):
            values[0] = values[1] = None
            state.is_zero = state.is_carry = None
        elif name in ("NOP", "SBI", "CBI", "BST", "BSET", "BCLR"):
            if name in ("BSET", "BCLR"):
                state.is_carry = name == "BSET" if to == 0 else state.is_carry
                state.is_zero = name == "BSET" if to == 1 else state.is_zero
        else:
            arithmetic(one, state)


def arithmetic(one: Instruction, state: State) -> None:
    name, to, values = one.name, one.destination, state.registers
    a = values[to]
    b: Value = one.value if name in ("CPI", "SBCI", "SUBI", "ORI", "ANDI") else values[one.source]
    keeps_carry = name in ("INC", "DEC", "AND", "ANDI", "OR", "ORI", "EOR", "SWAP", "BLD")
    carry = state.is_carry
    if not keeps_carry:
        state.is_carry = None
    if name not in ("SWAP", "BLD"):
        state.is_zero = None
    if name == "EOR" and to == one.source:
        values[to], state.is_zero = 0, True
        return
    result = None
    if name == "CP" and isinstance(a, tuple) and isinstance(b, tuple) and a[0] == b[0] == "low":
        state.is_zero = a[1] % 256 == b[1] % 256
    if isinstance(a, int) and name in ("INC", "DEC"):
        result = a + (1 if name == "INC" else -1) & 255
    elif isinstance(a, int) and isinstance(b, int):
        if name in ("SUBI", "SUB", "CPI", "CP"):
            result, state.is_carry = a - b & 255, a < b
        elif name == "ADD":
            result, state.is_carry = a + b & 255, a + b > 255
        elif name == "ADC" and carry is not None:
            result, state.is_carry = a + b + carry & 255, a + b + carry > 255
        elif name in ("AND", "ANDI"):
            result = a & b
        elif name in ("OR", "ORI"):
            result = a | b
        elif name == "EOR":
            result = a ^ b
    if result is not None:
        state.is_zero = result == 0
    if name not in ("CP", "CPC", "CPI"):
        values[to] = result


def skips(one: Instruction, state: State) -> bool | None:
    a, b = state.registers[one.destination], state.registers[one.source]
    if one.name == "CPSE":
        return a == b if isinstance(a, int) and isinstance(b, int) else None
    if one.name in ("SBRC", "SBRS") and isinstance(a, int):
        return bool(a >> one.value & 1) == (one.name == "SBRS")
    return None


def pointed_at(one: Instruction, state: State) -> int | None:
    """The register whose place in the data memory a load or store means, if it is known to be one."""
    low, high = state.registers[one.pointer : one.pointer + 2]
    if one.pointer == 0 or not isinstance(low, int) or not isinstance(high, int):
        return None
    at = (low | high << 8) - (one.step == "-") + (one.value if one.name in ("LDD", "STD") else 0)
    return at if 0 <= at < 32 else None


def target(pc: int, one: Instruction) -> int:
    return 2 * one.value if one.words == 2 else pc + 2 + 2 * one.value


def table_above(expression: bytes, state: State) -> int | None:
    """How far above the stack pointer an expression (DWARF 5, section 2.5) finds the caller's stack.

    A number is a multiple of the caller's stack pointer and what is added to it. A low half of an address counts as the
    address: the macros take a difference of two such, and of that the low 8 bits."""
    numbers: list[tuple[int, int]] = []
    rest = list(expression)
    while rest:
        code = rest.pop(0)
        if code == 0x92:  # bregx
            assert rest.pop(0) == SP
            numbers.append((1, short(rest.pop(0)) - state.depth))
        elif 0x70 <= code < 0x90:  # breg
            value = state.registers[code - 0x70]
            if isinstance(value, tuple) and value[0] == "low":
                numbers.append((1, short(rest.pop(0)) - value[1]))
            elif isinstance(value, int):
                numbers.append((0, short(rest.pop(0)) + value))
            else:
                return None
        elif code == 0x08:  # const1u
            numbers.append((0, rest.pop(0)))
        else:
            (right, b), (left, a) = numbers.pop(), numbers.pop()
            if code == 0x1A:  # and
                assert left == right == 0
                numbers.append((0, a & b))
            else:
                sign = {0x1C: -1, 0x22: 1}[code]
                numbers.append((left + sign * right, a + sign * b))
    ((multiple, above),) = numbers
    return above + state.depth if multiple == 1 else None


def short(byte: int) -> int:
    """A number of one byte in the form of DWARF (LEB128, signed)."""
    assert byte < 128
    return byte - 128 if byte >= 64 else byte


def place(rule: RegisterRule | None) -> int | None:
    """How far below the caller's stack a register lies."""
    if rule is None or rule.type != RegisterRule.OFFSET:
        return None
    assert isinstance(rule.arg, int)
    return -rule.arg


@dataclass
class Result:
    wrong: dict[int, str] = field(default_factory=dict)
    depths: dict[int, set[int]] = field(default_factory=dict)  # by instruction reached


def followed(of: Program) -> Result:
    result = Result()
    preserved: dict[int, frozenset[int]] = {}
    done: dict[int, Walker] = {}

    def follow(start: int) -> None:
        if start in done:
            return
        first = Walker(of, False, preserved)
        done[start] = first
        first.walk(start)
        while missing := first.called - set(done):
            for one in sorted(missing):
                follow(one)
            first = Walker(of, False, preserved)
            first.walk(start)
        done[start] = first
        kept = [n for n in range(32) if all(end.registers[n] == ("register", n) for end in first.ends)]
        preserved[start] = frozenset(kept)

    def is_start(pc: int) -> bool:
        cfa, rules = of.rows[pc]
        return (cfa.reg, cfa.offset, set(rules)) == (SP, of.call_bytes, {RETURN_ADDRESS})

    jumps = {target(pc, one) for pc, one in of.code.items() if one.name == "JMP"}
    starts = {pc for pc in of.names.values() if pc not in of.rows or (is_start(pc) and pc not in jumps)}
    for start in sorted(starts):
        follow(start)
    called = {one for walker in done.values() for one in walker.called}
    for start in done:
        is_for_c = start in starts and (start not in called or set(CALLEE_SAVED) <= preserved[start])
        again = Walker(of, is_for_c, preserved)
        again.walk(start)
        if of.labels.get(start) not in UNDESCRIBED_STARTS:
            result.wrong |= {
                pc: f"{what} (from {of.labels.get(start, hex(start))})" for pc, what in again.wrong.items()
            }
        for pc, depth in again.states:
            result.depths.setdefault(pc, set()).add(depth)
    return result


def symbol_before(of: Program, pc: int) -> str:
    return of.labels[max(at for at in of.labels if at <= pc)]
