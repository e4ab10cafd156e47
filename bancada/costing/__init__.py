"""Turns exactly counted execution profiles into cycles, with a core's table."""

from bancada.costing.cost import Cost, cost
from bancada.costing.decode import UnknownInstruction

__all__ = ["Cost", "UnknownInstruction", "cost"]
