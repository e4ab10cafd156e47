"""A processor: cores/<name>.toml."""

from __future__ import annotations

from pydantic import Field

from bancada.catalogue.entry import Entry
from bancada.costing.profile import InstructionSet
from bancada.costing.table import PublishedCycles, Table
from bancada.model.status import Fidelity


class Core(Entry):
    """A processor, what its cycle counts are worth, and its file of the harness's board layer (cores/<name>.toml).

    A core that is modelled has the table that turns execution profiles into cycles, the published figures that the
    table was tuned on or judged by, and the band in per cent that every result carries.
    """

    fidelity: Fidelity
    board_layer: str | None = None
    source: str
    architecture: InstructionSet | None = None
    table: Table | None = None
    published: tuple[PublishedCycles, ...] = ()
    band_percent: float | None = Field(default=None, gt=0)
