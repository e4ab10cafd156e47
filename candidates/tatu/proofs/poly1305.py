"""Poly1305: a block is added to the accumulator, which is multiplied by r (RFC 8439, section 2.5)."""

from __future__ import annotations

from bancada.prove.proof import Proof

# Section 2.5.1: the upper four bits of four bytes of r are zero, and the lower two of three others.
CLAMPED = bytes([255, 255, 255, 15, 252, 255, 255, 15, 252, 255, 255, 15, 252, 255, 255, 15])
# Of the kernel's accumulator, which it leaves below 2^131.
ACCUMULATOR = bytes([*[255] * 16, 7])
PRIME = 2**130 - 5


def poly1305_multiply(proof: Proof) -> None:
    """The kernel takes the absolute values of two differences, and keeps three carries as masks."""
    proof.needs_an_avr()
    proof.by_cases(5)
    r = proof.numbers("r", 16, masks=CLAMPED)
    accumulator = proof.numbers("accumulator", 17, written=True, masks=ACCUMULATOR)
    block = proof.numbers("block", 16)
    proof.call("tatu_internal_poly1305_multiply", accumulator, r, block, 1)
    for implementation, operations in (
        ("tatu/poly1305", ("mac",)),
        ("tatu/chacha20-poly1305", ("encrypt", "decrypt")),
    ):
        for operation in operations:
            proof.shows(implementation, operation, part="a block of Poly1305")
    proof.equal_modulo(accumulator, (accumulator.number + block.number + 2**128) * r.number, PRIME, bits=131)
