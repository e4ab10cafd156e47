"""The figures that findings.toml judges, from block ciphers' times and from runs of whole devices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

from bancada.answers.ranking import number
from bancada.model.result import Result
from bancada.model.status import Status
from bancada.studies.claim import Figures
from bancada.studies.observed import figures_of
from bancada.studies.spread import Spread
from bancada.studies.study import Evidence

from .energy import (
    CELL_MAH,
    STUDY_SEND_S,
    STUDY_YEARS,
    crypto_part,
    mean_currents_ma,
    receiver_currents_ma,
    study_life_years,
    study_pwh,
    study_share,
    study_time_us,
)
from .observe import AIR_RATE, PERIOD_S, SCHEDULES
from .observed import CLOCK_MHZ, SCHEDULE_WORDS, half_width, runs_of
from .whole_devices import least, least_of_families

_VARIANTS = ("plain", "small", "tiny")
_KEYS = (128, 192, 256)
_OWN = "tatu"
# The Arduino IDE compiles so.
_STUDY_LEVEL = "-Os"
# The firmware of the paper mode waits so long behind each packet: docs/reference/link-firmware.md.
_WAIT_MS = 20.0
# The simulated module's self-check at power-on: docs/reference/link-simulation.md.
_SELF_CHECK_MS = 100.0


def study_library(evidence: Evidence) -> str | None:
    """The candidate that is the study's own library: the first of the experiment's, if it is not ours."""
    first = evidence.experiment.candidates[0]
    return None if first == _OWN else first


@dataclass(frozen=True)
class _Blocks:
    """One library's results for a block."""

    results: Sequence[Result]
    candidate: str | None
    # None: the best of all levels.
    optimisation: str | None = None

    def least(
        self, algorithm: str, variant: str, operation: str, key_bits: int = 128, field: str = "time_us"
    ) -> float | None:
        """The least of the levels."""
        found = [
            value
            for result in self.results
            if result.status is Status.OK
            and result.candidate == self.candidate
            and self.optimisation in (None, result.optimisation)
            and (result.algorithm, result.variant, result.operation, result.key_bits)
            == (algorithm, variant, operation, key_bits)
            and (value := result.number(field)) is not None
        ]
        return min(found, default=None)


def _studys(evidence: Evidence) -> _Blocks:
    return _Blocks(evidence.results, study_library(evidence), _STUDY_LEVEL)


def _ours(evidence: Evidence) -> _Blocks:
    return _Blocks(evidence.results, _OWN)


def _slowest_cipher_ms(paper: Mapping[str, Mapping[str, Any]]) -> float | None:
    cycles = [
        figures[key]
        for figures in paper.values()
        for key in ("encrypt_cycles", "decrypt_cycles")
        if figures[key] is not None
    ]
    return max(cycles) / CLOCK_MHZ / 1000 if cycles else None


def packet_ms(figures: Mapping[str, Any], assumed: Mapping[str, float]) -> float | None:
    """From one packet to the next with other assumptions than those of the simulation, whose time is `packet_ms`.

    What the simulation has besides line, air and wait stays as it is. Where AUX rises when a packet begins to be sent,
    the next one comes over the line meanwhile, and the module sends it when the air is free.
    """
    if "air_ms" not in figures:
        return None
    rest_ms = figures["packet_ms"] - figures["line_ms"] - figures["air_ms"][str(AIR_RATE)] - _WAIT_MS
    air_ms = figures["air_ms"][f"{assumed['air_rate']:.0f}"]
    besides_ms = figures["line_ms"] + assumed["wait_ms"] + rest_ms
    return float(air_ms + besides_ms if assumed["aux_at_end"] else max(air_ms, besides_ms))


def throughput(evidence: Evidence) -> Figures:
    """Packets a second: `low` to `high` over all, `plain` without a cipher, `theory` of radio and serial line alone."""
    paper = figures_of(evidence.observations, "paper")
    rates = {
        name: 1000 / time_ms
        for name, figures in paper.items()
        if figures["packets_per_s"] and (time_ms := packet_ms(figures, evidence.assumed))
    }
    if "none" not in rates or len(rates) < 2:
        return None
    slowest_ms = _slowest_cipher_ms(paper)
    return {
        "low": min(rates.values()),
        "high": max(rates.values()),
        "plain": rates["none"],
        "packets_per_s": Spread(rates.values()),
        "theory": paper["none"]["packets_per_s_in_theory"],
        "ciphers": len(rates) - 1,
        "slowest": "" if slowest_ms is None else f"; the slowest cipher takes {slowest_ms:.1f} ms",
    }


def time_of_a_transmission(evidence: Evidence) -> Figures:
    """`ms`: a packet of 16 bytes on the air; `all`: at every air rate, in words."""
    plain = figures_of(evidence.observations, "paper").get("none")
    if plain is None or "air_ms" not in plain:
        return None
    said = " and ".join(f"{time_ms:.0f} ms at {int(rate) / 1000:g} kbit/s" for rate, time_ms in plain["air_ms"].items())
    return {"ms": plain["air_ms"][f"{evidence.assumed['air_rate']:.0f}"], "all": said}


def _speck_over_aes(blocks: _Blocks, field: str) -> Figures:
    values = [
        (
            blocks.least("aes", "plain", "encrypt", bits, field),
            blocks.least("speck128", "plain", "encrypt", bits, field),
        )
        for bits in _KEYS
    ]
    ratios = [aes / speck for aes, speck in values if aes and speck]
    if len(ratios) < len(_KEYS):
        return None
    return {"ratio": Spread(ratios), "with_128": ratios[0]}


def speed_of_the_studys(evidence: Evidence) -> Figures:
    """`ratio`: plain AES's time over plain Speck's, each key; `with_128` that of 128 bits. Of the study's library."""
    return _speck_over_aes(_studys(evidence), "time_us")


def speed_of_ours(evidence: Evidence) -> Figures:
    """As `speed_of_the_studys`, of Tatu."""
    return _speck_over_aes(_ours(evidence), "time_us")


def energy_of_the_studys(evidence: Evidence) -> Figures:
    """As `speed_of_the_studys`, of energy."""
    return _speck_over_aes(_studys(evidence), "energy_uj")


def energy_of_ours(evidence: Evidence) -> Figures:
    """As `energy_of_the_studys`, of Tatu."""
    return _speck_over_aes(_ours(evidence), "energy_uj")


def _speck_variants(blocks: _Blocks) -> Figures:
    plain, small, tiny = (blocks.least("speck128", name, "encrypt") for name in _VARIANTS)
    if not (plain and small and tiny):
        return None
    return {"small": small / plain, "tiny": tiny / plain}


def speck_variants_of_the_studys(evidence: Evidence) -> Figures:
    """`small` and `tiny`: Speck's time over that of the plain variant, of the study's library."""
    return _speck_variants(_studys(evidence))


def speck_variants_of_ours(evidence: Evidence) -> Figures:
    """As `speck_variants_of_the_studys`, of Tatu."""
    return _speck_variants(_ours(evidence))


def _keys(blocks: _Blocks, algorithm: str) -> Figures:
    short, middle, long = (blocks.least(algorithm, "plain", "encrypt", bits) for bits in _KEYS)
    if not (short and middle and long):
        return None
    return {
        "short": short,
        "middle_more": middle - short,
        "long_more": long - short,
        "with_192": middle / short,
        "with_256": long / short,
    }


def speck_keys_of_the_studys(evidence: Evidence) -> Figures:
    """Plain Speck: `short` µs with 128 bits, what longer keys take more, and their ratios, of the study's library."""
    return _keys(_studys(evidence), "speck128")


def speck_keys_of_ours(evidence: Evidence) -> Figures:
    """As `speck_keys_of_the_studys`, of Tatu."""
    return _keys(_ours(evidence), "speck128")


def aes_keys_of_the_studys(evidence: Evidence) -> Figures:
    """As `speck_keys_of_the_studys`, of AES."""
    return _keys(_studys(evidence), "aes")


def aes_keys_of_ours(evidence: Evidence) -> Figures:
    """As `aes_keys_of_the_studys`, of Tatu."""
    return _keys(_ours(evidence), "aes")


def _back_over_forth(blocks: _Blocks, algorithm: str, field: str = "time_us") -> list[float]:
    pairs = [
        (blocks.least(algorithm, name, "encrypt", field=field), blocks.least(algorithm, name, "decrypt", field=field))
        for name in _VARIANTS
    ]
    return [back / forth for forth, back in pairs if forth and back]


def _aes_directions(blocks: _Blocks) -> Figures:
    back = _back_over_forth(blocks, "aes")
    forth = [blocks.least("aes", name, "encrypt") for name in _VARIANTS]
    if not back or not all(forth):
        return None
    small, tiny = ((one or 0) / (forth[0] or 1) for one in forth[1:])
    return {"back": Spread(back), "small": small, "tiny": tiny}


def aes_directions_of_the_studys(evidence: Evidence) -> Figures:
    """`back`: AES's decryption over its encryption, each variant that decrypts; `small`, `tiny`: encryption over plain.
    Of the study's library."""
    return _aes_directions(_studys(evidence))


def aes_directions_of_ours(evidence: Evidence) -> Figures:
    """As `aes_directions_of_the_studys`, of Tatu."""
    return _aes_directions(_ours(evidence))


def _speck_directions(blocks: _Blocks) -> Figures:
    pairs = [(blocks.least("speck128", "plain", way, bits) for way in ("encrypt", "decrypt")) for bits in _KEYS]
    ratios = [back / forth for forth, back in pairs if forth and back]
    return {"back": Spread(ratios)} if ratios else None


def speck_directions_of_the_studys(evidence: Evidence) -> Figures:
    """`back`: plain Speck's decryption over its encryption, each key, of the study's library."""
    return _speck_directions(_studys(evidence))


def speck_directions_of_ours(evidence: Evidence) -> Figures:
    """As `speck_directions_of_the_studys`, of Tatu."""
    return _speck_directions(_ours(evidence))


def energy_by_direction(evidence: Evidence) -> Figures:
    """`back`: energy of decryption over that of encryption, of both ciphers and all variants that decrypt."""
    found = [one for name in ("aes", "speck128") for one in _back_over_forth(_ours(evidence), name, "energy_uj")]
    return {"back": Spread(found)} if found else None


def energy_of_variants(evidence: Evidence) -> Figures:
    """`more`: energy of Small and Tiny over plain, both ciphers, encryption."""
    blocks, more = _ours(evidence), []
    for algorithm in ("aes", "speck128"):
        plain, *others = (blocks.least(algorithm, name, "encrypt", field="energy_uj") for name in _VARIANTS)
        more += [one / plain for one in others if one and plain]
    return {"more": Spread(more)} if more else None


def energy_of_a_block(evidence: Evidence) -> Figures:
    """Plain Speck-128: `nwh` by the data sheet, and `study_pwh` by the study's volts and current for sending."""
    blocks = _ours(evidence)
    energy_uj, time_us = (blocks.least("speck128", "plain", "encrypt", field=name) for name in ("energy_uj", "time_us"))
    if not energy_uj or not time_us:
        return None
    return {"pwh": energy_uj / 3600 * 1e6, "nwh": energy_uj / 3.6, "study_pwh": study_pwh(time_us)}


def _table1(device: str, field: str) -> Callable[[Evidence], Figures]:
    """`winners`, in words, and whether `speck` is among them; `study`: whether the study's is. Of whole programs."""

    def figures(evidence: Evidence) -> Figures:
        paper = figures_of(evidence.observations, "paper")
        winners, value = least(paper, device, field)
        if not winners:
            return None
        families = least_of_families(paper, device, field)
        return {
            "winners": ", ".join(winners),
            "value": number(value),
            "speck": any(name.startswith("Speck") for name in winners),
            "aes": any(name.startswith("AES") for name in winners),
            "tiny": "Speck Tiny 128" in winners,
            "small": "Speck Small 128" in winners,
            "plain": any(name in winners for name in ("Speck 128", "Speck 192", "Speck 256")),
            "families": families,
        }

    return figures


sending_flash = _table1("sensor", "flash_bytes")
sending_sram = _table1("sensor", "ram_static_bytes")
receiving_flash = _table1("gateway", "flash_bytes")
receiving_sram = _table1("gateway", "ram_static_bytes")


def small_over_plaintext(evidence: Evidence) -> Figures:
    """What Speck Small 128 adds to a program without a cipher: `flash` and `ram`, per cent, sender and receiver."""
    paper = figures_of(evidence.observations, "paper")
    small, none = paper.get("speck128-128-small"), paper.get("none")
    if small is None or none is None:
        return None

    def more(field: str) -> Spread:
        return Spread(
            (small[f"{device}_{field}"] / none[f"{device}_{field}"] - 1) * 100 for device in ("sensor", "gateway")
        )

    return {"flash": more("flash_bytes"), "ram": more("ram_static_bytes")}


def most_sram(evidence: Evidence) -> Figures:
    """`most`: the ciphers whose sender takes the most static RAM; `aes256`: whether AES-256 is one of them."""
    paper = figures_of(evidence.observations, "paper")
    ciphers = {name: one["sensor_ram_static_bytes"] for name, one in paper.items() if name != "none"}
    if not ciphers:
        return None
    largest = max(ciphers.values())
    worst = [name for name, value in ciphers.items() if value == largest]
    return {"most": ", ".join(worst), "bytes": largest, "aes256": "aes256" in worst}


def initialisation(evidence: Evidence) -> Figures:
    """Milliseconds from power-on: `sender_ms`, `receiver_ms`; `slowest_ms` of one call of the slowest cipher."""
    paper = figures_of(evidence.observations, "paper")
    plain, slowest_ms = paper.get("none"), _slowest_cipher_ms(paper)
    if not plain or plain["sensor_ready_ms"] is None or plain["gateway_ready_ms"] is None or slowest_ms is None:
        return None
    other_ms = evidence.assumed["self_check_ms"] - _SELF_CHECK_MS
    return {
        "sender_ms": plain["sensor_ready_ms"] + other_ms,
        "receiver_ms": plain["gateway_ready_ms"] + other_ms,
        "slowest_ms": slowest_ms,
    }


def battery(evidence: Evidence) -> Figures:
    """Hours of a cell, `sender_h` and `receiver_h`, at their mean currents; `study_us`: what the published years are
    made of; `study_years`: by the study's formula and a correct reckoning."""
    duty = figures_of(evidence.observations, "duty").get("sealed")
    if duty is None or "gateway_shares" not in duty:
        return None
    sender_ma = sum(mean_currents_ma(evidence.laboratory, duty).values())
    receiver_ma = sum(receiver_currents_ma(evidence.laboratory, duty, evidence.assumed["receive_ma"]).values())
    return {
        "sender_h": CELL_MAH / sender_ma,
        "receiver_h": CELL_MAH / receiver_ma,
        "sender_ma": sender_ma,
        "receiver_ma": receiver_ma,
        "sender_years": CELL_MAH / sender_ma / 8766,
        "receiver_years": CELL_MAH / receiver_ma / 8766,
        "sender_us": study_time_us(STUDY_YEARS["sender"]),
        "receiver_us": study_time_us(STUDY_YEARS["receiver"]),
        "study_years": study_life_years(STUDY_SEND_S),
    }


def battery_with_ciphers(evidence: Evidence) -> Figures:
    """The part of the life that a cipher leaves, per cent: `left`, by a correct reckoning, of the slowest and the
    fastest cipher; `study_left`: by the study's, with our times."""
    duty = figures_of(evidence.observations, "duty").get("sealed")
    paper = figures_of(evidence.observations, "paper")
    cycles = [one["encrypt_cycles"] for one in paper.values() if one["encrypt_cycles"] is not None]
    if duty is None or not cycles:
        return None
    mean_ma = sum(mean_currents_ma(evidence.laboratory, duty).values())
    times_us = [count / CLOCK_MHZ for count in cycles]
    left = [
        (1 - crypto_part(evidence.laboratory, time_us, PERIOD_S, mean_ma)) * 100
        for time_us in (max(times_us), min(times_us))
    ]
    by_study = [study_share(STUDY_YEARS["sender"], time_us) * 100 for time_us in (max(times_us), min(times_us))]
    return {"left": Spread(left), "study_left": Spread(by_study)}


def several_sensors(evidence: Evidence) -> Figures:
    """`delivered`: the part of all packets by schedule and number of sensors, with its error, in words; `awake` and
    `latency_ms` of the gateway."""
    said, awake, latency = [], [], []
    for schedule in SCHEDULES:
        points = []
        for one in runs_of(evidence.observations, schedule):
            error = half_width(one.get("delivered_parts", ()))
            more = "" if error is None else f" ± {error * 100:.0f}"
            points.append(
                f"{one['sensors']}: {mean(one.get('delivered_parts') or [one['delivered_part']]) * 100:.0f}{more} %"
            )
            awake += [one["gateway_awake_part"] * 100] if "gateway_awake_part" in one else []
            latency += [one["latency_most_ms"]] if one.get("latency_most_ms") is not None else []
        if points:
            said.append(f"{SCHEDULE_WORDS[schedule]}: {', '.join(points)}")
    if not said:
        return None
    load = ""
    if awake and latency:
        load = (
            f". Its Arduino is awake {Spread(awake):.1f} % of the time, and a packet leaves its serial port at most "
            f"{max(latency):.0f} ms after its end on the air"
        )
    return {"delivered": "; ".join(said), "load": load, "period_s": PERIOD_S}
