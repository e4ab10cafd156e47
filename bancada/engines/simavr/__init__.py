"""The engine `simavr`: AVR firmware, every cycle executed."""

from __future__ import annotations

from bancada.engines.simavr.engine import Simavr

ENGINE = Simavr
