"""The name of the engine of boards, which results and cases carry."""

from __future__ import annotations

# What was measured on a board that is also simulated has results of its own, beside the simulator's.
BOARD = "board"
