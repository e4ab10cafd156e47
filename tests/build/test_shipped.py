"""Firmware that came with an installed package stands in for a compiler that is not there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from bancada.build import shipped
from bancada.build.build import build, checking_firmware
from bancada.build.ship import ship
from bancada.catalogue.paths import cache_folder
from bancada.commands.without_compiler import runnable
from bancada.compilers.compile import compiler_version
from bancada.measure.laboratory import open_laboratory
from bancada.model.errors import UserError
from bancada.plan.case import Firmware
from bancada.plan.plan import plan


@pytest.fixture
def brought(
    firmware_of: Callable[[str], Firmware], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], Firmware]:
    """Packs the firmware of Tatu's AES-128, and takes the compiler away."""
    folder = tmp_path / "firmware"
    firmware = firmware_of("tatu/aes128")
    ship([firmware], folder)
    monkeypatch.setattr(shipped, "shipped_folder", lambda: folder)
    shipped._index.cache_clear()

    def without_compiler() -> Firmware:
        monkeypatch.setenv("PATH", str(tmp_path))
        compiler_version.cache_clear()
        return firmware

    return without_compiler


def test_firmware_is_as_it_was_compiled_and_says_so(brought: Callable[[], Firmware]) -> None:
    firmware = brought()
    found = build(firmware)
    checking = checking_firmware(firmware, found)
    assert found.elf_path is not None and Path(found.elf_path).read_bytes()[:4] == b"\x7fELF"
    assert found.compiler_version.startswith("avr-gcc (GCC)")
    assert found.compiler_version.endswith(", compiled before it was installed")
    assert checking is not None and checking.elf_sha256 != found.elf_sha256


def _loaded(elf: str | None) -> list[bytes]:
    """What of an ELF file is written to the device."""
    with Path(elf or "").open("rb") as file:
        return [segment.data() for segment in ELFFile(file).iter_segments("PT_LOAD")]


def test_no_folder_of_the_machine_is_in_the_firmware(brought: Callable[[], Firmware]) -> None:
    found = build(brought())
    assert str(cache_folder()).encode() not in Path(found.elf_path or "").read_bytes()


def test_a_machine_with_the_compiler_compiles(
    brought: Callable[[], Firmware], firmware_of: Callable[[str], Firmware]
) -> None:
    here = build(firmware_of("tatu/aes128"))
    there = build(brought())
    assert "before it was installed" not in here.compiler_version
    assert there.flags == here.flags
    assert _loaded(there.elf_path) == _loaded(here.elf_path)
    assert {name: image.flash_bytes for name, image in there.images.items()} == {
        name: image.flash_bytes for name, image in here.images.items()
    }


def test_firmware_of_other_sources_or_flags_is_not_taken(brought: Callable[[], Firmware]) -> None:
    firmware = brought()
    assert shipped.is_shipped(firmware)
    for other in (replace(firmware, optimisation="-O2"), replace(firmware, defines=("OTHER=1",))):
        assert not shipped.is_shipped(other)
        with pytest.raises(UserError, match="apt-get install gcc-avr"):
            build(other)


def test_firmware_of_a_changed_library_is_not_taken(
    brought: Callable[[], Firmware], monkeypatch: pytest.MonkeyPatch
) -> None:
    firmware = brought()
    digest = shipped._digest
    monkeypatch.setattr(shipped, "_digest", lambda folder: digest(folder) + ("changed" * (folder.name == "src")))
    assert not shipped.is_shipped(firmware)


def test_what_cannot_run_is_counted_and_the_package_is_named(brought: Callable[[], Firmware]) -> None:
    brought()
    laboratory = open_laboratory()
    workloads = plan(laboratory, laboratory.experiment("libraries"), quick=True)
    kept, said = runnable(workloads)
    names = {one.firmware.implementation for one in kept if one.firmware is not None}
    assert names == {"tatu/aes128"}
    left = sum(len(one.cases) for one in workloads) - sum(len(one.cases) for one in kept)
    assert left > 0
    assert f"{left} other cases did not run. For those: apt-get install gcc-avr avr-libc" in said


def test_an_experiment_of_which_nothing_can_run_is_an_error(brought: Callable[[], Firmware]) -> None:
    brought()
    laboratory = open_laboratory()
    with pytest.raises(UserError, match="The compiler 'avr-gcc' is not installed"):
        runnable(plan(laboratory, laboratory.experiment("hashes"), ("uno",), ("tatu",), quick=True))
