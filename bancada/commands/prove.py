"""`bancada prove`: is it right for every input?"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bancada.catalogue.paths import default_store
from bancada.commands.language import say
from bancada.commands.options import Finite, console, json_option, print_json, store_option
from bancada.model.errors import UserError

if TYPE_CHECKING:
    from bancada.prove.candidate import Inquiry, ProvedIn
    from bancada.prove.prove import Demand, Proved

EXIT_NOT_PROVED = 1
_SHOWN = 4


@click.command()
@click.argument("program")
@click.option(
    "--proofs",
    "proofs_path",
    type=click.Path(exists=True, path_type=Path),
    help="A Python file with a function for each proof, or a folder of such files. Default: proofs.py or proofs/ in the"
    " candidate's folder.",
)
@click.option("--proof", "names", multiple=True, help="Only this one; may be repeated.")
@click.option(
    "--target",
    default="uno",
    show_default=True,
    help="The device whose firmware a candidate is built for: an AVR, a Cortex-M, an Armv7-A with NEON or an AArch64.",
)
@click.option(
    "--placements",
    type=click.IntRange(1, 4),
    default=2,
    show_default=True,
    help="At how many places in RAM the buffers lie, one after the other.",
)
@click.option(
    "--limit-seconds",
    type=Finite(1),
    default=60.0,
    show_default=True,
    help="For the solver, where the normal form does not decide. Following the program may take five times as long.",
)
@click.option(
    "--check-with",
    "second",
    default="",
    help="A second solver that checks each verdict: cadical, minisat, cryptominisat5, picosat, kissat, or any other"
    " program that reads DIMACS.",
)
@click.option(
    "--export-clauses",
    "export",
    type=click.Path(file_okay=False, path_type=Path),
    help="A folder for what the second solver is asked, one file for each proof.",
)
@click.option(
    "--mutants",
    type=click.IntRange(1),
    help="Instead of proofs: for each, so many programs with one instruction changed, as many specifications with one"
    " operation changed, and what came of them.",
)
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Proofs made at once.")
@json_option
@store_option
def prove(
    program: str,
    proofs_path: Path | None,
    names: tuple[str, ...],
    target: str,
    placements: int,
    limit_seconds: float,
    second: str,
    export: Path | None,
    mutants: int | None,
    jobs: int,
    as_json: bool,
    store_path: Path | None,
) -> None:
    """Prove that functions of a linked program for an AVR, a Cortex-M, an Armv7-A or an AArch64 compute their
    specification, for every key, message and state.

    PROGRAM is an ELF file, or an implementation (candidate/name), or a candidate for all of its implementations. It
    follows the program's instructions with every input bit unknown. So it shows too that no branch depends on a
    secret, the cycles (of an AVR and a Cortex-M), which memory is read and written, and which registers are kept.
    Verdicts on a candidate are stored and not made again. A counterexample is run in simavr or QEMU. Exit 1 if
    something was refuted, or could not be proved, or a second solver disagrees or has no answer.

    Examples: bancada prove tatu/aes128; bancada prove tatu/aes128 --target samd21; bancada prove tatu/sha256 --target
    rpi3; bancada prove firmware.elf --proofs my_proofs.py
    """
    from bancada.prove.prove import Demand

    if export is not None and not second:
        raise UserError("--export-clauses writes what a second solver is asked: name one with --check-with.")
    if mutants is not None:
        _show_mutants(_inquiry(program, proofs_path, names, target, jobs, store_path), mutants, as_json)
        return
    demand = Demand(placements, limit_seconds, second, export.absolute() if export else None)
    if Path(program).is_file():
        if proofs_path is None:
            raise UserError(f"{program} is a program: say with --proofs which file of proofs it is held to.")
        found = list(_of_a_program(Path(program), proofs_path, names, demand, target))
    else:
        inquiry = _inquiry(program, proofs_path, names, target, jobs, store_path)
        found = list(_of_a_candidate(inquiry, demand, is_quiet=as_json))
    if not found:
        raise UserError(f"Nothing was proved: no proof is of a function that {program} has on the target '{target}'.")
    band_percent = _band_of_cycles(program, target)
    if as_json:
        print_json([_facts(one, band_percent) for one in found])
    else:
        _show(found)
        if any(call.cycles is not None for one in found for call in one.proved.calls):
            say(_fidelity(band_percent))
    if any(one.proved.verdict != "proved" or _is_doubted(one.proved) for one in found):
        sys.exit(EXIT_NOT_PROVED)


def _band_of_cycles(program: str, target: str) -> float | None:
    """The band of the cycles of a program for this target; None if they are exact, as those of an AVR are."""
    from bancada.measure.laboratory import open_laboratory
    from bancada.prove.candidate import table_of
    from bancada.prove.program import read_program

    if Path(program).is_file() and read_program(Path(program)).machine == "avr":
        return None
    device = open_laboratory().target(target)
    return device.core.band_percent if table_of(device) else None


def _fidelity(band_percent: float | None) -> str:
    if band_percent is None:
        return "Cycles: exact."
    return f"Cycles: modelled ±{band_percent:g} %, without waits for flash."


def _facts(one: ProvedIn, band_percent: float | None) -> dict[str, object]:
    fidelity = {
        "cycles_fidelity": "exact" if band_percent is None else "modelled",
        "cycles_band_percent": band_percent,
    }
    has_cycles = any(call.cycles is not None for call in one.proved.calls)
    return asdict(one.proved) | {"implementation": one.implementation} | (fidelity if has_cycles else {})


def _of_a_program(elf: Path, proofs: Path, names: tuple[str, ...], demand: Demand, target: str) -> Iterator[ProvedIn]:
    from bancada.measure.laboratory import open_laboratory
    from bancada.prove.candidate import ProvedIn, table_of
    from bancada.prove.prove import prove as prove_all

    for proved in prove_all(elf, proofs, names, demand, table_of(open_laboratory().target(target))):
        yield ProvedIn("", proved, False)


def _of_a_candidate(inquiry: Inquiry, demand: Demand, is_quiet: bool) -> Iterator[ProvedIn]:
    from bancada.prove.candidate import prove_candidate

    for one in prove_candidate(inquiry, demand):
        if not is_quiet and not one.is_stored:
            say(f"{one.proved.name}: {one.proved.verdict} in {one.proved.seconds:.0f} s", err=True)
        yield one


def _inquiry(
    name: str, proofs: Path | None, names: tuple[str, ...], target: str, jobs: int, store: Path | None
) -> Inquiry:
    """About the candidate, or its implementation if the name is of one."""
    from bancada.measure.laboratory import open_laboratory
    from bancada.prove.candidate import Inquiry, proofs_of

    if name.endswith(".elf"):
        raise UserError(f"There is no file {name}.")
    laboratory = open_laboratory()
    candidate = laboratory.candidate(name.partition("/")[0])
    return Inquiry(
        laboratory,
        candidate,
        name if "/" in name else None,
        laboratory.target(target),
        proofs or proofs_of(candidate),
        names,
        jobs,
        store or default_store(),
        _say_missing,
    )


def _show_mutants(inquiry: Inquiry, count: int, as_json: bool) -> None:
    """A table in Markdown, for the documentation."""
    from bancada.prove.candidate import mutants_of_candidate
    from bancada.prove.mutants import OUTCOMES

    found = {}
    for proof, outcomes in mutants_of_candidate(inquiry, count):
        say(f"{proof}: {sum(outcomes.values())} mutants", err=True)
        found[proof] = {outcome: outcomes[outcome] for outcome in OUTCOMES}
    if as_json:
        print_json(found)
        return
    click.echo(f"| proof | mutants | {' | '.join(OUTCOMES.values())} |")
    click.echo("|---|" + "---|" * (len(OUTCOMES) + 1))
    every = {outcome: sum(each[outcome] for each in found.values()) for outcome in OUTCOMES}
    for proof, each in (*sorted(found.items()), ("all", every)):
        click.echo(f"| {proof} | {sum(each.values())} | {' | '.join(map(str, each.values()))} |")


def _say_missing(names: list[str]) -> None:
    if names:
        say(f"Not proved, because no firmware has their functions: {', '.join(names)}.", err=True)


def _show(found: list[ProvedIn]) -> None:
    from rich.table import Table

    table = Table(
        "proof", "in the firmware of", "verdict", "cycles", "stack in bytes", "decided by", "second solver", "seconds"
    )
    for one in found:
        proved = one.proved
        last = proved.calls[-1] if proved.calls else None
        table.add_row(
            proved.name,
            one.implementation,
            proved.verdict,
            f"{last.cycles:,}" if last and last.cycles is not None else "",
            str(last.stack_bytes) if last else "",
            proved.by if proved.verdict == "proved" else "",
            f"{proved.second.solver} {proved.second.word}" if proved.second else "",
            "stored" if one.is_stored else f"{proved.seconds:.1f}",
        )
    console().print(table)
    for one in found:
        if one.proved.reason:
            say(f"{_named(one.proved)}: {one.proved.reason}")
        if one.proved.replay:
            say(f"{one.proved.name} in the engine: {'; '.join(one.proved.replay[:_SHOWN])}.")


def _is_doubted(proved: Proved) -> bool:
    return proved.second is not None and proved.second.word != "agrees"


def _named(proved: Proved) -> str:
    return f"{proved.name}: {proved.verdict}"
