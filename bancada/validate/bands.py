"""How far a core's table is off, by kind of code and by the length of a call, and the band of its results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil

from bancada.catalogue.core import SHORT_CALL_CYCLES
from bancada.validate.validation import Validation

# Fewer figures than this decide nothing.
FEWEST_FIGURES = 5

# The kind of code whose long calls decide what a core's results carry.
DECIDING_KIND = "crypto-assembly"

# No Cortex-A core has a narrower band. No held-out figure is of code from a C compiler. Of the compiled code that was
# held against these tables elsewhere, an AES by tables was 12 % too low on the Cortex-A7 in every build.
LEAST_CORTEX_A_PERCENT = 12


@dataclass(frozen=True)
class Band:
    """The errors, without their signs, of the held-out figures of one core behind one memory, of one kind of code and
    one length of call. `memory` is empty where nothing waits.

    Nine tenths of them are not larger than `quantile_90_percent`; of fewer than ten figures it is the largest.
    """

    core: str
    memory: str
    kind: str
    is_short: bool
    figures: int
    mean_percent: float
    quantile_90_percent: float
    largest_percent: float

    @property
    def nine_tenths(self) -> str:
        """Within what nine tenths of the figures are. Fewer than five decide nothing."""
        return f"{self.quantile_90_percent:.1f} %" if self.figures >= FEWEST_FIGURES else "too few"


def bands(outcomes: Iterable[Validation]) -> list[Band]:
    """One band for each core, memory, kind and length of which there are held-out figures."""
    groups: dict[tuple[str, str, str, bool], list[float]] = {}
    for outcome in outcomes:
        if outcome.set == "validation":
            key = (outcome.core, outcome.memory, outcome.kind, _is_short(outcome))
            groups.setdefault(key, []).append(abs(outcome.error_percent))
    return [_band(*key, groups[key]) for key in sorted(groups)]


def band_of_results(outcomes: Iterable[Validation], *, is_short: bool) -> Band | None:
    """The band that decides what a core's results carry where no memory waits: of long calls that of ciphers and
    hashes, of short calls that of every kind of code ("all"). None if there are fewer than five such figures."""
    kind = "all" if is_short else DECIDING_KIND
    chosen = [one for one in outcomes if not one.memory and _is_short(one) == is_short and kind in ("all", one.kind)]
    return _deciding(chosen, kind)


def band_of_memory(outcomes: Iterable[Validation], memory: str) -> Band | None:
    """The band that decides what results behind that memory carry: of long calls of every kind of code ("all").
    Compiled code of another compiler is among them: such a band is rather too wide. None as of `band_of_results`."""
    return _deciding([one for one in outcomes if one.memory == memory and not _is_short(one)], "all")


def _deciding(outcomes: Iterable[Validation], kind: str) -> Band | None:
    chosen = [one for one in outcomes if one.set == "validation"]
    if len(chosen) < FEWEST_FIGURES:
        return None
    first = chosen[0]
    return _band(first.core, first.memory, kind, _is_short(first), [abs(one.error_percent) for one in chosen])


def _is_short(outcome: Validation) -> bool:
    return outcome.call_cycles < SHORT_CALL_CYCLES


def _band(core: str, memory: str, kind: str, is_short: bool, errors: list[float]) -> Band:
    ordered = sorted(errors)
    return Band(
        core=core,
        memory=memory,
        kind=kind,
        is_short=is_short,
        figures=len(ordered),
        mean_percent=sum(ordered) / len(ordered),
        quantile_90_percent=ordered[ceil(0.9 * len(ordered)) - 1],
        largest_percent=ordered[-1],
    )
