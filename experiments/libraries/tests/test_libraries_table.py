"""The survey's table: eleven libraries as the study published them, and every one measured here, each marked."""

from __future__ import annotations

import pytest

from bancada.answers.ranking import number
from bancada.answers.report.input import ExtraSection
from bancada.measure.laboratory import open_laboratory
from bancada.model.result import Result
from bancada.model.status import Status
from bancada.studies.study import Evidence
from experiments.libraries.sections import MEASURED_HERE, PUBLISHED, sections
from tests.example_results import result as make_result

pytestmark = pytest.mark.quick

_ELIMINATED = {
    "cycles_median": None,
    "flash_bytes": None,
    "flash_both_bytes": None,
    "stack_bytes": None,
    "conformance_total": None,
}


def _results(candidate: str, operations: dict[str, int], **changes: object) -> list[Result]:
    return [
        make_result(
            cycles,
            case=f"{candidate}/{operation}",
            candidate=candidate,
            implementation=f"{candidate}/aes128",
            operation=operation,
            **changes,
        )
        for operation, cycles in operations.items()
    ]


def _sections(results: list[Result]) -> tuple[ExtraSection, ...]:
    laboratory = open_laboratory()
    return sections(Evidence(laboratory, laboratory.experiments["libraries"], results, ()))


def _rows(results: list[Result]) -> dict[str, tuple[str, ...]]:
    (part,) = _sections(results)
    assert all(len(row) == len(part.columns) for row in part.rows)
    return {row[0]: row for row in part.rows}


_CYCLES = {"set-key": 100, "encrypt": 1000, "set-decrypt-key": 20, "decrypt": 3000}


def test_the_eleven_libraries_keep_their_published_figures() -> None:
    """The figures are the study's own, from its text."""
    rows = _rows(_results("tinyaes", _CYCLES))
    published = {name: row for name, row in rows.items() if row[1] == PUBLISHED}
    assert len(published) == 11
    assert published["beranm14/AES_128bit_Arduino"][6] == f"{number(1416)} / {number(1622)} / {number(2220)}"
    assert published["DavyLandman/AESLib"][7:] == ("402", f"{number(4567)} / {number(5192)} / {number(9716)}")
    assert published["octaviovieira/Ptolemy-XV"][3] == f"no: needs {number(5365)} B of SRAM"
    assert published["nilsonmori/securino"][5] == "yes"
    assert published["spaniakos/AES"][4] == "no" and published["spaniakos/AES"][8] == "–"


def test_ours_are_marked_and_have_the_key_schedule_in_their_cycles() -> None:
    rows = _rows(_results("tinyaes", _CYCLES))
    (ours,) = (row for row in rows.values() if row[1] == MEASURED_HERE)
    assert ours[0].startswith("tiny-AES-c") and ours[3] == "yes"
    assert ours[8] == f"{number(1100)} / {number(3020)} / {number(4120)}"


def test_the_parts_of_one_figure_are_of_one_build() -> None:
    """A key set at one level and a block encrypted at another are no program."""
    fast_block = _results("tinyaes", {"set-key": 500, "encrypt": 10}, optimisation="-O3")
    fast_key = _results("tinyaes", {"set-key": 5, "encrypt": 700}, optimisation="-Os")
    (ours,) = (row for row in _rows(fast_block + fast_key).values() if row[1] == MEASURED_HERE)
    assert ours[8].split(" / ")[0] == "510"


def test_an_eliminated_library_keeps_its_row_with_the_reason() -> None:
    rows = _rows(
        _results("nettle", _CYCLES, status=Status.DOES_NOT_FIT, reason="needs 4,096 B more RAM", **_ELIMINATED)
        + _results(
            "cifra", _CYCLES, status=Status.NOT_CONFORMANT, reason="COUNT = 0: expected 03, got 5e", **_ELIMINATED
        )
    )
    nettle = next(row for name, row in rows.items() if name.startswith("Nettle"))
    cifra = next(row for name, row in rows.items() if name.startswith("cifra"))
    assert nettle[3] == "no: needs 4,096 B more RAM" and nettle[4] == "–" and nettle[6:] == ("–", "–", "–")
    assert cifra[3] == "yes" and cifra[4] == "no: COUNT = 0: expected 03, got 5e" and cifra[8] == "–"


def test_another_device_is_no_row_of_this_survey() -> None:
    assert _sections(_results("tinyaes", _CYCLES, target="samd21")) == ()
