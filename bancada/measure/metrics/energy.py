"""What a call costs in energy, by whatever is known of the target's power (docs/reference/metrics.md, "energy")."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from bancada.catalogue.target import EventPower, EventTerm, Power, Target
from bancada.measure.metric import Facts, Figure, Metric
from bancada.measure.metrics.time import time_us
from bancada.model.result import FigureValue
from bancada.model.run import Region


@dataclass(frozen=True)
class Energy:
    """`dynamic_uj` and `static_uj` are apart where the model has them apart; `source` says whose figures these are.
    `static_of_one_core_uj` is the part of `static_uj` that falls to the one core that works."""

    total_uj: float
    dynamic_uj: float | None
    static_uj: float | None
    source: str
    static_of_one_core_uj: float | None = None


def energy_uj(time_us: float, voltage_v: float, current_ma: float) -> float:
    """Energy of a supply at constant voltage and current: V x I x t."""
    return voltage_v * current_ma * time_us / 1000


def energy(target: Target, regions: tuple[Region, ...], time_us: float) -> Energy | None:
    """Energy of one call that takes `time_us`; the median over the samples where it depends on what was executed.

    None where no power of the target was published.
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
        sum(term.coefficient * _times(term, region) for term in power.term) / power.cores * square_v2 * 1e6
        for region in regions
    ]
    dynamic_uj = median(of_calls)
    static_uj = power.static_w * time_us
    return Energy(dynamic_uj + static_uj, dynamic_uj, static_uj, power.source, static_uj / power.cores)


def _times(term: EventTerm, region: Region) -> int:
    counted = region.events | {"cycles": region.cycles}
    return sum(-counted[name[1:]] if name.startswith("-") else counted[name] for name in term.events)


def energy_band_percent(target: Target, cycles: float | None) -> float | None:
    """The band of the cycles and the mean error of the power model, one after the other: (1 + a)(1 + b) - 1. None where
    one of them is not known."""
    band, model = target.band_of(cycles), target.event_power
    if target.simulator is not None or band is None or model is None or model.error_percent is None:
        return None
    return ((1 + band / 100) * (1 + model.error_percent / 100) - 1) * 100


def _derive(facts: Facts) -> dict[str, FigureValue]:
    time = time_us(facts)
    used = energy(facts.target, facts.regions, time) if time is not None else None
    if used is None:
        return {}
    return {
        "energy_uj": used.total_uj,
        "energy_dynamic_uj": used.dynamic_uj,
        "energy_static_uj": used.static_uj,
        "energy_source": used.source,
    }


METRIC = Metric(
    name="energy",
    title="energy",
    unit="µJ",
    definition=(
        "time x voltage x active current of the target, from its data sheet (named in `targets/<name>/target.toml`). "
        "The bare chip, not the board. On the ODROID-XU3's cores, GemStone's published model: *dynamic* energy is "
        "the sum over counted events of coefficient / 4 x V² (its event rates are means of four cores), *static* "
        "energy the static power of the whole cluster x time, though one of its four cores works; *energy* is both. "
        "The report's facts of the target have the share of one core, and the band of energy, which combines that of "
        "the cycles and the model's published mean error. Valid at the clocks and voltages of the target's operating "
        "points only: static power is not interpolated. Where no model is published there is no energy, unless you "
        "say how many watts it takes (`bancada run --watts`), and then the result says that they are yours "
        "(`energy_source`)"
    ),
    in_short="The target's power model times the time. It can be no better than the current that the data sheet gives.",
    figures=(
        Figure(
            "energy_uj",
            "energy",
            "µJ",
            "The target's power model times the time, in microjoules.",
            follows="cycles_median",
        ),
        Figure(
            "energy_dynamic_uj",
            "energy, dynamic",
            "µJ",
            "The part of energy_uj that executing takes, where the power model has it apart.",
            compared=False,
        ),
        Figure(
            "energy_static_uj",
            "energy, static",
            "µJ",
            "The part of energy_uj that the powered device takes in that time whatever it executes, where the power "
            "model has it apart.",
            compared=False,
        ),
        Figure(
            "energy_source",
            "source of the power",
            "",
            "The source of the power that energy_uj is computed from; null where no power is known.",
            kind="string",
            compared=False,
        ),
    ),
    derive=_derive,
    best="Least energy",
    better="Less energy",
    worse="More energy",
    caveat="Energy is voltage times current times time: as good as the data sheet's current, no better.",
    shown_in=frozenset({"study", "table"}),
    order=90,
)
