"""The cost table of a core, as read from cores/<core>.toml: one class for each kind of model, told apart by `kind`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from bancada.costing.cortex_a_table import InOrderTable, OutOfOrderTable
from bancada.costing.cortex_m_table import CortexMTable

Table = Annotated[CortexMTable | InOrderTable | OutOfOrderTable, Field(discriminator="kind")]


class PublishedCycles(BaseModel):
    """A published figure of silicon that a table is held against ([[published]] in cores/<core>.toml).

    `set` says whether the table was tuned on it ("fit") or only judged by it ("validation"); no row is in both.
    `program` names a folder in cores/programs. Either `cycles` for one call, or `cycles_per_byte` for `bytes` in one call.
    `device` is the core, or the part, that was measured.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    set: Literal["fit", "validation"]
    program: str
    cycles: float | None = Field(default=None, gt=0)
    cycles_per_byte: float | None = Field(default=None, gt=0)
    bytes: int | None = Field(default=None, gt=0)
    device: str
    source: str
    note: str = ""

    @model_validator(mode="after")
    def _is_one_figure(self) -> PublishedCycles:
        if (self.cycles is None) == (self.cycles_per_byte is None):
            raise ValueError("a published figure is either 'cycles' or 'cycles_per_byte'")
        if self.cycles_per_byte is not None and self.bytes is None:
            raise ValueError("'cycles_per_byte' needs 'bytes', how many one call handles")
        return self

    @property
    def expected_cycles(self) -> float:
        """The figure for one call."""
        if self.cycles is not None:
            return self.cycles
        assert self.cycles_per_byte is not None and self.bytes is not None
        return self.cycles_per_byte * self.bytes
