"""Instructions that QEMU's processor has and the device has not: the Raspberry Pi 3's Cortex-A53 was built without cryptography."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bancada import catalogue
from bancada.engines.qemu import profile_program
from bancada.engines.qemu_extensions import missing_instruction
from bancada.errors import UserError
from bancada.measure import Request, measure

TESTS = Path(__file__).resolve().parents[1]
HARNESS = TESTS.parent / "harness"


def _build(folder: Path, *more: str | Path) -> Path:
    made = folder / "cryptography"
    target = catalogue.targets()["rpi3"].toolchain
    source = TESTS / "measured" / "cryptography.c"
    subprocess.run([target.compiler, *target.flags, "-O2", "-static", source, *more, "-o", made], check=True)
    return made


def test_a_program_that_uses_them_is_refused(tmp_path: Path) -> None:
    elf = _build(tmp_path)
    with pytest.raises(UserError, match=r"executes 'aese.* in may_encrypt, which the device's processor was built without"):
        measure(Request(elf, "rpi3", "may_encrypt"))
    with pytest.raises(UserError, match="executes '(aese|pmull)"):
        measure(Request(elf, "rpi3", "main", arguments=("long",)))


def test_firmware_is_told_that_they_are_not_there(tmp_path: Path) -> None:
    """The harness answers for Linux: what asks before it encrypts, as libraries do, does without."""
    elf = _build(tmp_path, f"-I{HARNESS / 'include'}", HARNESS / "src" / "device_linux.c")
    [call] = measure(Request(elf, "rpi3", "may_encrypt")).calls
    assert 0 < call.instructions < 100
    [profile] = profile_program(elf, function="main", qemu="qemu-aarch64", cpu="cortex-a53", arguments=("long",))
    found = missing_instruction(profile, ("cryptography",))
    assert found is not None and found.mnemonic == "pmull"
    assert missing_instruction(profile, ()) is None
