"""The firmware compiles for the ATmega328P without a warning, fits, and says what it is."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from firmware_host import FIRMWARE

FLASH_BYTES, RAM_BYTES = 32 * 1024, 2 * 1024
# Measured in simulation with interrupts: 388 bytes for the sensor, 199 for the gateway
# (docs/reference/link-firmware.md).
STACK_BYTES = 600

CIPHERS = [
    f"{cipher}{bits}{variant}"
    for cipher, sizes in (("aes", (128, 192, 256)), ("speck128-", (128, 192, 256)))
    for bits in sizes
    for variant in ("", "-small", "-tiny")
]


def make(out: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "-j2", "-C", str(FIRMWARE), f"OUT={out}", *arguments], capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("firmware")
    done = make(out)
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr
    return out


def sections(elf: Path) -> dict[str, int]:
    with elf.open("rb") as file:
        return {section.name: section.data_size for section in ELFFile(file).iter_sections()}


def symbols(elf: Path) -> set[str]:
    with elf.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        return {symbol.name for symbol in table.iter_symbols()}


def test_every_program_is_there_and_fits(built: Path) -> None:
    expected = {"sensor", "gateway", "set_clock", "bootloader"}
    expected |= {f"paper/{program}-{cipher}" for program in ("sensor", "gateway") for cipher in ("none", *CIPHERS)}
    found = {str(path.relative_to(built).with_suffix("")) for path in built.rglob("*.elf")}
    assert found == expected
    for name in found:
        size = sections(built / f"{name}.elf")
        assert size[".text"] + size.get(".data", 0) <= FLASH_BYTES
        assert size.get(".data", 0) + size.get(".bss", 0) + size.get(".noinit", 0) + STACK_BYTES <= RAM_BYTES


def test_the_sensor_leaves_room_for_its_signature(built: Path) -> None:
    """The bootloader takes no program that reaches into the manifest (bootloader/layout.h)."""
    layout = (FIRMWARE / "bootloader" / "layout.h").read_text()
    manifest_at = int(layout.split("#define MANIFEST_AT ")[1].split()[0], 16)
    for name in ("sensor", "gateway"):
        size = sections(built / f"{name}.elf")
        assert size[".text"] + size.get(".data", 0) <= manifest_at


def test_no_heap(built: Path) -> None:
    for name in ("sensor", "gateway"):
        assert not {"malloc", "free", "calloc", "realloc"} & symbols(built / f"{name}.elf")


def test_only_the_sensor_can_seal_and_the_gateway_has_no_cipher(built: Path) -> None:
    assert any(name.startswith("tatu_ascon") for name in symbols(built / "sensor.elf"))
    assert not any(name.startswith("tatu_") for name in symbols(built / "gateway.elf"))


@pytest.mark.parametrize("cipher", CIPHERS)
def test_paper_mode_links_its_cipher_and_says_that_it_is_not_secure(built: Path, cipher: str) -> None:
    name = f"tatu_{cipher.replace('-', '_')}"
    sensor, gateway = built / f"paper/sensor-{cipher}.elf", built / f"paper/gateway-{cipher}.elf"
    assert f"{name}_encrypt" in symbols(sensor) and f"{name}_decrypt" in symbols(gateway)
    assert not any("ascon" in symbol for symbol in symbols(sensor))
    assert b"NOT SECURE" in sensor.read_bytes()


def test_the_programs_themselves_have_no_paper_mode(built: Path) -> None:
    for name in ("sensor", "gateway"):
        assert b"NOT SECURE" not in (built / f"{name}.elf").read_bytes()


def test_another_air_rate_is_another_program_and_back(built: Path, tmp_path: Path) -> None:
    programs = [
        (make(tmp_path, "programs", *setting), (tmp_path / "sensor.elf").read_bytes())
        for setting in ((), ("AIR_RATE=4800",), ())
    ]
    assert [done.returncode for done, _ in programs] == [0, 0, 0]
    assert programs[0][1] == programs[2][1] != programs[1][1]


def test_an_air_rate_that_the_module_has_not_is_refused(tmp_path: Path) -> None:
    done = make(tmp_path, "programs", "AIR_RATE=2401")
    assert done.returncode != 0
    assert "the E32 has 300, 1200, 2400, 4800, 9600 and 19200 bit/s" in done.stderr
