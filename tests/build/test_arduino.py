"""Arduino libraries and C++: what the IDE compiles, what is measured of it, and what every mistake says."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from bancada.build.arduino import arduino_library
from bancada.build.build import build
from bancada.catalogue.paths import data_root
from bancada.commands.new_candidate import new_candidate
from bancada.measure.check import Checked, check
from bancada.measure.laboratory import open_laboratory
from bancada.model.errors import UserError
from bancada.model.status import Status
from bancada.plan.case import Firmware
from bancada.plan.plan import plan
from tests.own_library import ONCILLA_CALLS, QUATI_CALLS, TATU_CALLS, filled_in

FIXTURES = Path(__file__).parent / "arduino"


def _relative(paths: tuple[Path, ...], folder: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in paths]


def test_the_layout_with_src_and_the_one_without() -> None:
    quati = arduino_library(FIXTURES / "Quati")
    assert _relative(quati.sources, quati.folder) == ["src/Quati.cpp", "src/inner/Substitution.cpp"]
    assert _relative(quati.include, quati.folder) == ["src"]
    oncilla = arduino_library(FIXTURES / "Oncilla")
    assert _relative(oncilla.sources, oncilla.folder) == ["Oncilla.cpp", "utility/rotate.c"]
    assert _relative(oncilla.include, oncilla.folder) == [".", "utility"]
    assert oncilla.properties["version"] == "0.3"


def _only(name: str, target: str = "uno") -> Checked:
    [checked] = check(open_laboratory(), name, target)
    return checked


@pytest.mark.parametrize(
    ("library", "algorithm", "calls"),
    [
        pytest.param(FIXTURES / "Quati", "aes", QUATI_CALLS, id="src"),
        pytest.param(FIXTURES / "Oncilla", "speck64", ONCILLA_CALLS, id="root"),
        # A large one with the layout of the first.
        pytest.param(data_root() / "tatu", "speck64", TATU_CALLS, id="tatu", marks=pytest.mark.slow),
    ],
)
def test_a_library_fails_its_vectors_until_the_calls_stand_in_its_adapter(
    library: Path, algorithm: str, calls: dict[str, str], added_root: Path
) -> None:
    written = new_candidate("mine", algorithm, added_root, arduino=library)
    adapter = written.folder / "adapter.hpp"
    before = _only("mine")
    assert before.status is Status.NOT_CONFORMANT
    assert before.tested is not None
    assert "expected" in (before.reason or "")
    adapter.write_text(filled_in(adapter.read_text(), calls))
    assert len(adapter.read_text().splitlines()) <= 20
    after = _only("mine")
    assert after.status is Status.OK, after.reason
    assert after.tested is not None
    assert after.tested.total == after.tested.passed > 100


def _candidate(root: Path, name: str = "mine") -> Path:
    """Oncilla as a candidate that is right; returns the copy of the library that a test may break."""
    library = root / "libraries" / "Oncilla"
    shutil.copytree(FIXTURES / "Oncilla", library)
    written = new_candidate(name, "speck64", root, arduino=library)
    adapter = written.folder / "adapter.hpp"
    adapter.write_text(filled_in(adapter.read_text(), ONCILLA_CALLS))
    return library


def _firmware(name: str) -> Firmware:
    from bancada.plan.everything_of import everything_of

    [firmware] = {
        one.firmware
        for one in plan(
            open_laboratory(), everything_of(open_laboratory(), open_laboratory().candidates[name], "uno", "-Os")
        )
        if one.firmware
    }
    return firmware


def test_the_baseline_of_a_size_has_nothing_of_the_library(added_root: Path) -> None:
    written = new_candidate("mine", "aes", added_root, arduino=FIXTURES / "Quati")
    adapter = written.folder / "adapter.hpp"
    adapter.write_text(filled_in(adapter.read_text(), QUATI_CALLS))
    images = build(_firmware("mine")).images

    def functions(image: str) -> str:
        with Path(images[image].elf_path).open("rb") as file:
            symbols = ELFFile(file).get_section_by_name(".symtab")
            assert isinstance(symbols, SymbolTableSection)
            return " ".join(symbol.name for symbol in symbols.iter_symbols())

    # What is constructed before main, and the virtual functions of an object, are linked into any image that has them
    # at all.
    assert "SubstitutionC" in functions("encrypt")
    assert "encryptBlock" in functions("encrypt")
    assert "Substitution" not in functions("none")
    assert "Quati" not in functions("none")
    assert images["encrypt"].ram_static_bytes - images["none"].ram_static_bytes >= 512  # both tables
    assert "printTo" not in functions("encrypt"), "what nothing calls is left out"


def _in(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def _renamed(own: Path) -> None:
    (own / "adapter.hpp").rename(own / "adapter.h")
    _in(own / "candidate.toml", "adapter.hpp", "adapter.h")


Break = Callable[[Path, Path], None]


@pytest.mark.parametrize(
    ("mistake", "words"),
    [
        (
            lambda lib, own: _in(own / "adapter.hpp", "Oncilla.h", "Onzilla.h"),
            "Onzilla.h: No such file or directory; if Onzilla is another library",
        ),
        (
            lambda lib, own: _in(lib / "Oncilla.cpp", "#include <rotate.h>", "#include <vector>"),
            "uno has no C++ standard library",
        ),
        (
            lambda lib, own: _in(lib / "Oncilla.cpp", "    memcpy(word, key, 16);", "    if (!key) throw 1;"),
            "compiled without exceptions",
        ),
        (
            lambda lib, own: _in(
                lib / "Oncilla.cpp",
                "void Oncilla::decrypt(byte block[8])",
                "void decrypt(byte *block, byte rounds, uint32_t *keys)",
            ),
            "Oncilla::decrypt(unsigned char*)' is called, and no file of the library defines it",
        ),
        (
            lambda lib, own: _in(own / "adapter.hpp", "inline void bancada_decrypt", "inline void decrypt"),
            "adapter.hpp does not define bancada_decrypt",
        ),
        (lambda lib, own: (own / "adapter.hpp").unlink(), "names the adapter 'adapter.hpp', which is not in mine"),
        (
            lambda lib, own: _renamed(own),
            "is read as C: let its name end in .hpp",
        ),
        (
            lambda lib, own: _in(lib / "library.properties", "architectures", "depends=Crypto\narchitectures"),
            "depends on 'Crypto', which is not beside it",
        ),
    ],
    ids=["header", "stl", "throw", "undefined", "lacking", "no adapter", "suffix", "depends"],
)
def test_every_mistake_is_one_sentence_that_says_what_to_do(mistake: Break, words: str, added_root: Path) -> None:
    library = _candidate(added_root)
    mistake(library, added_root / "candidates" / "mine")
    checked = _only("mine")
    assert checked.status is Status.DOES_NOT_BUILD
    assert checked.reason is not None and words in checked.reason and "\n" not in checked.reason, checked.reason


def test_a_library_that_another_depends_on_is_compiled_with_it(added_root: Path) -> None:
    library = _candidate(added_root)
    shutil.move(library / "utility", library.parent / "Rotate")
    (library.parent / "Rotate" / "library.properties").write_text("name=Rotate by one and more\nversion=1\n")
    _in(library / "library.properties", "architectures", "depends=Rotate by one and more, SPI (>=1.0)\narchitectures")
    _in(library / "Oncilla.cpp", "#include <rotate.h>", "#include <rotate.h>\n#include <SPI.h>")
    assert _only("mine").status is Status.OK


def test_a_device_without_an_arduino_core_is_named(added_root: Path) -> None:
    _candidate(added_root)
    checked = _only("mine", "samd21")
    assert checked.status is Status.DOES_NOT_BUILD
    assert "there is no Arduino core for samd21 here: measure it on mega2560 or uno" in (checked.reason or "")


@pytest.mark.parametrize("target", ["uno", "samd21", "bbb"])
def test_a_folder_of_cpp_with_objects_made_before_main(target: str, added_root: Path) -> None:
    sources = added_root / "code"
    shutil.copytree(FIXTURES / "Oncilla", sources, ignore=shutil.ignore_patterns("library.properties"))
    _in(
        sources / "Oncilla.h", '#include "Arduino.h"', "#include <stdint.h>\n#include <string.h>\ntypedef uint8_t byte;"
    )
    early = (
        "struct Early {\n    Early() : rounds(27) {}\n    virtual ~Early() {}\n    byte rounds;\n};\nstatic Early"
        " early;\n\n"
    )
    _in(sources / "Oncilla.cpp", "void Oncilla::begin", f"{early}void Oncilla::begin")
    _in(sources / "Oncilla.cpp", "round < rounds", "round < early.rounds")
    written = new_candidate("mine", "speck64", added_root, sources=sources)
    adapter = written.folder / "adapter.hpp"
    adapter.write_text(filled_in(adapter.read_text(), ONCILLA_CALLS))
    checked = _only("mine", target)
    assert checked.status is Status.OK, checked.reason


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({}, "holds no Arduino library"),
        ({"library.properties": "name=x\n", "src/readme.txt": ""}, "no source or header in src"),
    ],
)
def test_a_folder_that_is_no_library_is_one_sentence(content: dict[str, str], words: str, added_root: Path) -> None:
    folder = added_root / "empty"
    folder.mkdir()
    for name, text in content.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    with pytest.raises(UserError, match=re.escape(words)):
        new_candidate("mine", "aes", added_root, arduino=folder)
    assert not (added_root / "candidates").exists()
