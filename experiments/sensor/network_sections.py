"""Sections: several sensors on one channel, the gateway's load, and the throughput of gateway daemon and server."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.answers.ranking import number
from bancada.answers.report.input import ExtraSection, Series, XYPlot
from bancada.model.finding import Observation

from .observe import PERIOD_S, SCHEDULES
from .observed import SCHEDULE_WORDS, half_width, runs_of

_TEN_THOUSAND_FRAMES_PER_S = 10_000 / 5
_NONE = "–"


def _with_errors(name: str, colour: int, points: Sequence[tuple[float, float, float | None]]) -> list[Series]:
    """A line of (x, y, half of the interval) and its whiskers: one series for each point, whose whiskers are its
    own."""
    line = Series(name, tuple((x, y) for x, y, _ in points), colour=colour)
    return [
        line,
        *(
            Series("", ((x, y),), marked=False, colour=colour, band_percent=100 * error / y)
            for x, y, error in points
            if error and y
        ),
    ]


def _plot(observations: Sequence[Observation], title: str, y_title: str, field: str, factor: float) -> XYPlot | None:
    """A quantity of single runs against the number of sensors, with its error."""
    series: list[Series] = []
    for place, schedule in enumerate(SCHEDULES):
        points = [
            (float(one["sensors"]), factor * sum(values) / len(values), _times(half_width(values), factor))
            for one in runs_of(observations, schedule)
            if (values := one.get(field))
        ]
        if points:
            series += _with_errors(SCHEDULE_WORDS[schedule], place, points)
    if not series:
        return None
    return XYPlot(
        title,
        "sensors on one channel",
        y_title,
        tuple(series),
        "Cycles of the gateway's Arduino exact, packets at random phases; whiskers: 95 % of the mean of the runs.",
        x_logarithmic=True,
        x_ticks_measured=True,
        y_logarithmic=False,
    )


def _times(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor


def _part(values: Sequence[float], factor: float, digits: int) -> str:
    """A mean with half of its interval."""
    if not values:
        return _NONE
    error = half_width(values)
    more = "" if error is None else f" ± {error * factor:.{digits}f}"
    return f"{factor * sum(values) / len(values):.{digits}f}{more}"


def _delivery_plot(observations: Sequence[Observation]) -> XYPlot | None:
    series: list[Series] = []
    for place, schedule in enumerate(SCHEDULES):
        found = runs_of(observations, schedule)
        points = [
            (float(one["sensors"]), one["delivered_part"], half_width(one.get("delivered_parts", ()))) for one in found
        ]
        if points:
            series += _with_errors(SCHEDULE_WORDS[schedule], place, points)
        theory = tuple(
            (float(one["sensors"]), one["delivered_part_in_theory"])
            for one in found
            if one["delivered_part_in_theory"] is not None
        )
        if schedule == "free" and theory:
            series.append(Series("theory without agreement", theory, marked=False, dashed=True, colour=7))
    if not series:
        return None
    return XYPlot(
        "Delivery against the number of sensors",
        "sensors on one channel",
        "packets delivered, part",
        tuple(series),
        f"Modelled: a sample of random phases on a simulated air, frames of 32 bytes at 2.4 kbit/s (370 ms), every "
        f"{PERIOD_S} s, ten minutes in all; whiskers: 95 % of the mean. Theory: pure ALOHA without capture.",
        x_logarithmic=True,
        x_ticks_measured=True,
        y_logarithmic=False,
    )


def several_sensors(observations: Sequence[Observation]) -> ExtraSection | None:
    """What is delivered, and what the gateway's Arduino does meanwhile."""
    rows = []
    for schedule in SCHEDULES:
        for one in runs_of(observations, schedule):
            theory = one["delivered_part_in_theory"]
            error = half_width(one.get("delivered_parts", ()))
            most = one.get("latency_most_ms")
            rows.append(
                (
                    SCHEDULE_WORDS[schedule],
                    number(one["sensors"]),
                    number(one["sent"]),
                    f"{one['delivered_part'] * 100:.1f} %" + ("" if error is None else f" ± {error * 100:.1f}"),
                    _NONE if theory is None else f"{theory * 100:.1f} %",
                    _part(one.get("gateway_awake_parts", ()), 100, 2),
                    _part(one.get("latency_means_ms", ()), 1, 1),
                    _NONE if most is None else f"{most:.0f}",
                    number(one["firmware_sensors"]),
                )
            )
    if not rows:
        return None
    plots = (
        _delivery_plot(observations),
        _plot(
            observations, "Load of the gateway's Arduino", "processor awake, % of the time", "gateway_awake_parts", 100
        ),
        _plot(
            observations,
            "Latency in the gateway's Arduino",
            "end on the air to serial port, mean, ms",
            "latency_means_ms",
            1,
        ),
    )
    return ExtraSection(
        title="Several sensors",
        paragraphs=("± is half of the interval that has the mean of the runs with 95 % certainty.",),
        plots=tuple(plot for plot in plots if plot is not None),
        columns=(
            "Schedule",
            "Sensors",
            "Sent",
            "Delivered",
            "In theory",
            "Gateway's Arduino awake, %",
            "Latency to its serial port, mean, ms",
            "Most, ms",
            "Of them firmware; the rest a timing model",
        ),
        rows=tuple(rows),
    )


def gateway_and_server(observations: Sequence[Observation]) -> ExtraSection | None:
    """What observe.py timed on this machine."""
    found = next((observation for observation in observations if observation.kind == "throughput"), None)
    if found is None:
        return None
    figures, parameters = found.figures, found.parameters
    frames = figures["frames"]
    rows = []
    for name, key, program in (
        ("Gateway daemon: in its outbox, on disk", "outbox_s", "gateway"),
        ("Server: verified and in the database", "database_s", "server"),
    ):
        least_s, most_s = figures[f"{key}_least_and_most"]
        rate, cpu_s = figures[f"{program}_frames_per_s"], figures[f"{program}_cpu_s"]
        rows.append(
            (
                name,
                f"{figures[key]:.2f} ({least_s:.2f} to {most_s:.2f})",
                number(round(rate)),
                f"{rate / _TEN_THOUSAND_FRAMES_PER_S:.1f}",
                f"{cpu_s:.2f}",
                f"{cpu_s / frames * 1e6:.1f}",
            )
        )
    return ExtraSection(
        title="Throughput of gateway and server",
        paragraphs=(
            f"Measured on this machine ({parameters['processor']}; load {parameters['load_average_before']:.1f} "
            f"before) on {found.date[:10]}, the middle of {parameters['runs']} runs: "
            f"{number(frames)} sealed frames of {number(parameters['sensors'])} sensors, recorded beforehand, read by "
            "the gateway daemon as fast as it can, "
            f"sent through mosquitto (TLS) to the server, which verifies and stores them in {parameters['database']}. "
            "All three share the "
            "machine. Seconds are from the daemon's start, processor seconds those of the program's whole life. "
            f"{number(figures['lost'])} frames were lost, {number(figures['refused'])} refused, in all runs together. "
            f"Ten thousand sensors that send every 5 s are {number(_TEN_THOUSAND_FRAMES_PER_S)} frames/s. These are "
            "this machine's figures, not a Raspberry Pi's.",
        ),
        columns=("", "Seconds", "Frames/s", "Times ten thousand sensors", "Processor, s", "Processor, µs/frame"),
        rows=tuple(rows),
    )
