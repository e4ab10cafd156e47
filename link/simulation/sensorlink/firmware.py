"""Builds the link's firmware for the ATmega328P (docs/reference/link-firmware.md)."""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
from functools import cache
from pathlib import Path

from sensorlink.laboratory import UserError, cache_folder, data_root

# What `make` is asked for: the two programs, or the bootloader, or all and also each cipher's pair in paper mode.
PROGRAMS = "programs"
BOOTLOADER = "bootloader"
EVERYTHING = "all"

_TOOLS = {"make": "make", "avr-gcc": "gcc-avr avr-libc"}


def _source_digest() -> str:
    # make's dependency files name the sources by where they are, so another clone has a folder of its own.
    digest = hashlib.sha256(str(data_root()).encode())
    rooms = (data_root() / "link" / "firmware", data_root() / "tatu" / "src")
    for path in sorted(path for room in rooms for path in room.rglob("*") if path.is_file()):
        if path.suffix in (".c", ".h", ".S") or path.name == "Makefile":
            digest.update(path.relative_to(data_root()).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@cache
def build_firmware(air_rate: int, channel: int = 0x17, goal: str = PROGRAMS, paper_period_s: int = 0) -> Path:
    """The folder with `sensor.elf` and `gateway.elf`, built from this version's sources if necessary.

    UserError if a tool is missing or the build fails.
    """
    folder = cache_folder() / "link" / f"firmware-{_source_digest()}-{air_rate}-{channel}-{paper_period_s}"
    built = folder / f"built-{goal}"
    if built.is_file():
        return folder
    for tool, package in _TOOLS.items():
        if shutil.which(tool) is None:
            raise UserError(
                f"The link's firmware is built with {tool}, which is not installed: apt-get install {package}"
            )
    folder.mkdir(parents=True, exist_ok=True)
    command = [
        *("make", "--silent", "-C", str(data_root() / "link" / "firmware"), goal),
        *(f"OUT={folder}", f"AIR_RATE={air_rate}", f"CHANNEL={channel}", f"PAPER_PERIOD={paper_period_s}"),
    ]
    # One build at a time: a second one that waits finds its work done.
    with (folder / "bancada.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if "error" in line]
        said = (errors or done.stderr.strip().splitlines()[-1:] or ["no message"])[0].strip()
        raise UserError(f"The link's firmware does not build ({said}).")
    built.touch()
    return folder
