"""Which audit is put beside which result."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bancada.answers.report.input import ExperimentSection, ReportInput
from bancada.answers.report.page import draw_report
from bancada.audit.findings import Audit, Finding, Timing
from bancada.audit.marks import with_audits
from bancada.measure.read_metrics import read_metrics
from bancada.model.result import Result
from tests.example_results import result

pytestmark = pytest.mark.quick

_BRANCH = Finding("branch", "xtime", "ykaes.c", 112, None, 40, is_leak=True)
_LOAD = Finding("load", "encrypt", "ykaes.c", 130, None, 160, is_leak=False)
_STEADY = Timing(150, 150, 500.0, 500.0, 500, 500, 0.0)
_RESULT = result()
_CLEAN = Audit(
    "uno",
    "tatu/aes128",
    "encrypt",
    "-Os",
    _RESULT.compiler,
    "simulator",
    4,
    (_LOAD,),
    _STEADY,
    None,
    "2026-11-21T10:00:00+00:00",
)
_LEAKING = replace(_CLEAN, findings=(_BRANCH, _LOAD))
_WHAT = "branch at ykaes.c:112 in xtime"


def _mark(of: Result, *audits: Audit) -> str | None:
    [marked] = with_audits([of], audits)
    return marked.audit


def test_the_same_build_is_clean_or_leaks_at_a_place() -> None:
    assert _mark(_RESULT, _CLEAN) == "clean"
    assert _mark(_RESULT, _LEAKING) == f"leaks: {_WHAT}"
    timed = replace(_CLEAN, timing=replace(_STEADY, cycles_max=507, t=9.0))
    assert _mark(_RESULT, timed) == "leaks: 500 to 507 cycles in 300 calls (t = 9.0)"


def test_what_was_not_audited_has_no_mark() -> None:
    assert _mark(_RESULT) is None
    assert _mark(_RESULT, replace(_LEAKING, reason="does not fit")) is None
    for other in (
        replace(_LEAKING, operation="decrypt"),
        replace(_LEAKING, target="mega2560"),
        replace(_LEAKING, implementation="tatu/aes128/small"),
    ):
        assert _mark(_RESULT, other) is None


def test_another_level_or_compiler_is_told_only_where_it_leaks() -> None:
    for of in (result(optimisation="-O3"), result(compiler="clang 14")):
        assert _mark(of, _CLEAN) is None
        assert _mark(of, _LEAKING) == f"leaks at -Os by {_RESULT.compiler}: {_WHAT}"


def test_an_audit_of_other_firmware_is_told_only_where_it_leaks() -> None:
    """The same level and compiler, but other sources."""
    assert _mark(_RESULT, replace(_CLEAN, elf_sha256=_RESULT.elf_sha256)) == "clean"
    assert _mark(_RESULT, replace(_CLEAN, elf_sha256="f" * 64)) is None
    told = _mark(_RESULT, replace(_LEAKING, elf_sha256="f" * 64))
    assert told == f"leaks at -Os by {_RESULT.compiler}: {_WHAT}"


def test_clocks_are_one_device_and_valgrind_speaks_of_sources() -> None:
    host = replace(_LEAKING, target="xu3-little@600MHz", method="host", compiler="gcc 12", timing=None)
    assert _mark(result(target="xu3-little@1400MHz"), host) == f"leaks (its sources, on the host): {_WHAT}"
    clean = replace(host, findings=())
    assert _mark(result(target="xu3-little@1400MHz"), clean) == "clean (its sources, on the host)"


def test_the_badge_of_audited_sources_does_not_speak_of_the_device() -> None:
    titles = {}
    for method in ("simulator", "host"):
        rows = with_audits([_RESULT], [replace(_CLEAN, method=method)])
        section = ExperimentSection("mine", "Mine", "?", "", "", tuple(rows))
        page = draw_report(
            ReportInput(title="", made="2026-11-21", tool_version="1", targets=(), experiments=(section,)),
            read_metrics(),
        )
        [titles[method]] = set(re.findall(r'<span class="clean" title="([^"]*)">clean</span>', page))
    assert titles == {
        "simulator": "bancada audit found nothing that tells a secret on this device",
        "host": "clean (its sources, on the host)",
    }


def test_each_row_of_the_report_that_leaks_has_a_badge_that_says_where() -> None:
    rows = with_audits([_RESULT, result(operation="decrypt")], [_LEAKING])
    section = ExperimentSection("mine", "Mine", "?", "", "", tuple(rows))
    page = draw_report(
        ReportInput(title="", made="2026-11-21", tool_version="1", targets=(), experiments=(section,)), read_metrics()
    )
    badge = f'<span class="leak" title="leaks: {_WHAT}">leaks</span>'
    answers, _, figures = page.partition('<table class="figures"')
    assert figures.count(badge) == 1
    assert badge in answers, "the first table says it too"
    assert '<span class="leak"' not in draw_report(
        ReportInput(
            title="",
            made="2026-11-21",
            tool_version="1",
            targets=(),
            experiments=(replace(section, results=(_RESULT,)),),
        ),
        read_metrics(),
    )
