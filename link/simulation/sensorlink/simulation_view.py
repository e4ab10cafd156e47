"""What `bancada link simulate` prints."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from sensorlink.laboratory import UserError
from sensorlink.simulate import Outcome


@contextmanager
def follow(events_path: Path | None, pty_link: Path | None) -> Iterator[Callable[[dict[str, Any]], None]]:
    """While the simulation runs: writes its events down, says where the pseudo-terminal is."""
    try:
        events = events_path.open("w") if events_path is not None else None
    except OSError as error:
        raise UserError(f"The events cannot be written to {events_path}: {error.strerror}.") from error

    def on_event(event: dict[str, Any]) -> None:
        if events is not None:
            events.write(json.dumps(event) + "\n")
        if event["event"] == "pty":
            if pty_link is not None:
                _link(pty_link, event["path"])
            print(f"The gateway's serial port is {event['path']}; Ctrl-C ends the simulation.", flush=True)

    try:
        yield on_event
    finally:
        if events is not None:
            events.close()
        if pty_link is not None and pty_link.is_symlink():
            pty_link.unlink()


def _link(link: Path, path: str) -> None:
    if link.exists() and not link.is_symlink():
        raise UserError(f"--pty-link {link} would replace a file that is there; name another.")
    link.unlink(missing_ok=True)
    try:
        link.symlink_to(path)
    except OSError as error:
        raise UserError(f"--pty-link {link} cannot be made: {error.strerror}.") from error


def show(outcome: Outcome) -> None:
    """Prints the outcome: each node, then all of them beside the theory."""
    console = Console()
    table = Table(box=box.SIMPLE, padding=0, pad_edge=False)
    for heading in ("node", "by", "sent", "collided", "delivered", "awake/idle/down", "resets", "EEPROM", "most"):
        table.add_column(heading, no_wrap=True)
    for node in outcome.nodes:
        part = f" {node.delivered / node.sent:.0%}" if node.sent else ""
        shares = "/".join(
            f"{100 * node.shares[name]:.1f}" for name in ("awake", "idle", "power-down") if name in node.shares
        )
        writes = (
            (str(node.eeprom_writes), str(node.eeprom_writes_of_busiest_cell)) if node.kind == "firmware" else ("", "")
        )
        counts = (str(node.sent), str(node.collided), f"{node.delivered}{part}")
        table.add_row(node.name, node.kind, *counts, shares, str(node.resets), *writes)
    console.print(table)
    console.print(
        "Awake, idle, power-down: % of its time. EEPROM: bytes written, and of the busiest cell.", style="dim"
    )
    native = sum(node.kind == "native" for node in outcome.nodes)
    console.print(
        f"{outcome.time_s:g} s simulated in {outcome.wall_s:.1f} s; the gateway and {len(outcome.nodes) - native} "
        "sensors are"
        f" firmware in simavr, {native} sensors a timing model of it. A packet is {outcome.time_on_air_s * 1e3:.1f} "
        "ms on the air."
    )
    comparison = Table(box=box.SIMPLE)
    for heading in ("", "simulated", "theory"):
        comparison.add_column(heading, no_wrap=True)
    comparison.add_row("delivered", _percent(outcome.delivered_part), _percent(outcome.delivered_part_in_theory))
    comparison.add_row("packets/s", f"{outcome.packets_per_s:.3f}", _number(outcome.packets_per_s_in_theory))
    comparison.add_row("whole at the Pi", f"{outcome.at_the_pi} of {outcome.delivered}", "")
    console.print(comparison)
    for complaint in outcome.complaints[:10]:
        console.print(f"[yellow]{complaint}[/]")
    if len(outcome.complaints) > 10:
        console.print(f"[yellow]... and {len(outcome.complaints) - 10} more such events[/]")


def _percent(part: float | None) -> str:
    return "-" if part is None else f"{part:.1%}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
