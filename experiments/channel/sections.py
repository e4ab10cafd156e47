"""Published figures beside ours, the share of cryptography by link and by size, and the exchanges measured."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from bancada.answers.published import rows_of
from bancada.answers.ranking import number
from bancada.answers.report.input import ExtraSection, Series, XYPlot
from bancada.catalogue.experiment import Experiment
from bancada.model.finding import Observation
from bancada.studies.assumption import as_assumed
from bancada.studies.spread import Spread
from bancada.studies.study import Evidence

from .assumptions import ASSUMPTIONS
from .figures import CLAIMED_SHARE, Prepared, prepare, wifi_of
from .link import Link, Maker
from .messages import IMAGE_BYTES
from .observe import LINKS, STUDY_LINK
from .share import rate_at_share, share, transmission_s
from .times import (
    COMPARED,
    DEVICES,
    DIRECTIONS,
    MESSAGE_BYTES,
    STATES,
    STUDY_PROTECTIONS,
    TITLES,
    Times,
    least_cryptography_s,
    least_operation_s,
    least_share,
    least_transmission_s,
    sent_bytes,
)
from .wifi import Wifi

_STUDY_DEVICE = "rpi3"
# Mbit/s, about evenly spaced on a logarithmic axis.
_RATES = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 72.2, 100, 150, 200, 300, 500, 1000)
_DELAYS_US = (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
_NONE = "–"


def _text(value: float | None, digits: int = 2) -> str:
    return _NONE if value is None else number(round(value, digits))


def _percent(part: float | None) -> str:
    return _NONE if part is None else f"{number(round(part * 100, 2))} %"


# Our values of a published figure, and how they were obtained.
_Ours = tuple[list[float], str]


def _key_effect(prepared: Prepared, row: dict[str, str]) -> _Ours:
    bits = int(row["key_bits"])
    found = []
    for protection in (STUDY_PROTECTIONS[bits], STUDY_PROTECTIONS[128]):
        times = [prepared.times.modelled(_STUDY_DEVICE, protection, operation, IMAGE_BYTES) for operation in DIRECTIONS]
        found.append(times)
    ratios = [longer.time_s / shorter.time_s for longer, shorter in zip(*found, strict=True) if longer and shorter]
    return ratios, "RELIC, the image, encrypt and decrypt; the Pi modelled"


def _over_pc(prepared: Prepared, row: dict[str, str]) -> _Ours:
    operation, protection = row["metric"].split()[0], STUDY_PROTECTIONS[int(row["key_bits"])]
    pi = prepared.times.modelled(_STUDY_DEVICE, protection, operation, IMAGE_BYTES)
    here = prepared.times.here_s(protection, operation)
    return (
        [pi.time_s / here] if pi and here else [],
        "not comparable: RELIC, the image; the Pi modelled, the least of this machine, which is not the study's PC",
    )


def _worst_share(prepared: Prepared, row: dict[str, str]) -> _Ours:
    share = _wifi_share(prepared.times, prepared.wifi, STUDY_PROTECTIONS[128], MESSAGE_BYTES[row["message"]])
    return [] if share is None else [share * 100], "modelled, over Wi-Fi as assumed"


_BESIDE: dict[str, Callable[[Prepared, dict[str, str]], _Ours]] = {
    "time over 128-bit key": _key_effect,
    "encrypt Pi over PC": _over_pc,
    "decrypt Pi over PC": _over_pc,
    "share of cryptography (worst)": _worst_share,
}


def _wifi_share(
    times: Times, wifi: Wifi, protection: str, size_bytes: int, device: str = _STUDY_DEVICE
) -> float | None:
    seconds = times.cryptography_s(device, protection, size_bytes)
    return None if seconds is None else wifi.share(seconds, sent_bytes(protection, size_bytes))


def _published(experiment: Experiment, prepared: Prepared) -> ExtraSection | None:
    rows = []
    for row in rows_of(experiment):
        if row["metric"] not in _BESIDE:
            continue
        ours, how = _BESIDE[row["metric"]](prepared, row)
        unit = " %" if row["unit"] == "percent" else ""
        rows.append(
            (
                f"{row['metric']}, {row['key_bits']} bits",
                row["scenario"],
                row["message"],
                f"{row['value']}{unit}",
                f"{Spread(ours):.3g}{unit}" if ours else _NONE,
                f"{Spread([one / float(row['value']) for one in ours]):.2f}" if ours else _NONE,
                how,
            )
        )
    if not rows:
        return None
    return ExtraSection(
        title="Published figures beside ours",
        columns=("Figure", "Machines", "Message", "Published", "Ours", "Ours ÷ published", "How ours was obtained"),
        rows=tuple(rows),
    )


def _assumed(prepared: Prepared) -> ExtraSection | None:
    """Each assumption alone, at the ends of its range."""
    relic = STUDY_PROTECTIONS[128]
    rows = []

    def row(what: str, wifi: Wifi, device: str = _STUDY_DEVICE) -> None:
        shares = [_wifi_share(prepared.times, wifi, relic, MESSAGE_BYTES[name], device) for name in ("image", "string")]
        if shares[0] is not None:
            rows.append((what, f"{wifi.goodput_bits_per_s / 1e6:.1f}", *(_percent(one) for one in shares)))

    row("as assumed", prepared.wifi)
    for one in ASSUMPTIONS:
        for value in one.ends:
            assumed = {**as_assumed(ASSUMPTIONS), one.name: value}
            device = next(name for name, state in STATES.items() if state == f"{assumed['state_bits']:.0f}-bit")
            row(one.at(value), wifi_of(assumed), device)
    if not rows:
        return None
    return ExtraSection(
        title="What the share rests on",
        paragraphs=(
            "RELIC, 128 bits, Pi to Pi, over 802.11n with one stream at 72.2 Mbit/s: one medium for both directions, "
            "with access, preambles, headers and acknowledgements (IEEE 802.11-2012). Each row changes one assumption. "
            "Published: 13.3 % and 0.05 %.",
            *(f"{one.said[:1].upper()}{one.said[1:]}. {one.why}" for one in ASSUMPTIONS),
        ),
        columns=("Assumption", "The link moves, Mbit/s", "Share, image", "Share, string"),
        rows=tuple(rows),
    )


def _delay_plot(prepared: Prepared) -> XYPlot | None:
    series = []
    for place, message in enumerate(MESSAGE_BYTES):
        for dashed, protection in enumerate((COMPARED[0], COMPARED[-1])):
            points = []
            for delay_us in _DELAYS_US:
                wifi = replace(prepared.wifi, delay_us=delay_us)
                share = _wifi_share(prepared.times, wifi, protection, MESSAGE_BYTES[message])
                if share is not None:
                    points.append((delay_us / 1000, share * 100))
            if points:
                name = f"{message}, {TITLES[protection]}"
                series.append(Series(name, tuple(points), colour=place, marker=dashed, dashed=bool(dashed)))
    if not series:
        return None
    band = prepared.times.band_percent(_STUDY_DEVICE, COMPARED[0], IMAGE_BYTES)
    return XYPlot(
        "Share of cryptography by the link's delay, Raspberry Pi 3B to Raspberry Pi 3B",
        "delay each way, ms",
        "cryptography, % of the exchange",
        tuple(series),
        f"Over Wi-Fi as assumed, with another delay. Times modelled ±{number(band)} %.",
        x_logarithmic=True,
        y_logarithmic=True,
        levels=(("13.3 %, published for the image", 13.3), ("0.05 %, published for the string", 0.05)),
    )


def _key_plots(times: Times) -> tuple[XYPlot, ...]:
    """The study's figures 2 to 4: the time of an operation by key, on each machine, for each message."""
    plots = []
    for message, size_bytes in MESSAGE_BYTES.items():
        series = []
        for place, (target, device) in enumerate((*DEVICES.items(), ("", "this machine, measured"))):
            for marker, operation in enumerate(DIRECTIONS):
                points = []
                band = None
                for bits, protection in STUDY_PROTECTIONS.items():
                    if target:
                        found = times.modelled(target, protection, operation, size_bytes)
                        time_s = found.time_s if found else None
                        band = found.band_percent if found else band
                    else:
                        here = times.loopback(protection, message)
                        time_s = least_operation_s(here.figures, operation) if here else None
                    if time_s is not None:
                        points.append((float(bits), time_s * 1000))
                if points:
                    series.append(
                        Series(
                            f"{device}, {operation}",
                            tuple(points),
                            colour=place,
                            marker=marker,
                            dashed=bool(marker),
                            band_percent=band,
                        )
                    )
        if series:
            plots.append(
                XYPlot(
                    f"Time of an operation by key, the {message}",
                    "key, bits",
                    "time, ms",
                    tuple(series),
                    "RELIC's AES-CBC. Devices modelled, with the band as whiskers; this machine measured, the least.",
                    x_ticks_measured=True,
                    y_logarithmic=True,
                )
            )
    return tuple(plots)


def _states(prepared: Prepared) -> ExtraSection | None:
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
                    *(f"{_text(one.time_s * 1000, 1)} ± {number(one.band_percent)} %" for one in found if one),
                    f"{found[1].time_s / found[0].time_s:.2f}",
                    *(
                        f"{one.time_s / first.time_s:.2f}" if one and first and relic else _NONE
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


def _scenarios(prepared: Prepared) -> ExtraSection | None:
    """The study's three pairs of machines, with this machine for its PC."""
    times, rows = prepared.times, []
    for message, size_bytes in MESSAGE_BYTES.items():
        for bits, protection in STUDY_PROTECTIONS.items():
            pi = times.cryptography_s(_STUDY_DEVICE, protection, size_bytes)
            here = times.loopback(protection, message)
            if pi is None or here is None:
                continue
            pc = least_cryptography_s(here.figures)
            cells = []
            for seconds in (pc, (pc + pi) / 2, pi):
                share = prepared.wifi.share(seconds, sent_bytes(protection, size_bytes))
                cells += [number(round(seconds * 1000, 3)), _percent(share)]
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


def _by_key(times: Times) -> ExtraSection | None:
    plots = _key_plots(times)
    return ExtraSection(title="Time by key", plots=plots) if plots else None


def _shares(prepared: Prepared) -> ExtraSection | None:
    times = prepared.times
    plots = [plot for target in DEVICES for plot in (_rate_plot(times, target),) if plot is not None]
    plots += [plot for plot in (_delay_plot(prepared), _size_plot(times, _STUDY_DEVICE)) if plot is not None]
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
    prepared = prepare(replace(evidence, assumed=as_assumed(ASSUMPTIONS)))
    times = prepared.times
    found = (
        _published(evidence.experiment, prepared),
        _by_key(times),
        _states(prepared),
        _scenarios(prepared),
        _shares(prepared),
        _assumed(prepared),
        _integrity(times),
        _measured(times),
        _links(times),
    )
    return tuple(part for part in found if part is not None)
