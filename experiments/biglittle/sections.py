"""The study's figures and tables: time and energy of hashes and signatures, by core and clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from bancada.answers.published import rows_of
from bancada.answers.ranking import number
from bancada.answers.report.input import ExtraSection
from bancada.studies.assumption import as_assumed, read_assumptions
from bancada.studies.claim import Figures
from bancada.studies.spread import Spread
from bancada.studies.study import Evidence

from . import figures
from .costs import CORES, HASHES, LEVELS, SIGNED, Costs, costs_of_calls
from .figures import Prepared, prepare
from .plots import energy_plot, relative_plot
from .process_sections import memory, multiplications, processes

_FINDINGS = Path(__file__).with_name("findings.toml")
_NONE = "–"


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


# A row of published.csv; the name of our figure beside it; what computes it, of calls and of whole processes.
_Compute = Callable[[Prepared], Figures]
_BESIDE: dict[tuple[str, str, str], tuple[str, _Compute, _Compute | None]] = {
    ("hash A7 against A15", "same clock", "energy"): ("energy", figures.hash_cores, figures.hash_cores_of_processes),
    ("SHA-256 against SHA3-256", "200 MHz A7", "time"): (
        "time",
        figures.hash_algorithms,
        figures.hash_algorithms_of_processes,
    ),
    ("SHA-256 against SHA3-256", "200 MHz A7", "energy"): (
        "energy",
        figures.hash_algorithms,
        figures.hash_algorithms_of_processes,
    ),
    ("signature A15 against A7", "600 MHz", "time"): (
        "time",
        figures.signature_cores,
        figures.signature_cores_of_processes,
    ),
    ("signature A15 against A7", "600 MHz", "energy"): (
        "energy",
        figures.signature_cores,
        figures.signature_cores_of_processes,
    ),
    ("signature A15 against A7", "higher clocks", "energy"): ("energy", figures.signature_cores_at_1400, None),
    ("signature A7 against A15", "all clocks", "energy"): ("energy", figures.signature_energy_on_the_a7, None),
    ("RSA-2048 against secp256k1", "sender plus receiver", "time"): (
        "time",
        figures.signature_algorithms,
        figures.signature_algorithms_of_processes,
    ),
    ("RSA-2048 against secp256k1", "sender plus receiver", "energy"): (
        "energy",
        figures.signature_algorithms,
        figures.signature_algorithms_of_processes,
    ),
}


def _published(evidence: Evidence, prepared: Prepared) -> ExtraSection | None:
    rows = []
    for row in rows_of(evidence.experiment):
        place = (row["comparison"], row["condition"], row["metric"])
        if place not in _BESIDE:
            continue
        name, *functions = _BESIDE[place]
        published = float(row["value"])
        for function, of in zip(functions, ("calls alone", "whole processes, four at once"), strict=True):
            found = None if function is None else function(prepared)
            if found is None:
                continue
            ours = found[name]
            calls = "calls beside whole processes: not comparable" if "processes" in found else "modelled"
            rows.append(
                (
                    row["comparison"],
                    row["condition"],
                    row["metric"],
                    f"{published:g}",
                    of,
                    f"{ours:.2f}",
                    f"{Spread([one / published for one in ours]):.2f}",
                    calls,
                )
            )
    if not rows:
        return None
    return ExtraSection(
        title="Published ratios beside ours",
        paragraphs=("The study means its results as relative; tables III and IV are images whose figures are lost.",),
        columns=("Compared", "Where", "What", "Published", "Of", "Ours", "Ours ÷ published", "How ours was obtained"),
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
    costs = costs_of_calls(evidence.results)
    hashes = {name.upper(): f"message-{name}" for name in HASHES}
    plots = [
        energy_plot(costs, hashes, "Hashes: energy against time"),
        energy_plot(costs, SIGNED, "Signatures: energy against time"),
        relative_plot(
            costs,
            "A15 over A7 at the same clock",
            "A15 ÷ A7",
            {name: (("big", algorithm), ("little", algorithm)) for name, algorithm in (hashes | SIGNED).items()},
        ),
        relative_plot(
            costs,
            "RSA-2048 over secp256k1",
            "RSA ÷ ECDSA",
            {core: ((cluster, SIGNED["RSA-2048"]), (cluster, SIGNED["secp256k1"])) for cluster, core in CORES.items()},
        ),
        relative_plot(
            costs,
            "SHA-256 over SHA3-256",
            "SHA-256 ÷ SHA3-256",
            {core: ((cluster, "message-sha-256"), (cluster, "message-sha3-256")) for cluster, core in CORES.items()},
        ),
    ]
    drawn = tuple(plot for plot in plots if plot is not None)
    if not drawn:
        return ()
    assumed = replace(evidence, assumed=as_assumed(read_assumptions(_FINDINGS)))
    prepared = prepare(assumed)
    found = (
        _published(evidence, prepared),
        ExtraSection(
            title="Time and energy",
            paragraphs=("A message of 21 bytes, without optimisation, as in the study; sender and receiver together.",),
            plots=drawn,
        ),
        _table(costs, "Hashes, not signed (the study's table III)", hashes),
        _table(costs, "SHA3-256, signed (the study's table IV)", SIGNED),
        processes(assumed, prepared),
        multiplications(prepared),
        memory(prepared),
        _levels(evidence),
    )
    return tuple(part for part in found if part is not None)
