"""Instructions that QEMU's processor has and the device has not: the Raspberry Pi 3's Cortex-A53 was built without
cryptography."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bancada.catalogue.target import FunctionRequest
from bancada.engines.qemu.extensions import missing_instruction
from bancada.engines.qemu.profiler import profile_program
from bancada.measure.function import measure
from bancada.measure.laboratory import open_laboratory
from bancada.model.errors import UserError

TESTS = Path(__file__).resolve().parents[2]
HARNESS = TESTS.parent / "harness"


def _build(folder: Path, *more: str | Path) -> Path:
    made = folder / "cryptography"
    target = open_laboratory().targets["rpi3"].toolchain
    source = TESTS / "measure" / "programs" / "cryptography.c"
    subprocess.run([target.compiler, *target.flags, "-O2", "-static", source, *more, "-o", made], check=True)
    return made


def test_a_program_that_uses_them_is_refused(tmp_path: Path) -> None:
    elf = _build(tmp_path)
    with pytest.raises(
        UserError, match=r"executes 'aese.* in may_encrypt, which the device's processor was built without"
    ):
        measure(open_laboratory().target("rpi3"), FunctionRequest(elf, "may_encrypt"))
    with pytest.raises(UserError, match="executes '(aese|pmull)"):
        measure(open_laboratory().target("rpi3"), FunctionRequest(elf, "main", arguments=("long",)))


def test_firmware_is_told_that_they_are_not_there(tmp_path: Path) -> None:
    """The harness answers for Linux: what asks before it encrypts, as libraries do, does without."""
    elf = _build(tmp_path, f"-I{HARNESS / 'include'}", HARNESS / "src" / "device_linux.c")
    [call] = measure(open_laboratory().target("rpi3"), FunctionRequest(elf, "may_encrypt")).calls
    assert 0 < call.instructions < 100
    [profile] = profile_program(elf, function="main", qemu="qemu-aarch64", cpu="cortex-a53", arguments=("long",))
    found = missing_instruction(profile, ("cryptography",))
    assert found is not None
    assert found.mnemonic == "pmull"
    assert missing_instruction(profile, ()) is None
