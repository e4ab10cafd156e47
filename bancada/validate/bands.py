"""How far a core's table is off, by kind of code and by the length of a call, and the band of its results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil

from bancada.catalogue.core import SHORT_CALL_CYCLES
from bancada.validate.validation import Validation

# Fewer figures than this decide nothing.
_FEWEST = 5

# No Cortex-A core has a narrower band. No held-out figure is of code from a C compiler. Of the compiled code that was
# held against these tables elsewhere, an AES by tables was 12 % too low on the Cortex-A7 in every build.
LEAST_CORTEX_A_PERCENT = 12


@dataclass(frozen=True)
class Band:
    """The errors, without their signs, of the held-out figures of one core, of one kind of code and one length of call.

    Nine tenths of them are not larger than `quantile_90_percent`; of fewer than ten figures it is the largest.
    """

    core: str
    kind: str
    is_short: bool
    figures: int
    mean_percent: float
    quantile_90_percent: float
    largest_percent: float


def bands(outcomes: Iterable[Validation]) -> list[Band]:
    """One band for each core, kind and length of which there are held-out figures."""
    groups: dict[tuple[str, str, bool], list[float]] = {}
    for outcome in outcomes:
        if outcome.set == "validation":
            groups.setdefault((outcome.core, outcome.kind, _is_short(outcome)), []).append(abs(outcome.error_percent))
    return [_band(core, kind, is_short, groups[core, kind, is_short]) for core, kind, is_short in sorted(groups)]


def band_of_results(outcomes: Iterable[Validation], *, is_short: bool) -> Band | None:
    """The band that decides what a core's results carry: of long calls that of ciphers and hashes, of short calls that
    of every kind of code ("all"). None if there are fewer than five such figures."""
    chosen = [
        one
        for one in outcomes
        if one.set == "validation" and _is_short(one) == is_short and (is_short or one.kind == "crypto-assembly")
    ]
    if len(chosen) < _FEWEST:
        return None
    kind = "all" if is_short else "crypto-assembly"
    return _band(chosen[0].core, kind, is_short, [abs(one.error_percent) for one in chosen])


def _is_short(outcome: Validation) -> bool:
    return outcome.call_cycles < SHORT_CALL_CYCLES


def _band(core: str, kind: str, is_short: bool, errors: list[float]) -> Band:
    ordered = sorted(errors)
    return Band(
        core=core,
        kind=kind,
        is_short=is_short,
        figures=len(ordered),
        mean_percent=sum(ordered) / len(ordered),
        quantile_90_percent=ordered[ceil(0.9 * len(ordered)) - 1],
        largest_percent=ordered[-1],
    )
