"""A processor: cores/<name>.toml."""

from __future__ import annotations

from pydantic import Field

from bancada.catalogue.entry import Entry
from bancada.costing.profile import InstructionSet
from bancada.costing.table import PublishedCycles, Table
from bancada.model.status import Fidelity

# A call below this many cycles overlaps with the code around it. It has a band of its own.
SHORT_CALL_CYCLES = 300


class Core(Entry):
    """A processor, what its cycle counts are worth, and its file of the harness's board layer (cores/<name>.toml).

    A core that is modelled has the table that turns execution profiles into cycles, the published figures that the
    table was tuned on or judged by, and the band in per cent that its results carry: nine tenths of the held-out
    figures are within it, where there are five or more; else it is assumed. Calls of fewer than SHORT_CALL_CYCLES have
    their own band where one is known.
    """

    fidelity: Fidelity
    board_layer: str | None = None
    source: str
    architecture: InstructionSet | None = None
    table: Table | None = None
    published: tuple[PublishedCycles, ...] = ()
    band_percent: float | None = Field(default=None, gt=0)
    band_of_short_calls_percent: float | None = Field(default=None, gt=0)

    def band_of(self, cycles: float | None) -> float | None:
        """The band of a call of that many cycles; of a call of unknown length the band of long ones."""
        if cycles is not None and cycles < SHORT_CALL_CYCLES and self.band_of_short_calls_percent is not None:
            return self.band_of_short_calls_percent
        return self.band_percent
