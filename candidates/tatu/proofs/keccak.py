"""SHA-3: Keccak-f[1600], and lanes that are added to its state."""

from __future__ import annotations

from bancada.formulas.word import Word, bytes_of, little_endian, word
from bancada.primitives.hash.algorithms.sha3_256 import specification as keccak
from bancada.prove.proof import Proof
from bancada.prove.records import Buffer

# On a Cortex-M lanes are bit-interleaved: the even bits are one word, the odd bits another. With Thumb-2 each word is
# kept turned to the right, by so many bits.
KECCAK_TURNS = (
    *((0, 0), (21, 21), (18, 17), (11, 11), (18, 18), (15, 14), (21, 21), (2, 1), (22, 21)),
    *((27, 26), (0, 31), (31, 31), (13, 13), (15, 15), (9, 9), (25, 24), (18, 18), (4, 4)),
    *((4, 3), (29, 28), (27, 27), (28, 28), (31, 30), (21, 20), (0, 0)),
)


def _keccak_places(proof: Proof) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Of each lane the numbers of its even and its odd word, and by how much they are turned."""
    if proof.program.has_thumb2:
        return [((2 * lane, 2 * lane + 1), turns) for lane, turns in enumerate(KECCAK_TURNS)]
    # Rows 0 to 2 of the even words, then of the odd ones; the same of rows 3 and 4.
    return [((lane, lane + 15) if lane < 15 else (lane + 15, lane + 25), (0, 0)) for lane in range(25)]


def _lanes(proof: Proof, state: list[Word]) -> list[Word]:
    """The 25 lanes of a kernel's state."""
    if not proof.is_cortex_m:
        return [little_endian(state[at : at + 8]) for at in range(0, 200, 8)]
    words = [little_endian(state[at : at + 4]) for at in range(0, 200, 4)]
    made = []
    for places, turns in _keccak_places(proof):
        even, odd = (words[place].rotated_left(turn) for place, turn in zip(places, turns, strict=True))
        pairs = zip(even.bits, odd.bits, strict=True)
        made.append(Word(proof.graph, tuple(bit for pair in pairs for bit in pair)))
    return made


def _state_of(proof: Proof, lanes: list[Word]) -> list[Word]:
    """The reverse."""
    if not proof.is_cortex_m:
        return [byte for each in lanes for byte in bytes_of(each)]
    words: dict[int, Word] = {}
    for lane, (places, turns) in zip(lanes, _keccak_places(proof), strict=True):
        for parity in range(2):
            words[places[parity]] = Word(proof.graph, lane.bits[parity::2]).rotated_right(turns[parity])
    return [byte for at in range(50) for byte in bytes_of(words[at])]


def keccak_f1600(proof: Proof) -> None:
    proof.is_for("avr", "thumb", "aarch64", "armv7-a")
    state = proof.secret("lanes", 200, written=True, align=8)
    proof.call("tatu_internal_keccak_permute", state)
    proof.shows("tatu/sha3-256", "hash", part="its permutation")
    lanes = keccak.permutation(_lanes(proof, list(state.words)))
    proof.equal(state, _state_of(proof, lanes))


def keccak_add_lanes(proof: Proof) -> None:
    """Five whole lanes of a message are added to the state (FIPS 202, section 4, step 6 of algorithm 8)."""
    _added(proof, proof.secret("input", 40, align=4))


def keccak_add_lanes_from_bytes(proof: Proof) -> None:
    """The same, from an odd address."""
    proof.secret("byte", 1, align=4)
    _added(proof, proof.secret_behind("input", 40))


def _added(proof: Proof, data: Buffer) -> None:
    state = proof.secret("lanes", 200, written=True, align=8)
    if proof.program.has_thumb2:
        first = 0
        turns = proof.known("turns", bytes(turn for pair in KECCAK_TURNS for turn in pair))
        proof.call("tatu_internal_interleaved_add_lanes", state, data, 5, turns)
    else:
        first = 13  # the state's even and odd words are further apart below lane 15 than from there on
        proof.call("tatu_internal_interleaved_add_lanes", state, data, first, first + 5)
    proof.shows("tatu/sha3-256", "hash", part="its blocks")
    lanes = _lanes(proof, list(state.words))
    for at in range(5):
        lanes[first + at] = lanes[first + at] ^ little_endian(data.words[8 * at : 8 * at + 8])
    proof.equal(state, _state_of(proof, lanes))


def keccak_absorb(proof: Proof) -> None:
    """Two blocks of SHA3-256 are added to the state and permuted, with NEON; five bytes are left."""
    _absorbed(proof, rate_bytes=136, blocks=2, left=5)


def keccak_absorb_72(proof: Proof) -> None:
    """A block of SHA3-512."""
    _absorbed(proof, rate_bytes=72, blocks=1, left=71)


def keccak_absorb_168(proof: Proof) -> None:
    """A block of SHAKE128."""
    _absorbed(proof, rate_bytes=168, blocks=1, left=0)


def _absorbed(proof: Proof, rate_bytes: int, blocks: int, left: int) -> None:
    """FIPS 202, section 4, step 6 of algorithm 8."""
    proof.is_for("armv7-a")
    state = proof.secret("lanes", 200, written=True, align=8)
    message = proof.secret("input", blocks * rate_bytes + left)
    returned = proof.call("tatu_internal_keccak_absorb", state, message, blocks * rate_bytes + left, rate_bytes)
    proof.shows("tatu/sha3-256", "hash", part="its blocks")
    proof.equal_value("what is left", returned, word(proof.graph, left, 8))
    lanes = _lanes(proof, list(state.words))
    for block in range(0, blocks * rate_bytes, rate_bytes):
        for at in range(rate_bytes // 8):
            from_byte = block + 8 * at
            lanes[at] = lanes[at] ^ little_endian(message.words[from_byte : from_byte + 8])
        lanes = keccak.permutation(lanes)
    proof.equal(state, _state_of(proof, lanes))
