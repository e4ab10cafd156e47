"""The Cortex-M tables against published cycles of silicon: the declared band covers the errors, and the files state
them."""

from __future__ import annotations

import re
from statistics import mean

import pytest

from bancada.measure.laboratory import open_laboratory
from bancada.validate.validate import validate
from bancada.validate.validation import Validation

VALIDATED = ("cortex-m0", "cortex-m3", "cortex-m4")


@pytest.fixture(scope="module", params=VALIDATED)
def outcomes(request: pytest.FixtureRequest) -> list[Validation]:
    return list(validate(open_laboratory().cores[request.param]))


def test_the_band_covers_the_largest_error(outcomes: list[Validation]) -> None:
    core = open_laboratory().cores[outcomes[0].core]
    largest = max(abs(row.error_percent) for row in outcomes)
    assert core.band_percent is not None
    assert largest <= core.band_percent
    # Nor is it so wide that it says nothing.
    assert core.band_percent <= largest + 0.5


def test_no_program_is_in_both_sets(outcomes: list[Validation]) -> None:
    sets = {name: {row.program for row in outcomes if row.set == name} for name in ("fit", "validation")}
    assert not sets["fit"] & sets["validation"]
    assert sets["validation"]


def test_the_file_states_the_errors_of_its_sets(outcomes: list[Validation]) -> None:
    stated = open_laboratory().cores[outcomes[0].core].source
    for name in ("fit", "validation"):
        errors = [abs(row.error_percent) for row in outcomes if row.set == name]
        found = re.search(rf"{name} set, (\d) figures?: (.*?)(?: \(|\.(?: |$))", stated, re.IGNORECASE)
        if not errors:
            assert found is None
            continue
        assert found is not None
        assert int(found[1]) == len(errors)
        numbers = [float(number) for number in re.findall(r"\d\.\d", found[2])]
        # Another compiler makes other code of what is C in these programs.
        expected = [max(errors)] if len(errors) == 1 else [mean(errors), max(errors)]
        assert numbers == pytest.approx(expected, abs=0.3)


def test_a_core_without_published_programs_says_that_its_band_is_assumed() -> None:
    core = open_laboratory().cores["cortex-m0plus"]
    assert not core.published
    assert "the band is assumed" in core.source
    assert core.band_percent is not None
