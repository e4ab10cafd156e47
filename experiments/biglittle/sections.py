"""The study's figures and tables: time and energy of hashes and signatures, by core and clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from bancada.answers.published import rows_of
from bancada.answers.ranking import number
from bancada.answers.report.input import ExtraSection, Series, XYPlot
from bancada.studies.assumption import as_assumed, read_assumptions
from bancada.studies.claim import Figures
from bancada.studies.spread import Spread
from bancada.studies.study import Evidence

from . import figures
from .costs import CORES, HASHES, LEVELS, SIGNED, Cost, Costs, energy_of, time_of
from .figures import Prepared, prepare

_FINDINGS = Path(__file__).with_name("findings.toml")
_NONE = "–"

# A cluster and an algorithm.
_Case = tuple[str, str]


def _energy_plot(costs: Costs, algorithms: dict[str, str], title: str) -> XYPlot | None:
    series = []
    for place, (name, algorithm) in enumerate(algorithms.items()):
        for marker, (cluster, core) in enumerate(CORES.items()):
            points, names, band = [], [], 0.0
            for mhz in costs.frequencies(cluster):
                cost = costs.get(cluster, mhz, algorithm)
                if cost is not None and cost.energy_uj is not None:
                    points.append((cost.time_us, cost.energy_uj))
                    names.append(f"{name} on {core} at {mhz} MHz")
                    band = max(band, cost.band_percent)
            if points:
                series.append(
                    Series(
                        f"{name}, {core}",
                        tuple(points),
                        colour=place,
                        marker=marker,
                        dashed=cluster == "big",
                        band_percent=band or None,
                        point_names=tuple(names),
                    )
                )
    if not series:
        return None
    band = max(one.band_percent or 0.0 for one in series)
    return XYPlot(
        title,
        "time, sender and receiver, µs",
        "energy, µJ",
        tuple(series),
        f"Modelled ±{number(band)} % in time, shown as whiskers; energy by GemStone's model besides. Each dot is a "
        "clock, the lowest "
        "to the right. Left and down is better.",
        x_logarithmic=True,
        y_logarithmic=True,
    )


def _relative_plot(costs: Costs, title: str, what: str, compared: dict[str, tuple[_Case, _Case]]) -> XYPlot | None:
    """Ratios of two (cluster, algorithm) at each clock that both have."""
    series = []
    band = 0.0
    for place, (name, (first, second)) in enumerate(compared.items()):
        for dashed, (value, words) in enumerate(((time_of, "time"), (energy_of, "energy"))):
            points = []
            for mhz in sorted({mhz for _, mhz in costs.points}):
                both = ((first[0], mhz, first[1]), (second[0], mhz, second[1]))
                ratios = costs.ratios([both], value)
                if ratios:
                    points.append((float(mhz), ratios[0]))
                    band = max(band, (costs.get(*both[0]) or Cost(0, 0, 0, 0, 0)).band_percent)
            if points:
                series.append(
                    Series(f"{name}, {words}", tuple(points), colour=place, dashed=bool(dashed), marker=dashed)
                )
    if not series:
        return None
    return XYPlot(
        title,
        "clock, MHz",
        what,
        tuple(series),
        f"Modelled ±{number(band)} %. Above 1: more of it.",
        x_logarithmic=False,
        x_ticks_measured=True,
        levels=(("equal", 1.0),),
    )


def _table(costs: Costs, title: str, algorithms: dict[str, str]) -> ExtraSection:
    rows = []
    for cluster, mhz in costs.points:
        for name, algorithm in algorithms.items():
            for level in LEVELS:
                cost = costs.get(cluster, mhz, algorithm, level)
                if cost is not None:
                    energy = "not known" if cost.energy_uj is None else number(round(cost.energy_uj, 2))
                    rows.append(
                        (
                            f"{CORES[cluster]} {mhz} MHz",
                            name,
                            level,
                            number(round(cost.sender_us, 2)),
                            number(round(cost.receiver_us, 2)),
                            number(round(cost.time_us, 2)),
                            energy,
                        )
                    )
    return ExtraSection(
        title=title,
        columns=(
            "Core and clock",
            "Algorithm",
            "Level",
            "Sender, µs",
            "Receiver, µs",
            "Both, µs",
            "Energy of both, µJ",
        ),
        rows=tuple(rows),
    )


# A row of published.csv, and the function and the name of our figure beside it.
_BESIDE: dict[tuple[str, str, str], tuple[Callable[[Prepared], Figures], str]] = {
    ("hash A7 against A15", "same clock", "energy"): (figures.hash_cores, "energy"),
    ("SHA-256 against SHA3-256", "200 MHz A7", "time"): (figures.hash_algorithms, "time"),
    ("SHA-256 against SHA3-256", "200 MHz A7", "energy"): (figures.hash_algorithms, "energy"),
    ("signature A15 against A7", "600 MHz", "time"): (figures.signature_cores, "time"),
    ("signature A15 against A7", "600 MHz", "energy"): (figures.signature_cores, "energy"),
    ("signature A15 against A7", "higher clocks", "energy"): (figures.signature_cores_at_1400, "energy"),
    ("signature A7 against A15", "all clocks", "energy"): (figures.signature_energy_on_the_a7, "energy"),
    ("RSA-2048 against secp256k1", "sender plus receiver", "time"): (figures.signature_algorithms, "time"),
    ("RSA-2048 against secp256k1", "sender plus receiver", "energy"): (figures.signature_algorithms, "energy"),
}


def _published(evidence: Evidence, prepared: Prepared) -> ExtraSection | None:
    rows = []
    for row in rows_of(evidence.experiment):
        place = (row["comparison"], row["condition"], row["metric"])
        if place not in _BESIDE:
            continue
        function, name = _BESIDE[place]
        found = function(prepared)
        ours = None if found is None else found[name]
        published = float(row["value"])
        calls = "calls beside whole processes: not comparable" if found and "processes" in found else "modelled"
        rows.append(
            (
                row["comparison"],
                row["condition"],
                row["metric"],
                f"{published:g}",
                _NONE if ours is None else f"{ours:.2f}",
                _NONE if ours is None else f"{Spread([one / published for one in ours]):.2f}",
                calls if ours is not None else _NONE,
            )
        )
    if all(row[4] == _NONE for row in rows):
        return None
    return ExtraSection(
        title="Published ratios beside ours",
        paragraphs=("The study means its results as relative; tables III and IV are images whose figures are lost.",),
        columns=("Compared", "Where", "What", "Published", "Ours", "Ours ÷ published", "How ours was obtained"),
        rows=tuple(rows),
    )


def _levels(evidence: Evidence) -> ExtraSection | None:
    """The study's table I."""
    levels: dict[str, dict[str, str]] = {}
    for row in rows_of(evidence.experiment):
        if row["comparison"].startswith("level "):
            levels.setdefault(row["comparison"].removeprefix("level "), {})[row["condition"]] = row["value"]
    return ExtraSection(
        title="Security levels (the study's table I)",
        paragraphs=(
            "The study compares RSA-2048 with secp256k1. By its own table these are levels 112 and 128. An RSA of "
            "level 128 has 3072 bits; signing grows with the cube of that, about 3.4 times.",
        ),
        columns=("Level, bits", "RSA key, bits", "ECC key, bits, at least"),
        rows=tuple((level, keys.get("RSA", _NONE), keys.get("ECC", _NONE)) for level, keys in levels.items()),
    )


def sections(evidence: Evidence) -> tuple[ExtraSection, ...]:
    """The study's figures 3 to 8 and its two tables."""
    costs = Costs(evidence.results)
    hashes = {name.upper(): f"message-{name}" for name in HASHES}
    plots = [
        _energy_plot(costs, hashes, "Hashes: energy against time"),
        _energy_plot(costs, SIGNED, "Signatures: energy against time"),
        _relative_plot(
            costs,
            "A15 over A7 at the same clock",
            "A15 ÷ A7",
            {name: (("big", algorithm), ("little", algorithm)) for name, algorithm in (hashes | SIGNED).items()},
        ),
        _relative_plot(
            costs,
            "RSA-2048 over secp256k1",
            "RSA ÷ ECDSA",
            {core: ((cluster, SIGNED["RSA-2048"]), (cluster, SIGNED["secp256k1"])) for cluster, core in CORES.items()},
        ),
        _relative_plot(
            costs,
            "SHA-256 over SHA3-256",
            "SHA-256 ÷ SHA3-256",
            {core: ((cluster, "message-sha-256"), (cluster, "message-sha3-256")) for cluster, core in CORES.items()},
        ),
    ]
    drawn = tuple(plot for plot in plots if plot is not None)
    if not drawn:
        return ()
    prepared = prepare(replace(evidence, assumed=as_assumed(read_assumptions(_FINDINGS))))
    found = (
        _published(evidence, prepared),
        ExtraSection(
            title="Time and energy",
            paragraphs=("A message of 21 bytes, without optimisation, as in the study; sender and receiver together.",),
            plots=drawn,
        ),
        _table(costs, "Hashes, not signed (the study's table III)", hashes),
        _table(costs, "SHA3-256, signed (the study's table IV)", SIGNED),
        _levels(evidence),
    )
    return tuple(part for part in found if part is not None)
