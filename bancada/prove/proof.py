"""One call of a function with every input at once: what a specification file works with.

def my_cipher(proof: Proof) -> None:
    key = proof.secret("key", 16)
    block = proof.secret("block", 16)
    output = proof.output("output", 16)
    proof.call("my_cipher", output, block, key)
    proof.equal(output, [one ^ other for one, other in zip(block.words, key.words)])
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from bancada.formulas.graph import TRUE
from bancada.formulas.polynomial import Polynomial, Range
from bancada.formulas.word import Word
from bancada.prove.aarch64_call import call as aarch64_call
from bancada.prove.avr import Byte, bits_of
from bancada.prove.avr_call import call as avr_call
from bancada.prove.avr_call import call_with_pointers
from bancada.prove.avr_number import Number
from bancada.prove.errors import CannotProve, ContractBroken
from bancada.prove.records import Buffer, Congruence, Equality, NumberArgument
from bancada.prove.setting import Setting
from bancada.prove.thumb_call import call as thumb_call

_INSTRUCTIONS = 20_000_000


@dataclass
class Proof(Setting):
    """Everything that a proof collects: the calls, and the equalities that have to hold."""

    # The call.

    def call(self, function: str, *arguments: Buffer | int | Word | NumberArgument) -> Byte:
        """Calls the function as avr-gcc does and returns what it returns in r24.

        A buffer is passed as its address, an integer in two bytes, as `int`, `size_t` and `uint8_t` are, and a word in
        as many bytes as it has, rounded up to an even number. On a Cortex-M each is a register, or a word on the
        stack, and what is returned is the lowest byte of r0; on an AArch64 each is a register of up to 64 bits, and
        what is returned is the lowest byte of x0. On an AVR the byte above a `number` is 0. Raises ContractBroken if
        the function reads or writes what it may not, or leaves a register that it must keep, SP, r1 or the I flag
        changed.
        """
        most = self.most_instructions or _INSTRUCTIONS
        if self.program.machine == "avr":
            return avr_call(self, function, arguments, most)
        passed = tuple(each for each in arguments if not isinstance(each, NumberArgument))
        if passed != arguments:
            raise CannotProve("a proof about numbers is of programs for an AVR")
        if self.program.machine in ("thumb", "armv7-a"):
            return thumb_call(self, function, passed, most)
        return aarch64_call(self, function, passed, most)

    def call_with_pointers(self, function: str, pointers: Mapping[str, tuple[Buffer, int | None]]) -> tuple[Byte, ...]:
        """Calls a function of an AVR that has an interface of its own: X, Y and Z point to these buffers before, and so
        many bytes further after it; None: anywhere. It may lose every other register. Gives what is in the registers
        then.

        Raises what `call` does, and ContractBroken if a pointer is elsewhere.
        """
        self.needs_an_avr()
        return call_with_pointers(self, function, pointers, self.most_instructions or _INSTRUCTIONS)

    def value_of(self, byte: Byte) -> Polynomial | int:
        """The number that a byte is, in a proof about numbers."""
        found: object = byte
        if isinstance(found, Number) and not found.flags:
            return found.value
        if isinstance(byte, int):
            return byte
        raise CannotProve("what a register holds is no number")

    def secrecy(self) -> Callable[[Byte], bool]:
        """Whether a byte depends on a secret."""
        if self.integers is None:
            tainted = self._depending_on_secrets()
            return lambda byte: not isinstance(byte, int) and any(literal >> 1 in tainted for literal in byte)
        integers = self.integers

        def depends(byte: object) -> bool:
            found = integers.inputs_of([byte.value]) if isinstance(byte, Number) else ()
            return any(" before " not in integers.name_of(atom) for atom in found)

        return depends

    def may_write(self) -> set[int]:
        """The addresses of the buffers that a function may write."""
        return {
            at
            for buffer in self.buffers
            if buffer.is_written
            for at in range(buffer.address, buffer.address + buffer.size)
        }

    def name_of(self, address: int) -> str:
        """The buffer that is near, and how far into it."""
        for buffer in self.buffers:
            if -16 <= address - buffer.address < buffer.size + 16:
                return f"{buffer.name}[{address - buffer.address}]"
        return f"address 0x{address:04x}"

    def _depending_on_secrets(self) -> set[int]:
        tainted = set(self._secret_nodes)
        for node in range(1, len(self.graph)):
            operation = self.graph.operation(node)
            if operation is not None and any(operand >> 1 in tainted for operand in operation[1]):
                tainted.add(node)
        return tainted

    # What it must have done.

    def after(self, buffer: Buffer) -> list[Word]:
        """What the buffer holds now. ContractBroken: a byte of it was never written."""
        found = []
        for at in range(buffer.size):
            byte = self.memory.get(buffer.address + at)
            if byte is None:
                raise ContractBroken(f"{buffer.name}[{at}] was never written")
            found.append(Word(self.graph, bits_of(byte)))
        return found

    def equal(self, buffer: Buffer, expected: Sequence[Word]) -> None:
        """The buffer has to hold these bytes, for every value of every input."""
        for box in self._inputs_of_boxes:
            for at, (asked, specified) in enumerate(box.take_equal_inputs(), start=1):
                found_bits = [bit for word in asked for bit in word.bits]
                wanted_bits = [bit for word in specified for bit in word.bits]
                self.equalities.append(Equality(f"the cipher's input {at}", found_bits, wanted_bits, None, 0))
        if len(expected) != buffer.size:
            raise CannotProve(
                f"the specification has {len(expected)} bytes for '{buffer.name}', which has {buffer.size}"
            )
        found = [bit for word in self.after(buffer) for bit in word.bits]
        wanted = [bit for word in self._specified(expected) for bit in word.bits]
        self.equalities.append(Equality(buffer.name, found, wanted, buffer, len(self.calls)))

    def equal_value(self, what: str, found: Byte, expected: Word) -> None:
        """A byte that the last call returned has to be this one, for every value of every input."""
        [wanted] = self._specified([expected])
        self.equalities.append(Equality(what, list(bits_of(found)), list(wanted.bits), None, len(self.calls)))

    def _specified(self, expected: Sequence[Word]) -> list[Word]:
        return [each.itself() for each in expected]

    def equal_modulo(
        self,
        buffer: Buffer,
        expected: Polynomial | int,
        modulus: int,
        bits: int | None = None,
        returned: Byte | None = None,
    ) -> None:
        """The buffer has to hold a number that is the expected one modulo `modulus`, or exactly if that is 0; and that
        is below 2^`bits`. `returned`: what the last call returned is the byte above the buffer."""
        found = []
        for at in range(buffer.size):
            byte = self.memory.get(buffer.address + at)
            if byte is None:
                raise ContractBroken(f"{buffer.name}[{at}] was never written")
            found.append(byte)
        if returned is not None:
            found.append(returned)
        width = 8 * len(found) if bits is None else bits
        expected = self.watcher.number(expected)
        self.congruences.append(
            Congruence(buffer, found, expected, modulus, width, len(self.calls), returned is not None)
        )

    def equal_number(self, what: str, found: Byte, expected: Polynomial | int) -> None:
        """A byte that the last call returned has to be this number, in a proof about numbers."""
        nothing = Buffer(what, self.buffers[0].address, 0, (), False)
        self.equal_modulo(nothing, expected, 0, returned=found)

    def equal_coefficients(
        self, buffer: Buffer, expected: Sequence[Polynomial | int], modulus: int, low: int, high: int
    ) -> None:
        """The buffer has to hold words with a sign, each the expected number modulo `modulus`, from `low` to `high`."""
        size = buffer.size // len(expected)
        for at, each in enumerate(expected):
            place = replace(buffer, name=f"{buffer.name}[{at}]", address=buffer.address + size * at, size=size)
            self.equal_modulo(place, each, modulus)
            self.congruences[-1].bounds = Range(low, high)

    @property
    def carries(self) -> dict[int, Polynomial]:
        """Of a proof about numbers: what its additions carried, by the newest atom in it."""
        return self.steps.carries if self.steps is not None else {}

    def has_the_formulas_of(self, other: Proof) -> bool:
        """Whether the same literals of the same graph have to be equal."""
        mine, others = ([(one.found, one.expected) for one in each.equalities] for each in (self, other))
        is_of_bits = self.integers is None and other.integers is None
        return is_of_bits and mine == others and self.graph.is_same(other.graph)

    @property
    def is_vacuous(self) -> bool:
        """No output depends on an input, nor did it before the calls, as what is wiped does: nothing was shown."""
        if any(not isinstance(byte, int) for each in self.congruences for byte in each.found):
            return False
        before = (word for each in self.equalities if each.place is not None for word in each.place.words)
        outputs = (literal for equality in self.equalities for literal in equality.found)
        return all(literal <= TRUE for literal in outputs) and all(bit <= TRUE for word in before for bit in word.bits)


ProofFunction = Callable[[Proof], None]
