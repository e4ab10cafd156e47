"""ChaCha20: its rounds, a block, and whole blocks of a message."""

from __future__ import annotations

from bancada.formulas.word import Word, bytes_of, little_endian, word
from bancada.primitives.keystream.algorithms.chacha20 import specification as chacha20
from bancada.prove.proof import Proof


def chacha20_rounds(proof: Proof) -> None:
    state = proof.secret("state", 64, written=True, align=8)
    proof.call("tatu_internal_chacha20_permute", state)
    for operation in ("keystream", "stream"):
        proof.shows("tatu/chacha20", operation, part="its rounds")
    proof.equal(
        state, [byte for each in chacha20.inner_rounds(chacha20.words_of(state.words)) for byte in bytes_of(each)]
    )


def chacha20_block(proof: Proof) -> None:
    """RFC 8439, section 2.3, for any key, counter and nonce."""
    key = proof.secret("key", 32)
    output = proof.output("output", 64)
    counter = proof.unknown("counter", 32)
    nonce = proof.secret("nonce", 12)
    proof.call("tatu_chacha20_block", key, output, counter, nonce)
    for operation in ("keystream", "stream"):
        proof.shows("tatu/chacha20", operation, part="a block")
    constants = [word(proof.graph, byte, 8) for byte in b"expand 32-byte k"]
    proof.equal(output, chacha20.block([*constants, *key.words, *bytes_of(counter), *nonce.words]))


def chacha20_next_block(proof: Proof) -> None:
    """RFC 8439, section 2.3, for any state; its counter goes on by one."""
    key_stream = proof.output("key stream", 64)
    state = proof.secret("state", 64, written=True, align=4)
    proof.call("tatu_internal_chacha20_next_block", key_stream, state)
    for operation in ("keystream", "stream"):
        proof.shows("tatu/chacha20", operation, part="a block")
    proof.equal(key_stream, chacha20.block(state.words))
    proof.equal(state, _counted(list(state.words)))


def _counted(state: list[Word]) -> list[Word]:
    """The state of the next block, whose counter is word 12."""
    return [*state[:48], *bytes_of(little_endian(state[48:52]) + 1), *state[52:]]


def chacha20_crypt_blocks(proof: Proof) -> None:
    """Two whole blocks of a message (section 2.4)."""
    state = proof.secret("state", 64, written=True, align=4)
    output = proof.output("output", 128)
    data = proof.secret("input", 128)
    proof.call("tatu_internal_chacha20_crypt_blocks", state, output, data, 2)
    for operation in ("keystream", "stream"):
        proof.shows("tatu/chacha20", operation, part="whole blocks")
    first = list(state.words)
    second = _counted(first)
    stream = chacha20.block(first) + chacha20.block(second)
    proof.equal(output, [one ^ other for one, other in zip(data.words, stream, strict=True)])
    proof.equal(state, _counted(second))


def _block_of_four(words: list[Word], counter: Word, number: int, undoes: bool) -> list[Word]:
    """Block `number` of the four in NEON's registers, in the order in which the kernel adds: the rounds begin with
    the counter plus the number, and to their result the kernel adds the counter and as many ones.

    `undoes`: the kernel begins a round more with words 0 and 2, and undoes that by the rule (a + b) - b = a.
    """
    first = [*words[:12], counter + number, *words[13:]]
    again = [*words[:12], _with_ones(counter, number), *words[13:]]
    made = chacha20.inner_rounds(first)
    for at in (0, 2) if undoes else ():
        made[at] = made[at] + made[at + 4] - made[at + 4]
    return _added(made, again)


def _fifth_block(words: list[Word], counter: Word) -> list[Word]:
    """The fifth block, in the core's registers: the kernel adds 4 to the result's word 12, and then the counter."""
    made = chacha20.inner_rounds([*words[:12], counter + 4, *words[13:]])
    return _added([*made[:12], made[12] + 4, *made[13:]], [*words[:12], counter, *words[13:]])


def _with_ones(word: Word, count: int) -> Word:
    for _ in range(count):
        word = word + 1
    return word


def _added(one: list[Word], other: list[Word]) -> list[Word]:
    return [byte for a, b in zip(one, other, strict=True) for byte in bytes_of(a + b)]


def _five_blocks(proof: Proof, is_in_place: bool) -> None:
    """Twice five whole blocks of a message at once, with NEON (section 2.4). Sums of several words are in the order of
    the kernel: addition is associative, and its carries are not."""
    proof.is_for("aarch64", "armv7-a")
    is_armv7_a = proof.program.machine == "armv7-a"
    times = 2
    state = proof.secret("state", 64, written=True, align=4)
    data = proof.secret("input", 320 * times, written=is_in_place)
    output = data if is_in_place else proof.output("output", 320 * times)
    proof.call("tatu_internal_chacha20_crypt_5_blocks", state, output, data, times)
    for operation in ("keystream", "stream"):
        proof.shows("tatu/chacha20", operation, part="five blocks at once")
    words = chacha20.words_of(state.words)
    counter = stored = words[12]
    stream: list[Word] = []
    for _ in range(times):
        for number in range(4):
            stream += _block_of_four(words, counter, number, is_armv7_a)
        stream += _fifth_block(words, stored)
        stored = stored + 5
        # On an Armv7-A the next five begin with what is stored, on an AArch64 with what is in the vectors.
        counter = stored if is_armv7_a else _with_ones(counter, 5)
    proof.equal(output, [one ^ other for one, other in zip(data.words, stream, strict=True)])
    proof.equal(state, [*state.words[:48], *bytes_of(stored), *state.words[52:]])


def chacha20_five_blocks(proof: Proof) -> None:
    _five_blocks(proof, is_in_place=False)


def chacha20_five_blocks_in_place(proof: Proof) -> None:
    """The output is where the message was."""
    _five_blocks(proof, is_in_place=True)
