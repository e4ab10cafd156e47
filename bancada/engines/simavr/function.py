"""Measures a function of any AVR firmware in the engine `simavr`: no markers, no monitor."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from bancada.build.symbols import symbols
from bancada.engines.simavr.session import engine_version, runner
from bancada.model.errors import UserError
from bancada.model.measurement import Call, CallNode, HotBlock, Measurement

_DISASSEMBLER = "avr-objdump"
_INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\t[0-9a-f ]+\t(.*)$")
_EXIT_USAGE = 2


def measure_function(
    mcu: str, clock_hz: int, elf: Path, function: str, first_call: int, calls: int, hottest: int, limit_cycles: int
) -> Measurement:
    """Runs the firmware from reset until `calls` calls of the function are measured, from the `first_call`-th on.

    UserError if the function is not there, the firmware crashes, or it has run for `limit_cycles` or to its end before.
    """
    place = (
        function if function[:1].isdigit() else f"{symbols(elf).address(function):#x}"
    )  # assembly may have labels alone
    options = ["--uart", "none", "--max-cycles", str(limit_cycles), "--profile", "stacks", "--function", place]
    command = [str(runner()), "--mcu", mcu, "--frequency", str(clock_hz), *options, "--first-call", str(first_call)]
    done = subprocess.run(
        [*command, "--calls", str(calls), str(elf)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )
    if done.returncode == _EXIT_USAGE:
        raise UserError(f"{done.stderr.strip().removeprefix('bancada-simavr: ')}.")
    events: list[dict[str, Any]] = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    measured = [Call(event["cycles"], event["instructions"], event["stack_bytes"]) for event in _of(events, "region")]
    if len(measured) < calls:
        raise UserError(_why_too_few(elf, function, first_call, calls, len(measured), events))
    profile = next(iter(_of(events, "profile")))
    costs: list[dict[str, Any]] = profile["addresses"]
    blocks = _blocks(elf, costs)
    costliest = sorted(blocks, key=lambda block: -block.cycles)[:hottest]
    tree = tuple(
        CallNode(node["parent"], node["name"] or "code without a name", node["cycles"], node["calls"])
        for node in profile.get("stacks", [])
    )
    return Measurement(tuple(measured), tuple(costliest), sum(cost["cycles"] for cost in costs), engine_version(), tree)


def _of(events: Sequence[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event["event"] == kind]


def _why_too_few(
    elf: Path, function: str, first_call: int, calls: int, measured: int, events: Sequence[dict[str, Any]]
) -> str:
    fault = next(iter(_of(events, "fault")), None)
    if fault is None:
        ending = "ended"
    elif fault["reason"] == "cycle limit":
        ending = f"was still running after {fault['cycle']} cycles (--limit-cycles)"
    else:
        ending = f"crashed in {fault.get('symbol') or hex(fault['pc'])} ({fault['reason']})"
    return (
        f"{elf.name} {ending} when {measured} of the {calls} calls of {function} from number {first_call} on were"
        " measured."
    )


def _blocks(elf: Path, costs: Sequence[dict[str, Any]]) -> list[HotBlock]:
    """Neighbouring instructions of one function that ran equally often."""
    text = _disassembly(elf)
    groups: list[list[dict[str, Any]]] = []
    ordered = sorted(costs, key=lambda cost: int(cost["address"]))
    following = dict(pairwise(sorted(text)))
    for cost in ordered:
        last = groups[-1][-1] if groups else None
        joins = last is not None and (last["count"], last["symbol"]) == (cost["count"], cost["symbol"])
        if joins and last is not None and following.get(last["address"], last["address"] + 2) == cost["address"]:
            groups[-1].append(cost)
        else:
            groups.append([cost])
    return [
        HotBlock(
            address=group[0]["address"],
            function=group[0]["symbol"] or hex(group[0]["address"]),
            times=group[0]["count"],
            cycles=sum(cost["cycles"] for cost in group),
            text=tuple(text.get(cost["address"], "") for cost in group),
        )
        for group in groups
    ]


def _disassembly(elf: Path) -> dict[int, str]:
    """Instructions by address; none where binutils for AVR is not installed."""
    if shutil.which(_DISASSEMBLER) is None:
        return {}
    done = subprocess.run([_DISASSEMBLER, "-d", str(elf)], capture_output=True, text=True, errors="replace")
    found = (_INSTRUCTION.match(line) for line in done.stdout.splitlines())
    return {int(match[1], 16): match[2].split(";")[0].strip().replace("\t", " ") for match in found if match}
