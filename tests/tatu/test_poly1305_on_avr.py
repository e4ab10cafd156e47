"""Poly1305 on the simulated ATmega328P, where its multiplication is assembly, against `cryptography`."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.poly1305 import Poly1305

from bancada.engines.simavr.session import runner
from tests.tatu.compiled import compiled, sources_of
from tests.tatu.machines import HERE

CASES, LONGEST = 400, 130


def generated() -> Iterator[int]:
    state = 1
    while True:
        state = (state * 1664525 + 1013904223) % 2**32
        yield state >> 24


def tags() -> Iterator[bytes]:
    """What poly1305_device.c sends."""
    following = generated()
    for number in range(CASES):
        key = bytes(255 if number & 1 else byte for _, byte in zip(range(32), following, strict=False))
        message = [byte for _, byte in zip(range(LONGEST), following, strict=False)]
        if number & 2:
            message = [255] * LONGEST
        elif number & 4:
            message = [255 if byte & 1 else 0 for byte in message]
        yield Poly1305.generate_tag(key, bytes(message[: number % LONGEST]))


@pytest.mark.parametrize("flags", [(), ("-DTATU_PORTABLE",)], ids=["assembly", "c"])
def test_random_and_extreme_keys_and_messages(tmp_path: Path, flags: tuple[str, ...]) -> None:
    elf = compiled(
        tmp_path / "device.elf",
        "avr-gcc",
        ("-mmcu=atmega328p", "-std=gnu99", "-Os", "-Wall", "-Wextra", "-Werror", "-ffunction-sections", *flags),
        HERE / "poly1305_device.c",
        sources_of(("poly1305", "common")),
        defines=(f"-DCASES={CASES}", f"-DLONGEST={LONGEST}"),
        linking=("-Wl,--gc-sections",),
    )
    done = subprocess.run(
        [
            runner(),
            "--mcu",
            "atmega328p",
            "--frequency",
            "16000000",
            "--uart",
            "stdio",
            "--max-cycles",
            "99999999",
            elf,
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout == b"".join(tags())
