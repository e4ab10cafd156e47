"""How a case ended, and how a figure was obtained."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """How a case ended. Everything but `OK` withholds the figures and says why in `reason`.

    `NOT_OFFERED` is not a failure: the library has no such operation, key or machine, and nothing was tried.
    """

    OK = "ok"
    NOT_OFFERED = "not-offered"
    DOES_NOT_BUILD = "does-not-build"
    DOES_NOT_FIT = "does-not-fit"
    NOT_CONFORMANT = "not-conformant"
    FAILED = "failed"


class Fidelity(StrEnum):
    """How a figure was obtained (docs/reference/metrics.md)."""

    EXACT = "exact"
    MODELLED = "modelled"
    MEASURED = "measured"
