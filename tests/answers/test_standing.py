"""Whether a published figure beside ours decides anything: it lies outside the band of ours, or within."""

from __future__ import annotations

import pytest

from bancada.model.finding import PublishedFigure
from bancada.model.status import Fidelity


def _figure(published: float, ours: float | None, fidelity: Fidelity | None, band: float | None) -> PublishedFigure:
    ratio = None if ours is None else ours / published
    return PublishedFigure("one", "a figure", "cycles", "cycles", published, ours, ratio, fidelity, None, "", band)


@pytest.mark.parametrize(
    ("published", "ours", "fidelity", "band", "standing"),
    [
        (111, 100, Fidelity.MODELLED, 10, "decided"),
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
