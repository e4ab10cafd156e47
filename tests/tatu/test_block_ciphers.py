"""AES against NIST's vectors and OpenSSL's AES, Speck against its designers' vectors and a model: every variant."""

from __future__ import annotations

import random

import pytest

from tests.tatu.cipher_programs import AES, CIPHERS, DRIVER, PARTS, SPECK, Block, hexadecimal, responses
from tests.tatu.machines import HOSTS, PORTABLE, Driver, driver_on, runs_on

NIST_SETS = ("GFSbox", "KeySbox", "VarKey", "VarTxt", "MMT")

# The designers' vectors (2013 paper, appendix C) as bytes in the order of the Implementation Guide: key, plaintext,
# ciphertext.
SPECK_VECTORS = {
    "speck128_128": (bytes(range(16)), b" made it equival", "180d575cdffe60786532787951985da6"),
    "speck128_192": (bytes(range(24)), b"ent to Chief Har", "86183ce05d18bcf9665513133acfe41b"),
    "speck128_256": (bytes(range(32)), b"pooner. In those", "438f189c8db4ee4e3ef5c00504010941"),
    "speck64_128": (bytes.fromhex("0001020308090a0b1011121318191a1b"), b"-Cutter;", "8b024e4548a56f8c"),
}


@pytest.fixture(scope="module")
def driver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return driver_on(request, DRIVER, PARTS, tmp_path_factory)


def named(cipher: Block) -> str:
    return cipher.name


@runs_on(*HOSTS, *PORTABLE)
@pytest.mark.parametrize("cipher", AES, ids=named)
def test_nist_known_answers_and_multi_block_messages(driver: Driver, cipher: Block) -> None:
    records = [r for name in NIST_SETS for r in responses("AES", "ECB", f"ECB{name}{8 * cipher.key_bytes}.rsp")]
    assert len(records) > 400
    source = {"ENCRYPT": "PLAINTEXT", "DECRYPT": "CIPHERTEXT"}
    target = {"ENCRYPT": "CIPHERTEXT", "DECRYPT": "PLAINTEXT"}
    answers = driver.run(
        f"ecb {cipher.name} {r['DIRECTION'].lower()} apart {r['KEY']} {r[source[r['DIRECTION']]]}" for r in records
    )
    assert answers == [f"0 {r[target[r['DIRECTION']]]}" for r in records]


@runs_on(*HOSTS, *PORTABLE)
@pytest.mark.parametrize("cipher", SPECK, ids=named)
def test_speck_designers_vectors(driver: Driver, cipher: Block) -> None:
    key, plaintext, ciphertext = SPECK_VECTORS[cipher.algorithm]
    assert cipher.encrypt(key, plaintext).hex() == ciphertext
    answers = driver.run(
        [
            f"ecb {cipher.name} encrypt apart {key.hex()} {plaintext.hex()}",
            f"ecb {cipher.name} decrypt apart {key.hex()} {ciphertext}",
        ]
    )
    assert answers == [f"0 {ciphertext}", f"0 {plaintext.hex()}"]


@runs_on(*HOSTS)
@pytest.mark.parametrize("layout", ["apart", "same"])
@pytest.mark.parametrize("cipher", CIPHERS, ids=named)
def test_random_blocks_both_ways_and_in_place(driver: Driver, cipher: Block, layout: str) -> None:
    chance = random.Random(f"{cipher.name} {layout}")
    cases = [(chance.randbytes(cipher.key_bytes), chance.randbytes(cipher.block_bytes)) for _ in range(250)]
    for extreme in (b"\x00", b"\xff"):
        cases += [(extreme * cipher.key_bytes, other * cipher.block_bytes) for other in (b"\x00", b"\xff")]
    expected = [cipher.encrypt(key, block) for key, block in cases]
    encrypted = driver.run(f"ecb {cipher.name} encrypt {layout} {key.hex()} {block.hex()}" for key, block in cases)
    assert encrypted == [f"0 {ciphertext.hex()}" for ciphertext in expected]
    decrypted = driver.run(
        f"ecb {cipher.name} decrypt {layout} {key.hex()} {ciphertext.hex()}"
        for (key, _), ciphertext in zip(cases, expected, strict=True)
    )
    assert decrypted == [f"0 {block.hex()}" for _, block in cases]


@runs_on(*HOSTS)
@pytest.mark.parametrize("direction", ["encrypt", "decrypt"])
@pytest.mark.parametrize("cipher", CIPHERS, ids=named)
def test_ecb_takes_whole_blocks_only(driver: Driver, cipher: Block, direction: str) -> None:
    key = hexadecimal(bytes(cipher.key_bytes))
    lengths = [n for n in range(4 * cipher.block_bytes + 1) if n % cipher.block_bytes]
    answers = driver.run(f"ecb {cipher.name} {direction} apart {key} {hexadecimal(b'x' * n)}" for n in lengths)
    assert answers == [f"-1 {hexadecimal(bytes(n))}" for n in lengths]
    assert driver.run([f"ecb {cipher.name} {direction} apart {key} -"]) == ["0 -"]
