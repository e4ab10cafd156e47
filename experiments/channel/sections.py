"""Published figures beside ours, the share of cryptography by link and by size, and the exchanges measured."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from bancada.answers.published import rows_of
from bancada.answers.ranking import number
from bancada.answers.report.input import ExtraSection, Series, XYPlot
from bancada.catalogue.experiment import Experiment
from bancada.model.finding import Observation
from bancada.studies.study import Evidence

from .figures import CLAIMED_SHARE
from .link import Link, Maker
from .messages import IMAGE_BYTES
from .observe import LINKS, STUDY_LINK
from .share import rate_at_share, share, transmission_s
from .times import (
    COMPARED,
    DEVICES,
    DIRECTIONS,
    MESSAGE_BYTES,
    STUDY_PROTECTIONS,
    TITLES,
    Times,
    least_cryptography_s,
    least_share,
    least_transmission_s,
    sent_bytes,
)

_STUDY_DEVICE = "rpi3"
# Mbit/s, about evenly spaced on a logarithmic axis.
_RATES = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 72.2, 100, 150, 200, 300, 500, 1000)
_NONE = "–"


def _text(value: float | None, digits: int = 2) -> str:
    return _NONE if value is None else number(round(value, digits))


def _percent(part: float | None) -> str:
    return _NONE if part is None else f"{number(round(part * 100, 2))} %"


def _key_effect(times: Times, row: dict[str, str]) -> tuple[str, str]:
    bits = int(row["key_bits"])
    found = []
    for protection in (STUDY_PROTECTIONS[bits], STUDY_PROTECTIONS[128]):
        found.append([times.modelled(_STUDY_DEVICE, protection, operation, IMAGE_BYTES) for operation in DIRECTIONS])
    ratios = [longer.time_s / shorter.time_s for longer, shorter in zip(*found, strict=True) if longer and shorter]
    return " / ".join(
        f"{ratio:.2f}" for ratio in ratios
    ) or _NONE, "RELIC, the image, encrypt / decrypt; the Pi modelled"


def _over_pc(times: Times, row: dict[str, str]) -> tuple[str, str]:
    operation, protection = row["metric"].split()[0], STUDY_PROTECTIONS[int(row["key_bits"])]
    pi, here = times.modelled(_STUDY_DEVICE, protection, operation, IMAGE_BYTES), times.here_s(protection, operation)
    return _text(
        pi.time_s / here if pi and here else None
    ), "RELIC, the image; the Pi modelled, this machine's least measured"


def _worst_share(times: Times, row: dict[str, str]) -> tuple[str, str]:
    size_bytes = MESSAGE_BYTES[row["message"]]
    shares = [times.share(_STUDY_DEVICE, STUDY_PROTECTIONS[128], size_bytes, link) for link in LINKS]
    names = ", ".join(f"{(link.rate_bits_per_s or 0) / 1e6:g}" for link in LINKS)
    return " / ".join(_percent(value) for value in shares), f"at {names} Mbit/s, 1 ms; modelled"


_BESIDE: dict[str, Callable[[Times, dict[str, str]], tuple[str, str]]] = {
    "time over 128-bit key": _key_effect,
    "encrypt Pi over PC": _over_pc,
    "decrypt Pi over PC": _over_pc,
    "share of cryptography (worst)": _worst_share,
}


def _published(experiment: Experiment, times: Times) -> ExtraSection | None:
    rows = []
    for row in rows_of(experiment):
        ours, how = _BESIDE[row["metric"]](times, row)
        unit = " %" if row["unit"] == "percent" else ""
        rows.append(
            (
                f"{row['metric']}, {row['key_bits']} bits",
                row["scenario"],
                row["message"],
                f"{row['value']}{unit}",
                ours,
                how,
            )
        )
    if not rows:
        return None
    return ExtraSection(
        title="Published figures beside ours",
        columns=("Figure", "Machines", "Message", "Published", "Ours", "How ours was obtained"),
        rows=tuple(rows),
    )


def _agreement(times: Times) -> str:
    """How far the measured transmissions of the image are from the formula that the curves use."""
    ratios = []
    for one in times.exchanges():
        link = Link(one.parameters["rate_bits_per_s"], one.parameters["delay_us"])
        if one.parameters["message"] == "image" and link.rate_bits_per_s is not None:
            sent = sent_bytes(one.parameters["protection"], one.parameters["message_bytes"])
            ratios.append(least_transmission_s(one.figures) / transmission_s(sent, link))
    if not ratios:
        return "which no exchange was measured to check"
    low, high = f"{min(ratios):.2f}", f"{max(ratios):.2f}"
    return f"the exchanges measured below took {low if low == high else f'{low} to {high}'} times as long as it says"


def _rate_plot(times: Times, target: str) -> XYPlot | None:
    series = []
    for place, protection in enumerate(COMPARED):
        points = []
        for rate in _RATES:
            value = times.share(target, protection, IMAGE_BYTES, Link(rate * 1e6, STUDY_LINK.delay_us))
            if value is not None:
                points.append((float(rate), value * 100))
        if points:
            series.append(Series(TITLES[protection], tuple(points), colour=place, marker=place))
    if not series:
        return None
    band = times.band_percent(target, COMPARED[0], IMAGE_BYTES)
    return XYPlot(
        f"Share of cryptography by the link's rate, {DEVICES[target]} to {DEVICES[target]}",
        "link, Mbit/s",
        "cryptography, % of the exchange",
        tuple(series),
        f"The image there and back, 1 ms of delay each way. Times modelled ±{number(band)} %, which moves a curve "
        "sideways by as much; joined "
        f"with the link's time by arithmetic ({_agreement(times)}).",
        x_logarithmic=True,
        y_logarithmic=False,
        levels=(("the study's 14 %", CLAIMED_SHARE * 100),),
    )


def _size_plot(times: Times, target: str) -> XYPlot | None:
    series = []
    for place, protection in enumerate((COMPARED[0], COMPARED[-1])):
        for marker, link in enumerate(LINKS):
            points = []
            for size in times.sizes(target, protection):
                value = times.share(target, protection, size, link)
                if value is not None:
                    points.append((float(size), value * 100))
            if points:
                name = f"{TITLES[protection]}, {(link.rate_bits_per_s or 0) / 1e6:g} Mbit/s"
                series.append(Series(name, tuple(points), colour=marker, marker=place, dashed=bool(place)))
    if not series:
        return None
    return XYPlot(
        f"Share of cryptography by the message's size, {DEVICES[target]} to {DEVICES[target]}",
        "message, bytes",
        "cryptography, % of the exchange",
        tuple(series),
        "1 ms of delay each way, which short messages wait for and long ones hardly notice. Modelled, as above.",
        x_logarithmic=True,
        x_ticks_measured=True,
        y_logarithmic=False,
        levels=(("the study's 14 %", CLAIMED_SHARE * 100),),
    )


def _limit(times: Times, target: str, protection: str) -> str:
    """The rate up to which the study's claim holds, and its band, which follows from the band of the modelled times."""
    seconds = times.cryptography_s(target, protection, IMAGE_BYTES)
    if seconds is None:
        return _NONE
    band = times.band_percent(target, protection, IMAGE_BYTES) / 100
    sent = sent_bytes(protection, IMAGE_BYTES)
    rates = [
        rate_at_share(CLAIMED_SHARE, seconds * factor, sent, STUDY_LINK.delay_us) for factor in (1, 1 + band, 1 - band)
    ]
    middle, low, high = (math.inf if rate is None else rate / 1e6 for rate in rates)
    return f"{middle:.1f} ({low:.1f} to {high:.1f})"


def _shares(times: Times) -> ExtraSection | None:
    plots = [plot for target in DEVICES for plot in (_rate_plot(times, target),) if plot is not None]
    by_size = _size_plot(times, _STUDY_DEVICE)
    if by_size is not None:
        plots.append(by_size)
    rows = []
    for target, device in DEVICES.items():
        for protection in TITLES:
            seconds = times.cryptography_s(target, protection, IMAGE_BYTES)
            if seconds is not None:
                at = [_percent(times.share(target, protection, IMAGE_BYTES, link)) for link in LINKS]
                rows.append(
                    (
                        device,
                        TITLES[protection],
                        number(round(seconds * 1000, 1)),
                        _limit(times, target, protection),
                        *at,
                    )
                )
    if not rows:
        return None
    return ExtraSection(
        title="How much of the exchange is cryptography",
        paragraphs=(
            "The image, both ways, between two such devices: two encryptions, two decryptions, two transmissions. "
            "Below the rate given, "
            "cryptography is under 14 % of the exchange; above it, more.",
        ),
        plots=tuple(plots),
        columns=(
            "Devices",
            "Implementation",
            "Cryptography, ms",
            "Under 14 % up to, Mbit/s",
            *(f"Share at {(link.rate_bits_per_s or 0) / 1e6:g} Mbit/s" for link in LINKS),
        ),
        rows=tuple(rows),
    )


def _integrity(times: Times) -> ExtraSection | None:
    rows = []
    for protection in TITLES:
        cells = []
        for target in DEVICES:
            for operation in DIRECTIONS:
                found = times.modelled(target, protection, operation, IMAGE_BYTES)
                cells.append(_NONE if found is None else f"{found.cycles_per_byte:.1f}")
        string = times.cryptography_s(_STUDY_DEVICE, protection, MESSAGE_BYTES["string"])
        if any(cell != _NONE for cell in cells):
            added = sent_bytes(protection, IMAGE_BYTES) - IMAGE_BYTES
            notices = "no" if "-cbc-" in protection else "yes"
            tables = "yes" if protection.startswith("relic") else "no"
            rows.append(
                (
                    TITLES[protection],
                    *cells,
                    _text(None if string is None else string * 1e6, 0),
                    str(added),
                    notices,
                    tables,
                )
            )
    if not rows:
        return None
    heads = [f"{name}, {operation}, cycles/B" for name in ("Pi", "BeagleBone") for operation in DIRECTIONS]
    return ExtraSection(
        title="What integrity costs",
        paragraphs=(
            "The image, modelled; key schedule, padding and tag included. A mode that notices changes releases no "
            "plaintext before its tag holds.",
        ),
        columns=(
            "Mode",
            *heads,
            "String there and back on the Pi, µs",
            "Bytes added",
            "Notices changes",
            "Secret table look-ups",
        ),
        rows=tuple(rows),
    )


def _measured_row(found: Observation) -> tuple[str, ...]:
    parameters, figures = found.parameters, found.figures
    link = Link(parameters["rate_bits_per_s"], parameters["delay_us"])
    sent = sent_bytes(parameters["protection"], parameters["message_bytes"])
    cryptography_s = least_cryptography_s(figures)
    expected = None if link.rate_bits_per_s is None else transmission_s(sent, link)
    transmitted_s = least_transmission_s(figures)
    return (
        TITLES[parameters["protection"]],
        parameters["message"],
        link.name,
        str(len(figures["total_ns"])),
        number(round(cryptography_s * 1000, 3)),
        number(round(transmitted_s * 1000, 3)),
        _NONE if expected is None else f"{transmitted_s / expected:.2f}",
        _percent(least_share(figures)),
        _NONE if expected is None else _percent(share(cryptography_s, sent, link)),
    )


def _load(found: Sequence[Observation]) -> str:
    loads = [float(one.parameters["load_average_before"]) for one in found]
    return f"{min(loads):.1f} to {max(loads):.1f}"


def _measured(times: Times) -> ExtraSection | None:
    found = times.exchanges()
    if not found:
        return None
    first = next((one for one in found if one.parameters["rate_bits_per_s"] is not None), found[0])
    maker, reason = first.parameters["maker"], first.parameters["why_not_the_kernel"]
    why = f", because {reason}" if reason and maker == Maker.USER_SPACE else ""
    return ExtraSection(
        title="Exchanges on this machine",
        paragraphs=(
            f"Measured: client and server as two processes on {times.processor()}, wall-clock time. Each time is the "
            "least of so many exchanges, "
            f"since what disturbs one only ever adds (load average meanwhile: {_load(found)}): cryptography the sum of "
            "the least of each of its four "
            "operations, and the share what follows from both times. Every sample is stored. The link is the "
            f"loopback, or {'our user-space shaper' if maker == Maker.USER_SPACE else maker} with the rate and the "
            f"delay each way that are given{why}. "
            "The copy that came back was the message that was sent, every time, and so was the server's after the "
            "last. A string's exchange also "
            "pays for waking each program that it passes, which the arithmetic leaves out.",
        ),
        columns=(
            "Mode",
            "Message",
            "Link",
            "Times",
            "Cryptography, ms",
            "Transmission, ms",
            "Over what the link takes by arithmetic",
            "Share of cryptography",
            "By arithmetic",
        ),
        rows=tuple(_measured_row(one) for one in found),
    )


def _links(times: Times) -> ExtraSection | None:
    found = times.exchanges("link")
    if not found:
        return None
    rows = []
    for one in found:
        link = Link(one.parameters["rate_bits_per_s"], one.parameters["delay_us"])
        expected_s = transmission_s(sent_bytes(one.parameters["protection"], one.parameters["message_bytes"]), link)
        least_s = least_transmission_s(one.figures)
        rows.append(
            (
                link.name,
                one.parameters["maker"],
                number(round(least_s * 1000, 1)),
                number(round(expected_s * 1000, 1)),
                f"{least_s / expected_s:.3f}",
            )
        )
    return ExtraSection(
        title="Our link beside the kernel's",
        paragraphs=(
            "The image over a link that the kernel shapes (tc tbf between two network namespaces, a rate without "
            "delay), and over our user-space "
            "shaper: what one way takes at least.",
        ),
        columns=("Link", "Made by", "Measured, ms", "By arithmetic, ms", "Ratio"),
        rows=tuple(rows),
    )


def sections(evidence: Evidence) -> tuple[ExtraSection, ...]:
    """In the order in which the study asks."""
    if not evidence.results and not evidence.observations:
        return ()
    times = Times(evidence.results, evidence.observations)
    found = (
        _published(evidence.experiment, times),
        _shares(times),
        _integrity(times),
        _measured(times),
        _links(times),
    )
    return tuple(part for part in found if part is not None)
