"""Fixtures of the experiments' tests."""

from __future__ import annotations

from tests.laboratory_fixtures import added_root

__all__ = ["added_root"]
