"""What the library does with memory whatever the cipher: tags are compared, secrets wiped, strings added."""

from __future__ import annotations

from bancada.formulas.word import Word, word
from bancada.prove.proof import Proof


def equal_16(proof: Proof) -> None:
    """The comparison of tags, at the length of a tag: 1 if all bytes are equal, else 0."""
    one = proof.secret("one", 16)
    other = proof.secret("other", 16)
    answer = proof.call("tatu_equal", one, other, 16)
    difference = word(proof.graph, 0, 8)
    for first, second in zip(one.words, other.words, strict=True):
        difference = difference | (first ^ second)
    any_bit = difference.part(0, 1)
    for bit in range(1, 8):
        any_bit = any_bit | difference.part(bit, 1)
    proof.equal_value("the answer", answer, Word(proof.graph, ((~any_bit).bits[0], *(0,) * 7)))


def wipe(proof: Proof) -> None:
    """Zeros in the place of what was there, at lengths around those of keys and states."""
    for length in (1, 16, 255, 256, 339):
        buffer = proof.secret(f"buffer of {length}", length, written=True)
        proof.call("tatu_wipe", buffer, length)
        proof.equal(buffer, [word(proof.graph, 0, 8)] * length)


def exclusive_or(proof: Proof) -> None:
    """Of two strings, at lengths on both sides of the eight bytes that are taken at once."""
    for length in (1, 8, 16, 37):
        one = proof.secret(f"one of {length}", length)
        other = proof.secret(f"other of {length}", length)
        output = proof.output(f"output of {length}", length)
        proof.call("tatu_internal_xor_avr", output, one, other, length)
        proof.equal(output, [first ^ second for first, second in zip(one.words, other.words, strict=True)])
