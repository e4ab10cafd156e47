"""A block cipher that is not followed: any function from blocks to blocks, for proofs of modes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bancada.formulas.graph import Graph
from bancada.formulas.word import Word
from bancada.prove.avr import Byte, Cpu, bits_of, byte_of
from bancada.prove.errors import CannotProve
from bancada.prove.thumb_cpu import LR, word_of
from bancada.prove.thumb_cpu import Cpu as ThumbCpu

Cipher = Callable[[Sequence[Word]], list[Word]]
Block = tuple[Word, ...]
BLOCK_BYTES = 16
# avr-gcc's calling convention: what a function need not restore, r1 apart.
_LOST = (0, *range(18, 28), 30, 31)
_I = 7
_LOST_ON_ARM = (0, 1, 2, 3, 12, 14)


class BlackBox:
    """What it was asked, and what it answered. The same block has the same answer."""

    def __init__(self, graph: Graph, context: int, unknown: Callable[[str], int]) -> None:
        self._graph = graph
        self._context = context
        self._unknown = unknown
        self._answers: dict[Block, Block] = {}
        self._specified: set[Block] = set()
        self._equal_inputs: list[tuple[Block, Block]] = []
        self._calls = 0

    def execute(self, cpu: Cpu, adds: bool) -> None:
        """A call of it, with the return. It destroys every register that it may destroy."""
        context, output, given = (self._pointer(cpu, register) for register in (24, 22, 20))
        addend = self._pointer(cpu, 18) if adds else None
        if context != self._context:
            raise CannotProve(f"the cipher at {cpu.where()} is called with another context")
        self._calls += 1
        answer = self._answer(self._block(cpu, given))
        if addend is not None:
            added = self._block(cpu, addend)
            answer = tuple(one ^ other for one, other in zip(answer, added, strict=True))
        for at, word in enumerate(answer):
            cpu.store(output + at, byte_of(word.bits))
        for register in _LOST:
            cpu.registers[register] = self._byte(f"r{register} after call {self._calls} of the cipher")
        for flag in range(_I):
            cpu.flags[flag] = self._unknown(f"flag {flag} after call {self._calls} of the cipher")
        high, low = cpu.pop(), cpu.pop()
        if not isinstance(high, int) or not isinstance(low, int):
            raise CannotProve(f"the cipher at {cpu.where()} returns to an address that depends on an input")
        cpu.pc = high << 8 | low

    def execute_thumb(self, cpu: ThumbCpu) -> None:
        """The same on a Cortex-M, for a cipher that does not add."""
        context, output, given = cpu.registers[:3]
        if not isinstance(output, int) or not isinstance(given, int):
            raise CannotProve(f"the cipher at {cpu.where()} is called with an address that depends on an input")
        if context != self._context:
            raise CannotProve(f"the cipher at {cpu.where()} is called with another context")
        self._calls += 1
        answer = self._answer(tuple(Word(self._graph, bits_of(cpu.load_byte(given + at))) for at in range(BLOCK_BYTES)))
        for at, word in enumerate(answer):
            cpu.store(output + at, word_of((*word.bits, *(0,) * 24)), 1)
        returns = cpu.registers[LR]
        for register in _LOST_ON_ARM:
            name = f"r{register} after call {self._calls} of the cipher"
            cpu.registers[register] = word_of([self._unknown(f"{name}.{bit}") for bit in range(32)])
        cpu.flags = [self._unknown(f"flag {flag} after call {self._calls} of the cipher") for flag in range(4)]
        cpu.jump(returns)
        cpu.pc = cpu.next_pc

    def specified(self, block: Sequence[Word]) -> list[Word]:
        """The specification asks it. A block that it was not asked yet has to be the one that the program asked first
        of those that the specification did not ask."""
        asked = tuple(block)
        if asked not in self._answers:
            left = [one for one in self._answers if one not in self._specified]
            if left:
                self._equal_inputs.append((left[0], asked))
                asked = left[0]
        self._specified.add(asked)
        return list(self._answer(asked))

    def take_equal_inputs(self) -> list[tuple[Block, Block]]:
        """Pairs of blocks, the program's and the specification's, that have to be equal; each once."""
        taken, self._equal_inputs = self._equal_inputs, []
        return taken

    def _answer(self, block: Block) -> Block:
        if block not in self._answers:
            number = len(self._answers) + 1
            self._answers[block] = tuple(
                Word(self._graph, tuple(self._unknown(f"block {number} of the cipher[{at}].{bit}") for bit in range(8)))
                for at in range(BLOCK_BYTES)
            )
        return self._answers[block]

    def _byte(self, name: str) -> Byte:
        return byte_of([self._unknown(f"{name}.{bit}") for bit in range(8)])

    def _pointer(self, cpu: Cpu, register: int) -> int:
        low, high = cpu.pointer(register)
        if not isinstance(low, int) or not isinstance(high, int):
            raise CannotProve(f"the cipher at {cpu.where()} is called with an address that depends on an input")
        return high << 8 | low

    def _block(self, cpu: Cpu, address: int) -> Block:
        return tuple(Word(self._graph, bits_of(cpu.load(address + at))) for at in range(BLOCK_BYTES))
