"""The cost table of a core, as read from cores/<core>.toml. Each `kind` of model has a class."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from bancada.costing.cortex_a_table import InOrderTable, OutOfOrderTable
from bancada.costing.cortex_m_table import CortexMTable

Table = Annotated[CortexMTable | InOrderTable | OutOfOrderTable, Field(discriminator="kind")]


class PublishedCycles(BaseModel):
    """A published figure of silicon that a table is compared with ([[published]] in cores/<core>.toml).

    `set` says whether the table was tuned on it ("fit") or only judged by it ("validation"); no row is in both. A row
    "set aside" is predicted, and counts nowhere: its figure is not of the program alone.
    `program` is "<folder in cores/programs>/<its call>". Either `cycles` for one call, or `cycles_per_byte`, or
    `cycles_per_word` of `word_bytes`, as the source has it, each for a call that handles `bytes`. `device` is the core,
    or the part, that was measured.

    `cycles_per_word` is GMP's, which measures how much longer a call takes if it is given more words (tune/README:
    "look at the time increase when the size increments"), so that the cost of a call that does not depend on its length
    is not part of it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    set: Literal["fit", "validation", "set aside"]
    program: str
    cycles: float | None = Field(default=None, gt=0)
    cycles_per_byte: float | None = Field(default=None, gt=0)
    cycles_per_word: float | None = Field(default=None, gt=0)
    word_bytes: int | None = Field(default=None, gt=0)
    bytes: int = Field(gt=0)
    device: str
    # The memories of the device, if they have wait states (cores/memories/<name>.toml).
    memory: str | None = None
    source: str
    note: str = ""

    @model_validator(mode="after")
    def _is_one_figure(self) -> PublishedCycles:
        if sum(figure is not None for figure in (self.cycles, self.cycles_per_byte, self.cycles_per_word)) != 1:
            raise ValueError("a published figure is one of 'cycles', 'cycles_per_byte' and 'cycles_per_word'")
        if (self.cycles_per_word is None) != (self.word_bytes is None):
            raise ValueError("'cycles_per_word' and 'word_bytes' go together")
        return self

    @property
    def is_increase(self) -> bool:
        """Whether the figure is the cost of further words, and not of a whole call."""
        return self.cycles_per_word is not None

    @property
    def figure(self) -> float:
        """The number of the source."""
        return self.expected_cycles / self._figures_in_a_call

    @property
    def unit(self) -> str:
        """The unit of the figure, for people."""
        if self.cycles is not None:
            return "cycles"
        return "cycles/byte" if self.cycles_per_byte is not None else "cycles/word"

    def in_unit(self, cycles: float) -> float:
        """Cycles of one call in the figure's unit."""
        return cycles / self._figures_in_a_call

    @property
    def _figures_in_a_call(self) -> float:
        return 1.0 if self.cycles is not None else self.bytes / (self.word_bytes or 1)

    @property
    def expected_cycles(self) -> float:
        """The figure for one call."""
        if self.cycles is not None:
            return self.cycles
        return (self.cycles_per_byte or self.cycles_per_word or 0.0) * self._figures_in_a_call
