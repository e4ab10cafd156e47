"""Whole processes beside calls, wolfSSL's multiplications, and memory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bancada.answers.ranking import number
from bancada.answers.report.input import ExtraSection
from bancada.studies.assumption import read_assumptions
from bancada.studies.study import Evidence

from .costs import CORES, HASHES, SIGNED
from .figures import Prepared, memory_rows
from .plots import energy_plot
from .processes import costs_of_processes, system_of

_FINDINGS = Path(__file__).with_name("findings.toml")
_NONE = "–"
_ALL = {**{name.upper(): f"message-{name}" for name in HASHES}, **SIGNED}


def processes(evidence: Evidence, prepared: Prepared) -> ExtraSection | None:
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
        energy_plot(prepared.processes, {name: _ALL[name] for name in list(_ALL)[:2]}, "Hashes: whole processes"),
        energy_plot(prepared.processes, SIGNED, "Signatures: whole processes"),
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
                if one.name in ("start_kcycles", "start_on_a15", "memory_at_once")
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


def multiplications(prepared: Prepared) -> ExtraSection | None:
    """A message with each of wolfSSL's modules for big numbers."""
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
            heap = [prepared.taken.get((algorithm, "send", name)) for algorithm in SIGNED.values()]
            rows.append(
                (
                    name,
                    core,
                    *(number(round(one)) for one in times),
                    f"{rsa.time_us / ecdsa.time_us:.2f}",
                    *(_NONE if one is None else number(one.heap_bytes) for one in heap),
                )
            )
    if not rows:
        return None
    return ExtraSection(
        title="wolfSSL's multiplications",
        paragraphs=(
            "The message alone, without optimisation, at 600 MHz. wolfSSL has three modules for big numbers, of which "
            "a build takes one; sp_int.c is the newest. The study does not say which "
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


def memory(prepared: Prepared) -> ExtraSection | None:
    """RAM of sender and receiver, heap included."""
    rows = [
        (
            row.name,
            row.role,
            *(
                _NONE if value is None else number(value)
                for value in (row.static_bytes, row.context_bytes, row.stack_bytes, row.heap_bytes, row.whole_bytes)
            ),
        )
        for row in memory_rows(prepared)
    ]
    if not rows:
        return None
    return ExtraSection(
        title="Memory, which the study left for later",
        paragraphs=(
            "Sender and receiver at the study's level and payload. Heap: the most that malloc has given at a time from "
            "the process's start to the end of its message, as malloc rounds it.",
        ),
        columns=("Message", "Role", "Static RAM, B", "Context, B", "Stack, B", "Heap, B", "All, B"),
        rows=tuple(rows),
    )
