"""Raw samples of one firmware."""

from __future__ import annotations

from dataclasses import dataclass, field

from bancada.model.run import Region
from bancada.plan.case import Case


@dataclass(frozen=True)
class Run:
    """Raw samples of one firmware: for each case, one region for each random input.

    A case that the library refused has none, and `refused` holds the reason.
    """

    regions: dict[Case, tuple[Region, ...]]
    context_bytes: dict[str, int]
    main_cycles: int | None
    engine_version: str
    refused: dict[Case, str] = field(default_factory=dict)
