"""Says which back end serves each part of an algorithm on each machine, as the *_backend.h headers decide.

    python3 back_ends.py            the table, in Markdown

A header defines TATU_INTERNAL_<PART>_IN_<FOLDER> for the folder that serves a part. The compiler of each machine reads
the header and lists what is defined.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

SRC = Path(__file__).resolve().parents[1] / "src"
HEADERS = sorted(SRC.glob("*/*_backend.h"))
FOLDERS = ("portable", "avr", "thumb1", "thumb2", "neon", "aarch64")

# The columns: what each is called, and the compiler and flags that make code for it.
MACHINES = {
    "ATmega328P": ("avr-gcc", "-mmcu=atmega328p"),
    "ATtiny85": ("avr-gcc", "-mmcu=attiny85"),
    "XMEGA": ("avr-gcc", "-mmcu=atxmega128a1"),
    "Cortex-M0+": ("arm-none-eabi-gcc", "-mcpu=cortex-m0plus", "-mthumb"),
    "Cortex-M3": ("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb"),
    "Cortex-M4": ("arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb"),
    "ARMv7-A": ("arm-linux-gnueabihf-gcc", "-march=armv7-a+fp"),
    "ARMv7-A, NEON": ("arm-linux-gnueabihf-gcc", "-march=armv7-a", "-mfpu=neon"),
    "AArch64": ("aarch64-linux-gnu-gcc",),
    "x86-64": ("gcc",),
}
_SERVES = re.compile(rf"#define TATU_INTERNAL_(\w+)_IN_({'|'.join(FOLDERS).upper()})\b")


def serving(header: Path, command: tuple[str, ...]) -> dict[str, list[str]]:
    """The folders that serve each part of the algorithm that `header` is of; RuntimeError if it does not compile.

    What a header decides that it includes is not its own: ML-KEM's asks which Keccak there is.
    """
    done = subprocess.run([*command, "-E", "-dM", "-x", "c", str(header)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    own = parts_of(header)
    parts: dict[str, list[str]] = {}
    for part, folder in _SERVES.findall(done.stdout):
        if part in own:
            parts.setdefault(part, []).append(folder.lower())
    return parts


def parts_of(header: Path) -> list[str]:
    """The parts that a header decides on, in the order in which it names them."""
    return list(dict.fromkeys(part for part, _ in _SERVES.findall(header.read_text())))


def words(part: str) -> str:
    """AES_PLAIN is "AES, plain"; SPECK128_EIGHT_BLOCKS is "Speck-128, eight blocks"."""
    first, *rest = part.replace("ML_KEM", "ML KEM").replace("ML_DSA", "ML DSA").split("_")
    names = {
        "ASCON": "Ascon",
        "CHACHA20": "ChaCha20",
        "ML DSA": "ML-DSA",
        "ML KEM": "ML-KEM",
        "P256": "P-256",
        "SECP256K1": "secp256k1",
        "POLY1305": "Poly1305",
        "SPECK64": "Speck-64",
        "SPECK128": "Speck-128",
        "SHA256": "SHA-256",
        "SHA512": "SHA-512",
        "KECCAK": "Keccak (SHA-3, SHAKE)",
    }
    return ", ".join([names.get(first, first), *([" ".join(rest).lower()] if rest else [])])


def table() -> list[str]:
    """The lines of the table: a row for each part, a column for each machine."""
    lines = [f"| part | {' | '.join(MACHINES)} |", "|---" * (1 + len(MACHINES)) + "|"]
    for header in HEADERS:
        served = {machine: serving(header, command) for machine, command in MACHINES.items()}
        for part in parts_of(header):
            cells = (", ".join(served[machine].get(part, [])) or "–" for machine in MACHINES)
            lines.append(f"| {words(part)} | {' | '.join(cells)} |")
    return lines


if __name__ == "__main__":
    print("\n".join(table()))
