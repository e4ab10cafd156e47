"""The last line of a run of several experiments."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bancada.commands.console import whole_status
from bancada.measure.laboratory import open_laboratory
from bancada.model.status import Status
from tests.example_results import result as example

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(("right", "end"), [(True, "No case failed"), (False, "Not all went well")])
def test_it_names_the_experiments_and_counts_all_cases(right: bool, end: str) -> None:
    experiments = [open_laboratory().experiments[name] for name in ("libraries", "sensor")]
    results = [replace(example(), status=status) for status in (Status.OK, Status.OK, Status.NOT_CONFORMANT)]
    line = whole_status(experiments, results, right)
    assert line.startswith("2 experiments ended (libraries, sensor): 2 ok, 1 not-conformant. ")
    assert end in line
