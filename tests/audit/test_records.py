"""What an audit says, stores, declares public and shows in the report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bancada.answers.report.input import ReportInput
from bancada.answers.report.page import draw_report
from bancada.audit.declared import declared_look_ups, declared_public
from bancada.audit.findings import Audit, Finding, Timing, is_leak, together
from bancada.audit.section import audit_note, audit_sections
from bancada.audit.simulator import _welch_t
from bancada.audit.store import read_audits, store_audit
from bancada.measure.read_metrics import read_metrics
from bancada.model.errors import UserError

pytestmark = pytest.mark.quick

_BRANCH = Finding("branch", "sub_bytes", "aes.c", 123, None, 40, is_leak=True)
_LOAD = Finding("load", "sub_bytes", "aes.c", 130, None, 160, is_leak=False)
_STEADY = Timing(150, 150, 500.0, 500.0, 500, 500, 0.0)
_CLEAN = Audit(
    "uno",
    "good/aes128",
    "encrypt",
    "-Os",
    "avr-gcc",
    "simulator",
    4,
    (_LOAD,),
    _STEADY,
    None,
    "2026-11-21T10:00:00+00:00",
)
_LEAKING = replace(
    _CLEAN, implementation="bad/aes128", findings=(_BRANCH, _LOAD), timing=replace(_STEADY, cycles_max=507, t=9.0)
)


def test_addresses_leak_where_there_is_a_cache_and_branches_everywhere() -> None:
    assert [
        is_leak(kind, has_cache=False) for kind in ("branch", "jump", "load", "store", "flash-load", "even-branch")
    ] == [True, True] + [False] * 4
    assert [is_leak(kind, has_cache=True) for kind in ("branch", "load", "store", "address", "even-branch")] == [
        True
    ] * 4 + [False]


def test_verdicts() -> None:
    assert _CLEAN.verdict == "clean"
    assert _LEAKING.verdict == "leaks"
    assert replace(_CLEAN, timing=replace(_STEADY, cycles_min=499)).verdict == "leaks"  # by time alone
    assert replace(_CLEAN, reason="does not fit").verdict == "not audited"


def test_t_is_that_of_welch() -> None:
    # By hand: means 2 and 4, variances 1 and 4, t = 2 / sqrt(1/3 + 4/3).
    assert _welch_t([1, 2, 3], [2, 4, 6]) == pytest.approx(2 / (5 / 3) ** 0.5, rel=1e-12)
    assert _welch_t([5, 5], [5, 5]) == 0.0
    assert _welch_t([5, 5], [6, 6]) == float("inf")


def test_a_stored_audit_comes_back_and_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    store = tmp_path / "results.sqlite"
    assert read_audits(store) == []
    store_audit(store, replace(_LEAKING, findings=()))
    infinite = replace(_LEAKING, timing=replace(_STEADY, t=float("inf"), cycles_max=501))
    store_audit(store, infinite)
    store_audit(store, _CLEAN)
    assert read_audits(store) == [infinite, _CLEAN]


def test_lines_of_one_function_are_told_together() -> None:
    (places,) = together([_BRANCH, replace(_BRANCH, line=120, count=2)])
    assert (places.where, places.count) == ("aes.c:120, 123", 42)
    (places,) = together([_BRANCH, replace(_BRANCH, line=120), replace(_BRANCH, line=121)])
    assert places.text == "aes.c:120 to 123 in sub_bytes"
    (places,) = together([replace(_BRANCH, routine="memcmp")])
    assert places.text == "memcmp, called from aes.c:123 in sub_bytes"


def test_the_report_has_a_red_row_for_what_leaks() -> None:
    assert audit_sections([]) == ()
    (section,) = audit_sections([_CLEAN, _LEAKING])
    assert section.red_rows == (0,)  # what leaks comes first
    assert section.rows[0][:4] == ("bad/aes128", "uno, -Os", "leaks: encrypt", "branch at aes.c:123 in sub_bytes")
    assert section.rows[0][4:] == ("encrypt 500 to 507", "1 address")
    assert section.rows[1][4] == "the same for every secret"
    assert section.rows[1][:4] == ("good/aes128", "uno, -Os", "clean", "–")
    html = draw_report(ReportInput("t", "2026-11-21", "1", (), (), extra=(section,)), read_metrics())
    assert html.count('<tr class="warned">') == 1
    red = html[html.index('<tr class="warned">') :].partition("</tr>")[0]
    assert "bad/aes128" in red
    assert "branch at aes.c:123 in sub_bytes" in red


def test_levels_of_which_the_same_is_said_share_a_row() -> None:
    (section,) = audit_sections([_CLEAN, replace(_CLEAN, optimisation="-O3"), replace(_LEAKING, optimisation="-O2")])
    assert [row[:3] for row in section.rows] == [
        ("bad/aes128", "uno, -O2", "leaks: encrypt"),
        ("good/aes128", "uno, -Os, -O3", "clean"),
    ]
    assert section.red_rows == (0,)
    assert section.paragraphs[-1] == "Of 2 implementations, 1 leaks: bad/aes128 on uno."


def test_an_experiment_says_which_of_its_implementations_leak() -> None:
    audits = [_CLEAN, _LEAKING]
    note = audit_note(audits, ["bad/aes128", "good/aes128"], ["uno"])
    assert note is not None
    assert "bad/aes128 (branch at aes.c:123 in sub_bytes)" in note
    assert "good" not in note
    assert audit_note(audits, ["good/aes128"], ["uno"]) is None
    assert audit_note(audits, ["bad/aes128"], ["mega2560"]) is None


_DECLARATION = """
[[public]]
function = "open"
operations = ["decrypt"]
times = 1
why = "the verdict"
"""


def test_what_is_declared_is_declared_of_one_operation(tmp_path: Path) -> None:
    assert declared_public(tmp_path, "decrypt") == {}
    (tmp_path / "audit.toml").write_text(_DECLARATION)
    assert declared_public(tmp_path, "decrypt")["open"].why == "the verdict"
    assert declared_public(tmp_path, "encrypt") == {}


_LOOK_UP = """
[[look-up]]
function = "encrypt"
implementations = ["aes128/ram"]
operations = ["encrypt"]
cores = ["cortex-m0plus"]
why = "a table in RAM"
"""


def test_a_look_up_is_declared_of_one_implementation_on_one_core(tmp_path: Path) -> None:
    assert declared_look_ups(tmp_path, "aes128/ram", "cortex-m0plus", "encrypt") == ()
    (tmp_path / "audit.toml").write_text(_LOOK_UP)
    [found] = declared_look_ups(tmp_path, "aes128/ram", "cortex-m0plus", "encrypt")
    assert (found.function, found.why) == ("encrypt", "a table in RAM")
    for other in (
        ("aes128", "cortex-m0plus", "encrypt"),
        ("aes128/ram", "cortex-m4", "encrypt"),
        ("aes128/ram", "cortex-m0plus", "decrypt"),
    ):
        assert declared_look_ups(tmp_path, *other) == ()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("times = 1", "times = 0"), "key 'public.0.times'"),
        (('why = "the verdict"', ""), "key 'public.0.why'"),
        (("[[", "["), "not valid TOML|key 'public'"),
    ],
)
def test_a_wrong_declaration_is_one_sentence(tmp_path: Path, change: tuple[str, str], said: str) -> None:
    (tmp_path / "audit.toml").write_text(_DECLARATION.replace(*change))
    with pytest.raises(UserError, match=said):
        declared_public(tmp_path, "decrypt")
