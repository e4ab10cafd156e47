"""Tatu on an emulated Cortex-M0 board, where an unaligned word is a fault: the drivers' buffers begin at odd addresses.

The answers are those of the same driver on the host, which other tests hold against official vectors.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.tatu import authentication_programs, cipher_programs, hash_programs
from tests.tatu.machines import CORTEX_M0_BOARD, HOST_GCC, Driver, built

LENGTHS = (0, 1, 7, 16, 31, 64, 65, 130, 300)


def text(data: bytes) -> str:
    return data.hex() or "-"


def messages() -> Iterator[str]:
    chance = random.Random(6)
    return (text(chance.randbytes(length)) for length in LENGTHS)


def key(length: int) -> str:
    return bytes(range(1, length + 1)).hex()


def hashes() -> Iterator[str]:
    for name in ("sha256", "sha3-256", "sha3-512"):
        for chunk in (0, 7):
            yield from (f"{name} {message} {chunk}" for message in messages())


def ascon() -> Iterator[str]:
    for m in messages():
        yield f"ascon-encrypt {key(16)} {key(16)} {key(5)} {m} apart 16"
        yield f"ascon-encrypt-in-pieces {key(16)} {key(16)} {key(5)} {m} alias 16 7"
        yield f"ascon-decrypt {key(16)} {key(16)} {key(5)} {m} apart {key(16)}"
        yield f"ascon-hash256 {m} 7"
        yield f"ascon-mac {key(16)} {m} 7"


def chacha20() -> Iterator[str]:
    for m in messages():
        yield f"block {key(32)} 7 {key(12)}"
        yield f"crypt {key(32)} 7 {key(12)} {m} apart"
        yield f"encrypt {key(32)} {key(12)} {key(5)} {m} apart 0"
        yield f"encrypt {key(32)} {key(12)} {key(5)} {m} alias 7"
        yield f"decrypt {key(32)} {key(12)} {key(5)} {m} apart {key(16)}"
        yield f"one-time {key(32)} {m} 7"


def authentication() -> Iterator[str]:
    for name in ("aes128", "aes256", "aes128-tiny", "speck64"):
        size = authentication_programs.KEY_BYTES[name]
        for m in messages():
            yield f"cmac {name} {key(size)} {m} 7 8"
            if name != "speck64":
                yield f"ccm-encrypt {name} {key(size)} {key(13)} {key(5)} {m} apart 8"
                yield f"ccm-decrypt {name} {key(size)} {key(13)} {key(5)} {m} apart {key(8)}"


def gcm() -> Iterator[str]:
    for m in messages():
        yield f"encrypt {key(16)} {key(12)} {key(5)} {m} apart 16"
        yield f"decrypt {key(32)} {key(12)} {key(5)} {m} apart {key(16)}"


def ciphers() -> Iterator[str]:
    for cipher in cipher_programs.CIPHERS:
        message = key(3 * cipher.block_bytes)
        entropy = key(cipher.block_bytes)
        for direction in ("encrypt", "decrypt"):
            yield f"ecb {cipher.name} {direction} apart {key(cipher.key_bytes)} {message}"
        yield f"cbc {cipher.name} encrypt apart {key(cipher.key_bytes)} {entropy} {message}"
        yield f"ctr {cipher.name} encrypt apart {key(cipher.key_bytes)} {entropy} - {message}0102"


def macs() -> Iterator[str]:
    for m in messages():
        yield f"hmac {key(20)} {m} 7"


DRIVERS: dict[str, tuple[str, tuple[str, ...], Callable[[], Iterator[str]]]] = {
    "hashes": (hash_programs.DRIVER, hash_programs.PARTS, hashes),
    "ascon": ("ascon_driver.c", ("ascon", "common"), ascon),
    "chacha20": ("chacha20_driver.c", ("chacha20", "poly1305", "common"), chacha20),
    "authentication": (authentication_programs.DRIVER, authentication_programs.PARTS, authentication),
    "gcm": ("gcm_driver.c", ("aes", "gcm", "modes", "speck", "common"), gcm),
    "ciphers": (cipher_programs.DRIVER, cipher_programs.PARTS, ciphers),
    "hmac": ("hmac_driver.c", ("hmac", "hkdf", "sha2", "common"), macs),
}


@pytest.mark.parametrize("name", DRIVERS)
def test_the_board_answers_as_the_host(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    source, parts, commands = DRIVERS[name]
    folder = tmp_path_factory.getbasetemp()
    asked = list(commands())
    host, board = (Driver(built(machine, source, parts, folder)) for machine in (HOST_GCC, CORTEX_M0_BOARD))
    expected = host.run(asked)
    assert len(set(expected)) > len(expected) / 5  # all variants of a cipher say the same
    assert board.run(asked) == expected


def test_an_unaligned_word_is_noticed(tmp_path: Path) -> None:
    board = Driver(built(CORTEX_M0_BOARD, "unaligned_driver.c", ("common",), tmp_path))
    assert board.run(["aligned"]) == ["4030201"]
    with pytest.raises(AssertionError):
        board.run(["unaligned"])
