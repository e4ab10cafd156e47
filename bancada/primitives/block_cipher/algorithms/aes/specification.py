"""AES as FIPS 197 (update of May 2023) describes it, for proofs: the state is 16 bytes, s[r, c] is byte r + 4c."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bancada.formulas.graph import Graph
from bancada.formulas.word import Word, word

State = list[Word]


def xtimes(byte: int) -> int:
    """Multiplication by x modulo x^8 + x^4 + x^3 + x + 1, section 4.2."""
    return byte << 1 & 0xFF ^ (0x1B if byte & 0x80 else 0)


def product(first: int, second: int) -> int:
    """Multiplication in GF(2^8), section 4.2."""
    total = 0
    while second:
        if second & 1:
            total ^= first
        first, second = xtimes(first), second >> 1
    return total


def _substitution(byte: int) -> int:
    """SBOX, section 5.1.1: the multiplicative inverse, then the affine transformation (5.2)."""
    inverse = next((each for each in range(256) if product(byte, each) == 1), 0)
    total = 0x63
    for places in range(5):
        total ^= inverse << places & 0xFF | inverse >> (8 - places)
    return total


SBOX = [_substitution(byte) for byte in range(256)]
INVSBOX = [SBOX.index(byte) for byte in range(256)]


def _times(byte: Word, factor: int) -> Word:
    """byte * factor in GF(2^8), bit by bit."""
    total = word(byte.graph, 0, 8)
    while factor:
        if factor & 1:
            total = total ^ byte
        high = byte.bits[7]
        reduction = Word(byte.graph, tuple(high if 0x1B >> bit & 1 else 0 for bit in range(8)))
        byte, factor = byte << 1 ^ reduction, factor >> 1
    return total


def sub_bytes(state: State) -> State:
    """Section 5.1.1."""
    return [byte.lookup(SBOX) for byte in state]


def shift_rows(state: State) -> State:
    """Section 5.1.2."""
    return [state[row + 4 * ((column + row) % 4)] for column in range(4) for row in range(4)]


def _mix(state: State, factors: Sequence[int]) -> State:
    mixed = []
    for column in range(4):
        for row in range(4):
            total = word(state[0].graph, 0, 8)
            for at in range(4):
                total = total ^ _times(state[at + 4 * column], factors[(at - row) % 4])
            mixed.append(total)
    return mixed


def mix_columns(state: State) -> State:
    """Section 5.1.3."""
    return _mix(state, (2, 3, 1, 1))


def add_round_key(state: State, round_key: Sequence[Word]) -> State:
    """Section 5.1.4."""
    return [byte ^ key for byte, key in zip(state, round_key, strict=True)]


def key_expansion(key: Sequence[Word], rounds: int) -> list[Word]:
    """Section 5.2: the bytes of the words w[0] to w[4 * rounds + 3]."""
    words = [list(key[at : at + 4]) for at in range(0, len(key), 4)]
    length = len(words)
    constant = 1
    for at in range(length, 4 * (rounds + 1)):
        made = list(words[at - 1])
        if at % length == 0:
            made = [byte.lookup(SBOX) for byte in made[1:] + made[:1]]
            made[0] = made[0] ^ constant
            constant = xtimes(constant)
        elif length > 6 and at % length == 4:
            made = [byte.lookup(SBOX) for byte in made]
        words.append([one ^ other for one, other in zip(words[at - length], made, strict=True)])
    return [byte for each in words for byte in each]


def cipher(block: Sequence[Word], rounds: int, round_keys: Sequence[Word]) -> State:
    """CIPHER, section 5.1, algorithm 1."""
    state = add_round_key(list(block), round_keys[:16])
    for number in range(1, rounds + 1):
        state = shift_rows(sub_bytes(state))
        if number < rounds:
            state = mix_columns(state)
        state = add_round_key(state, round_keys[16 * number : 16 * number + 16])
    return state


def _undo_affine(byte: Word) -> Word:
    """Equation (5.2) solved for the inverse: the sum of the byte rotated by 1, 3 and 6, and 5."""
    return byte.rotated_left(1) ^ byte.rotated_left(3) ^ byte.rotated_left(6) ^ 0x05


def _inverse_by_table(byte: Word) -> Word:
    return byte.lookup(INVSBOX)


def inverse_by_sbox(byte: Word) -> Word:
    """INVSBOX by SBOX. Without its affine part SBOX is its own inverse, so SBOX between two undone affine parts is
    INVSBOX: this is held for all 256 bytes below."""
    return _undo_affine(_undo_affine(byte).lookup(SBOX))


def _hold_inverse_by_sbox() -> None:
    graph = Graph()
    if [inverse_by_sbox(word(graph, byte, 8)).value() for byte in range(256)] != INVSBOX:
        raise AssertionError("inverse_by_sbox is not INVSBOX")


_hold_inverse_by_sbox()


def inv_cipher(
    block: Sequence[Word],
    rounds: int,
    round_keys: Sequence[Word],
    inverse: Callable[[Word], Word] = _inverse_by_table,
) -> State:
    """INVCIPHER, section 5.3, algorithm 3. `inverse` is INVSBOX, in one of the two forms above."""
    state = add_round_key(list(block), round_keys[16 * rounds :])
    for number in range(rounds - 1, -1, -1):
        # INVSHIFTROWS, section 5.3.1.
        state = [state[row + 4 * ((column - row) % 4)] for column in range(4) for row in range(4)]
        # INVSUBBYTES, section 5.3.2.
        state = [inverse(byte) for byte in state]
        state = add_round_key(state, round_keys[16 * number : 16 * number + 16])
        if number:
            # INVMIXCOLUMNS, section 5.3.3.
            state = _mix(state, (14, 11, 13, 9))
    return state
