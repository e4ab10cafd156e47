"""Whether a published figure beside ours decides anything: it lies outside the band of ours, or within."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bancada.answers.published import published_figures
from bancada.measure.laboratory import open_laboratory
from bancada.measure.read_metrics import read_metrics
from bancada.model.finding import PublishedFigure
from bancada.model.status import Fidelity
from tests.example_results import result


def _figure(published: float, ours: float | None, fidelity: Fidelity | None, band: float | None) -> PublishedFigure:
    ratio = None if ours is None else ours / published
    return PublishedFigure("one", "a figure", "cycles", "cycles", published, ours, ratio, fidelity, None, "", band)


@pytest.mark.parametrize(
    ("published", "ours", "fidelity", "band", "standing"),
    [
        (112, 100, Fidelity.MODELLED, 10, "decided"),
        # A table that is 10 % too low costs 111 cycles of silicon with 100.
        (111, 100, Fidelity.MODELLED, 10, "within the band"),
        (109, 100, Fidelity.MODELLED, 10, "within the band"),
        (91, 100, Fidelity.MODELLED, 10, "within the band"),
        (89, 100, Fidelity.MODELLED, 10, "decided"),
        (100, 100, Fidelity.MODELLED, None, "no band"),
        (101, 100, Fidelity.EXACT, None, "decided"),
        (101, 100, Fidelity.MEASURED, None, "decided"),
        (101, None, None, None, ""),
    ],
)
def test_a_figure_within_the_band_decides_nothing(
    published: float, ours: float | None, fidelity: Fidelity | None, band: float | None, standing: str
) -> None:
    assert _figure(published, ours, fidelity, band).standing == standing


def test_what_is_counted_has_no_band_where_cycles_are_modelled() -> None:
    ours = replace(
        result(),
        target="stm32f4",
        algorithm="x25519",
        operation="shared-secret",
        key_bits=256,
        size_bytes=0,
        fidelity=Fidelity.MODELLED,
        fidelity_band_percent=5.0,
        flash_bytes=1900,
        cycles_median=550_000,
    )
    figures = published_figures(open_laboratory().experiments["records-arm"], [ours], read_metrics())
    found = {one.metric: one for one in figures if one.ours is not None}
    flash, cycles = found["flash_bytes"], found["cycles_median"]
    assert (flash.ours, flash.fidelity, flash.band_percent, flash.standing) == (1900, Fidelity.EXACT, None, "decided")
    assert (cycles.fidelity, cycles.band_percent, cycles.standing) == (Fidelity.MODELLED, 5.0, "within the band")


def test_a_sum_has_the_widest_band_of_what_it_is_the_sum_of() -> None:
    """A short call of the key schedule has a wider one than the encryption behind it."""
    schedule, encryption = (
        replace(result(), operation=operation, fidelity=Fidelity.MODELLED, fidelity_band_percent=band)
        for operation, band in (("set-key", 30.0), ("encrypt", 22.0))
    )
    figures = published_figures(open_laboratory().experiments["libraries"], [schedule, encryption], read_metrics())
    bands = {one.label: one.band_percent for one in figures if one.metric == "cycles_median" and one.ours is not None}
    assert bands["fewest cycles of any library: encrypt one block, key schedule included"] == 30.0
