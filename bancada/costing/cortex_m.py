"""Cycles of the Cortex-M cores: one instruction after the other, from the table of the core."""

from __future__ import annotations

from bancada.costing.cortex_m_table import CortexMTable
from bancada.costing.profile import Profile


def edge_cycles(profile: Profile, table: CortexMTable) -> tuple[float, ...]:
    """For each edge of the profile, the cycles of one execution of its second block after its first."""
    raise TypeError(f"No table of kind '{table.kind}' is in this release.")
