"""Study `channel`: what part of a secure exchange is cryptography, on a PC and a Raspberry Pi, over a link with a rate and a delay."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.channel.messages import IMAGE_BYTES, STRING_BYTES
from bancada.channel.share import goodput_at_share
from bancada.ranking import number
from bancada.records import Finding, Observation, Result, Verdict
from bancada.studies.channel_parts import parts
from bancada.studies.channel_runs import LINKS, STUDY_LINK, observe
from bancada.studies.channel_times import COMPARED, DEVICES, DIRECTIONS, KEY_BITS, STUDY_PROTECTIONS, TITLES, Times
from bancada.studies.study import Study

# The study's: rounds of a key over those of 128 bits, share of the string and of the image at worst, and its conclusion.
_ROUNDS = {192: 1.2, 256: 1.4}
_STRING_SHARE, _IMAGE_SHARE, CLAIMED_SHARE = 0.0005, 0.133, 0.14
_PI_OVER_PC = (2.7, 3.1)
_STUDY_DEVICE = "rpi3"
_KEY_TOLERANCE = 0.05


def _not_measured(claim: str, published: str) -> Finding:
    return Finding(claim, published, "no figure", Verdict.NOT_MEASURED, "The runs that answer it have no figures.")


def _verdict(holds: bool, in_part: bool = False) -> Verdict:
    return Verdict.HOLDS if holds else Verdict.HOLDS_IN_PART if in_part else Verdict.DOES_NOT_HOLD


def _percent(part: float) -> str:
    return f"{number(round(part * 100, 2))} %"


def _at_rates(shares: Sequence[float]) -> str:
    """The shares at the rates of LINKS."""
    said = (f"{_percent(value)} at {(link.rate_bits_per_s or 0) / 1e6:g} Mbit/s" for link, value in zip(LINKS, shares, strict=True))
    return f"{', '.join(said)}, all with {STUDY_LINK.delay_us / 1000:g} ms each way"


def _range(values: Sequence[float]) -> str:
    low, high = f"{min(values):.2f}", f"{max(values):.2f}"
    return low if low == high else f"{low} to {high}"


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


def _key_size(times: Times) -> Finding:
    claim, published = "A 192-bit key costs 20 % more than a 128-bit one, a 256-bit key 40 %", "+20 %, +40 %, as the rounds say"
    said, modelled = [], []
    for target, name in (*DEVICES.items(), (None, "this machine, measured")):
        ratios = {bits: _key_ratios(times, target, bits) for bits in _ROUNDS}
        if all(ratios.values()):
            said.append(f"{name}: {_range(ratios[192])} and {_range(ratios[256])}")
            modelled += [(ratio, _ROUNDS[bits]) for bits, found in ratios.items() for ratio in found if target]
    if not modelled:
        return _not_measured(claim, published)
    return Finding(
        claim, published, f"RELIC, the image, both directions, over 128 bits: {'; '.join(said)}",
        # Wall-clock time decides nothing: the machine does other things.
        _verdict(all(abs(ratio - rounds) < _KEY_TOLERANCE for ratio, rounds in modelled), all(ratio - 1 > (rounds - 1) / 2 for ratio, rounds in modelled)),
        "There are 12 and 14 rounds instead of 10. What is done once for a block, chaining, loads and stores, stays the same and makes "
        "less of it: RELIC chains byte by byte.",
    )  # fmt: skip


def _pi_over_pc(times: Times) -> Finding:
    claim, published = "The Raspberry Pi takes three times as long as the PC", "2.7 to 3.0 (encrypt), 2.9 to 3.1 (decrypt)"
    ratios = []
    for protection in STUDY_PROTECTIONS.values():
        for operation in DIRECTIONS:
            pi, here = times.modelled(_STUDY_DEVICE, protection, operation, IMAGE_BYTES), times.here_s(protection, operation)
            if pi is not None and here:
                ratios.append(pi.time_s / here)
    if not ratios:
        return _not_measured(claim, published)
    return Finding(
        claim, published, f"{_range(ratios)} times: modelled on the Pi, over the least that a byte took on this machine ({times.processor()})",
        _verdict(_PI_OVER_PC[0] * 0.9 <= min(ratios) and max(ratios) <= _PI_OVER_PC[1] * 1.1, min(ratios) > 1.5),
        "It is a ratio of two clocks and two processors, and this machine is not the study's PC (i7-7500U, up to 3.5 GHz).",
    )  # fmt: skip


def _string_share(times: Times) -> Finding:
    claim, published = "For a string of 1,215 bytes cryptography is next to nothing", "at most 0.05 % (Pi to Pi)"
    shares = {link: times.share(_STUDY_DEVICE, STUDY_PROTECTIONS[128], STRING_BYTES, link) for link in LINKS}
    seconds = times.cryptography_s(_STUDY_DEVICE, STUDY_PROTECTIONS[128], STRING_BYTES)
    if seconds is None:
        return _not_measured(claim, published)
    said = _at_rates([value or 0.0 for value in shares.values()])
    return Finding(
        claim, published, f"RELIC, 128 bits: {said}",
        _verdict(max(value or 0.0 for value in shares.values()) < 0.01, max(value or 0.0 for value in shares.values()) < 0.1),
        f"Its four operations take {number(round(seconds * 1e6))} µs on the Pi. To be 0.05 % of it, an exchange must last "
        f"{number(round(seconds / _STRING_SHARE * 1000))} ms: the study's Wi-Fi made it wait, its rate did not. With a delay of a millisecond there is "
        "no such waiting, and the share depends on the delay more than on the rate.",
    )  # fmt: skip


def _image_share(times: Times) -> Finding:
    claim, published = "Cryptography is always under 14 % of the exchange", "at most 13.3 % (image, Pi to Pi)"
    relic = STUDY_PROTECTIONS[128]
    seconds = times.cryptography_s(_STUDY_DEVICE, relic, IMAGE_BYTES)
    limit = times.rate_at_share(_STUDY_DEVICE, relic, IMAGE_BYTES, CLAIMED_SHARE, STUDY_LINK.delay_us)
    if seconds is None:
        return _not_measured(claim, published)
    band = times.band_percent(_STUDY_DEVICE, relic, IMAGE_BYTES)
    holds_up_to = f"it stops holding at {limit / 1e6:.1f} Mbit/s" if limit else "no rate is so high that it stops holding: the delay alone lasts longer"
    shares = [times.share(_STUDY_DEVICE, relic, IMAGE_BYTES, link) or 0.0 for link in LINKS]
    said = _at_rates(shares)
    goodput = goodput_at_share(_IMAGE_SHARE, seconds, IMAGE_BYTES)
    return Finding(
        claim, published, f"RELIC, 128 bits, the image, Pi to Pi: {said}; {holds_up_to} (the Pi's times are modelled, ±{number(band)} %)",
        _verdict(max(shares) < CLAIMED_SHARE, min(shares) < CLAIMED_SHARE),
        f"It is a statement about the link. With our times for the Pi, the study's 13.3 % say that its exchange moved "
        f"{goodput / 1e6:.1f} Mbit/s each way, {goodput / (STUDY_LINK.rate_bits_per_s or 1) * 100:.0f} % of what 802.11n calls itself; a link that moves more breaks the claim.",
    )  # fmt: skip


def _worst_key(times: Times) -> Finding:
    claim, published = "The share is worst with the 128-bit key", "0.05 % and 13.3 %, both with 128 bits"
    shares = [times.share(_STUDY_DEVICE, STUDY_PROTECTIONS[bits], IMAGE_BYTES, STUDY_LINK) for bits in KEY_BITS]
    found = [value for value in shares if value is not None]
    if len(found) < len(KEY_BITS):
        return _not_measured(claim, published)
    return Finding(
        claim, published, f"128, 192, 256 bits, the image at {STUDY_LINK.name}: {', '.join(_percent(value) for value in found)}",
        _verdict(max(found) == found[0]),
        "On one link a longer key can only raise the share. That the study found the opposite says that its link was not the same from one "
        "run to the next.",
    )  # fmt: skip


def _integrity(times: Times) -> Finding:
    claim, published = "What does integrity cost?", "not asked: CBC does not notice changes"
    said = []
    for target, name in DEVICES.items():
        seconds = {protection: times.cryptography_s(target, protection, IMAGE_BYTES) for protection in COMPARED}
        relic = seconds[COMPARED[0]]
        if relic is None:
            continue
        ratios = [f"{TITLES[protection]} {value / relic:.2f}" for protection, value in seconds.items() if value and protection != COMPARED[0]]
        said.append(f"{name}: {', '.join(ratios)}")
    if not said:
        return _not_measured(claim, published)
    return Finding(
        claim, published, f"time over RELIC's AES-128-CBC, the image, both directions: {'; '.join(said)}", Verdict.ANSWERED,
        "Ascon-AEAD128 and CCM notice every change. CCM calls AES twice for each block, and the call that protects waits for the block before; RELIC's "
        "AES reads tables at secret addresses, none of Tatu's does.",
    )  # fmt: skip


def findings(results: Sequence[Result], observations: Sequence[Observation]) -> tuple[Finding, ...]:
    """The study's conclusions in its order, and what it did not ask."""
    times = Times(results, observations)
    return (
        _key_size(times),
        _pi_over_pc(times),
        _string_share(times),
        _image_share(times),
        _worst_key(times),
        _integrity(times),
    )


CHANNEL = Study(findings, parts, observe)
