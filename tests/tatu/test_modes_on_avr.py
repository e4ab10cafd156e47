"""CMAC and CTR on the simulated ATmega328P, where their glue is assembly, against `cryptography` and a model."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from bancada.engines.simavr.session import runner
from tests.tatu.cmac_model import cmac_aes, cmac_speck64
from tests.tatu.compiled import compiled, sources_of
from tests.tatu.machines import HERE

LENGTHS = 50
MESSAGE = bytes((5 * i + 3) % 256 for i in range(1 + 16 + LENGTHS))
KEY = MESSAGE[:16]
PARTS = ("aes", "cmac", "common", "modes", "speck")


def expected(length: int) -> bytes:
    message = MESSAGE[1 : 1 + length]
    tag = cmac_aes(KEY, message)
    # The first block of the input is the counter block.
    stream = Cipher(algorithms.AES(KEY), modes.CTR(MESSAGE[1:17])).decryptor().update(MESSAGE[17 : 17 + length])
    return tag + tag[:5] + cmac_speck64(KEY, message) + tag + stream + b"\xa5" * (LENGTHS - length)


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
        defines=(f"-DLENGTHS={LENGTHS}",),
        linking=("-Wl,--gc-sections",),
    )
    done = subprocess.run(
        [runner(), "--mcu", mcu, "--frequency", "16000000", "--uart", "stdio", "--max-cycles", "500000000", elf],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout == b"".join(expected(length) for length in range(LENGTHS))
