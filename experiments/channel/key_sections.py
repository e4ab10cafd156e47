"""The study's figures 2 to 4, its three pairs of machines, and the Pi in both of its states."""

from __future__ import annotations

from collections.abc import Iterator

from bancada.answers.ranking import number
from bancada.answers.report.input import ExtraSection, Series, XYPlot

from .figures import STUDY_DEVICE, Prepared
from .messages import IMAGE_BYTES
from .times import (
    DIRECTIONS,
    MESSAGE_BYTES,
    STATES,
    STUDY_PROTECTIONS,
    TITLES,
    Times,
    least_cryptography_s,
    least_operation_s,
    sent_bytes,
)
from .words import NONE, percent, text

_PC, _PI = "PC", "Pi"
# The study's figure of each pair: the client's machine, and the server's.
_SCENARIOS = {"figure 2": (_PC, _PC), "figure 3": (_PC, _PI), "figure 4": (_PI, _PI)}
_ROLES = ("client", "server")


def _time_ms(times: Times, machine: str, role: str, operation: str, bits: int, message: str) -> float | None:
    """The PC is this machine: the least of the exchanges over the loopback."""
    protection = STUDY_PROTECTIONS[bits]
    if machine == _PI:
        found = times.modelled(STUDY_DEVICE, protection, operation, MESSAGE_BYTES[message])
        return None if found is None else found.time_s * 1000
    here = times.loopback(protection, message)
    return None if here is None else least_operation_s(here.figures, operation, role) * 1000


def _series(times: Times, machines: tuple[str, str], message: str) -> Iterator[Series]:
    for colour, (role, machine) in enumerate(zip(_ROLES, machines, strict=True)):
        for marker, operation in enumerate(DIRECTIONS):
            points = [
                (float(bits), time_ms)
                for bits in STUDY_PROTECTIONS
                if (time_ms := _time_ms(times, machine, role, operation, bits, message)) is not None
            ]
            if points:
                how = "modelled" if machine == _PI else "measured"
                yield Series(
                    f"{role} ({machine}, {how}), {operation}",
                    tuple(points),
                    colour=colour,
                    marker=marker,
                    dashed=bool(marker),
                    band_percent=times.band_percent(STUDY_DEVICE, STUDY_PROTECTIONS[128], IMAGE_BYTES)
                    if machine == _PI
                    else None,
                )


def by_key(times: Times) -> ExtraSection | None:
    """The study's figures 2 to 4: the time of an operation by key, of each pair of machines, for each message."""
    plots = []
    for figure, machines in _SCENARIOS.items():
        for message in MESSAGE_BYTES:
            series = tuple(_series(times, machines, message))
            if series:
                plots.append(
                    XYPlot(
                        f"Time by key, {machines[0]} to {machines[1]}, the {message} (the study's {figure})",
                        "key, bits",
                        "time, ms",
                        series,
                        "RELIC's AES-CBC. The Pi modelled, its band as whiskers; the PC is this machine, "
                        "measured, the least of its exchanges.",
                        x_ticks_measured=True,
                    )
                )
    return ExtraSection(title="Time by key and pair of machines", plots=tuple(plots)) if plots else None


def states(prepared: Prepared) -> ExtraSection | None:
    """The Pi in 32-bit state beside 64."""
    rows = []
    for protection, title in TITLES.items():
        for operation in DIRECTIONS:
            found = [prepared.times.modelled(state, protection, operation, IMAGE_BYTES) for state in STATES]
            if found[0] is None or found[1] is None:
                continue
            short = [prepared.times.modelled(state, STUDY_PROTECTIONS[128], operation, IMAGE_BYTES) for state in STATES]
            relic = protection in STUDY_PROTECTIONS.values()
            rows.append(
                (
                    title,
                    operation,
                    *(f"{text(one.time_s * 1000, 1)} ± {number(one.band_percent)} %" for one in found if one),
                    f"{found[1].time_s / found[0].time_s:.2f}",
                    *(
                        f"{one.time_s / first.time_s:.2f}" if one and first and relic else NONE
                        for one, first in zip(found, short, strict=True)
                    ),
                )
            )
    if not rows:
        return None
    names = list(STATES.values())
    return ExtraSection(
        title="The Raspberry Pi in 32-bit state beside 64",
        paragraphs=("The image, modelled. The study does not say which system its Raspberry Pi had.",),
        columns=(
            "Mode",
            "Direction",
            *(f"{name}, ms" for name in names),
            "32-bit over 64",
            *(f"Over RELIC's 128-bit key, {name}" for name in names),
        ),
        rows=tuple(rows),
    )


def exchanges(prepared: Prepared) -> ExtraSection | None:
    """The study's three pairs of machines, with this machine for its PC."""
    times, rows = prepared.times, []
    for message, size_bytes in MESSAGE_BYTES.items():
        for bits, protection in STUDY_PROTECTIONS.items():
            pi = times.cryptography_s(STUDY_DEVICE, protection, size_bytes)
            here = times.loopback(protection, message)
            if pi is None or here is None:
                continue
            pc = least_cryptography_s(here.figures)
            cells = []
            for seconds in (pc, (pc + pi) / 2, pi):
                share = prepared.wifi.share(seconds, sent_bytes(protection, size_bytes))
                cells += [number(round(seconds * 1000, 3)), percent(share)]
            rows.append((message, str(bits), *cells))
    if not rows:
        return None
    heads = [
        f"{name}, {what}"
        for name in ("PC to PC", "PC to Pi", "Pi to Pi")
        for what in ("cryptography, ms", "share over Wi-Fi")
    ]
    return ExtraSection(
        title="The three exchanges",
        paragraphs=(
            "RELIC. Each machine encrypts once and decrypts once. The Pi is modelled; the PC is this machine "
            f"({times.processor()}), measured, and not the study's. All three over Wi-Fi as assumed; the study's two "
            "processes on one PC had no link.",
        ),
        columns=("Message", "Key", *heads),
        rows=tuple(rows),
    )
