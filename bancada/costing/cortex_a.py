"""Cycles of the Cortex-A cores: each edge's block walked through the core's pipeline model after the blocks that led to it."""

from __future__ import annotations

from bancada.costing.cortex_a_table import InOrderTable, OutOfOrderTable
from bancada.costing.profile import Profile


def edge_cycles(profile: Profile, table: InOrderTable | OutOfOrderTable) -> tuple[float, ...]:
    """For each edge of the profile, the cycles of one execution of its second block after its first."""
    raise TypeError(f"No table of kind '{table.kind}' is in this release.")
