"""How much of an exchange is cryptography: by the link's rate and delay, and by the message's size."""

from __future__ import annotations

import math
from dataclasses import replace

from bancada.answers.ranking import number
from bancada.answers.report.input import ExtraSection, Series, XYPlot

from .figures import CLAIMED_SHARE, STUDY_DEVICE, Prepared, wifi_share
from .link import Link
from .messages import IMAGE_BYTES
from .observe import LINKS, STUDY_LINK
from .share import rate_at_share, transmission_s
from .times import COMPARED, DEVICES, MESSAGE_BYTES, TITLES, Times, least_transmission_s, sent_bytes
from .words import NONE, percent

# Mbit/s, about evenly spaced on a logarithmic axis.
_RATES = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 72.2, 100, 150, 200, 300, 500, 1000)
_DELAYS_US = (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)


def _delay_plot(prepared: Prepared) -> XYPlot | None:
    series = []
    for place, message in enumerate(MESSAGE_BYTES):
        for dashed, protection in enumerate((COMPARED[0], COMPARED[-1])):
            points = []
            for delay_us in _DELAYS_US:
                wifi = replace(prepared.wifi, delay_us=delay_us)
                share = wifi_share(prepared.times, wifi, protection, MESSAGE_BYTES[message])
                if share is not None:
                    points.append((delay_us / 1000, share * 100))
            if points:
                name = f"{message}, {TITLES[protection]}"
                series.append(Series(name, tuple(points), colour=place, marker=dashed, dashed=bool(dashed)))
    if not series:
        return None
    band = prepared.times.band_percent(STUDY_DEVICE, COMPARED[0], IMAGE_BYTES)
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
        return NONE
    band = times.band_percent(target, protection, IMAGE_BYTES) / 100
    sent = sent_bytes(protection, IMAGE_BYTES)
    rates = [
        rate_at_share(CLAIMED_SHARE, seconds * factor, sent, STUDY_LINK.delay_us) for factor in (1, 1 + band, 1 - band)
    ]
    middle, low, high = (math.inf if rate is None else rate / 1e6 for rate in rates)
    return f"{middle:.1f} ({low:.1f} to {high:.1f})"


def shares(prepared: Prepared) -> ExtraSection | None:
    """The share on each device, and the rate up to which the study's claim holds."""
    times = prepared.times
    plots = [plot for target in DEVICES for plot in (_rate_plot(times, target),) if plot is not None]
    plots += [plot for plot in (_delay_plot(prepared), _size_plot(times, STUDY_DEVICE)) if plot is not None]
    rows = []
    for target, device in DEVICES.items():
        for protection in TITLES:
            seconds = times.cryptography_s(target, protection, IMAGE_BYTES)
            if seconds is not None:
                at = [percent(times.share(target, protection, IMAGE_BYTES, link)) for link in LINKS]
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
