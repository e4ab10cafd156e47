"""When a verdict stands: tolerances, what cannot be compared, draws of bands and of assumptions. All is planted."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bancada.answers.report.page import draw_report
from bancada.commands.assemble import assemble
from bancada.measure.laboratory import open_laboratory
from bancada.measure.read_metrics import read_metrics
from bancada.model.errors import UserError
from bancada.model.finding import Finding, Verdict
from bancada.model.result import Result
from bancada.model.status import Fidelity
from bancada.store.store import Store
from bancada.studies.assumption import Assumption, drawn, read_assumptions
from bancada.studies.claim import read_claims
from bancada.studies.study import Evidence, Study
from bancada.studies.within_bands import DRAWS, LEAST_ALIKE, findings_of, findings_within_bands
from tests.example_results import result as example

pytestmark = pytest.mark.quick

LABORATORY = open_laboratory()
_HEAD = 'not_measured = "Nothing."\n'
_CLAIM = """
[[finding]]
claim = "Planted"
published = "something"
figures = "planted"
ours = "{value}"
why = "Because."
"""


def _study(tmp_path: Path, text: str, figures: Any) -> Study:
    """The study of one findings.toml whose function `planted` takes the evidence."""
    path = tmp_path / "findings.toml"
    path.write_text(_HEAD + text)
    return Study(claims=read_claims(path, _module("figures", planted=figures)), assumptions=read_assumptions(path))


def _module(name: str, **functions: Any) -> types.ModuleType:
    module = types.ModuleType(name)
    module.__file__ = f"{name}.py"
    vars(module).update(functions)
    return module


def test_a_claims_figures_come_from_the_one_module_that_has_them(tmp_path: Path) -> None:
    path = tmp_path / "findings.toml"
    path.write_text(_HEAD + _CLAIM + 'holds = "value > 1"\n')
    first, second = _module("first", others=dict), _module("second", planted=lambda _: {"value": 2})
    (claim,) = read_claims(path, first, second)
    assert claim.figures is second.planted
    # A module may import the function of another.
    assert read_claims(path, _module("third", planted=second.planted), second)[0].figures is second.planted
    with pytest.raises(UserError, match=r"there is, in first.py or third.py, no function planted\.$"):
        read_claims(path, first, _module("third"))
    with pytest.raises(UserError, match=r"more than one of second.py or third.py has a function planted\.$"):
        read_claims(path, second, _module("third", planted=lambda _: None))


def _evidence(results: list[Result], assumed: Mapping[str, float] | None = None) -> Evidence:
    return Evidence(LABORATORY, next(iter(LABORATORY.experiments.values())), results, (), assumed or {})


def _modelled(cycles: int, operation: str = "encrypt", **fields: Any) -> Result:
    return dataclasses.replace(
        example(),
        core="cortex-a8",
        operation=operation,
        cycles_median=cycles,
        fidelity=Fidelity.MODELLED,
        fidelity_band_percent=33.0,
        **fields,
    )


def _one(study: Study, results: list[Result]) -> Finding:
    (found,) = findings_within_bands(study, _evidence(results))
    return found


def test_a_claim_may_say_itself_why_it_has_no_figure(tmp_path: Path) -> None:
    """Else the sentence at the file's beginning stands."""
    answered = 'answered = "True"\n'
    for own, why in (("", "Nothing."), ('not_measured = "There is no such board."\n', "There is no such board.")):
        found = _one(_study(tmp_path, _CLAIM + answered + own, lambda evidence: None), [])
        assert (found.verdict, found.why) == (Verdict.NOT_MEASURED, why)


# What a claim holds within.


@pytest.mark.parametrize(
    ("ours", "verdict"),
    [
        (0.7, Verdict.HOLDS),
        (0.85, Verdict.HOLDS_IN_PART),
        (0.35, Verdict.HOLDS_IN_PART),
        ((0.6, 0.8), Verdict.HOLDS),
        ((0.3, 0.7), Verdict.HOLDS_IN_PART),
        (1.2, Verdict.DOES_NOT_HOLD),
    ],
)
def test_a_claim_holds_only_within_the_tolerance_of_the_published_figure(
    tmp_path: Path, ours: Any, verdict: Verdict
) -> None:
    """0.35 where 0.7 was published is faster as well: that is a part of the claim. 20 % of 0.7 are 0.56 to 0.84."""
    text = _CLAIM + 'holds_in_part = "most < 1"\n[finding.within.value]\npublished = 0.7\ntolerance_percent = 20\n'
    most = max(ours) if isinstance(ours, tuple) else ours
    (found,) = findings_of(_study(tmp_path, text, lambda _: {"value": ours, "most": most}), _evidence([]))
    assert found.verdict is verdict
    assert found.within == "value 0.7 ±20 %"


def test_an_expression_may_ask_for_more_than_the_tolerance(tmp_path: Path) -> None:
    text = _CLAIM + 'holds = "value > 0.7"\n[finding.within.value]\npublished = 0.7\ntolerance_percent = 20\n'
    for value, verdict in ((0.71, Verdict.HOLDS), (0.69, Verdict.DOES_NOT_HOLD), (0.9, Verdict.DOES_NOT_HOLD)):
        (found,) = findings_of(_study(tmp_path, text, lambda _, value=value: {"value": value}), _evidence([]))
        assert found.verdict is verdict


def test_a_published_range_is_as_wide_as_it_was_printed(tmp_path: Path) -> None:
    text = _CLAIM + '[finding.within.value]\npublished = [8, 10]\ntolerance_percent = 10\nwhat = "AES over RC6"\n'
    for value, verdict in (
        (7.3, Verdict.HOLDS),
        (10.9, Verdict.HOLDS),
        (7.1, Verdict.DOES_NOT_HOLD),
        (11.1, Verdict.DOES_NOT_HOLD),
    ):
        (found,) = findings_of(_study(tmp_path, text, lambda _, value=value: {"value": value}), _evidence([]))
        assert found.verdict is verdict
        assert found.within == "AES over RC6 8 to 10 ±10 %"


# What cannot be compared.


def test_two_things_are_not_compared_however_near_their_figures_are(tmp_path: Path) -> None:
    text = (
        _CLAIM
        + 'not_comparable = "whole_processes == 0"\n[finding.within.value]\npublished = 1\ntolerance_percent = 5\n'
    )
    found = _one(
        _study(tmp_path, text, lambda _: {"value": 1.0, "whole_processes": 0}),
        [_modelled(100), _modelled(90, "decrypt")],
    )
    assert found.verdict is Verdict.NOT_COMPARABLE
    assert found.draws_alike is None
    found = _one(_study(tmp_path, text, lambda _: {"value": 1.0, "whole_processes": 1}), [_modelled(100)])
    assert (found.verdict, found.draws_alike) == (Verdict.HOLDS, DRAWS)


# Draws of the bands.


def _ratio(evidence: Evidence) -> dict[str, float]:
    cycles = {(one.candidate, one.operation): one.cycles_median or 0 for one in evidence.results}
    first, second = list(cycles.values())
    return {"value": second / first}


_SLOWER = _CLAIM + 'holds = "value > 1"\n'


@pytest.mark.parametrize(("cycles", "decided"), [(100_500, False), (99_500, False), (118_000, True), (82_000, True)])
def test_fewer_than_eighty_draws_leave_a_claim_undecided(tmp_path: Path, cycles: int, decided: bool) -> None:
    """Half a percent is within each direction's own part of the band (6.6 %), 18 % is not."""
    found = _one(_study(tmp_path, _SLOWER, _ratio), [_modelled(100_000), _modelled(cycles, "decrypt")])
    unmoved = Verdict.HOLDS if cycles > 100_000 else Verdict.DOES_NOT_HOLD
    assert found.draws_alike is not None
    assert (found.draws_alike >= LEAST_ALIKE) is decided
    if decided:
        assert (found.verdict, found.unmoved) == (unmoved, None)
    else:
        assert (found.verdict, found.unmoved) == (Verdict.UNDECIDED, unmoved)
        assert 20 < found.draws_alike < LEAST_ALIKE
        assert dict(found.drawn)[unmoved] == found.draws_alike and sum(times for _, times in found.drawn) == DRAWS


def test_like_programs_share_an_error_and_others_do_not(tmp_path: Path) -> None:
    """18 % decide between both directions of one program, and not between two libraries or two cores."""
    study = _study(tmp_path, _SLOWER, _ratio)
    first = _modelled(100_000, candidate="one")
    alike = _one(study, [first, _modelled(118_000, "decrypt", candidate="one")])
    assert (alike.verdict, alike.draws_alike) == (Verdict.HOLDS, DRAWS)
    for other in (
        _modelled(118_000, "encrypt", candidate="two"),
        _modelled(118_000, "decrypt", candidate="one", algorithm="rc6"),
        _modelled(118_000, "decrypt", candidate="one", optimisation="-O0"),
        dataclasses.replace(_modelled(118_000, "decrypt", candidate="one"), core="cortex-a15"),
    ):
        assert _one(study, [first, other]).verdict is Verdict.UNDECIDED


def test_no_draw_leaves_the_band(tmp_path: Path) -> None:
    seen: list[float] = []

    def planted(evidence: Evidence) -> dict[str, float]:
        seen.extend((one.cycles_median or 0) / 100_000 for one in evidence.results)
        return {"value": 1.0}

    _one(_study(tmp_path, _SLOWER, planted), [_modelled(100_000), _modelled(100_000, "decrypt")])
    assert 0.67 <= min(seen) < 0.75 and 1.25 < max(seen) <= 1.33


def test_exact_figures_are_not_drawn(tmp_path: Path) -> None:
    exact = [
        dataclasses.replace(_modelled(value, name), fidelity_band_percent=None)
        for value, name in ((9, "encrypt"), (10, "decrypt"))
    ]
    found = _one(_study(tmp_path, _SLOWER, _ratio), exact)
    assert (found.verdict, found.draws_alike) == (Verdict.HOLDS, None)


# Assumptions.

_DELAY = """
[[assumption]]
name = "delay_ms"
what = "delay of the link"
unit = "ms"
value = 1
range = [0.1, 10]
logarithmic = true
why = "Planted."
"""
_SHARE = (
    _DELAY
    + _CLAIM.replace("{value}", "{{value}}").replace("[[finding]]", '[[finding]]\nrests_on = ["delay_ms"]')
    + 'holds = "value < limit"\nthresholds = {{ limit = {limit} }}\n'
)


def _delay(evidence: Evidence) -> dict[str, float]:
    return {"value": evidence.assumed["delay_ms"]}


@pytest.mark.parametrize(
    ("limit", "verdict", "unmoved", "alike", "made_by"),
    [
        (20, Verdict.HOLDS, None, 100, ()),
        (9, Verdict.HOLDS, None, None, ("delay of the link = 10 ms gives does not hold",)),
        (1.5, Verdict.UNDECIDED, Verdict.HOLDS, None, ("delay of the link = 10 ms gives does not hold",)),
        (0.5, Verdict.UNDECIDED, Verdict.DOES_NOT_HOLD, None, ("delay of the link = 0.1 ms gives holds",)),
    ],
)
def test_draws_move_the_assumptions_that_a_claim_rests_on(
    tmp_path: Path,
    limit: float,
    verdict: Verdict,
    unmoved: Verdict | None,
    alike: int | None,
    made_by: tuple[str, ...],
) -> None:
    """No result at all: an assumption can decide alone, and the report says so."""
    found = _one(_study(tmp_path, _SHARE.format(limit=limit), _delay), [])
    assert (found.verdict, found.unmoved, found.made_by) == (verdict, unmoved, made_by)
    assert found.varied == ("delay of the link, 0.1 to 10 ms",)
    if alike is not None:
        assert found.draws_alike == alike


def test_a_full_number_of_draws_never_stands_over_a_verdict_that_an_assumption_makes(tmp_path: Path) -> None:
    """The end of the range alone turns it, and no draw has that end together with the other assumption's least."""
    text = _SHARE.format(limit=10.5).replace("[[finding]]", _DELAY.replace("delay_ms", "more_ms") + "[[finding]]", 1)
    text = text.replace('rests_on = ["delay_ms"]', 'rests_on = ["delay_ms", "more_ms"]')

    def planted(evidence: Evidence) -> dict[str, float]:
        alone = evidence.assumed["more_ms"] == 1 and evidence.assumed["delay_ms"] == 10
        return {"value": 11.0 if alone else 1.0}

    found = _one(_study(tmp_path, text, planted), [])
    assert found.made_by == ("delay of the link = 10 ms gives does not hold",)
    assert (found.verdict, found.draws_alike) == (Verdict.HOLDS, None)


def test_the_draws_of_an_assumption_reach_every_part_of_its_range() -> None:
    linear = Assumption(name="a", what="a", value=2, range=(1, 3), why="")
    choice = Assumption(name="b", what="b", value=0, choices=(0, 20), why="")
    values = [drawn((linear, choice), draw, DRAWS) for draw in range(DRAWS)]
    line = sorted(one["a"] for one in values)
    assert (line[0], line[-1], len(set(line))) == (1, 3, DRAWS)
    assert sum(line) / DRAWS == pytest.approx(2)
    assert sorted(one["b"] for one in values) == [0] * 50 + [20] * 50
    assert [drawn((linear, choice), draw, DRAWS) for draw in range(DRAWS)] == values
    assert [one["a"] for one in values] != line


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (_DELAY.replace("value = 1\n", "value = 99\n") + _CLAIM + 'holds = "True"', "its value is not in its range"),
        (_DELAY.replace("range = [0.1, 10]\n", "") + _CLAIM + 'holds = "True"', "either a 'range' or 'choices'"),
        (_DELAY.replace("[0.1, 10]", "[0, 10]") + _CLAIM + 'holds = "True"', "is greater than 0"),
        (_CLAIM + 'holds = "True"\nrests_on = ["nothing"]', "there is no assumption 'nothing'"),
        (_CLAIM + "[finding.within.value]\npublished = 1\n", "tolerance_percent"),
    ],
)
def test_a_mistake_in_findings_toml_is_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError) as refused:
        _study(tmp_path, text, _delay)
    assert said in str(refused.value) and "findings.toml" in str(refused.value) and "\n" not in str(refused.value)


# The page.


def test_the_page_says_what_is_undecided_why_and_for_which_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = _SHARE.format(limit=1.5).replace("[[finding]]", '[[finding]]\njudged_for = "plain programs"')
    study = _study(tmp_path, text + "[finding.within.value]\npublished = 1\ntolerance_percent = 10\n", _delay)
    monkeypatch.setattr("bancada.commands.assemble.study_of", lambda _: study)
    store = Store(tmp_path / "results.sqlite")
    store.put("aead", 0, "key", example())
    page = " ".join(draw_report(assemble(open_laboratory(), store, read_metrics()), read_metrics()).split())
    assert '<span class="chip verdict-undecided">undecided</span>' in page
    assert "plain programs" in page and "value 1 ±10 %" in page
    assert "The figures as they are say <em>holds</em>. Of 100 draws" in page
    assert "delay of the link, 0.1 to 10 ms" in page
    assert "An assumption alone changes this verdict: delay of the link = 0.1 ms gives does not hold" in page
