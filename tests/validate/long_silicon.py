"""Every published figure of the Cortex-A cores, and those of Cortex-M behind a memory, costed (`make test-silicon`).
The declared bands hold nine tenths of the held-out figures and no more, and the files state the errors. A minute with
the profiles in the cache, ten without. git fetches some of the programs."""

from __future__ import annotations

from math import ceil
from statistics import mean

import pytest

from bancada.measure.laboratory import open_laboratory
from bancada.validate.bands import LEAST_CORTEX_A_PERCENT, band_of_memory, band_of_results
from bancada.validate.device_memory import device_memory
from bancada.validate.validate import published_figures, validate
from bancada.validate.validation import Validation


@pytest.fixture(scope="module", params=("cortex-a7", "cortex-a8", "cortex-a15", "cortex-a53", "cortex-a53-arm"))
def outcomes(request: pytest.FixtureRequest) -> list[Validation]:
    core = open_laboratory().cores[request.param]
    return list(validate(core, published_figures(core, from_git=True)))


def test_the_bands_hold_nine_tenths_of_the_held_out_figures_and_no_more(outcomes: list[Validation]) -> None:
    core = open_laboratory().cores[outcomes[0].core]
    long, short = band_of_results(outcomes, is_short=False), band_of_results(outcomes, is_short=True)
    assert long is not None
    of_long = max(LEAST_CORTEX_A_PERCENT, ceil(long.quantile_90_percent))
    assert core.band_percent == of_long
    # A short call never has the narrower band.
    of_short = None if short is None else max(of_long, ceil(short.quantile_90_percent))
    assert core.band_of_short_calls_percent == of_short


def test_the_file_states_the_errors_of_both_sets(outcomes: list[Validation]) -> None:
    stated = open_laboratory().cores[outcomes[0].core].source
    for name in ("fit", "validation"):
        errors = [abs(outcome.error_percent) for outcome in outcomes if outcome.set == name]
        sentence = (
            f"{name.capitalize()} set, {len(errors)} figures: mean error {mean(errors):.1f} %, largest"
            f" {max(errors):.1f} %."
        )
        assert sentence in stated


@pytest.mark.parametrize(
    ("name", "memory"), [("cortex-m0plus", "samd21"), ("cortex-m4", "nrf52840"), ("cortex-m4", "stm32l4r5")]
)
def test_the_band_of_a_memory_holds_nine_tenths_of_the_held_out_figures_and_no_more(name: str, memory: str) -> None:
    core = open_laboratory().cores[name]
    rows = [row for row in published_figures(core, from_git=True) if row.set == "validation" and row.memory == memory]

    band = band_of_memory(validate(core, rows), memory)

    assert band is not None
    assert device_memory(memory).band_percent == ceil(band.quantile_90_percent)
