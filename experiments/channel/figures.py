"""The figures that findings.toml judges: times of devices and of this machine, joined with a link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bancada.answers.ranking import number
from bancada.studies.claim import Figures
from bancada.studies.spread import Spread
from bancada.studies.study import Evidence

from .messages import IMAGE_BYTES, STRING_BYTES
from .observe import LINKS, STUDY_LINK
from .share import goodput_at_share
from .times import (
    COMPARED,
    DEVICES,
    DIRECTIONS,
    KEY_BITS,
    MESSAGE_BYTES,
    STATES,
    STUDY_PROTECTIONS,
    TITLES,
    Times,
    sent_bytes,
)
from .wifi import Wifi
from .words import percent

# The study's: share of the string and of the image at worst, and its conclusion.
STRING_SHARE, IMAGE_SHARE, CLAIMED_SHARE = 0.0005, 0.133, 0.14
STUDY_DEVICE = "rpi3"
_STUDY_PC = "i7-7500U"


@dataclass(frozen=True)
class Prepared:
    """The times, and the study's link and the state of its Pi as they are assumed."""

    times: Times
    wifi: Wifi
    device: str = STUDY_DEVICE


def wifi_of(assumed: Mapping[str, float]) -> Wifi:
    """The link between the study's machines, of the assumptions in findings.toml."""
    return Wifi(
        STUDY_LINK.rate_bits_per_s or 0.0, round(assumed["frames_a_turn"]), assumed["hops"], assumed["delay_us"]
    )


def prepare(evidence: Evidence) -> Prepared:
    """What all figures are computed from."""
    times = Times(evidence.results, evidence.observations)
    bits = f"{evidence.assumed['state_bits']:.0f}-bit"
    device = next(name for name, state in STATES.items() if state == bits)
    # Where the other state was not measured, it cannot be drawn.
    measured = times.sizes(device, STUDY_PROTECTIONS[128])
    return Prepared(times, wifi_of(evidence.assumed), device if measured else STUDY_DEVICE)


def wifi_share(times: Times, wifi: Wifi, protection: str, size_bytes: int, device: str = STUDY_DEVICE) -> float | None:
    """The part of an exchange between two such devices over Wi-Fi that is cryptography."""
    seconds = times.cryptography_s(device, protection, size_bytes)
    return None if seconds is None else wifi.share(seconds, sent_bytes(protection, size_bytes))


def _at_rates(shares: Sequence[float]) -> str:
    """The shares at the rates of LINKS."""
    said = (
        f"{percent(value)} at {(link.rate_bits_per_s or 0) / 1e6:g} Mbit/s"
        for link, value in zip(LINKS, shares, strict=True)
    )
    return f"{', '.join(said)}"


def _key_ratios(times: Times, bits: int) -> list[float]:
    """RELIC's time on the Pi with that key over 128 bits, both directions."""
    ratios = []
    for operation in DIRECTIONS:
        pair = [times.modelled(STUDY_DEVICE, STUDY_PROTECTIONS[one], operation, IMAGE_BYTES) for one in (bits, 128)]
        if pair[0] and pair[1]:
            ratios.append(pair[0].time_s / pair[1].time_s)
    return ratios


def key_size(prepared: Prepared) -> Figures:
    """`with_192` and `with_256`: RELIC's time on the Pi with a longer key over 128 bits, both directions. `over_half`:
    how much the least ratio exceeds half of what the rounds add."""
    middle, long = (Spread(_key_ratios(prepared.times, bits)) for bits in (192, 256))
    if not middle or not long:
        return None
    return {"with_192": middle, "with_256": long, "over_half": min(min(middle) - 1.1, min(long) - 1.2)}


def key_size_on_the_pc(prepared: Prepared) -> Figures:
    """As `key_size`, of the string on this machine: by how much 256 bits are longer, `more_us`, of `whole_us`."""
    times = []
    for bits in (128, 256):
        found = prepared.times.loopback(STUDY_PROTECTIONS[bits], "string")
        if found is None:
            return None
        times.append(min(found.figures["client_encrypt_ns"]) / 1000)
    return {
        "more_us": times[1] - times[0],
        "whole_us": times[1],
        "processor": prepared.times.processor(),
        "study_pc": _STUDY_PC in prepared.times.processor(),
    }


def pi_over_this_machine(prepared: Prepared) -> Figures:
    """`encrypt` and `decrypt`: time on the Raspberry Pi over time on this machine, each key; `processor` is this
    machine's, and `study_pc` says whether it is the study's PC."""
    times = prepared.times
    ratios: dict[str, list[float]] = {operation: [] for operation in DIRECTIONS}
    for protection in STUDY_PROTECTIONS.values():
        for operation, found in ratios.items():
            pi = times.modelled(STUDY_DEVICE, protection, operation, IMAGE_BYTES)
            here = times.here_s(protection, operation)
            if pi is not None and here:
                found.append(pi.time_s / here)
    if not all(ratios.values()):
        return None
    words = {operation: Spread(found) for operation, found in ratios.items()}
    return {**words, "processor": times.processor(), "study_pc": _STUDY_PC in times.processor()}


def _share(prepared: Prepared, message: str, bits: int = 128) -> float | None:
    protection, size_bytes = STUDY_PROTECTIONS[bits], MESSAGE_BYTES[message]
    seconds = prepared.times.cryptography_s(prepared.device, protection, size_bytes)
    return None if seconds is None else prepared.wifi.share(seconds, sent_bytes(protection, size_bytes))


def string_share(prepared: Prepared) -> Figures:
    """`share`: of cryptography in the string's exchange over the link as it is assumed, in per cent; `at_rates`: over
    links that are not Wi-Fi."""
    protection = STUDY_PROTECTIONS[128]
    seconds = prepared.times.cryptography_s(prepared.device, protection, STRING_BYTES)
    share = _share(prepared, "string")
    if seconds is None or share is None:
        return None
    shares = [prepared.times.share(prepared.device, protection, STRING_BYTES, link) or 0.0 for link in LINKS]
    return {
        "share": share * 100,
        "at_rates": _at_rates(shares),
        "operations_us": number(round(seconds * 1e6)),
        "exchange_ms": number(round(seconds / STRING_SHARE * 1000)),
    }


def image_share(prepared: Prepared) -> Figures:
    """`share`: as of `string_share`, of the image. `most_any_key`: with the key with which it is largest.
    `goodput_...`: what the published share implies."""
    times, relic = prepared.times, STUDY_PROTECTIONS[128]
    seconds = times.cryptography_s(prepared.device, relic, IMAGE_BYTES)
    every = [_share(prepared, "image", bits) for bits in KEY_BITS]
    share = every[0]
    if seconds is None or share is None:
        return None
    limit = times.rate_at_share(prepared.device, relic, IMAGE_BYTES, CLAIMED_SHARE, STUDY_LINK.delay_us)
    shares = [times.share(prepared.device, relic, IMAGE_BYTES, link) or 0.0 for link in LINKS]
    goodput = goodput_at_share(IMAGE_SHARE, seconds, IMAGE_BYTES)
    return {
        "share": share * 100,
        "most_any_key": max(one for one in every if one is not None) * 100,
        "link_mbit_per_s": prepared.wifi.goodput_bits_per_s / 1e6,
        "at_rates": _at_rates(shares),
        "limit": f"it stops holding at {limit / 1e6:.1f} Mbit/s"
        if limit
        else "no rate is so high that it stops holding: the delay alone lasts longer",
        "band": number(times.band_percent(prepared.device, relic, IMAGE_BYTES)),
        "goodput_mbit_per_s": goodput / 1e6,
        "goodput_percent": goodput / (STUDY_LINK.rate_bits_per_s or 1) * 100,
    }


def share_by_key(prepared: Prepared) -> Figures:
    """The image's share: `with_128`, the shortest key; `most` with any key; `shares` with all, in words."""
    shares = [_share(prepared, "image", bits) for bits in KEY_BITS]
    found = [value for value in shares if value is not None]
    if len(found) < len(KEY_BITS):
        return None
    return {"with_128": found[0], "most": max(found), "shares": ", ".join(percent(value) for value in found)}


def sending_by_size(prepared: Prepared) -> Figures:
    """`proportion`: the time to send the image over that of the string, by the ratio of their sizes; `sizes`: that
    ratio. None without any result: the link alone is no evidence."""
    if prepared.times.cryptography_s(prepared.device, STUDY_PROTECTIONS[128], IMAGE_BYTES) is None:
        return None
    sent = {name: sent_bytes(STUDY_PROTECTIONS[128], size) for name, size in MESSAGE_BYTES.items()}
    times = {name: prepared.wifi.transmission_s(size) for name, size in sent.items()}
    sizes = sent["image"] / sent["string"]
    return {
        "proportion": times["image"] / times["string"] / sizes,
        "sizes": sizes,
        "image_ms": times["image"] * 1000,
        "string_ms": times["string"] * 1000,
    }


def integrity(prepared: Prepared) -> Figures:
    """`ratios`: the time of each mode over RELIC's AES-128-CBC, by device, in words."""
    times = prepared.times
    said = []
    for target, name in DEVICES.items():
        seconds = {protection: times.cryptography_s(target, protection, IMAGE_BYTES) for protection in COMPARED}
        relic = seconds[COMPARED[0]]
        if relic is None:
            continue
        ratios = [
            f"{TITLES[protection]} {value / relic:.2f}"
            for protection, value in seconds.items()
            if value and protection != COMPARED[0]
        ]
        said.append(f"{name}: {', '.join(ratios)}")
    return {"ratios": "; ".join(said)} if said else None
