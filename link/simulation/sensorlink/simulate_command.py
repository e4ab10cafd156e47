"""`bancada link simulate`: reads its options, runs the simulation, shows what came of it."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path

import click

from sensorlink.laboratory import UserError
from sensorlink.simulate import Schedule, Simulation, simulate
from sensorlink.simulation_view import follow, show


class _Seconds(click.ParamType[float]):
    """A duration: 90, 90s, 10m, 2h."""

    name = "duration"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(s|m|h|)", str(value))
        if not match:
            self.fail(f"'{value}' is not a duration; write 90, 90s, 10m or 2h", param, ctx)
        return float(match[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[match[2]]


@click.command("simulate")
@click.option("--sensors", type=click.IntRange(1, 200), default=2, show_default=True, help="How many sensors.")
@click.option("--period", type=_Seconds(), default=5.0, show_default=True, help="Of each sensor; 0: without a pause.")
@click.option("--air-rate", type=int, default=2400, show_default=True, help="300, 1200, 2400 or 4800 bit/s.")
@click.option("--jitter", "schedule", flag_value="jitter", help="Random pauses around the period (the default).")
@click.option("--slots", "schedule", flag_value="slots", help="A time slot for each, by clocks that agree.")
@click.option("--free", "schedule", flag_value="free", help="Once a period, by clocks that do not agree.")
@click.option("--together", "schedule", flag_value="together", help="Identical sensors at the same moment.")
@click.option(
    "--duration", type=_Seconds(), default=None, help="Of simulated time. Default: 10m; with --pty, until Ctrl-C."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Two runs with the same seed are the same.")
@click.option(
    "--native", type=click.IntRange(0), default=None, help="So many sensors by timing model instead of firmware."
)
@click.option("--loss", type=click.FloatRange(0, 1), default=0.0, help="Part of the packets that fade.")
@click.option("--rain", type=_Seconds(), default=None, help="Mean time between tips of each rain gauge.")
@click.option("--resets", type=_Seconds(), default=None, help="Mean time between random resets of each sensor.")
@click.option(
    "--eeprom",
    "images",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="A sensor's EEPROM image (provision's .bin), kept up to date; once for each sensor.",
)
@click.option("--pty", is_flag=True, help="The gateway's serial port as a pseudo-terminal, in real time.")
@click.option(
    "--pty-link", type=click.Path(path_type=Path), default=None, help="A link to the pseudo-terminal, for --pty."
)
@click.option("--real-time/--fast", default=False, help="As fast as the clock on the wall, or as the computer.")
@click.option(
    "--events",
    "events_path",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="Every event into this file, JSON Lines.",
)
@click.option(
    "--json",
    "json_path",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="The outcome into this file.",
)
def command(
    sensors: int,
    period: float,
    air_rate: int,
    schedule: Schedule | None,
    duration: float | None,
    seed: int,
    native: int | None,
    loss: float,
    rain: float | None,
    resets: float | None,
    images: tuple[Path, ...],
    pty: bool,
    pty_link: Path | None,
    real_time: bool,
    events_path: Path | None,
    json_path: Path | None,
) -> None:
    """Simulate sensors and a gateway: the two firmwares, bit by bit, on one air.

    Example: bancada link simulate --sensors 4 --period 5s --air-rate 2400 --slots
    """
    if period != int(period):
        raise UserError(f"The period must be whole seconds, not {period:g} s.")
    simulation = Simulation(
        sensors=sensors,
        period_s=int(period),
        air_rate=air_rate,
        schedule=schedule or "jitter",
        seed=seed,
        duration_s=duration if duration is not None else (365 * 86400 if pty else 600),
        native=native,
        loss=loss,
        rain_interval_s=rain,
        reset_interval_s=resets,
        eeprom_images=images,
        pty=pty,
        real_time=real_time,
    )
    with follow(events_path, pty_link) as on_event:
        outcome = simulate(simulation, on_event)
    show(outcome)
    if json_path is not None:
        try:
            json_path.write_text(json.dumps(asdict(outcome), indent=2) + "\n")
        except OSError as error:
            raise UserError(f"The outcome cannot be written to {json_path}: {error.strerror}.") from error
    faults = [node for node in outcome.nodes if node.fault]
    if faults:
        raise UserError(f"The firmware of {faults[0].name} crashed: {faults[0].fault}.")
