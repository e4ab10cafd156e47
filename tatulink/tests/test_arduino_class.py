"""The class for Arduino on this computer: lengths, an EEPROM that is a piece of flash, a program built for others."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
OWN_SOURCES = tuple((ROOT / "tatulink/src").rglob("*.c"))
SANITIZERS = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
INCLUDES = tuple(f"-I{folder}" for folder in (HERE / "host_arduino", ROOT / "tatulink/src", ROOT / "tatu/src"))
STRICT = ("-std=c++11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wundef", "-Werror")


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """TatuLink, and what it needs of Tatu."""
    folder = tmp_path_factory.mktemp("objects")
    sources = list(OWN_SOURCES)
    for room in ("aes", "ascon", "ccm", "common"):
        sources += (ROOT / "tatu/src" / room).rglob("*.c")
    subprocess.run(["gcc", "-std=c99", *SANITIZERS, *INCLUDES, "-c", *map(str, sources)], cwd=folder, check=True)
    return sorted(map(str, folder.glob("*.o")))


def test_every_name_for_the_linker_is_tatulinks(objects: list[str]) -> None:
    """What a sketch or another library may also be called would not link, or link the wrong one."""
    own = [path for path in objects if Path(path).stem in {source.stem for source in OWN_SOURCES}]
    listing = subprocess.run(["nm", "-g", "--defined-only", *own], capture_output=True, text=True, check=True).stdout
    names = {line.split()[-1] for line in listing.splitlines() if line and "asan" not in line and line[-1] != ":"}
    assert len(names) > 20
    assert {name for name in names if not name.startswith("tatulink_")} == set()


def build(program: Path, objects: list[str], *flags: str) -> subprocess.CompletedProcess[str]:
    driver = str(HERE / "host_arduino/class_driver.cpp")
    command = ["g++", *STRICT, *SANITIZERS, *flags, *INCLUDES, driver, *objects, "-o", str(program)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_no_length_is_cut_and_no_counter_is_used_that_is_not_in_the_flash(tmp_path: Path, objects: list[str]) -> None:
    built = build(tmp_path / "program", objects)
    assert built.returncode == 0, built.stderr
    done = subprocess.run([tmp_path / "program"], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


@pytest.mark.parametrize("senders", [2, 8])
def test_a_program_for_another_number_of_senders_does_not_link(
    tmp_path: Path, objects: list[str], senders: int
) -> None:
    """Its struct tatulink is not the library's, which would write beyond it."""
    built = build(tmp_path / "program", objects, f"-DTATULINK_SENDERS={senders}")
    assert built.returncode != 0
    assert f"with_TATULINK_SENDERS_{senders}" in built.stderr
