"""What hatch adds to the wheel of bancada that `make wheels` makes, and to no other: firmware that is compiled already,
and the engines as packages that it depends on (wheels/README.md)."""

from __future__ import annotations

import os
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WithEngines(BuildHookInterface):  # type: ignore[misc, unused-ignore]
    """Adds what the environment of wheels/bancada_wheel.py names."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatch. `version` is 'standard' for a wheel that is not editable."""
        folder = os.environ.get("BANCADA_WHEEL_FIRMWARE")
        if folder and version == "standard":
            build_data["force_include"][folder] = "bancada/_data/firmware"
            build_data["dependencies"] += os.environ.get("BANCADA_WHEEL_REQUIREMENTS", "").splitlines()
