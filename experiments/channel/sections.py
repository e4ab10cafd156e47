"""What the study adds to the report, in the order in which it asks; here published figures beside ours, and what the
share rests on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bancada.answers.published import rows_of
from bancada.answers.report.input import ExtraSection
from bancada.catalogue.experiment import Experiment
from bancada.studies.assumption import as_assumed
from bancada.studies.spread import Spread
from bancada.studies.study import Evidence

from .assumptions import ASSUMPTIONS
from .exchange_sections import integrity, links, measured
from .figures import STUDY_DEVICE, Prepared, prepare, wifi_of, wifi_share
from .key_sections import by_key, exchanges, states
from .messages import IMAGE_BYTES
from .share_sections import shares
from .times import DIRECTIONS, MESSAGE_BYTES, STATES, STUDY_PROTECTIONS
from .wifi import Wifi
from .words import NONE, percent

# Our values of a published figure, and how they were obtained.
_Ours = tuple[list[float], str]


def _key_effect(prepared: Prepared, row: dict[str, str]) -> _Ours:
    bits = int(row["key_bits"])
    found = []
    for protection in (STUDY_PROTECTIONS[bits], STUDY_PROTECTIONS[128]):
        times = [prepared.times.modelled(STUDY_DEVICE, protection, operation, IMAGE_BYTES) for operation in DIRECTIONS]
        found.append(times)
    ratios = [longer.time_s / shorter.time_s for longer, shorter in zip(*found, strict=True) if longer and shorter]
    return ratios, "RELIC, the image, encrypt and decrypt; the Pi modelled"


def _over_pc(prepared: Prepared, row: dict[str, str]) -> _Ours:
    operation, protection = row["metric"].split()[0], STUDY_PROTECTIONS[int(row["key_bits"])]
    pi = prepared.times.modelled(STUDY_DEVICE, protection, operation, IMAGE_BYTES)
    here = prepared.times.here_s(protection, operation)
    return (
        [pi.time_s / here] if pi and here else [],
        "not comparable: RELIC, the image; the Pi modelled, the least of this machine, which is not the study's PC",
    )


def _worst_share(prepared: Prepared, row: dict[str, str]) -> _Ours:
    share = wifi_share(prepared.times, prepared.wifi, STUDY_PROTECTIONS[128], MESSAGE_BYTES[row["message"]])
    return [] if share is None else [share * 100], "modelled, over Wi-Fi as assumed"


_BESIDE: dict[str, Callable[[Prepared, dict[str, str]], _Ours]] = {
    "time over 128-bit key": _key_effect,
    "encrypt Pi over PC": _over_pc,
    "decrypt Pi over PC": _over_pc,
    "share of cryptography (worst)": _worst_share,
}


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
                f"{Spread(ours):.3g}{unit}" if ours else NONE,
                f"{Spread([one / float(row['value']) for one in ours]):.2f}" if ours else NONE,
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

    def row(what: str, wifi: Wifi, device: str = STUDY_DEVICE) -> None:
        shares = [wifi_share(prepared.times, wifi, relic, MESSAGE_BYTES[name], device) for name in ("image", "string")]
        if shares[0] is not None:
            rows.append((what, f"{wifi.goodput_bits_per_s / 1e6:.1f}", *(percent(one) for one in shares)))

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


def sections(evidence: Evidence) -> tuple[ExtraSection, ...]:
    """In the order in which the study asks."""
    if not evidence.results and not evidence.observations:
        return ()
    prepared = prepare(replace(evidence, assumed=as_assumed(ASSUMPTIONS)))
    times = prepared.times
    found = (
        _published(evidence.experiment, prepared),
        by_key(times),
        states(prepared),
        exchanges(prepared),
        shares(prepared),
        _assumed(prepared),
        integrity(times),
        measured(times),
        links(times),
    )
    return tuple(part for part in found if part is not None)
