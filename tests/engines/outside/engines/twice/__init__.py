"""The engine `twice`: simavr, with each cycle counted twice, so that no figure of it can be another engine's."""

from dataclasses import replace

from bancada.catalogue.target import Target
from bancada.engines.simavr.engine import Simavr
from bancada.engines.simavr.session import SimavrSession
from bancada.model.run import Region


class TwiceSession(SimavrSession):
    """A running firmware whose regions have twice their cycles."""

    def regions(self) -> list[Region]:
        """The regions since the last call."""
        return [
            replace(one, cycles=2 * one.cycles, region_cycles=2 * (one.region_cycles or 0)) for one in super().regions()
        ]


class Twice(Simavr):
    """The same simulator, with results of its own."""

    name = "twice"

    def open(self, target: Target, elf_path: str, is_counted: bool) -> TwiceSession:
        """Starts a firmware."""
        return TwiceSession(target.mcu, target.clock_hz, elf_path, live=self._live)

    def version(self, target: Target) -> str:
        """What results record."""
        return f"twice, {super().version(target)}"


ENGINE = Twice
