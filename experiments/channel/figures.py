"""The figures that findings.toml judges: times of devices and of this machine, joined with a link."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.answers.ranking import number
from bancada.studies.claim import Figures
from bancada.studies.spread import Spread

from .messages import IMAGE_BYTES, STRING_BYTES
from .observe import LINKS, STUDY_LINK
from .share import goodput_at_share
from .times import COMPARED, DEVICES, DIRECTIONS, KEY_BITS, STUDY_PROTECTIONS, TITLES, Times

# The study's: rounds of a key over those of 128 bits, share of the string and of the image at worst, and its
# conclusion.
_ROUNDS = {192: 1.2, 256: 1.4}
_STRING_SHARE, _IMAGE_SHARE, CLAIMED_SHARE = 0.0005, 0.133, 0.14
_STUDY_DEVICE = "rpi3"


def _percent(part: float) -> str:
    return f"{number(round(part * 100, 2))} %"


def _at_rates(shares: Sequence[float]) -> str:
    """The shares at the rates of LINKS."""
    said = (
        f"{_percent(value)} at {(link.rate_bits_per_s or 0) / 1e6:g} Mbit/s"
        for link, value in zip(LINKS, shares, strict=True)
    )
    return f"{', '.join(said)}, all with {STUDY_LINK.delay_us / 1000:g} ms each way"


def _key_ratios(times: Times, target: str | None, bits: int) -> list[float]:
    """RELIC's time with that key over 128 bits, both directions; on this machine without a target."""
    ratios = []
    for operation in DIRECTIONS:
        pair = []
        for one in (bits, 128):
            protection = STUDY_PROTECTIONS[one]
            found = times.modelled(target, protection, operation, IMAGE_BYTES) if target else None
            pair.append(found.time_s if found else None if target else times.here_s(protection, operation))
        if pair[0] and pair[1]:
            ratios.append(pair[0] / pair[1])
    return ratios


def key_size(times: Times) -> Figures:
    """`ratios`: time with a longer key over 128 bits, in words, by device and of this machine.

    `furthest`: the largest distance of a device's ratio from the ratio of the rounds. `over_half`: how much the least
    ratio exceeds half of what the rounds add. This machine's wall-clock time decides nothing, because other programs
    run on it.
    """
    said, modelled = [], []
    for target, name in (*DEVICES.items(), (None, "this machine, measured")):
        ratios = {bits: _key_ratios(times, target, bits) for bits in _ROUNDS}
        if all(ratios.values()):
            said.append(f"{name}: {Spread(ratios[192])} and {Spread(ratios[256])}")
            modelled += [(ratio, _ROUNDS[bits]) for bits, found in ratios.items() for ratio in found if target]
    if not modelled:
        return None
    return {
        "ratios": "; ".join(said),
        "furthest": max(abs(ratio - rounds) for ratio, rounds in modelled),
        "over_half": min(ratio - 1 - (rounds - 1) / 2 for ratio, rounds in modelled),
    }


def pi_over_this_machine(times: Times) -> Figures:
    """`ratios`: time on the Raspberry Pi over time on this machine, whose `processor` is named."""
    ratios = []
    for protection in STUDY_PROTECTIONS.values():
        for operation in DIRECTIONS:
            pi = times.modelled(_STUDY_DEVICE, protection, operation, IMAGE_BYTES)
            here = times.here_s(protection, operation)
            if pi is not None and here:
                ratios.append(pi.time_s / here)
    return {"ratios": Spread(ratios), "processor": times.processor()} if ratios else None


def string_share(times: Times) -> Figures:
    """`most`: the greatest share of the string's exchange at the rates of LINKS; `shares`: all, in words."""
    protection = STUDY_PROTECTIONS[128]
    seconds = times.cryptography_s(_STUDY_DEVICE, protection, STRING_BYTES)
    if seconds is None:
        return None
    shares = [times.share(_STUDY_DEVICE, protection, STRING_BYTES, link) or 0.0 for link in LINKS]
    return {
        "most": max(shares),
        "shares": _at_rates(shares),
        "operations_us": number(round(seconds * 1e6)),
        "exchange_ms": number(round(seconds / _STRING_SHARE * 1000)),
    }


def image_share(times: Times) -> Figures:
    """`least` and `most`: the image's shares at the rates of LINKS. `goodput_...`: what the published share implies."""
    relic = STUDY_PROTECTIONS[128]
    seconds = times.cryptography_s(_STUDY_DEVICE, relic, IMAGE_BYTES)
    if seconds is None:
        return None
    limit = times.rate_at_share(_STUDY_DEVICE, relic, IMAGE_BYTES, CLAIMED_SHARE, STUDY_LINK.delay_us)
    shares = [times.share(_STUDY_DEVICE, relic, IMAGE_BYTES, link) or 0.0 for link in LINKS]
    goodput = goodput_at_share(_IMAGE_SHARE, seconds, IMAGE_BYTES)
    return {
        "least": min(shares),
        "most": max(shares),
        "shares": _at_rates(shares),
        "limit": f"it stops holding at {limit / 1e6:.1f} Mbit/s"
        if limit
        else "no rate is so high that it stops holding: the delay alone lasts longer",
        "band": number(times.band_percent(_STUDY_DEVICE, relic, IMAGE_BYTES)),
        "goodput_mbit_per_s": goodput / 1e6,
        "goodput_percent": goodput / (STUDY_LINK.rate_bits_per_s or 1) * 100,
    }


def share_by_key(times: Times) -> Figures:
    """The image's share: `with_128`, the shortest key; `most` with any key; `shares` with all, in words."""
    shares = [times.share(_STUDY_DEVICE, STUDY_PROTECTIONS[bits], IMAGE_BYTES, STUDY_LINK) for bits in KEY_BITS]
    found = [value for value in shares if value is not None]
    if len(found) < len(KEY_BITS):
        return None
    said = ", ".join(_percent(value) for value in found)
    return {"with_128": found[0], "most": max(found), "shares": said, "link": STUDY_LINK.name}


def integrity(times: Times) -> Figures:
    """`ratios`: the time of each mode over RELIC's AES-128-CBC, by device, in words."""
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
