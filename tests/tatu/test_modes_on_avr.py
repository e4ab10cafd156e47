"""CMAC, CTR and CCM on the simulated ATmega328P, where their glue is assembly, against `cryptography` and a model."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

from bancada.engines.simavr.session import runner
from tests.tatu.cmac_model import cmac_aes, cmac_speck64
from tests.tatu.compiled import compiled, sources_of
from tests.tatu.machines import HERE

LENGTHS = 50
MESSAGE = bytes((5 * i + 3) % 256 for i in range(1 + 16 + LENGTHS))
KEY = MESSAGE[:16]
PARTS = ("aes", "ccm", "cmac", "common", "modes", "speck")
# The last byte of the counter runs over after 255 blocks. An ATmega328P has no room for such a message.
LONG = {"atmega328p": 0, "atmega2560": 16 * 257 + 5}


def sealed(message: bytes) -> tuple[bytes, bytes]:
    """The ciphertext and the tag of CCM."""
    both = AESCCM(KEY).encrypt(MESSAGE[20:33], message, MESSAGE[2 : 2 + len(message) % 20])
    return both[:-16], both[-16:]


def expected(length: int) -> bytes:
    message = MESSAGE[1 : 1 + length]
    tag = cmac_aes(KEY, message)
    # The first block of the input is the counter block.
    stream = Cipher(algorithms.AES(KEY), modes.CTR(MESSAGE[1:17])).decryptor().update(MESSAGE[17 : 17 + length])
    rest = b"\xa5" * (LENGTHS - length)
    ciphertext, ccm_tag = sealed(message)
    return tag + tag[:5] + cmac_speck64(KEY, message) + tag + stream + rest + 2 * (ciphertext + rest + ccm_tag)


@pytest.mark.parametrize("mcu", ["atmega328p", "atmega2560"])
@pytest.mark.parametrize("flags", [(), ("-DTATU_PORTABLE",)], ids=["assembly", "c"])
def test_every_length(tmp_path: Path, mcu: str, flags: tuple[str, ...]) -> None:
    elf = tmp_path / "device.elf"
    options = (f"-mmcu={mcu}", "-std=gnu99", "-Os", "-Wall", "-Wextra", "-Werror", "-ffunction-sections", *flags)
    compiled(
        elf,
        "avr-gcc",
        options,
        HERE / "modes_device.c",
        sources_of(PARTS),
        defines=(f"-DLENGTHS={LENGTHS}", f"-DLONG={LONG[mcu]}"),
        linking=("-Wl,--gc-sections",),
    )
    done = subprocess.run(
        [runner(), "--mcu", mcu, "--frequency", "16000000", "--uart", "stdio", "--max-cycles", "500000000", elf],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    ciphertext, tag = sealed(bytes(LONG[mcu]))
    end = ciphertext[-16:] + tag if LONG[mcu] else b""
    assert done.stdout == b"".join(expected(length) for length in range(LENGTHS)) + end
