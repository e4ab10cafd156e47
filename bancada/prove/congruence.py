"""Is what a buffer holds the expected number, modulo the modulus, for every input?"""

from __future__ import annotations

from bancada.formulas.polynomial import Monomial, Polynomial, Range
from bancada.prove.avr_number import Number
from bancada.prove.proof import Proof
from bancada.prove.records import Congruence

BY_POLYNOMIALS = "polynomials"


def difference_of(proof: Proof, congruence: Congruence) -> str:
    """What keeps a congruence from being an equality of polynomials; '' if nothing: then it holds for every input.

    The bytes are put together again. Coefficients count modulo the modulus. What is left of the carries has to cancel.
    """
    assert proof.integers is not None
    if congruence.bounds is not None:
        return _difference_of_a_word(proof, congruence, congruence.bounds)
    bytes_: list[object] = list(congruence.found)
    total = proof.integers.constant(0)
    high = 0
    for at, byte in enumerate(bytes_):
        if isinstance(byte, Number) and not byte.flags:
            total = total + byte.value * (1 << 8 * at)
            high += byte.range.high << 8 * at
        elif isinstance(byte, int):
            total = total + (byte << 8 * at)
            high += byte << 8 * at
        else:
            return f"'{congruence.place.name}[{at}]' is no number"
    if high >> congruence.bits:
        return f"'{congruence.place.name}' may reach 2^{congruence.bits}, as far as its bytes' bounds tell"
    difference = proof.integers.with_assumed(proof.integers.without_names(total - congruence.expected))
    modulus = congruence.modulus
    left = _left(difference, modulus)
    while left:
        dropped = _dropped(proof, left, modulus)
        if dropped is None:
            name = congruence.place.name
            return f"'{name}' and the specification are polynomials that differ in {len(left):,} terms"
        kept = proof.integers.without_names(Polynomial(proof.integers, left) - dropped)
        left = _left(proof.integers.with_assumed(kept), modulus)
    return ""


def _difference_of_a_word(proof: Proof, congruence: Congruence, bounds: Range) -> str:
    """The same of a word with a sign."""
    assert proof.steps is not None and proof.steps.words is not None
    found = proof.steps.words.number_of(*congruence.found)
    if found is None:
        return f"'{congruence.place.name}' may be beyond {congruence.bits} bits, as far as bounds tell"
    number, known = found
    if known.low < bounds.low or known.high > bounds.high:
        return f"'{congruence.place.name}' may be {known.low} to {known.high}, as far as bounds tell"
    assert proof.integers is not None
    difference = proof.integers.with_assumed(number - congruence.expected)
    left = proof.steps.words.residue(difference, congruence.modulus)
    if left.terms:
        return f"'{congruence.place.name}' and the specification are polynomials that differ in {len(left.terms)} terms"
    return ""


def _left(difference: Polynomial, modulus: int) -> dict[Monomial, int]:
    return {at: each for at, each in difference.terms.items() if (each % modulus if modulus else each)}


def _dropped(proof: Proof, left: dict[Monomial, int], modulus: int) -> Polynomial | None:
    """A multiple of a carry that is 0, which has an atom that is left; or of a floor less the number that it is."""
    assert proof.integers is not None
    for atom in sorted((at[0] for at in left if len(at) == 1), reverse=True):
        alone = Polynomial(proof.integers, {(atom,): 1})
        for carry, known in ((proof.carries.get(atom), Range(0, 1)), (alone, proof.integers.range_of(alone))):
            if carry is not None and abs(carry.terms.get((atom,), 0)) == 1 and proof.integers.is_zero(carry, known):
                return carry * (left[atom,] * carry.terms[atom,])
        known = proof.integers.range_of(alone)
        for value in (known.low, known.high) if known.high - known.low == 1 else ():
            if value and proof.integers.is_zero(alone - value, Range(known.low - value, known.high - value)):
                return (alone - value) * left[atom,]
    return None
