"""Finds the engines: those of this package, and those that the user adds."""

from __future__ import annotations

from bancada import engines
from bancada.catalogue.plugins import plugins
from bancada.catalogue.target import Engine

# What an engine must have beside its name (bancada.engines.interface.EngineBase has the rest).
_NEEDED = ("settings", "check", "tools", "open", "version", "cycles_to_main", "measure_function", "several", "stop_all")


def read_engines() -> dict[str, Engine]:
    """A new engine of each kind by its name: a folder with an `__init__.py` whose ENGINE is the engine's class.

    UserError if one does not load, or if its ENGINE is not an engine.
    """
    return {name: engine() for name, engine in plugins(engines, "engines", "ENGINE", _NEEDED).items()}
