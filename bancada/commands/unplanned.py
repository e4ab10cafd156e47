"""Stored results of cases that their experiment no longer plans. Only `bancada store prune` forgets them."""

from __future__ import annotations

from collections.abc import Iterable

from bancada.model.board import BOARD
from bancada.model.result import Result
from bancada.plan.laboratory import Laboratory
from bancada.plan.plan import plan


def _but_for_the_compiler(case: str) -> tuple[str, str]:
    """A case's name without the parts that --compiler and --port change: the compiler, and the board."""
    rest, _, build = case.removeprefix(f"{BOARD}:").rpartition("/")
    return rest, build.rpartition("-")[2]


def unplanned(stored: Iterable[Result], planned: Iterable[str]) -> list[Result]:
    """The stored results whose cases are not planned. A case that differs from a planned one only in the compiler or
    the board counts as planned: --compiler or --port added it."""
    known = {_but_for_the_compiler(case) for case in planned}
    return [result for result in stored if _but_for_the_compiler(result.case) not in known]


def unplanned_entries(laboratory: Laboratory, entries: Iterable[tuple[str, Result]]) -> list[tuple[str, Result]]:
    """The stored results that the experiments of the catalogue do not plan. Results of an experiment that the catalogue
    does not have are not among them."""
    every = list(entries)
    experiments = laboratory.experiments
    found: list[tuple[str, Result]] = []
    for name in dict.fromkeys(name for name, _ in every):
        if name in experiments:
            planned = plan(laboratory, experiments[name], from_git=True)
            cases = [case.name for workload in planned for case in workload.cases]
            found += [(name, result) for result in unplanned([one for other, one in every if other == name], cases)]
    return found
