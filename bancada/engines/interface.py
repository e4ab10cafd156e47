"""What an engine need not write itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from bancada.catalogue.target import EngineSettings, FunctionRequest, SecretBytes, SecretSession, Target, Tool
from bancada.model.errors import UserError
from bancada.model.measurement import Measurement


class EngineBase:
    """The answers of an engine that has no table in target.toml, needs no tools, and can only run firmware of the
    laboratory.

    An engine derives from it, has a `name`, and adds `open`, `version` and `stop_all`
    (bancada.catalogue.target.Engine).
    """

    name = ""
    follows_secrets = False

    def __eq__(self, other: object) -> bool:
        """Two engines of one kind do the same with the same target."""
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))

    def settings(self, tables: Mapping[str, Mapping[str, Any]]) -> EngineSettings:
        """No keys at all. ValueError if there are some."""
        return EngineSettings(**tables.get(self.name, {}))

    def check(self, target: Target) -> None:
        """Nothing is needed."""

    def tools(self, target: Target) -> tuple[Tool, ...]:
        """None."""
        return ()

    def cycles_to_main(self, target: Target, elf_path: str) -> int | None:
        """Unknown."""
        return None

    def measure_function(self, target: Target, request: FunctionRequest) -> Measurement:
        """UserError: it cannot."""
        raise UserError(f"The engine '{self.name}' of '{target.name}' cannot measure a function of any program.")

    def follow(self, target: Target, elf_path: str, secrets: tuple[SecretBytes, ...]) -> SecretSession:
        """UserError: it cannot."""
        raise UserError(f"The engine '{self.name}' of '{target.name}' cannot follow secrets.")

    @contextmanager
    def several(self, is_wanted: bool) -> Iterator[None]:
        """Nothing needs to be prepared."""
        yield
