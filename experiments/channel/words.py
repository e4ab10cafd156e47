"""How the parts of the report write figures."""

from __future__ import annotations

from bancada.answers.ranking import number

NONE = "–"


def text(value: float | None, digits: int = 2) -> str:
    """A figure, or a dash."""
    return NONE if value is None else number(round(value, digits))


def percent(part: float | None) -> str:
    """A part as per cent, or a dash."""
    return NONE if part is None else f"{number(round(part * 100, 2))} %"
