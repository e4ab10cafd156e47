"""The fuzzer of what the firmware reads from outside, and inputs to begin from."""

from __future__ import annotations

import subprocess
from pathlib import Path

from firmware_host import FIRMWARE, STRICT, TATU, TATULINK, core_sources, record


def build(folder: Path) -> Path:
    program = folder / "fuzz"
    sources = [Path(__file__).parent / "firmware_fuzz.c", *core_sources()]
    for room in ("aes", "ascon", "ccm", "common"):
        sources += sorted((TATU / room).rglob("*.c"))
    subprocess.run(
        [
            "clang",
            *STRICT,
            "-O1",
            "-g",
            "-fsanitize=fuzzer,address,undefined",
            "-fno-sanitize-recover=all",
            f"-I{FIRMWARE}",
            f"-I{TATU}",
            f"-I{TATULINK}",
            "-o",
            str(program),
            *map(str, sources),
        ],
        check=True,
    )
    return program


def make_corpus(corpus: Path) -> None:
    """One good example of each."""
    corpus.mkdir()
    (corpus / "eeprom").write_bytes(bytes([0, 0, 0]) + record(512) + record(768) + bytes(32))
    (corpus / "clock").write_bytes(bytes([1, 0x30, 0x15, 0x12, 3, 0x21, 0x11, 0x26]) + bytes(12))
    (corpus / "frame").write_bytes(bytes([2, 1, 0x10, 0x13, 1, 2]) + bytes(28))
    (corpus / "module").write_bytes(bytes([3]) + bytes.fromhex("c000001a1744") * 2)
    (corpus / "uplink").write_bytes(bytes([4]) + bytes(range(130)))
