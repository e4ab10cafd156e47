"""A program for another AVR is not measured: its figures would be called exact, and be another device's."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from bancada.build.avr_device import avr_device, need_device_of
from bancada.measure.laboratory import open_laboratory
from bancada.model.errors import UserError
from tests.laboratory_fixtures import Bancada

_SOURCE = "__attribute__((noinline)) int work(int x) { return x * 3; }\nint main(void) { return work(4); }\n"


def _linked(folder: Path, mcu: str, *flags: str) -> Path:
    source = folder / "main.c"
    source.write_text(_SOURCE)
    made = folder / f"{mcu}.elf"
    subprocess.run(["avr-gcc", f"-mmcu={mcu}", "-O1", *flags, str(source), "-o", str(made)], check=True)
    return made


def test_the_note_says_which_device(tmp_path: Path) -> None:
    """Sizes as in the data sheets: 32 KB and 2 KB, 256 KB and 8 KB."""
    for mcu, architecture, flash, ram in (("atmega328p", 5, 32768, 2048), ("atmega2560", 6, 262144, 8192)):
        found = avr_device(_linked(tmp_path, mcu))
        assert (found.name, found.architecture, found.flash_bytes, found.ram_bytes) == (mcu, architecture, flash, ram)


@pytest.mark.parametrize(
    ("target", "mcu", "flags", "said"),
    [
        ("uno", "atmega2560", (), "linked for an atmega2560"),
        ("uno", "atmega32u4", (), "linked for an atmega32u4"),
        ("mega2560", "atmega328p", (), "linked for an atmega328p"),
        ("uno", "atmega2560", ("-nostartfiles",), "architecture avr6"),
        ("uno", "atxmega128a1", (), "linked for an ATxmega"),
    ],
)
def test_another_avr_is_refused(target: str, mcu: str, flags: tuple[str, ...], said: str, tmp_path: Path) -> None:
    device = open_laboratory().target(target)
    with pytest.raises(UserError, match=said) as refused:
        need_device_of(device, _linked(tmp_path, mcu, *flags))
    assert f"-mmcu={device.mcu}" in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize(("mcu", "flags"), [("atmega328p", ()), ("atmega328", ()), ("atmega328p", ("-nostartfiles",))])
def test_the_same_silicon_is_measured(mcu: str, flags: tuple[str, ...], tmp_path: Path) -> None:
    need_device_of(open_laboratory().target("uno"), _linked(tmp_path, mcu, *flags))


def test_a_program_of_another_machine_is_named(tmp_path: Path) -> None:
    program = shutil.which("true")
    assert program is not None
    with pytest.raises(UserError, match="is a program for .*, not for an AVR"):
        avr_device(Path(program))


def test_measure_refuses_it(bancada: Bancada, tmp_path: Path) -> None:
    done = bancada("measure", str(_linked(tmp_path, "atmega2560")), "--function", "work", "--target", "uno")
    assert done.returncode == 2, done.stdout
    assert "was linked for an atmega2560, and uno is an atmega328p" in " ".join(done.stderr.split())
