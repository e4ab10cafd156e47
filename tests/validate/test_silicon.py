"""The published figures in two halves: the frozen ones are what they were, and no row is in both."""

from __future__ import annotations

import csv
import hashlib
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from bancada.catalogue.paths import room
from bancada.catalogue.toml_record import read_toml
from bancada.commands.validate import validate
from bancada.measure.laboratory import open_laboratory
from bancada.model.errors import UserError
from bancada.validate.device_memory import device_memory
from bancada.validate.silicon import half_of, silicon_figures
from bancada.validate.validate import published_figures

# Written before the first prediction; they never change. A new set of figures adds a line.
_FROZEN = {
    "adiantum-validation.csv": "74fe3c1050a23fd23032313159fb9b00063a6502776605597958421f2cdd67d0",
    "dav1d-validation.csv": "c05f83a31653f9aab0cd30ce7068b47bc1d515f8d00b4d6b6575e6b0b5e6a504",
    "libgcrypt-validation.csv": "f79c2ca3114b1b1e1b9f18c129123a6091e922fca1e9db9bf8ed695e817c8ba7",
    "lwc-validation.csv": "5e0fce5fa0dbec31497b40c784f63be891b1f465a269e69a526110a172f1bef2",
    "pqm4-validation.csv": "9398448f4f48fefcae5a41dff3caeb3c4a74765469d28d8de0a8d6b6baabd36d",
    "x264-validation.csv": "bcc369ee2cb2cd45df447a0d68564e04d960595bbc754fbee2dbf4862176ea79",
}


def _silicon() -> Path:
    [folder] = [folder / "silicon" for folder in room("cores") if (folder / "silicon").is_dir()]
    return folder


def test_the_validation_halves_are_those_that_were_frozen() -> None:
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in _silicon().glob("*-validation.csv")}

    assert found == _FROZEN


def test_a_call_is_in_one_half_only_on_every_core() -> None:
    halves: dict[str, set[str]] = {}
    for path in _silicon().glob("*.csv"):
        with path.open(newline="") as file:
            for row in csv.DictReader(file):
                halves.setdefault(row["program"].partition("/")[2], set()).add(path.stem.rpartition("-")[2])

    assert halves and all(len(found) == 1 for found in halves.values())


def test_a_frozen_half_that_was_changed_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    copy = tmp_path / "cores" / "silicon"
    shutil.copytree(_silicon(), copy)
    path = copy / "dav1d-validation.csv"
    path.write_text(path.read_text().replace("2019", "2018"))
    monkeypatch.setattr("bancada.validate.silicon.room", lambda _: [tmp_path / "cores"])

    with pytest.raises(UserError, match="never changed: put the file back"):
        silicon_figures("cortex-a7", "Cortex-A7")


def test_a_row_in_the_wrong_half_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    copy = tmp_path / "cores" / "silicon"
    shutil.copytree(_silicon(), copy)
    (copy / "dav1d-fit.csv").write_text((copy / "dav1d-validation.csv").read_text())
    monkeypatch.setattr("bancada.validate.silicon.room", lambda _: [tmp_path / "cores"])

    with pytest.raises(UserError, match="belongs to the validation half"):
        silicon_figures("cortex-a7", "Cortex-A7")


def test_a_row_may_say_the_memory_and_the_part_that_was_measured() -> None:
    [lwc, *_] = silicon_figures("cortex-m0plus", "Cortex-M0+")
    assert (lwc.memory, lwc.device) == ("samd21", "Arduino MKR Zero: SAMD21, 48 MHz")
    # Other sets have no such columns.
    [dav1d, *_] = silicon_figures("cortex-a53", "Cortex-A53")
    assert (dav1d.memory, dav1d.device) == (None, "Cortex-A53")


def test_every_memory_of_a_row_is_known() -> None:
    for core in ("cortex-m0plus", "cortex-m4"):
        assert all(device_memory(row.memory) for row in silicon_figures(core, core) if row.memory)


def test_without_git_the_rows_of_programs_that_git_fetches_are_left_out() -> None:
    core = open_laboratory().cores["cortex-m0plus"]
    assert published_figures(core) == ()
    assert {row.set for row in published_figures(core, from_git=True)} == {"fit", "validation", "set aside"}


def test_the_command_says_which_option_a_core_needs_whose_figures_git_fetches(tmp_path: Path) -> None:
    done = CliRunner().invoke(validate, ["cortex-m0plus", "--store", str(tmp_path / "results.sqlite")])
    assert isinstance(done.exception, UserError)
    assert "add --from-git" in str(done.exception)


def test_no_frozen_row_is_set_aside() -> None:
    rows = read_toml(_silicon() / "set-aside.toml")["row"]
    assert rows and all(half_of(row["program"]) == "fit" for row in rows)


def test_the_rule_of_the_halves() -> None:
    # The first byte of the SHA-256 of "abc" is 0xBA and that of "" is 0xE3 (FIPS 180-4 and its examples).
    assert (half_of("any/abc"), half_of("any/")) == ("fit", "validation")
