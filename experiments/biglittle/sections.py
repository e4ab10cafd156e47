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
from .costs import CORES, HASHES, LEVELS, SIGNED, Cost, Costs, costs_of_calls, energy_of, time_of
from .figures import Prepared, memory_rows, own_heap, prepare
from .processes import costs_of_processes, system_of

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


_ALL = {**{name.upper(): f"message-{name}" for name in HASHES}, **SIGNED}


def _processes(evidence: Evidence, prepared: Prepared) -> ExtraSection | None:
    """Sender and receiver together: the calls, the process in user mode, alone, and four at once."""
    system = system_of(evidence.assumed)
    laboratory, observations = evidence.laboratory, evidence.observations
    in_user_mode = replace(system, kernel_cycles=dict.fromkeys(CORES, 0.0))
    ways = (
        prepared.costs,
        costs_of_processes(laboratory, observations, in_user_mode, is_at_once=False),
        costs_of_processes(laboratory, observations, system, is_at_once=False),
        prepared.processes,
    )
    rows = []
    for cluster, mhz in prepared.processes.points:
        for title, algorithm in _ALL.items():
            found = [costs.get(cluster, mhz, algorithm) for costs in ways]
            if any(found):
                energies = (found[0], found[-1])
                rows.append(
                    (
                        f"{CORES[cluster]} {mhz} MHz",
                        title,
                        *(_NONE if one is None else number(round(one.time_us)) for one in found),
                        *(
                            _NONE if one is None or one.energy_uj is None else number(round(one.energy_uj))
                            for one in energies
                        ),
                    )
                )
    if not rows:
        return None
    plots = (
        _energy_plot(prepared.processes, {name: _ALL[name] for name in list(_ALL)[:2]}, "Hashes: whole processes"),
        _energy_plot(prepared.processes, SIGNED, "Signatures: whole processes"),
    )
    return ExtraSection(
        title="Whole processes beside bare calls",
        paragraphs=(
            "Sender and receiver together, without optimisation. A process is counted from its first instruction to "
            "its last, with cold caches: start-up of the C library, key, message, output. The engine has no kernel: "
            "its part is assumed. Four at once: a quarter of the level 2 cache for each, memory slower as assumed, and "
            "the energy of the whole cluster, as in the study.",
            *(
                f"{one.said[:1].upper()}{one.said[1:]}. {one.why}"
                for one in read_assumptions(_FINDINGS)
                if one.name in ("start_cycles", "start_on_a15", "memory_at_once")
            ),
        ),
        plots=tuple(plot for plot in plots if plot is not None),
        columns=(
            "Core and clock",
            "Algorithm",
            "Calls, µs",
            "Processes without the kernel, µs",
            "Alone, µs",
            "Four at once, µs",
            "Energy of the calls, µJ",
            "Energy of four at once, µJ",
        ),
        rows=tuple(rows),
    )


def _multiplications(prepared: Prepared) -> ExtraSection | None:
    rows = []
    for name, costs in prepared.messages.items():
        for cluster, core in CORES.items():
            clocks = costs.frequencies(cluster)
            if 600 not in clocks:
                continue
            rsa, ecdsa = (costs.get(cluster, 600, algorithm) for algorithm in SIGNED.values())
            if rsa is None or ecdsa is None:
                continue
            times = (rsa.sender_us, rsa.receiver_us, ecdsa.sender_us, ecdsa.receiver_us)
            heap = [prepared.heap.get((algorithm, "send", name)) for algorithm in SIGNED.values()]
            rows.append(
                (
                    name,
                    core,
                    *(number(round(one)) for one in times),
                    f"{rsa.time_us / ecdsa.time_us:.2f}",
                    *(_NONE if one is None else number(one) for one in heap),
                )
            )
    if not rows:
        return None
    return ExtraSection(
        title="wolfSSL's multiplications",
        paragraphs=(
            "The message alone, without optimisation, at 600 MHz. wolfSSL has three modules for big numbers, of which "
            "a build takes one; before version 5 its makefiles took integer.c or tfm.c. The study does not say which "
            "its build had. Published: RSA takes about 2.5 times as long.",
        ),
        columns=(
            "Module",
            "Core",
            "RSA, sender, µs",
            "RSA, receiver, µs",
            "secp256k1, sender, µs",
            "secp256k1, receiver, µs",
            "RSA ÷ secp256k1, both",
            "Heap of an RSA sender, B",
            "Heap of a secp256k1 sender, B",
        ),
        rows=tuple(rows),
    )


def _memory(prepared: Prepared) -> ExtraSection | None:
    rows = []
    for name, operation, ram, stack in memory_rows(prepared.results):
        heap = own_heap(prepared, name, operation)
        whole = _NONE if heap is None else number(ram + heap)
        rows.append((name, operation, number(ram), number(stack), _NONE if heap is None else number(heap), whole))
    if not rows:
        return None
    return ExtraSection(
        title="Memory, which the study left for later",
        paragraphs=(
            "Sender and receiver at the study's level and payload. Heap: the most that malloc has given at a time from "
            "the process's start to the end of its message, as malloc rounds it.",
        ),
        columns=("Message", "Role", "Static RAM, contexts and stack, B", "Of it stack, B", "Heap, B", "All, B"),
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
        _processes(assumed, prepared),
        _multiplications(prepared),
        _memory(prepared),
        _levels(evidence),
    )
    return tuple(part for part in found if part is not None)
