"""AEADs on a simulated device: tests/tatu/aead_device.c, and the messages that it makes."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bancada.engines.simavr.session import runner
from tests.tatu.compiled import compiled, sources_of

HERE = Path(__file__).resolve().parent
TATU_SRC = HERE.parents[1] / "tatu" / "src"
LIMIT_CYCLES = 500_000_000

# Processors with return addresses of two and of three bytes, and the twin in C.
DEVICES = [("atmega328p", ()), ("atmega2560", ()), ("atmega328p", ("-DTATU_PORTABLE",))]


@dataclass(frozen=True)
class Message:
    key: bytes
    nonce: bytes
    associated_data: bytes
    message: bytes


def device_messages(key_bytes: int, nonce_bytes: int, lengths: range) -> Iterator[Message]:
    """What aead_device.c encrypts, one after the other."""
    state = 1

    def fill(count: int) -> bytes:
        nonlocal state
        made = bytearray()
        for _ in range(count):
            state = (1664525 * state + 1013904223) % 2**32
            made.append(state >> 24)
        return bytes(made)

    for length in lengths:
        yield Message(fill(key_bytes), fill(nonce_bytes), fill(length // 2), fill(length))


def sealed_on_device(
    folder: Path, header: str, algorithms: list[str], mcu: str, lengths: range, *flags: str
) -> list[tuple[bytes, bytes, int]]:
    """Ciphertext, tag and verdict for each message."""
    elf = folder / "device.elf"
    compiled(
        elf,
        "avr-gcc",
        (f"-mmcu={mcu}", "-std=gnu99", "-Os", "-ffunction-sections", *flags),
        HERE / "aead_device.c",
        sources_of((*algorithms, "common")),
        defines=(f'-DAEAD_HEADER="{header}"', f"-DLENGTHS={lengths.stop}", f"-DSTEP={lengths.step}", f"-I{HERE}"),
        linking=("-Wl,--gc-sections",),
    )
    done = subprocess.run(
        [runner(), "--mcu", mcu, "--frequency", "16000000", "--uart", "stdio", "--max-cycles", str(LIMIT_CYCLES), elf],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    sent = done.stdout
    found = []
    for length in lengths:
        found.append((sent[:length], sent[length : length + 16], sent[length + 16]))
        sent = sent[length + 17 :]
    assert sent == b""
    return found
