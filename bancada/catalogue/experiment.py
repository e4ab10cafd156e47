"""The cases that answer one question: experiments/<name>/experiment.toml."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from bancada.catalogue.entry import Entry
from bancada.model.result import KEYSTREAM_START_BYTES


class Beside(BaseModel):
    """Which of our figures is compared with which row of published.csv.

    `row` selects rows by their columns. `ours` selects our results by their fields; `{column}` in a value is filled in
    from the row. `operations` are summed (a published figure that includes the key schedule). `choose` says which of
    several results is taken: the one with the least of the metric.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    row: dict[str, str]
    ours: dict[str, str]
    operations: tuple[str, ...]
    metric: str
    label: str
    note: str


# The least number of random inputs for a figure (docs/reference/metrics.md, "cycles").
_LEAST_INPUTS = 16


class Experiment(Entry):
    """The cases that answer one question (experiments/<name>/experiment.toml).

    `sizes_bytes` are those of messages; a block cipher is measured on one block, or on packets of many (in ECB, one
    after the other in one call) where there are `packet_sizes_bytes`; variants of `smallest_packet_only`, too slow for
    more, on the smallest of these. `study_optimisation` is the level that the study had: the report shows it besides
    the best ones. A keystream is measured on one block, whose size is that of its counter and nonce,
    and on messages of `stream_sizes_bytes`.
    """

    question: str
    study: str
    citation: str
    targets: tuple[str, ...]
    candidates: tuple[str, ...]
    algorithms: tuple[str, ...]
    operations: tuple[str, ...]
    key_bits: tuple[int, ...]
    optimisations: tuple[str, ...]
    study_optimisation: str = ""
    sizes_bytes: tuple[Annotated[int, Field(ge=0)], ...] = ()
    associated_sizes_bytes: tuple[Annotated[int, Field(ge=0)], ...] = (0,)
    packet_sizes_bytes: tuple[Annotated[int, Field(gt=0)], ...] = ()
    stream_sizes_bytes: tuple[Annotated[int, Field(gt=KEYSTREAM_START_BYTES)], ...] = ()
    smallest_packet_only: tuple[str, ...] = ()
    samples: int = Field(ge=1)
    notes: tuple[str, ...] = ()
    plots: bool = True
    beside: tuple[Beside, ...] = ()

    @model_validator(mode="after")
    def _stands_on_enough_inputs(self) -> Self:
        if self.samples < _LEAST_INPUTS and not self.packet_sizes_bytes:
            raise ValueError(
                f"'samples' is at least {_LEAST_INPUTS}, unless there are packets, of many random blocks each"
            )
        return self
