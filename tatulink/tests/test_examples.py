"""The Arduino library, built as the IDE builds it, and its examples."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.tatu.arduino_builder import ARDUINO, Builder, properties

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
TATULINK = ROOT / "tatulink"
EXAMPLES = sorted(path.name for path in (TATULINK / "examples").iterdir())
RADIOS = {"ArduinoLoRa", "NRF24", "RFM69", "RadioLibSX1278", "SerialRadio"}


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A sketchbook with both libraries, apart from the repository, and the radios' stubs."""
    folder = tmp_path_factory.mktemp("sketchbook") / "libraries"
    shutil.copytree(TATULINK / "src", folder / "TatuLink" / "src")
    # Of Tatu only what the examples link: each of its sources takes its time to compile.
    for room in ("tatu", "common", "aes", "ascon", "ccm"):
        shutil.copytree(ROOT / "tatu" / "src" / room, folder / "Tatu" / "src" / room)
    shutil.copy(ROOT / "tatu" / "src" / "Tatu.h", folder / "Tatu" / "src")
    for name in ("Tatu", "TatuLink"):
        shutil.copy(ROOT / name.lower() / "library.properties", folder / name)
    stubs = [path for path in (TATULINK / "tests" / "stubs").iterdir() if path.is_dir()]
    of_the_core = [ARDUINO / "libraries" / name for name in ("EEPROM", "SPI", "SoftwareSerial")]
    return [folder / "Tatu", folder / "TatuLink", *stubs, *of_the_core]


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("objects")


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory, objects: Path) -> Path:
    return Builder("uno", tmp_path_factory.mktemp("core"), objects).core()


def test_there_is_an_example_for_each_kind_of_radio() -> None:
    assert set(EXAMPLES) == {"Provision", *RADIOS}


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_ide_compiles_the_example(
    tmp_path: Path, libraries: list[Path], core: Path, objects: Path, example: str
) -> None:
    sketch = TATULINK / "examples" / example / f"{example}.ino"
    elf = Builder("uno", tmp_path, objects).build(sketch, libraries, core)
    size = subprocess.run(["avr-size", elf], capture_output=True, text=True, check=True).stdout
    text, data, bss = map(int, size.splitlines()[1].split()[:3])
    # A third of the flash and half of the RAM are left for what the user adds: radio libraries are large.
    assert text + data < 20_000
    assert data + bss < 1024


@pytest.mark.parametrize("example", sorted(RADIOS))
def test_no_key_is_in_a_sketch_that_runs(example: str) -> None:
    text = (TATULINK / "examples" / example / f"{example}.ino").read_text()
    assert "provision(" not in text
    assert not re.search(r"(0x[0-9a-fA-F]{2},\s*){8}", text)


def test_manifests_agree_and_name_what_exists() -> None:
    arduino = properties(TATULINK / "library.properties")
    platformio = json.loads((TATULINK / "library.json").read_text())
    tatu = properties(ROOT / "tatu" / "library.properties")
    assert arduino["version"] == platformio["version"]
    assert arduino["name"] == platformio["name"] == "TatuLink"
    assert arduino["depends"] == tatu["name"]
    assert [each["name"] for each in platformio["dependencies"]] == [tatu["name"]]
    for header in platformio["headers"]:
        assert (TATULINK / "src" / header).is_file()
    for pattern in platformio["export"]["include"]:
        assert list(TATULINK.glob(pattern)), pattern
