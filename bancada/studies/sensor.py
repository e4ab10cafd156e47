"""Study `sensor`: AES and Speck in a sensor with a LoRa radio and its gateway, and what it left open: several sensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bancada import catalogue
from bancada.ranking import number
from bancada.records import Finding, Observation, Result, Status, Verdict
from bancada.report.input import ExtraSection, Series, XYPlot
from bancada.studies.sensor_runs import PERIOD_S, SCHEDULES, observe
from bancada.studies.study import Study

_CLOCK_MHZ = 16.0

# The study: E = v i t, 12 V, 6 µA idle, 14 µA while it transmits for 0.480 s every 10 s; a CR2032 of 225 mAh at 3 V.
_STUDY_VOLTS, _STUDY_IDLE_UA, _STUDY_SEND_UA, _STUDY_SEND_S, _STUDY_IDLE_S = 12.0, 6.0, 14.0, 0.480, 10.0
_CELL_MAH, _CELL_VOLTS = 225.0, 3.0
_HOURS_A_YEAR = 8766.0

# Of the data sheets. Idle is twice the 1.2 mA at 8 MHz and 5 V (ATmega328P, table 29-12); the E32's are its manual's, at 20 dBm.
_IDLE_MA = 2.4
_E32_SEND_MA, _E32_SLEEP_MA = 110.0, 0.004
_DS3231_MA = 0.170

_TEN_THOUSAND_FRAMES_PER_S = 10_000 / 5

_SCHEDULE_WORDS = {"free": "once a period, clocks free", "jitter": "jittered", "slots": "time slots"}


def _figures(observations: Sequence[Observation], kind: str) -> dict[str, dict[str, Any]]:
    return {observation.name: observation.figures for observation in observations if observation.kind == kind}


def _microseconds(results: Sequence[Result], algorithm: str, variant: str, operation: str, key_bits: int = 128) -> float | None:
    found = [
        result.time_us
        for result in results
        if result.status is Status.OK
        and (result.algorithm, result.variant, result.operation, result.key_bits) == (algorithm, variant, operation, key_bits)
        and result.time_us is not None
    ]
    return min(found, default=None)


def _not_measured(claim: str, published: str) -> Finding:
    return Finding(claim, published, "no figure", Verdict.NOT_MEASURED, "The runs that answer it have no figures.")


def _throughput(paper: dict[str, dict[str, Any]]) -> Finding:
    claim, published = "Throughput is the same whatever the cipher", "3.4 packets/s, encrypted or not"
    rates = {name: figures["packets_per_s"] for name, figures in paper.items() if figures["packets_per_s"]}
    if "none" not in rates or len(rates) < 2:
        return _not_measured(claim, published)
    cycles = [figures[key] for figures in paper.values() for key in ("encrypt_cycles", "decrypt_cycles") if figures[key] is not None]
    slowest = f"; the slowest cipher takes {max(cycles) / _CLOCK_MHZ / 1000:.1f} ms" if cycles else ""
    low, high, plain = min(rates.values()), max(rates.values()), rates["none"]
    theory = paper["none"]["packets_per_s_in_theory"]
    return Finding(
        claim, published,
        f"{low:.2f} to {high:.2f} packets/s over {len(rates) - 1} ciphers, {plain:.2f} without one; radio and serial line alone "
        f"would allow {theory:.2f}",
        Verdict.HOLDS if (high - low) / plain < 0.02 else Verdict.DOES_NOT_HOLD,
        f"A packet of 16 bytes is on the air for 247 ms{slowest}.",
    )  # fmt: skip


def _variants(results: Sequence[Result]) -> list[Finding]:
    speck = {variant: _microseconds(results, "speck128", variant, "encrypt") for variant in ("plain", "small", "tiny")}
    aes = {variant: _microseconds(results, "aes", variant, "encrypt") for variant in ("plain", "small", "tiny")}
    aes_back = {variant: _microseconds(results, "aes", variant, "decrypt") for variant in ("plain", "small", "tiny")}
    longer = {bits: _microseconds(results, "speck128", "plain", "encrypt", bits) for bits in (128, 192, 256)}
    found = []
    claim, published = "Plain Speck is three times as fast as Small and Tiny", "about 3 times"
    if speck["plain"] and speck["small"] and speck["tiny"]:
        ratios = [speck["small"] / speck["plain"], speck["tiny"] / speck["plain"]]
        found.append(Finding(
            claim, published, f"Small takes {ratios[0]:.2f} times as long, Tiny {ratios[1]:.2f}",
            Verdict.HOLDS if min(ratios) > 2.5 else Verdict.HOLDS_IN_PART if min(ratios) > 1.3 else Verdict.DOES_NOT_HOLD,
            "Expanding the key with each block doubles the work of a round, no more; in the study's library it also cost loops.",
        ))  # fmt: skip
    else:
        found.append(_not_measured(claim, published))
    claim, published = "A longer key costs Speck little", "+5.6 µs (192 bit), +9.6 µs (256 bit) on 162.4 µs"
    if longer[128] and longer[192] and longer[256]:
        found.append(Finding(
            claim, published,
            f"{longer[192] - longer[128]:+.1f} µs, {longer[256] - longer[128]:+.1f} µs on {longer[128]:.1f} µs",
            Verdict.HOLDS if longer[256] < 1.1 * longer[128] else Verdict.DOES_NOT_HOLD,
            "One round more for each step of the key: 32, 33 and 34 rounds.",
        ))  # fmt: skip
    else:
        found.append(_not_measured(claim, published))
    claim, published = "AES decrypts slower than it encrypts; Small and Tiny are slower than plain", "for every key"
    if all((*aes.values(), *aes_back.values())):
        back = [(aes_back[variant] or 0) / (aes[variant] or 1) for variant in aes]
        small = [(aes[variant] or 0) / (aes["plain"] or 1) for variant in ("small", "tiny")]
        found.append(Finding(
            claim, published,
            f"decryption takes {min(back):.2f} to {max(back):.2f} times as long; Small {small[0]:.2f}, Tiny {small[1]:.2f} times plain",
            Verdict.HOLDS if min(back) > 1 and min(small) > 1 else Verdict.HOLDS_IN_PART,
            "The inverse of MixColumns has larger coefficients (FIPS 197, 5.3.3), and keys on the fly are computed for each block.",
        ))  # fmt: skip
    else:
        found.append(_not_measured(claim, published))
    return found


def _initialisation(paper: dict[str, dict[str, Any]]) -> Finding:
    claim, published = "Initialisation takes far longer than any encryption", "sender about 104 ms, receiver about 100 ms"
    plain = paper.get("none")
    cycles = [figures[key] for figures in paper.values() for key in ("encrypt_cycles", "decrypt_cycles") if figures[key] is not None]
    if not plain or plain["sensor_ready_ms"] is None or plain["gateway_ready_ms"] is None or not cycles:
        return _not_measured(claim, published)
    ready_ms = (plain["sensor_ready_ms"], plain["gateway_ready_ms"])
    slowest_ms = max(cycles) / _CLOCK_MHZ / 1000
    return Finding(
        claim, published, f"sender {ready_ms[0]:.0f} ms, receiver {ready_ms[1]:.0f} ms from power-on; the slowest cipher takes {slowest_ms:.1f} ms",
        Verdict.HOLDS if min(ready_ms) > 10 * slowest_ms else Verdict.DOES_NOT_HOLD,
        "Next to none of it is cryptography: it is the processor's own start (66 ms, by an UNO's fuses), the radio module's self-check, for which its "
        "manual has no figure (100 ms are assumed, from the same moment on), and the reading of its configuration at 9600 baud.",
    )  # fmt: skip


def _study_life_years(send_s: float) -> float:
    """By the study's formula and currents: capacity over the mean power of a cycle of sending and waiting."""
    send_uwh = _STUDY_VOLTS * _STUDY_SEND_UA * send_s / 3600
    idle_uwh = _STUDY_VOLTS * _STUDY_IDLE_UA * _STUDY_IDLE_S / 3600
    mean_uw = (send_uwh + idle_uwh) * 3600 / (send_s + _STUDY_IDLE_S)
    return _CELL_MAH * _CELL_VOLTS * 1000 / mean_uw / _HOURS_A_YEAR


def _processor_currents() -> tuple[float, float]:
    """mA awake, µA asleep."""
    power = catalogue.targets()["uno"].power
    assert power is not None and power.sleep_ua is not None  # the Arduino's are in its file
    return power.active_ma, power.sleep_ua


def _mean_ma(duty: dict[str, Any]) -> dict[str, float]:
    """Mean current by part of the device, from the simulated shares of its time and the data sheets' currents."""
    shares = duty["shares"]
    asleep = sum(share for name, share in shares.items() if name not in ("awake", "idle"))
    active_ma, sleep_ua = _processor_currents()
    return {
        "processor awake": shares.get("awake", 0.0) * active_ma,
        "processor idle": shares.get("idle", 0.0) * _IDLE_MA,
        "processor asleep": asleep * sleep_ua / 1000,
        "radio sending": duty["transmitting_share"] * _E32_SEND_MA,
        "radio asleep": (1 - duty["transmitting_share"]) * _E32_SLEEP_MA,
        "clock": _DS3231_MA,
    }


def _battery(observations: Sequence[Observation]) -> Finding:
    claim, published = "A CR2032 lasts for ages, and cryptography hardly shortens it", "578 million years (sender), 0.01 to 3.4 % for cryptography"
    duty = _figures(observations, "duty").get("sealed")
    if duty is None:
        return _not_measured(claim, published)
    parts = _mean_ma(duty)
    mean_ma = sum(parts.values())
    crypto_ma = (duty["seal_share"] or 0.0) * _processor_currents()[0]
    return Finding(
        claim, published,
        f"{_CELL_MAH / mean_ma:.0f} hours at {mean_ma:.1f} mA by the data sheets' currents, if the cell could deliver them; sealing a "
        f"frame is {crypto_ma / mean_ma * 100:.3f} % of it",
        Verdict.HOLDS_IN_PART,
        f"Its own formula and currents give {_study_life_years(_STUDY_SEND_S):.1f} years, not millions; and its microamperes were read "
        "beside the regulator of a board that takes tens of milliamperes. That cryptography is next to nothing holds: the radio is "
        "nearly all. A CR2032 cannot deliver the 110 mA of a transmission.",
    )  # fmt: skip


def _several(observations: Sequence[Observation]) -> Finding:
    claim, published = "How does the gateway behave with several sensors?", "named as future work"
    delivery = _figures(observations, "delivery")
    said = []
    for schedule in SCHEDULES:
        points = [(f["sensors"], f["delivered_part"]) for name, f in delivery.items() if name.startswith(f"{schedule} ")]
        if points:
            shown = ", ".join(f"{sensors}: {part * 100:.0f} %" for sensors, part in sorted(points) if part is not None)
            said.append(f"{_SCHEDULE_WORDS[schedule]}: {shown}")
    if not said:
        return _not_measured(claim, published)
    return Finding(
        claim, published, f"delivered, by number of sensors that send every {PERIOD_S} s: {'; '.join(said)}", Verdict.ANSWERED,
        "Without agreement two packets that overlap are both lost; the clock that each sensor has anyway gives each a slot of its own.",
    )  # fmt: skip


def findings(results: Sequence[Result], observations: Sequence[Observation]) -> tuple[Finding, ...]:
    """The study's conclusions in its order, and its open question."""
    paper = _figures(observations, "paper")
    return (
        _throughput(paper),
        *_variants(results),
        _initialisation(paper),
        _battery(observations),
        _several(observations),
    )


def _cipher_words(name: str) -> str:
    return "none" if name == "none" else name.replace("speck128-", "speck-").replace("aes", "aes-")


def _devices(paper: dict[str, dict[str, Any]]) -> ExtraSection:
    """Both whole firmwares, with and without each cipher."""
    plain = paper.get("none", {})
    rows = []
    for name, figures in paper.items():
        row = [_cipher_words(name)]
        for key in ("encrypt_cycles", "decrypt_cycles"):
            cycles = figures[key]
            row.append("–" if cycles is None else f"{number(round(cycles / _CLOCK_MHZ, 1))}")
        for program in ("sensor", "gateway"):
            for key in ("flash_bytes", "ram_static_bytes"):
                value = figures[f"{program}_{key}"]
                more = value - plain.get(f"{program}_{key}", value)
                row.append(f"{number(value)}" + (f" ({more:+d})" if more else ""))
        row.append(f"{figures['packets_per_s']:.2f}")
        rows.append(tuple(row))
    return ExtraSection(
        title="Whole devices, as the study built them",
        paragraphs=(
            "Sensor and gateway in paper mode, which exists to reproduce the study and is not secure: 16 bytes in ECB, one packet after "
            "the other. The whole firmware of each in a cycle-exact simulator, radio, clock and air emulated. In parentheses: what the "
            "cipher adds to the firmware without one.",
        ),
        columns=(
            "Cipher", "Encrypt, µs", "Decrypt, µs", "Sensor flash, B", "Sensor RAM, B", "Gateway flash, B", "Gateway RAM, B", "Packets/s",
        ),
        rows=tuple(rows),
    )  # fmt: skip


def _energy(observations: Sequence[Observation], paper: dict[str, dict[str, Any]]) -> ExtraSection | None:
    duty = _figures(observations, "duty").get("sealed")
    plain = paper.get("none")
    if duty is None or plain is None:
        return None
    parts = _mean_ma(duty)
    mean_ma = sum(parts.values())
    packet_s = plain["packet_ms"] / 1000
    rows = [
        ("Energy of a transmission", f"{_STUDY_VOLTS * _STUDY_SEND_UA * packet_s / 3600:.3f} µWh (published 0.02)",
         f"{5 * _E32_SEND_MA * duty['time_on_air_ms'] / 1000 / 3600 * 1000:.0f} µWh"),
        ("Mean current", f"{(_STUDY_IDLE_UA * _STUDY_IDLE_S + _STUDY_SEND_UA * packet_s) / (_STUDY_IDLE_S + packet_s):.1f} µA",
         f"{mean_ma:.1f} mA"),
        ("Life of a CR2032", f"{_study_life_years(packet_s):.1f} years", f"{_CELL_MAH / mean_ma:.0f} hours"),
        *((f"of it {name}", "", f"{value:.3g} mA, {value / mean_ma * 100:.2g} %") for name, value in parts.items()),
    ]  # fmt: skip
    return ExtraSection(
        title="Energy and battery life, two ways",
        paragraphs=(
            "On the left the study's formula, E = v i t with its 12 V, 6 µA and 14 µA, and our times. On the right a duty cycle: the "
            f"sealed link's sensor, a frame of 32 bytes every {PERIOD_S} s, shares of time counted by the simulator, currents of the data "
            "sheets at 5 V (ATmega328P 9.5 mA awake, 2.4 mA idle, 4.2 µA asleep; E32 110 mA sending, 4 µA asleep; DS3231 170 µA). "
            "The bare chips, without the Arduino's regulator, USB bridge and LED, which take more than all of these asleep.",
        ),
        columns=("", "The study's formula", "Duty cycle, data sheets"),
        rows=tuple(rows),
    )


def _delivery(observations: Sequence[Observation]) -> ExtraSection | None:
    delivery = _figures(observations, "delivery")
    series = []
    rows = []
    for place, schedule in enumerate(SCHEDULES):
        found = sorted(
            (figures for name, figures in delivery.items() if name.startswith(f"{schedule} ")), key=lambda figures: figures["sensors"]
        )
        points = tuple((float(f["sensors"]), f["delivered_part"]) for f in found if f["delivered_part"] is not None)
        if not points:
            continue
        series.append(Series(_SCHEDULE_WORDS[schedule], points, colour=place))
        theory = tuple((float(f["sensors"]), f["delivered_part_in_theory"]) for f in found if f["delivered_part_in_theory"] is not None)
        if schedule == "free" and theory:
            series.append(Series("theory without agreement", theory, marked=False, dashed=True, colour=7))
        for f in found:
            theory_text = "–" if f["delivered_part_in_theory"] is None else f"{f['delivered_part_in_theory'] * 100:.1f} %"
            rows.append((_SCHEDULE_WORDS[schedule], number(f["sensors"]), number(f["sent"]), f"{f['delivered_part'] * 100:.1f} %",
                         theory_text, number(f["firmware_sensors"])))  # fmt: skip
    if not series:
        return None
    plot = XYPlot(
        "Delivery against the number of sensors", "sensors on one channel", "packets delivered, part", tuple(series),
        f"Exact counts on a simulated air: frames of 32 bytes at 2.4 kbit/s (370 ms), every {PERIOD_S} s, ten minutes. Theory: pure ALOHA "
        "without capture.",
        x_logarithmic=True, x_ticks_measured=True, y_logarithmic=False,
    )  # fmt: skip
    return ExtraSection(
        title="Several sensors",
        plots=(plot,),
        columns=("Schedule", "Sensors", "Sent", "Delivered", "In theory", "Of them firmware; the rest a timing model"),
        rows=tuple(rows),
    )


def _gateway_and_server(observations: Sequence[Observation]) -> ExtraSection | None:
    found = next((observation for observation in observations if observation.kind == "throughput"), None)
    if found is None:
        return None
    figures, parameters = found.figures, found.parameters
    frames = figures["frames"]
    rows = []
    for name, key, program in (("Gateway daemon: in its outbox, on disk", "outbox_s", "gateway"),
                               ("Server: verified and in the database", "database_s", "server")):  # fmt: skip
        least_s, most_s = figures[f"{key}_least_and_most"]
        rate, cpu_s = figures[f"{program}_frames_per_s"], figures[f"{program}_cpu_s"]
        rows.append((name, f"{figures[key]:.2f} ({least_s:.2f} to {most_s:.2f})", number(round(rate)), f"{rate / _TEN_THOUSAND_FRAMES_PER_S:.1f}",
                     f"{cpu_s:.2f}", f"{cpu_s / frames * 1e6:.1f}"))  # fmt: skip
    return ExtraSection(
        title="Throughput of gateway and server",
        paragraphs=(
            f"Measured on this machine ({parameters['processor']}; load {parameters['load_average_before']:.1f} before) on {found.date[:10]}, the middle of {parameters['runs']} runs: "
            f"{number(frames)} sealed frames of {number(parameters['sensors'])} sensors, recorded beforehand, read by the gateway daemon as fast as it can, "
            f"sent through mosquitto (TLS) to the server, which verifies and stores them in {parameters['database']}. All three share the "
            "machine. Seconds are from the daemon's start, processor seconds those of the program's whole life. "
            f"{number(figures['lost'])} frames were lost, {number(figures['refused'])} refused, in all runs together. "
            f"Ten thousand sensors that send every 5 s are {number(_TEN_THOUSAND_FRAMES_PER_S)} frames/s. These are this machine's figures, not a Raspberry Pi's.",
        ),
        columns=("", "Seconds", "Frames/s", "Times ten thousand sensors", "Processor, s", "Processor, µs/frame"),
        rows=tuple(rows),
    )


def parts(results: Sequence[Result], observations: Sequence[Observation]) -> tuple[ExtraSection, ...]:
    """Whole devices, energy, several sensors, and what receives them."""
    paper = _figures(observations, "paper")
    found = (_devices(paper) if paper else None, _energy(observations, paper), _delivery(observations),
             _gateway_and_server(observations))  # fmt: skip
    return tuple(part for part in found if part is not None)


SENSOR = Study(findings, parts, observe)
