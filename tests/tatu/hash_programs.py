"""The programs of the hash tests, on the host and on the device, and NIST's response files."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cryptography_vectors

from bancada.engines.simavr import runner

TATU_SRC = Path(__file__).resolve().parents[2] / "tatu" / "src"
DRIVER = Path(__file__).resolve().with_name("hash_driver.c")
DEVICE = Path(__file__).resolve().with_name("hash_device.c")
LIMIT_CYCLES = 500_000_000
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wconversion"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


@dataclass(frozen=True)
class Driver:
    """The driver program, compiled with the address and undefined-behaviour sanitizers."""

    program: Path

    @classmethod
    def build(cls, folder: Path) -> Driver:
        program = folder / "hash_driver"
        subprocess.run(
            ["gcc", *STRICT, *SANITIZERS, "-O1", "-g", f"-I{TATU_SRC}", "-o", str(program)]
            + [str(source) for source in [DRIVER, *sources("c")]],
            check=True,
        )
        return cls(program)

    def run(self, commands: Iterable[str]) -> list[str]:
        """The answers to `commands`, one line each."""
        done = subprocess.run(
            [self.program], input="\n".join(commands) + "\n", capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()


def sources(suffixes: str) -> list[Path]:
    """SHA-2, SHA-3 and what they need."""
    folders = (TATU_SRC / "sha2", TATU_SRC / "sha3", TATU_SRC / "common")
    return sorted(source for folder in folders for source in folder.glob(f"*.[{suffixes}]"))


def digests_on_device(folder: Path, function: str, mcu: str, lengths: range, *flags: str) -> list[str]:
    """What tests/tatu/hash_device.c sends from a simulated device: the digests of device_message(length)."""
    names = ("CONTEXT", "INIT", "UPDATE", "FINAL")
    calls = (function, f"{function}_init", f"{function}_update", f"{function}_final")
    defines = [f"-D{name}={call}" for name, call in zip(names, calls, strict=True)]
    defines += [f"-DLENGTHS={lengths.stop}", f"-DSTEP={lengths.step}"]
    elf = folder / "device.elf"
    subprocess.run(
        ["avr-gcc", f"-mmcu={mcu}", "-std=gnu99", "-Os", "-ffunction-sections", "-Wl,--gc-sections", *flags, *defines]
        + [f"-I{TATU_SRC}", "-o", str(elf), str(DEVICE), *map(str, sources("cS"))],
        check=True,
    )
    done = subprocess.run(
        [runner(), "--mcu", mcu, "--frequency", "16000000", "--uart", "stdio", "--max-cycles", str(LIMIT_CYCLES), elf],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return [done.stdout[i : i + 32].hex() for i in range(0, len(done.stdout), 32)]


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
