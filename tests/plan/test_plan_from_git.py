"""Candidates from Git repositories are planned where they are asked for, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from bancada.catalogue.paths import data_root
from bancada.commands.unplanned import unplanned_entries
from bancada.measure.laboratory import open_laboratory
from bancada.model.errors import UserError
from bancada.plan.case import Workload
from bancada.plan.plan import plan
from tests.example_results import result as make_result

pytestmark = pytest.mark.quick


def _names(workloads: Iterable[Workload]) -> set[str]:
    return {case.firmware.candidate.name for workload in workloads for case in workload.cases}


def _from_git() -> set[str]:
    return {name for name, one in open_laboratory().candidates.items() if one.is_from_git}


@pytest.mark.parametrize("name", ["libraries", "sensor", "records", "survey"])
def test_an_ordinary_run_has_none(name: str) -> None:
    experiment = open_laboratory().experiments[name]
    assert not _names(plan(open_laboratory(), experiment, quick=True)) & _from_git()


def test_the_whole_run_has_those_that_the_experiment_lists_and_all_others() -> None:
    experiment = open_laboratory().experiments["libraries"]
    without = _names(plan(open_laboratory(), experiment, quick=True))
    whole = _names(plan(open_laboratory(), experiment, quick=True, from_git=True))
    assert whole == without | (set(experiment.candidates) & _from_git())
    assert len(whole - without) == 11


def test_make_report_never_asks_git_and_make_report_studies_asks_for_all() -> None:
    makefile = (data_root() / "Makefile").read_text()
    [ordinary] = re.findall(r"^report: .*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    [studies] = re.findall(r"^report-studies: .*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    [audit] = re.findall(r"^AUDIT = (.*)$", makefile, re.MULTILINE)
    assert audit == ".venv/bin/bancada audit $(EXPERIMENTS:%=--experiment %)"
    assert "bancada run" in ordinary and "git" not in ordinary and "$(AUDIT)" in ordinary
    assert "bancada run --from-git $(EXPERIMENTS)" in studies and "$(AUDIT)" in studies


def test_the_library_of_the_study_is_the_first_candidate_of_the_sensor() -> None:
    assert open_laboratory().experiments["sensor"].candidates[0] == "arduinolibs"


@pytest.mark.parametrize("name", ["libraries", "aead"])
def test_one_that_is_named_is_planned_whether_the_experiment_lists_it_or_not(name: str, added_root: Path) -> None:
    """A candidate that an experiment does not list was refused, with a reason that was not true."""
    experiment = open_laboratory().experiments[name]
    if name == "libraries":
        assert _names(plan(open_laboratory(), experiment, only_candidates=("aeslib",), quick=True)) == {"aeslib"}
    else:
        with pytest.raises(UserError, match="has nothing to run: aeslib offers none of"):
            plan(open_laboratory(), experiment, only_candidates=("aeslib",))
    survey = open_laboratory().experiments["survey"]
    assert "aeslib" not in survey.candidates
    assert _names(plan(open_laboratory(), survey, ("uno",), ("aeslib",), quick=True)) == {"aeslib"}


def test_an_experiment_of_nothing_else_says_what_to_add(added_root: Path) -> None:
    folder = added_root / "experiments" / "onlygit"
    folder.mkdir(parents=True)
    text = (open_laboratory().experiments["sensor"].folder / "experiment.toml").read_text()
    text = text.partition("[[beside]]")[0].replace('name = "sensor"', 'name = "onlygit"')
    (folder / "experiment.toml").write_text(text.replace('["arduinolibs", "tatu"]', '["arduinolibs"]'))
    experiment = open_laboratory().experiments["onlygit"]
    with pytest.raises(UserError, match="git fetches all of its candidates; add --from-git"):
        plan(open_laboratory(), experiment)
    assert _names(plan(open_laboratory(), experiment, from_git=True)) == {"arduinolibs"}


def test_a_misspelt_candidate_beside_all_is_an_error(added_root: Path) -> None:
    folder = added_root / "experiments" / "misspelt"
    folder.mkdir(parents=True)
    text = (open_laboratory().experiments["sensor"].folder / "experiment.toml").read_text()
    text = text.partition("[[beside]]")[0].replace('name = "sensor"', 'name = "misspelt"')
    (folder / "experiment.toml").write_text(text.replace('["arduinolibs", "tatu"]', '["*", "aeslip"]'))
    with pytest.raises(UserError, match="did you mean 'aeslib'"):
        plan(open_laboratory(), open_laboratory().experiments["misspelt"])


def test_their_stored_results_are_no_leftovers() -> None:
    """`make report` after `make report-studies` forgets nothing and complains of nothing."""
    laboratory = open_laboratory()
    [workload, *_] = plan(laboratory, laboratory.experiments["libraries"], only_candidates=("aeslib",), quick=True)
    stored = [("libraries", make_result(1, case=case.name)) for case in workload.cases]
    assert unplanned_entries(laboratory, stored) == []
