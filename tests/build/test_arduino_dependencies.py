"""What an Arduino library includes is found as the IDE finds it: by the header, beside it or with the core."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bancada.build.arduino import arduino_library
from bancada.commands.new_candidate import new_candidate
from bancada.measure.check import Checked, check
from bancada.measure.laboratory import open_laboratory
from bancada.model.errors import UserError
from bancada.model.status import Status
from tests.own_library import ONCILLA_CALLS, filled_in

FIXTURES = Path(__file__).parent / "arduino"
_INCLUDE = "#include <rotate.h>"


@pytest.fixture
def library(added_root: Path) -> Path:
    """Oncilla as the candidate `mine`, right; the copy of the library, which a test may change."""
    copy = added_root / "libraries" / "Oncilla"
    shutil.copytree(FIXTURES / "Oncilla", copy)
    written = new_candidate("mine", "speck64", added_root, arduino=copy)
    adapter = written.folder / "adapter.hpp"
    adapter.write_text(filled_in(adapter.read_text(), ONCILLA_CALLS))
    return copy


def _checked() -> Checked:
    [checked] = check(open_laboratory(), "mine", "uno")
    return checked


def _include(library: Path, more: str) -> None:
    source = library / "Oncilla.cpp"
    assert _INCLUDE in source.read_text()
    source.write_text(source.read_text().replace(_INCLUDE, f"{_INCLUDE}\n{more}"))


def test_a_sibling_of_the_old_layout_is_found_by_its_header(library: Path) -> None:
    """No library.properties in it, and no `depends` in ours."""
    shutil.move(library / "utility", library.parent / "Rotation")
    assert not list((library.parent / "Rotation").glob("library.properties"))
    checked = _checked()
    assert checked.status is Status.OK, checked.reason


def test_a_sibling_of_the_old_layout_is_found_by_the_name_that_depends_has(library: Path) -> None:
    """It has no library.properties: its folder is its name."""
    shutil.move(library / "utility", library.parent / "Rotation")
    properties = library / "library.properties"
    properties.write_text(f"{properties.read_text()}\ndepends=Rotation\n")
    checked = _checked()
    assert checked.status is Status.OK, checked.reason


def test_what_comes_with_the_core_is_found_by_its_header(library: Path) -> None:
    _include(library, '#include <EEPROM.h>\nextern "C" int first_byte() { return EEPROM.read(0); }')
    checked = _checked()
    assert checked.status is Status.OK, checked.reason


def test_a_sibling_for_another_processor_is_left_alone(library: Path) -> None:
    other = library.parent / "Other"
    other.mkdir()
    (other / "Other.h").write_text("#error not for this processor\n")
    (other / "Other.cpp").write_text("#error not for this processor\n")
    (other / "library.properties").write_text("name=Other\narchitectures=esp32\n")
    _include(library, "#if defined(ESP32)\n#include <Other.h>\n#endif")
    checked = _checked()
    assert checked.status is Status.OK, checked.reason


def test_a_header_that_nothing_has_is_one_sentence(library: Path) -> None:
    _include(library, "#include <Nowhere.h>")
    checked = _checked()
    assert checked.status is Status.DOES_NOT_BUILD
    assert "if Nowhere is another library, put the folder of that library beside this one" in (checked.reason or "")


def test_a_source_with_a_main_can_be_left_out(library: Path, added_root: Path) -> None:
    (library / "demonstration.cpp").write_text("int main(void) { return 0; }\n")
    assert _checked().status is Status.DOES_NOT_BUILD
    own = added_root / "candidates" / "mine" / "candidate.toml"
    text = own.read_text()
    own.write_text(text.replace("arduino = true", 'arduino = true\nleave_out = ["demonstration.cpp"]', 1))
    checked = _checked()
    assert checked.status is Status.OK, checked.reason
    own.write_text(text.replace("arduino = true", 'arduino = true\nleave_out = ["demonstratoin.cpp"]', 1))
    assert "'demonstratoin.cpp', which is no source of Oncilla" in (_checked().reason or "")


def test_a_library_in_a_folder_below_or_in_an_archive_is_pointed_to(tmp_path: Path) -> None:
    unpacked = tmp_path / "Oncilla-master"
    shutil.copytree(FIXTURES / "Oncilla", unpacked / "Oncilla")
    with pytest.raises(UserError, match=f"There is one in {unpacked / 'Oncilla'}: give that folder"):
        arduino_library(unpacked)
    archive = tmp_path / "downloads" / "Oncilla.zip"
    archive.parent.mkdir()
    archive.write_bytes(b"PK")
    for given in (archive, archive.parent):
        with pytest.raises(UserError, match="is an archive: unpack it, and give the folder of the library"):
            arduino_library(given)
