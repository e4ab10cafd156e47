"""The programs of the hash tests, on the host and on the device, and NIST's response files."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cryptography_vectors

from bancada.engines.simavr.session import runner
from tests.tatu.compiled import compiled, sources_of
from tests.tatu.machines import (
    CORTEX_A8_ARM,
    CORTEX_A53,
    CORTEX_M0_PLUS,
    EVERY,
    HERE,
)

DRIVER = "hash_driver.c"
PARTS = ("sha2", "sha3", "sha512", "common")
DEVICE = HERE / "hash_device.c"
LIMIT_CYCLES = 500_000_000

# Thumb-2 called from A32, on processors that may have no NEON.
WITHOUT_NEON = replace(
    CORTEX_A8_ARM, name="armv7-without-neon", flags=("-march=armv7-a", "-mfpu=vfpv3-d16", "-marm", "-O2")
)
# The twins in C, where the assembly is now.
IN_C = (CORTEX_M0_PLUS.in_c(), CORTEX_A8_ARM.in_c(), CORTEX_A53.in_c())
HASH_MACHINES = (*EVERY, WITHOUT_NEON, *IN_C)


def digests_on_device(
    folder: Path, function: str, mcu: str, lengths: range, *flags: str, digest_bytes: int = 32
) -> list[str]:
    """What tests/tatu/hash_device.c sends from a simulated device: the digests of device_message(length)."""
    names = ("CONTEXT", "INIT", "UPDATE", "FINAL")
    calls = (function, f"{function}_init", f"{function}_update", f"{function}_final")
    defines = [f"-D{name}={call}" for name, call in zip(names, calls, strict=True)]
    defines += [f"-DLENGTHS={lengths.stop}", f"-DSTEP={lengths.step}", f"-DSENT_BYTES={digest_bytes}"]
    elf = folder / "device.elf"
    options = (f"-mmcu={mcu}", "-std=gnu99", "-Os", "-ffunction-sections", *flags)
    compiled(elf, "avr-gcc", options, DEVICE, sources_of(PARTS), defines=defines, linking=("-Wl,--gc-sections",))
    done = subprocess.run(
        [runner(), "--mcu", mcu, "--frequency", "16000000", "--uart", "stdio", "--max-cycles", str(LIMIT_CYCLES), elf],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return [done.stdout[i : i + digest_bytes].hex() for i in range(0, len(done.stdout), digest_bytes)]


def device_message(length: int) -> bytes:
    message = bytearray()
    value = 1
    for _ in range(length + 1):
        message.append(value)
        value = (5 * value + 3) % 256
    return bytes(message[1:])


def responses(*path: str) -> Iterator[dict[str, str]]:
    """The records of one of NIST's .rsp files: each with all values in force where it ends, brackets taken off."""
    record: dict[str, str] = {}
    complete = False
    for line in cryptography_vectors.open_vector_file("/".join(("hashes", *path)), "r"):
        name, equals, value = line.strip().strip("[]").partition("=")
        if equals:
            record[name.strip()] = value.strip()
            complete = name.strip() in ("MD", "Output")
            if complete:
                yield dict(record)


def hexadecimal(data: bytes) -> str:
    return data.hex() or "-"
