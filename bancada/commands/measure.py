"""`bancada measure`: what does this function cost?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from statistics import median

import click

from bancada.catalogue.target import Target
from bancada.commands.language import say
from bancada.commands.options import Finite, print_json, print_text
from bancada.commands.standard_input import StandardInput
from bancada.costing.cortex_a_table import InOrderTable, OutOfOrderTable
from bancada.measure import call_tree
from bancada.measure.demangle import demangled
from bancada.model.errors import UserError
from bancada.model.measurement import CallNode, Measurement

_SHOWN_INSTRUCTIONS = 6
# Below this, what a modelled pipeline has from before the call, and leaves to after it, is a large part of the figure.
_SHORT_CALL_CYCLES = 50
_OUTPUT = click.Path(dir_okay=False, allow_dash=True, path_type=Path)


@click.command()
@click.argument("elf", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("arguments", nargs=-1)
@click.option("--target", required=True, help="The device: uno, stm32f4, bbb, ...")
@click.option(
    "--function",
    "functions",
    required=True,
    multiple=True,
    help="Its name, as C++ writes it too, or its address (0x...); may be repeated.",
)
@click.option("--calls", type=click.IntRange(1), default=1, show_default=True, help="How many calls.")
@click.option("--first-call", type=click.IntRange(1), default=1, show_default=True, help="From which on.")
@click.option(
    "--hottest",
    type=click.IntRange(0),
    default=5,
    show_default=True,
    help="How many of the most expensive blocks to show.",
)
@click.option("--limit-seconds", type=Finite(0, min_open=True), default=120.0, show_default=True, help="On ARM.")
@click.option("--limit-cycles", type=click.IntRange(1), default=2_000_000_000, show_default=True, help="On AVR.")
@click.option(
    "--machine",
    default=None,
    help=(
        "QEMU's board (netduinoplus2, microbit), for bare firmware linked for another memory: flash outside the"
        " target's own never waits."
    ),
)
@click.option(
    "--environment", multiple=True, metavar="NAME=VALUE", help="A variable for a Linux program, which has no other."
)
@click.option("--tree", is_flag=True, help="Also who called whom, with the cycles of each way to a function; on AVR.")
@click.option("--folded", type=_OUTPUT, help="Write the tree as folded stacks, which flame graph programs read.")
@click.option("--flame", type=_OUTPUT, help="Write the tree as a flame graph, an SVG file.")
@click.option("--json", "as_json", is_flag=True, help="Everything, for other programs.")
def measure(
    elf: Path,
    arguments: tuple[str, ...],
    target: str,
    functions: tuple[str, ...],
    calls: int,
    first_call: int,
    hottest: int,
    limit_seconds: float,
    limit_cycles: int,
    machine: str | None,
    environment: tuple[str, ...],
    tree: bool,
    folded: Path | None,
    flame: Path | None,
    as_json: bool,
) -> None:
    """Measure functions of any program, no marker needed: cycles, instructions, stack, hottest blocks.

    ARGUMENTS are handed to a Linux program (after --, if they begin with a dash). What is piped to this command is its
    standard input too.

    Example: bancada measure program.elf --target stm32f4 --function aes_encrypt
    """
    from bancada.catalogue.target import FunctionRequest
    from bancada.measure.function import measure as run
    from bancada.measure.laboratory import open_laboratory

    if any("=" not in variable for variable in environment):
        raise UserError("--environment takes NAME=VALUE.")
    if (folded or flame) and len(functions) > 1:
        raise UserError("--folded and --flame write the tree of one function: name one.")
    device = open_laboratory().target(target)
    facts = []
    stdin = StandardInput().open if device.settings.is_linux else None
    for number, function in enumerate(functions):
        request = FunctionRequest(
            elf,
            function,
            first_call,
            calls,
            hottest,
            arguments,
            limit_seconds,
            limit_cycles,
            machine,
            environment,
            stdin,
        )
        found = run(device, request)
        if (tree or folded or flame) and not found.tree:
            raise UserError(
                f"The engine of '{device.name}' counts how often each block followed another, not who called whom:"
                " --tree, --folded and --flame are for AVR."
            )
        nodes = _named(found.tree)
        for path, text in (
            (folded, call_tree.folded),
            (flame, partial(call_tree.flame_graph, title=_title(elf, function))),
        ):
            if path is not None:
                _write(path, text(nodes))
        if as_json:
            facts.append(_facts(elf, device, function, _middle(found)) | asdict(found))
            continue
        if number:
            say()
        _show(found, elf, device, function)
        if tree:
            say(f"\n{'with calls':>12} {'its own':>12}  cycles of each function under its caller")
            say("\n".join(call_tree.tree_lines(nodes)))
    if as_json:
        print_json(facts[0] if len(facts) == 1 else facts)


def _title(elf: Path, function: str) -> str:
    return f"{function} in {elf.name}: cycles, callees above their callers"


def _named(tree: Sequence[CallNode]) -> list[CallNode]:
    """The tree with names as C++ writes them."""
    names = demangled(node.function for node in tree)
    return [replace(node, function=names[node.function]) for node in tree]


def _write(path: Path, text: str) -> None:
    if str(path) == "-":
        print_text(text)
        return
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}.") from error


def _facts(elf: Path, target: Target, function: str, cycles: float) -> dict[str, object]:
    """What was measured, and the fidelity of the figures."""
    return {
        "program": elf.name,
        "function": function,
        "target": target.name,
        "clock_hz": target.clock_hz,
        "fidelity": target.core.fidelity,
        "fidelity_band_percent": target.band_of(cycles),
        "warning": _warning(target, cycles),
    }


def _warning(target: Target, cycles: float) -> str | None:
    """What makes a figure less certain than its band says."""
    if isinstance(target.core.table, InOrderTable | OutOfOrderTable) and cycles < _SHORT_CALL_CYCLES:
        return (
            f"A call below {_SHORT_CALL_CYCLES} cycles overlaps with the code around it: the band does not hold for"
            " it. Measure a function that calls it many times."
        )
    return None


def _count(value: float) -> str:
    return f"{value:,.0f}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def _middle(found: Measurement) -> float:
    return median(call.cycles for call in found.calls)


def _show(found: Measurement, elf: Path, target: Target, function: str) -> None:
    core = target.core
    cycles = sorted(call.cycles for call in found.calls)
    middle = _middle(found)
    percent = target.band_of(middle)
    band = f" ±{percent:g} %" if percent else ""
    say(f"{function} in {elf.name} on {target.title}, {core.fidelity}{band}")
    spread = f" (least {_count(cycles[0])}, most {_count(cycles[-1])}, {len(cycles)} calls)" if len(cycles) > 1 else ""
    say(f"  cycles        {_count(middle)}{spread}")
    say(f"  time          {middle / target.clock_hz * 1e6:.6g} µs at {target.clock_hz / 1e6:g} MHz")
    say(f"  instructions  {_count(median(call.instructions for call in found.calls))}")
    say(f"  stack         {max(call.stack_bytes for call in found.calls)} B")
    say(f"  engine        {found.engine_version}")
    if warning := _warning(target, middle):
        say(f"  warning       {warning}")
    names = demangled(block.function for block in found.hottest)
    for block in found.hottest:
        share = block.cycles / found.blocks_cycles * 100 if found.blocks_cycles else 0.0
        say(
            f"\n  {share:5.1f} %  {names[block.function]} at {block.address:#x}: {_count(block.times)} times,"
            f" {_count(block.cycles)} cycles"
        )
        for text in block.text[:_SHOWN_INSTRUCTIONS]:
            say(f"           {text}")
        if len(block.text) > _SHOWN_INSTRUCTIONS:
            say(f"           ... {len(block.text) - _SHOWN_INSTRUCTIONS} more")
