"""What integrity costs, and the exchanges that were measured on this machine."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.answers.ranking import number
from bancada.answers.report.input import ExtraSection
from bancada.model.finding import Observation

from .figures import STUDY_DEVICE
from .link import Link, Maker
from .messages import IMAGE_BYTES
from .share import share, transmission_s
from .times import (
    DEVICES,
    DIRECTIONS,
    MESSAGE_BYTES,
    TITLES,
    Times,
    least_cryptography_s,
    least_share,
    least_transmission_s,
    sent_bytes,
)
from .words import NONE, percent, text


def integrity(times: Times) -> ExtraSection | None:
    """Each mode on the image, and on the string."""
    rows = []
    for protection in TITLES:
        cells = []
        for target in DEVICES:
            for operation in DIRECTIONS:
                found = times.modelled(target, protection, operation, IMAGE_BYTES)
                cells.append(NONE if found is None else f"{found.cycles_per_byte:.1f}")
        string = times.cryptography_s(STUDY_DEVICE, protection, MESSAGE_BYTES["string"])
        if any(cell != NONE for cell in cells):
            added = sent_bytes(protection, IMAGE_BYTES) - IMAGE_BYTES
            notices = "no" if "-cbc-" in protection else "yes"
            tables = "yes" if protection.startswith("relic") else "no"
            rows.append(
                (
                    TITLES[protection],
                    *cells,
                    text(None if string is None else string * 1e6, 0),
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
        NONE if expected is None else f"{transmitted_s / expected:.2f}",
        percent(least_share(figures)),
        NONE if expected is None else percent(share(cryptography_s, sent, link)),
    )


def _load(found: Sequence[Observation]) -> str:
    loads = [float(one.parameters["load_average_before"]) for one in found]
    return f"{min(loads):.1f} to {max(loads):.1f}"


def measured(times: Times) -> ExtraSection | None:
    """Client and server as two processes, beside the arithmetic of the link."""
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


def links(times: Times) -> ExtraSection | None:
    """The kernel's link and ours."""
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
