"""What a call costs in energy, by whatever is known of the target's power (docs/metrics.md, "energy")."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from bancada.catalogue import EventPower, EventTerm, Power, Target
from bancada.records import Region


@dataclass(frozen=True)
class Energy:
    """`dynamic_uj` and `static_uj` are apart where the model has them apart; `source` says whose figures these are."""

    total_uj: float
    dynamic_uj: float | None
    static_uj: float | None
    source: str


def energy_uj(time_us: float, voltage_v: float, current_ma: float) -> float:
    """Energy of a supply at constant voltage and current: V x I x t."""
    return voltage_v * current_ma * time_us / 1000


def energy(target: Target, regions: tuple[Region, ...], time_us: float) -> Energy | None:
    """Energy of one call that takes `time_us`; the median over the samples where it depends on what was executed.

    None where nobody published the target's power.
    """
    if target.power is not None:
        return _of_supply(target.power, time_us)
    if target.event_power is not None:
        return _of_events(target.event_power, regions, time_us)
    return None


def _of_supply(power: Power, time_us: float) -> Energy:
    return Energy(energy_uj(time_us, power.voltage_v, power.active_ma), None, None, power.source)


def _of_events(power: EventPower, regions: tuple[Region, ...], time_us: float) -> Energy | None:
    if power.voltage_v is None or power.static_w is None or not regions:
        return None
    square_v2 = power.voltage_v**2
    of_calls = [
        sum(term.coefficient * _times(term, region) for term in power.term) / power.cores * square_v2 * 1e6 for region in regions
    ]
    dynamic_uj = median(of_calls)
    static_uj = power.static_w * time_us
    return Energy(dynamic_uj + static_uj, dynamic_uj, static_uj, power.source)


def _times(term: EventTerm, region: Region) -> int:
    counted = region.events | {"cycles": region.cycles}
    return sum(-counted[name[1:]] if name.startswith("-") else counted[name] for name in term.events)
