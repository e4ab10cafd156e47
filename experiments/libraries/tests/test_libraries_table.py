"""The survey's table: eleven libraries as the study published them, each with what was measured here beside it, by the
study's definitions and by ours."""

from __future__ import annotations

import pytest

from bancada.answers.ranking import number
from bancada.answers.report.input import ExtraSection
from bancada.measure.laboratory import open_laboratory
from bancada.model.finding import Observation
from bancada.model.result import Result
from bancada.model.status import Fidelity, Status
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
_CYCLES = {"set-key": 100, "encrypt": 1000, "set-decrypt-key": 20, "decrypt": 3000}


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


def _sections(results: list[Result], observations: tuple[Observation, ...] = ()) -> tuple[ExtraSection, ...]:
    laboratory = open_laboratory()
    return sections(Evidence(laboratory, laboratory.experiments["libraries"], results, observations))


def _rows(results: list[Result], which: str = MEASURED_HERE) -> dict[str, dict[str, str]]:
    """The rows of published or of our figures, by library and the first words of the column."""
    (part,) = _sections(results)
    names = [name.partition(",")[0].partition(":")[0] for name in part.columns]
    return {row[0]: dict(zip(names, row, strict=True)) for row in part.rows if row[1] == which}


def _row(results: list[Result], begins: str) -> dict[str, str]:
    [found] = [row for name, row in _rows(results).items() if name.startswith(begins)]
    return found


def test_a_context_on_the_heap_is_said_and_not_counted() -> None:
    """1,072 B of static RAM; the deepest stack of a call has 330."""
    on_heap = {"ram_static_bytes": 1072, "ram_context_bytes": None, "stack_bytes": 330}
    row = _row(_results("securino", _CYCLES, **on_heap), "Securino")
    between, within = (f"{number(value)} and heap" for value in (1072, 1402))
    assert (row["RAM between calls"], row["RAM in a call"]) == (between, within)


def test_the_eleven_libraries_keep_their_published_figures() -> None:
    """The figures are the study's own, from its text; a sketch of 1,416 B adds 966 B to an empty one of 450 B."""
    published = _rows(_results("tinyaes", _CYCLES), PUBLISHED)
    assert len(published) == 11
    small = published["beranm14/AES_128bit_Arduino"]
    assert small["Flash of the sketch"] == f"{number(1416)} / {number(1622)} / {number(2220)}"
    assert small["Flash added"] == f"966 / {number(1172)} / {number(1770)}"
    fast = published["DavyLandman/AESLib"]
    assert (fast["RAM between calls"], fast["RAM in a call"]) == ("402", "–")
    assert fast["Cycles"] == f"{number(4567)} / {number(5192)} / {number(9716)}"
    assert published["octaviovieira/Ptolemy-XV"]["Embeds"] == f"no: needs {number(5365)} B of SRAM"
    assert published["nilsonmori/securino"]["SP 800-38A"] == "yes"
    assert (published["spaniakos/AES"]["FIPS 197"], published["spaniakos/AES"]["Cycles"]) == ("no", "–")


def test_a_library_of_the_study_has_our_figures_below_the_published_ones() -> None:
    (part,) = _sections(_results("aeslib", _CYCLES) + _results("tinyaes", _CYCLES))
    names = [row[0] for row in part.rows]
    at = names.index("DavyLandman/AESLib")
    assert part.rows[at + 1][:2] == ("AESLib d78588a", MEASURED_HERE)
    assert names[-1].startswith("tiny-AES-c")


def test_ours_have_the_key_schedule_in_their_cycles_and_both_definitions_of_sizes() -> None:
    sizes = {"flash_bytes": 500, "flash_both_bytes": 900, "ram_static_bytes": 10, "ram_context_bytes": 176}
    ours = _row(_results("tinyaes", _CYCLES, stack_bytes=40, **sizes), "tiny-AES-c")
    assert ours["Embeds"] == "yes"
    assert ours["Cycles"] == f"{number(1100)} / {number(3020)} / {number(4120)}"
    assert ours["Flash added"] == "500 / 500 / 900"
    assert ours["Flash of the sketch"] == f"950 / 950 / {number(1350)}"
    assert (ours["RAM between calls"], ours["RAM in a call"]) == ("186", "226")


def test_a_library_that_runs_its_schedule_in_each_call_is_not_charged_for_its_set_key() -> None:
    """It only copies the key, which the study's program does not."""
    ours = _row(_results("aeslib", _CYCLES, variant="one-call"), "AESLib")
    assert ours["Cycles"] == f"{number(1000)} / {number(3000)} / {number(4000)}"


def test_the_parts_of_one_figure_are_of_one_build() -> None:
    """A key set at one level and a block encrypted at another are no program."""
    fast_block = _results("tinyaes", {"set-key": 500, "encrypt": 10}, optimisation="-O3")
    fast_key = _results("tinyaes", {"set-key": 5, "encrypt": 700}, optimisation="-Os")
    assert _row(fast_block + fast_key, "tiny-AES-c")["Cycles"].split(" / ")[0] == "510"


def test_an_eliminated_library_keeps_its_row_with_the_reason() -> None:
    results = _results(
        "nettle", _CYCLES, status=Status.DOES_NOT_FIT, reason="needs 4,096 B more RAM", **_ELIMINATED
    ) + _results("cifra", _CYCLES, status=Status.NOT_CONFORMANT, reason="COUNT = 0: expected 03, got 5e", **_ELIMINATED)
    nettle, cifra = _row(results, "Nettle"), _row(results, "cifra")
    assert (nettle["Embeds"], nettle["FIPS 197"]) == ("no: needs 4,096 B more RAM", "–")
    assert nettle["Flash added"] == nettle["RAM in a call"] == nettle["Cycles"] == "–"
    assert (cifra["Embeds"], cifra["FIPS 197"]) == ("yes", "no: COUNT = 0")
    assert cifra["Cycles"] == "–"


def test_what_could_not_be_fetched_is_neither_wrong_nor_too_big() -> None:
    reason = "cannot be fetched: https://example.org/x at 1 is not in the cache, and git does not reach example.org."
    ours = _row(_results("aeslib", _CYCLES, status=Status.FAILED, reason=reason, flags="", **_ELIMINATED), "AESLib")
    assert (ours["Embeds"], ours["FIPS 197"]) == (f"not known: {reason}", "–")


def test_a_library_with_long_keys_alone_has_them_in_its_row() -> None:
    long_keys = _results("arduinoaes256", _CYCLES, key_bits=256)
    not_offered = _results("arduinoaes256", _CYCLES, status=Status.NOT_OFFERED, reason="no such key", **_ELIMINATED)
    ours = _row(not_offered + long_keys, "ArduinoAES256")
    assert ours["Cycles"] == f"{number(1100)} / {number(3020)} / {number(4120)}"
    assert ours["Embeds"] == "yes"


def test_a_leak_that_an_audit_found_is_told() -> None:
    leaking = _results("tinyaes", {"set-key": 1}, audit="clean") + _results("tinyaes", {"encrypt": 2}, audit="leaks: x")
    assert _row(leaking, "tiny-AES-c")["Leaks"] == "leaks: x"
    assert _row(_results("tinyaes", _CYCLES), "tiny-AES-c")["Leaks"] == "–"


def test_another_device_is_no_row_of_this_survey() -> None:
    assert _sections(_results("tinyaes", _CYCLES, target="samd21")) == ()


_IV = {
    "flash_bytes": 2000,
    "ram_static_bytes": 260,
    "seal_cycles": 3000,
    "seal_stack_bytes": 50,
    "messages": 8,
    "distinct_commands": 2,
    "distinct_packets": 2,
    "iv_cycles": 100,
}


def _observed(name: str, **changes: object) -> Observation:
    return Observation("iv", name, Fidelity.EXACT, {}, {**_IV, **changes}, "2026-11-23")


def test_the_programs_stand_beside_each_other_and_messages_by_their_length() -> None:
    fresh = _observed("fresh", distinct_packets=8, iv_cycles=10_000, seed_s=16.4)
    message = {"algorithm": "mode-aes-cbc", "primitive": "mode", "operation": "encrypt", "variant": "plain"}
    results = [
        make_result(5000 + 100 * size, case=f"m{size}", size_bytes=size, candidate="tatu", **message)
        for size in (64, 16)
    ]
    programs, messages = _sections(results, (_observed("fixed"), fresh))
    assert [row[0] for row in programs.rows] == ["fixed: a constant", "fresh: a seeded generator"]
    assert [row[-1] for row in programs.rows] == ["2 of 8", "8 of 8"]
    assert programs.rows[1][6] == "16.4"
    assert [row[1] for row in messages.rows] == ["16", "64"]
    assert messages.rows[0][2:4] == (number(6600), number(16600))
    assert messages.rows[0][5] == "60 %"
