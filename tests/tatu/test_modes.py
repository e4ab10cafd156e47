"""CBC and CTR: NIST's vectors and OpenSSL's modes, IVs and counter blocks, every buffer layout, every way to fail."""

from __future__ import annotations

import random

import pytest

from tests.tatu.cipher_programs import (
    AES,
    CIPHERS,
    DRIVER,
    ERR_ENTROPY,
    ERR_EXHAUSTED,
    ERR_LENGTH,
    OK,
    PARTS,
    Block,
    hexadecimal,
    responses,
)
from tests.tatu.machines import HOSTS, PORTABLE, Driver, driver_on, runs_on

pytestmark = pytest.mark.long

NIST_SETS = ("GFSbox", "KeySbox", "VarKey", "VarTxt", "MMT")
LAYOUTS = ("apart", "same", "behind")


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, DRIVER, PARTS, tmp_path_factory)


def named(cipher: Block) -> str:
    return cipher.name


def xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=False))


def model_cbc(cipher: Block, key: bytes, iv: bytes, message: bytes) -> bytes:
    """IV and ciphertext: SP 800-38A, section 6.2."""
    chain = [iv]
    for i in range(0, len(message), cipher.block_bytes):
        chain.append(cipher.encrypt(key, xor(message[i : i + cipher.block_bytes], chain[-1])))
    return b"".join(chain)


def model_ctr(cipher: Block, key: bytes, counter: int, message: bytes) -> bytes:
    """First counter block and ciphertext: SP 800-38A, section 6.5, counting over the whole block."""
    size = cipher.block_bytes
    counters = [(counter + i) % 256**size for i in range(len(message) // size + 1)]
    stream = b"".join(cipher.encrypt(key, c.to_bytes(size, "big")) for c in counters)
    return counter.to_bytes(size, "big") + xor(message, stream)


@runs_on(*HOSTS, *PORTABLE)
@pytest.mark.parametrize("cipher", AES, ids=named)
def test_cbc_nist_known_answers_and_multi_block_messages(driver: Driver, cipher: Block) -> None:
    records = [r for name in NIST_SETS for r in responses("AES", "CBC", f"CBC{name}{8 * cipher.key_bytes}.rsp")]
    assert len(records) > 400
    commands, expected = [], []
    for r in records:
        packet = r["IV"] + r["CIPHERTEXT"]
        if r["DIRECTION"] == "ENCRYPT":
            commands.append(f"cbc {cipher.name} encrypt apart {r['KEY']} {r['IV']} {r['PLAINTEXT']}")
            expected.append(f"0 {packet}")
        else:
            commands.append(f"cbc {cipher.name} decrypt apart {r['KEY']} - {packet}")
            expected.append(f"0 {r['PLAINTEXT']}")
    assert driver.run(commands) == expected


@runs_on(*HOSTS, *PORTABLE)
@pytest.mark.parametrize("cipher", AES, ids=named)
def test_ctr_rfc_3686_vectors(driver: Driver, cipher: Block) -> None:
    records = list(responses("AES", "CTR", f"aes-{8 * cipher.key_bytes}-ctr.txt"))
    assert len(records) == 3
    encrypted = driver.run(f"ctr {cipher.name} encrypt apart {r['KEY']} {r['IV']} - {r['PLAINTEXT']}" for r in records)
    assert encrypted == [f"0 0 {r['IV']}{r['CIPHERTEXT']}" for r in records]
    decrypted = driver.run(
        f"ctr {cipher.name} decrypt apart {r['KEY']} - - {r['IV']}{r['CIPHERTEXT']}" for r in records
    )
    assert decrypted == [f"0 {r['PLAINTEXT']}" for r in records]


@runs_on(*HOSTS)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("cipher", CIPHERS, ids=named)
def test_cbc_of_every_length_in_every_layout(driver: Driver, cipher: Block, layout: str) -> None:
    chance = random.Random(f"{cipher.name} {layout}")
    key = chance.randbytes(cipher.key_bytes)
    size = cipher.block_bytes
    messages = [chance.randbytes(size * blocks) for blocks in range(8)]
    ivs = [chance.randbytes(size) for _ in messages]
    packets = [model_cbc(cipher, key, iv, message) for iv, message in zip(ivs, messages, strict=True)]
    encrypted = driver.run(
        f"cbc {cipher.name} encrypt {layout} {key.hex()} {iv.hex()} {hexadecimal(message)}"
        for iv, message in zip(ivs, messages, strict=True)
    )
    assert encrypted == [f"{OK} {packet.hex()}" for packet in packets]
    decrypted = driver.run(f"cbc {cipher.name} decrypt {layout} {key.hex()} - {packet.hex()}" for packet in packets)
    assert decrypted == [f"{OK} {hexadecimal(message)}" for message in messages]


@runs_on(*HOSTS)
@pytest.mark.parametrize("cipher", CIPHERS, ids=named)
def test_cbc_takes_its_iv_from_the_entropy_function_for_each_message(driver: Driver, cipher: Block) -> None:
    key, message = bytes(cipher.key_bytes), bytes(2 * cipher.block_bytes)
    chance = random.Random(cipher.name)
    ivs = [chance.randbytes(cipher.block_bytes) for _ in range(20)]
    answers = driver.run(f"cbc {cipher.name} encrypt apart {key.hex()} {iv.hex()} {message.hex()}" for iv in ivs)
    assert [answer.split()[1][: 2 * cipher.block_bytes] for answer in answers] == [iv.hex() for iv in ivs]
    assert len({answer[-2 * cipher.block_bytes :] for answer in answers}) == len(ivs)


@runs_on(*HOSTS)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("cipher", CIPHERS, ids=named)
def test_cbc_that_fails_leaves_zeros_only(driver: Driver, cipher: Block, layout: str) -> None:
    key, size = bytes(cipher.key_bytes).hex(), cipher.block_bytes
    short_entropy, entropy = (b"\x01" * (size - 1)).hex(), (b"\x01" * size).hex()
    message = (b"x" * 2 * size).hex()
    assert driver.run([f"cbc {cipher.name} encrypt {layout} {key} {short_entropy} {message}"]) == [
        f"{ERR_ENTROPY} {bytes(3 * size).hex()}"
    ]
    lengths = [n for n in range(1, 3 * size) if n % size]
    encrypted = driver.run(f"cbc {cipher.name} encrypt {layout} {key} {entropy} {(b'x' * n).hex()}" for n in lengths)
    assert encrypted == [f"{ERR_LENGTH} {bytes(size + n).hex()}" for n in lengths]
    decrypted = driver.run(f"cbc {cipher.name} decrypt {layout} {key} - {(b'x' * (size + n)).hex()}" for n in lengths)
    assert decrypted == [f"{ERR_LENGTH} {bytes(n).hex()}" for n in lengths]


@runs_on(*HOSTS)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("cipher", CIPHERS, ids=named)
def test_ctr_counts_on_through_messages_of_every_length(driver: Driver, cipher: Block, layout: str) -> None:
    chance = random.Random(f"{cipher.name} {layout}")
    key, size = chance.randbytes(cipher.key_bytes), cipher.block_bytes
    first = 256**size - 9  # the counter wraps to zero on the way, which SP 800-38A, appendix B.1, allows
    messages = [chance.randbytes(n) for n in range(1, 50)]
    packets, counter = [], first
    for message in messages:
        packets.append(model_ctr(cipher, key, counter, message))
        counter = (counter + -(-len(message) // size)) % 256**size
    texts = ",".join(message.hex() for message in messages)
    [answer] = driver.run([f"ctr {cipher.name} encrypt {layout} {key.hex()} {first.to_bytes(size).hex()} - {texts}"])
    assert answer.split() == ["0", *(word for packet in packets for word in ("0", packet.hex()))]
    decrypted = driver.run(f"ctr {cipher.name} decrypt {layout} {key.hex()} - - {packet.hex()}" for packet in packets)
    assert decrypted == [f"0 {message.hex()}" for message in messages]


@runs_on(*HOSTS)
def test_ctr_of_nothing_is_a_counter_block_that_stays_unused(driver: Driver) -> None:
    key, counter = bytes(16).hex(), bytes(range(16)).hex()
    [answer] = driver.run([f"ctr aes128-plain encrypt apart {key} {counter} - -,61"])
    words = answer.split()
    assert words[:3] == ["0", "0", counter]
    assert words[4].startswith(counter)


@runs_on(*HOSTS)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("cipher", CIPHERS, ids=named)
def test_ctr_refuses_when_its_blocks_are_used_up(driver: Driver, cipher: Block, layout: str) -> None:
    key, size = bytes(cipher.key_bytes).hex(), cipher.block_bytes
    three_blocks, two_blocks, one_byte = (b"x" * (2 * size + 1)).hex(), (b"x" * (size + 1)).hex(), "78"
    [answer] = driver.run(
        [f"ctr {cipher.name} encrypt {layout} {key} {key[: 2 * size]} 2 {three_blocks},{two_blocks},{one_byte}"]
    )
    start, *words = answer.split()
    assert start == str(OK)
    assert words[0:2] == [str(ERR_EXHAUSTED), bytes(3 * size + 1).hex()]
    assert words[2] == str(OK)
    assert words[4:6] == [str(ERR_EXHAUSTED), bytes(size + 1).hex()]


@runs_on(*HOSTS)
@pytest.mark.parametrize("cipher", CIPHERS, ids=named)
def test_ctr_that_did_not_start_encrypts_nothing(driver: Driver, cipher: Block) -> None:
    key, size = bytes(cipher.key_bytes).hex(), cipher.block_bytes
    [answer] = driver.run([f"ctr {cipher.name} encrypt apart {key} {'01' * (size - 1)} - 78"])
    assert answer.split() == [str(ERR_ENTROPY), str(ERR_EXHAUSTED), bytes(size + 1).hex()]
