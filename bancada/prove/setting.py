"""What a proof prepares before its calls: unknown inputs, buffers at their places, and how it is made."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from bancada.formulas.graph import Graph
from bancada.formulas.integers import Integers
from bancada.formulas.polynomial import Polynomial, Range
from bancada.formulas.word import Word
from bancada.prove.alteration import Alteration, Watcher
from bancada.prove.avr import Byte, byte_of
from bancada.prove.avr_branches import PublicBranches
from bancada.prove.avr_call import TOP_OF_RAM
from bancada.prove.avr_number import Number
from bancada.prove.avr_numbers import NumberSteps
from bancada.prove.avr_words import Words
from bancada.prove.black_box import BlackBox, Cipher
from bancada.prove.errors import CannotProve
from bancada.prove.product_box import named_product
from bancada.prove.program import Machine, Program
from bancada.prove.records import Buffer, Called, Congruence, Entry, Equality, NumberArgument, Shows
from bancada.prove.thumb_call import STACK_BYTES, end_of_ram


@dataclass
class Setting:
    """What the functions of a proof are called with, and what it says of them before: inputs, buffers, cases."""

    program: Program
    graph: Graph = field(default_factory=Graph)
    placement: int = 0
    """The buffers' places: each number another one, on odd addresses and across borders of 256 bytes."""
    calls: list[Called] = field(default_factory=list)
    equalities: list[Equality] = field(default_factory=list)
    congruences: list[Congruence] = field(default_factory=list)
    integers: Integers | None = None
    """Of a proof about numbers: then every byte is one, and none is eight formulas."""
    entries: list[Entry] = field(default_factory=list)
    shown: list[Shows] = field(default_factory=list)
    more_flash: bytes = b""
    """What `in_flash` put behind the program."""
    executed: set[int] = field(default_factory=set)
    """The addresses of the instructions that ran, those of an AVR in words."""
    most_instructions: int = 0
    """Of one call; 0: as many as anything here needs."""
    alteration: Alteration | None = None
    """What is wrong with the specification on purpose."""
    chosen: tuple[int, ...] = ()
    """Of a proof `by_cases`, the bits of its first masks. Those of further ones are 0."""
    last_second: float = math.inf
    """Of this process's computing time, the second at which following the program ends without a verdict."""

    def __post_init__(self) -> None:
        self.watcher = Watcher(self.alteration)
        if self.alteration is not None:
            self.graph.watch = self.watcher
        self.memory: dict[int, Byte] = dict(self.program.initial_data)
        self.first_memory: dict[int, Byte] = dict(self.memory)
        self.buffers: list[Buffer] = []
        self._next = self.program.end_of_data + (0, 1, 0x7B, 0xFE)[self.placement % 4]
        self._end_of_buffers = TOP_OF_RAM - 256
        if not self.is_avr:
            self._end_of_buffers = end_of_ram(self.program.end_of_data) - STACK_BYTES
        self.masks = 0
        self.way = 0
        """Of a proof about numbers, which instructions ran, in their order: a hash of their addresses."""
        self._masks_by_cases = 0
        self._secret_nodes: set[int] = set()
        self.steps: NumberSteps | None = None
        self.boxes: dict[int, tuple[BlackBox, bool]] = {}
        self.products: dict[int, tuple[int, bool, int]] = {}
        self._inputs_of_boxes: list[BlackBox] = []
        self.has_tables_in_ram = False
        self.has_public_branches = False
        self.has_signed_carries = False

    def shows(self, implementation: str, operation: str, part: str = "") -> None:
        """Says which operation of the candidate's implementation this is: the function that it calls, or a `part` of
        what it executes. The proof is made in that implementation's firmware, and reports mark the operation."""
        self.shown.append(Shows(implementation, operation, part))

    def by_cases(self, masks: int) -> None:
        """Says, before the first input, that the first masks which `SBC r, r` makes of carries are taken case by case:
        the proof is made for each value of each of these carries. Products that take the absolute value of a difference
        need that."""
        self._masks_by_cases = masks

    def carries_have_signs(self) -> None:
        """Says, before the first input, that carries of this proof's sums may be negative, and are extended by masks of
        their signs."""
        self.has_signed_carries = True

    def branches_on_public_numbers(self) -> None:
        """Says, before the first input, that the numbers of this proof are public: branches may depend on them
        (avr_branches.py). One whose ways do not join is taken case by case, as a mask is, if `by_cases` says so. The
        cycles of such a proof are those of the longest way, at most."""
        self.needs_an_avr()
        self.has_public_branches = True

    def _choose(self) -> int | None:
        """The bit of the next mask; None if it is not taken case by case."""
        if self.masks == self._masks_by_cases:
            return None
        self.masks += 1
        return self.chosen[self.masks - 1] if self.masks <= len(self.chosen) else 0

    # What the caller prepares.

    def secret(self, name: str, size: int, written: bool = False, align: int = 1) -> Buffer:
        """A buffer of `size` bytes whose every bit is an input. `written`: the function may write it. `align`: the
        callers of a Cortex-M have it at a multiple of that, as structures with words are."""
        words = tuple(
            Word(self.graph, tuple(self._secret(f"{name}[{at}].{bit}") for bit in range(8))) for at in range(size)
        )
        return self._place(name, size, words, written, align=align)

    def known(self, name: str, content: bytes, written: bool = False, align: int = 1) -> Buffer:
        """A buffer with this content. `written` and `align` as for `secret`."""
        words = tuple(Word(self.graph, tuple(byte >> bit & 1 for bit in range(8))) for byte in content)
        return self._place(name, len(content), words, written, align=align)

    def unknown(self, name: str, bits: int) -> Word:
        """An unknown number that `call` passes as an argument."""
        return Word(self.graph, tuple(self._secret(f"{name}.{bit}") for bit in range(bits)))

    def needs_an_avr(self) -> None:
        """Says that the proof is of AVR programs only; in those of other machines it is not looked for."""
        self.is_for("avr")

    def is_for(self, *machines: Machine) -> None:
        """Says of which machines' programs the proof is. A candidate's proof that does not say it is looked for in
        programs for an AVR or a Cortex-M."""
        if self.program.machine not in machines:
            raise CannotProve(f"the proof is not of programs for '{self.program.machine}'")

    def reads_tables_in_ram(self) -> None:
        """Says that on a Cortex-M the function reads the program's initialised data at addresses that depend on inputs:
        code for devices whose RAM takes the same time for every address. Elsewhere such an address is an error."""
        self.has_tables_in_ram = True

    @property
    def is_avr(self) -> bool:
        """Whether the program is an AVR's, else an Arm's: for kernels that keep their state in another form."""
        return self.program.machine == "avr"

    @property
    def is_cortex_m(self) -> bool:
        """Whether the program is a Cortex-M's."""
        return self.program.machine == "thumb"

    def pointer_to(self, function: str) -> bytes:
        """What a pointer to this function is in RAM, for structures that hold one."""
        address = self.program.function(function)
        return (address // 2).to_bytes(2, "little") if self.is_avr else (address | 1).to_bytes(4, "little")

    def output(self, name: str, size: int, align: int = 1) -> Buffer:
        """A buffer that the function may write and may not read before. `align` as for `secret`."""
        return self._place(name, size, (), True, align=align)

    def after_it(self, name: str, size: int) -> Buffer:
        """More of the structure that the buffer before begins: bytes directly behind it, with unknown content, which
        the function may read and write."""
        self._next = self.buffers[-1].address + self.buffers[-1].size
        return self.secret(name, size, written=True)

    def secret_behind(self, name: str, size: int) -> Buffer:
        """As `after_it`, but the function may not write it."""
        self._next = self.buffers[-1].address + self.buffers[-1].size
        return self.secret(name, size)

    def known_behind(self, name: str, content: bytes) -> Buffer:
        """Known bytes directly behind the buffer before, which the function may read and write."""
        self._next = self.buffers[-1].address + self.buffers[-1].size
        return self.known(name, content, written=True)

    def numbers(
        self,
        name: str,
        size: int,
        written: bool = False,
        *,
        masks: bytes = b"",
        adjoins: bool = False,
        big_endian: bool = False,
    ) -> Buffer:
        """A buffer whose bytes are unknown integers, for proofs about the arithmetic of many bytes: `equal_modulo`.
        Such a proof has no other inputs.

        `masks`: of its first bytes, the bits that may be set, which lie side by side; of the others all are.
        `adjoins`: it begins where the buffer before it ends. `big_endian`: of its number the first byte is the most
        significant one.
        """
        if adjoins:
            self._next = self.buffers[-1].address + self.buffers[-1].size
        made = [self._number(f"{name}[{at}]", masks[at] if at < len(masks) else 255) for at in range(size)]
        value: Polynomial | int = 0
        for at, each in enumerate(reversed(made) if big_endian else made):
            value = value + (each if isinstance(each, int) else each.value) * (1 << 8 * at)
        buffer = self._place(name, size, (), written, value)
        for at, each in enumerate(made):
            byte: Byte = each  # type: ignore[assignment]
            self.memory[buffer.address + at] = self.first_memory[buffer.address + at] = byte
        return buffer

    def number(self, name: str, mask: int = 255) -> NumberArgument:
        """An unknown byte that `call` passes as an argument, in a proof about numbers. `mask`: the bits that may be
        set, which lie side by side."""
        made = self._number(name, mask)
        byte: Byte = made  # type: ignore[assignment]
        return NumberArgument((byte, 0), made if isinstance(made, int) else made.value)

    def word(self, name: str, low: int, high: int) -> NumberArgument:
        """An unknown word, from `low` to `high`, that `call` passes as an argument, in a proof about coefficients."""
        (lower, upper), number = self._word(name, Range(low, high), 2)
        return NumberArgument((lower, upper), number)

    def coefficients(self, name: str, count: int, low: int, high: int, written: bool = False, size: int = 2) -> Buffer:
        """A buffer of unknown words with a sign, of two or three bytes with the lowest first, each from `low` to
        `high`, for proofs about coefficients modulo a small prime: `equal_coefficients`. All words of a proof are of
        one size."""
        made = [self._word(f"{name}[{at}]", Range(low, high), size) for at in range(count)]
        buffer = self._place(name, size * count, (), written, coefficients=tuple(number for _, number in made))
        for at, byte in enumerate(byte for bytes_, _ in made for byte in bytes_):
            self.memory[buffer.address + at] = self.first_memory[buffer.address + at] = byte
        return buffer

    def _word(self, name: str, bounds: Range, size: int) -> tuple[tuple[Byte, ...], Polynomial | int]:
        """A word of `coefficients`: its bytes, and the number that it is."""
        integers, steps = self._about_numbers()
        if steps.words is None:
            steps.words = Words(integers, size)
        elif steps.words.size != size:
            raise CannotProve(f"'{name}' has {size} bytes and other words of this proof {steps.words.size}")
        number = integers.input(name, bounds.low, bounds.high)
        return steps.words.bytes_of(number, bounds), number  # type: ignore[return-value]

    def _about_numbers(self) -> tuple[Integers, NumberSteps]:
        """From now on every byte is a number."""
        if self.integers is None or self.steps is None:
            self.integers = Integers()
            self.integers.unites_signs = self.has_signed_carries
            self.steps = NumberSteps(self.integers, self._choose)
            self.steps.names_what_is_stored = self._masks_by_cases > 0 or self.has_signed_carries
            if self.has_public_branches:
                self.steps.branches = PublicBranches(self.integers)
        return self.integers, self.steps

    def product_of(self, one: Polynomial | int, other: Polynomial | int, size: int) -> Polynomial | int:
        """The product of two numbers of `size` bytes, as a product that is not followed has it: so that quotients of it
        are the same."""
        if isinstance(one, int) or isinstance(other, int) or self.integers is None:
            return one * other
        return named_product(self.integers, one, other, size)

    def quotient(self, number: Polynomial | int, places: int) -> Polynomial | int:
        """A number of a proof about numbers, divided by 2^places and rounded down."""
        if isinstance(number, int) or self.integers is None:
            return number >> places if isinstance(number, int) else 0
        bounds = self.integers.range_of(number)
        return self.integers.floor(number, places, Range(bounds.low >> places, bounds.high >> places))

    def _number(self, name: str, mask: int) -> Number | int:
        """A byte of `numbers`."""
        integers, _ = self._about_numbers()
        lowest = mask & -mask
        if not mask:
            return 0
        if (mask // lowest + 1) & mask // lowest:
            raise CannotProve(f"the bits of {name} that may be set do not lie side by side")
        return Number(integers.input(name, 0, mask // lowest) * lowest, Range(0, mask))

    def room(self, name: str, size: int) -> Buffer:
        """Bytes behind the buffer before that the function may write, and may not read before."""
        self._next = self.buffers[-1].address + self.buffers[-1].size
        return self.output(name, size)

    def black_box(self, context: Buffer, functions: Sequence[str], model: Cipher) -> Cipher:
        """The cipher that these functions of the program compute under this context is not followed: what it makes of
        a block are unknown bytes, the same ones for the same block. So a proof is of any block cipher. Of its cycles
        and its stack the cipher has no part.

        The functions take context, output, input and, the second one, what is added to the output, all of 16 bytes.
        On a Cortex-M only the first function is a black box. What is returned is the cipher for the specification.
        `model` is what they really compute, for runs with numbers.
        """
        box = BlackBox(self.graph, context.address, self._secret)
        for adds, function in enumerate(functions):
            address = self.program.function(function)
            self.boxes[address // 2 if self.is_avr else address] = (box, bool(adds))
        self._inputs_of_boxes.append(box)
        return box.specified

    def product(self, function: str, size: int, is_square: bool = False, scratch: int = 0) -> None:
        """Calls of this function are not followed: it multiplies two numbers of `size` bytes, or squares one
        (product_box.py), which another proof shows. Its cycles and its stack are not counted. `scratch`: it loses so
        many bytes behind the product, and leaves a part of it in r18."""
        self.products[self.program.function(function) // 2] = size, is_square, scratch

    def in_flash(self, content: bytes) -> int:
        """The address of these bytes in flash, which are put behind the program: for functions that read there."""
        address = len(self.program.flash) + len(self.more_flash)
        self.more_flash += content + bytes(len(content) % 2)
        return address

    def _secret(self, name: str) -> int:
        literal = self._input(name)
        self._secret_nodes.add(literal >> 1)
        return literal

    def unknown_bit(self, name: str) -> int:
        """A bit of what a call begins with, which is no secret."""
        return self._input(name)

    def _input(self, name: str) -> int:
        return self.graph.input(name)

    def _place(
        self,
        name: str,
        size: int,
        words: tuple[Word, ...],
        is_written: bool,
        number: Polynomial | int = 0,
        align: int = 1,
        coefficients: tuple[Polynomial | int, ...] = (),
    ) -> Buffer:
        if any(buffer.name == name for buffer in self.buffers):
            raise CannotProve(
                f"the proof has two buffers named '{name}': a counterexample cannot tell their bytes apart"
            )
        if not self.is_avr:
            self._next += -self._next % align
        made = Buffer(name, self._next, size, words, is_written, number, coefficients)
        self._next += size + (0, 3, 5, 2)[self.placement % 4]
        if self._next > self._end_of_buffers:
            raise CannotProve(f"the buffers of this proof need more RAM than the device has, beginning with '{name}'")
        for at, word in enumerate(words):
            self.memory[made.address + at] = self.first_memory[made.address + at] = byte_of(word.bits)
        self.buffers.append(made)
        return made
