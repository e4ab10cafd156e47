"""The link's two firmwares, many sensors, one gateway, on one simulated air."""

from __future__ import annotations

import hashlib
import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from sensorlink.air import AIR_RATES, delivered_in_theory, packet_interval_in_theory_s, run_air, time_on_air_s
from sensorlink.eeprom import EepromRecord, image
from sensorlink.firmware import build_firmware
from sensorlink.gateway_stream import take_apart
from sensorlink.laboratory import UserError

Schedule = Literal["jitter", "slots", "free", "together"]

FRAME_BYTES = 32
CHANNEL = 0x17
# A slot has to hold a packet and the error of two clocks: 370 ms on the air at 2.4k.
SLOT_MARGIN_S = 0.08
# More sensors than this are simulated by their timing only, unless asked otherwise.
MOST_FIRMWARE_SENSORS = 16

# Both programs wire the module so: docs/reference/link-firmware.md.
_WIRES = {"m0": "PB2", "m1": "PB3", "aux": "PB4", "from_module": "PB0", "to_module": "PB1"}
_RAIN_PIN = "PD2"
_SQUARE_WAVE_PIN = "PD3"
_UNO_CLOCK_PPM = 3000  # its ceramic resonator is good to 0.5 %
_DS3231_PPM = 2
_CLOCK_START_S = 1_767_225_600  # 2026-01-01
_FIRMWARE_JITTER = 0.25  # link/firmware/core/schedule.h
# From a slot's beginning to the first start bit: measured on the sensor's firmware in this simulation.
_FIRMWARE_LEAD_S = 0.0011


@dataclass(frozen=True)
class Simulation:
    """What to simulate."""

    sensors: int
    period_s: int = 5
    air_rate: int = 2400
    schedule: Schedule = "jitter"
    duration_s: float = 600
    seed: int = 1
    # The last so many sensors are a timing model instead of firmware; None: those beyond MOST_FIRMWARE_SENSORS.
    native: int | None = None
    suite: int = 1
    # Of packets that did not collide, for each receiver.
    loss: float = 0
    bit_error: float = 0
    # Mean times between random tips of each rain gauge, and between random resets of each sensor.
    rain_interval_s: float | None = None
    reset_interval_s: float | None = None
    # The probability of a reset in the middle of writing a byte to EEPROM.
    reset_while_writing: float = 0
    # Images to begin from and to keep up to date, one for each sensor, instead of freshly made ones.
    eeprom_images: tuple[Path, ...] = ()
    # Instead of the ones that are built; paper mode, for example.
    sensor_elf: Path | None = None
    gateway_elf: Path | None = None
    frame_bytes: int = FRAME_BYTES
    # The gateway's serial port as a pseudo-terminal, no faster than the clock on the wall.
    pty: bool = False
    real_time: bool = False

    @property
    def native_sensors(self) -> int:
        return max(0, self.sensors - MOST_FIRMWARE_SENSORS) if self.native is None else self.native


@dataclass(frozen=True)
class NodeOutcome:
    """One sensor. Packets whose time on air had not ended when the simulation did are not counted."""

    name: str
    kind: Literal["firmware", "native"]
    sent: int
    collided: int
    delivered: int
    # From the beginning of one packet to that of the next, on average.
    interval_s: float | None = None
    resets: int = 0
    eeprom_writes: int = 0
    eeprom_writes_of_busiest_cell: int = 0
    complaints: int = 0
    fault: str | None = None
    # Parts of its time: awake, idle, power-down, ...
    shares: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """What came of it, beside the theory."""

    simulation: dict[str, Any]
    time_s: float
    wall_s: float
    time_on_air_s: float
    sent: int
    delivered: int
    # Delivered packets that came out of the gateway's serial port whole (in paper mode: as plaintext).
    at_the_pi: int
    delivered_part: float | None
    packets_per_s: float
    delivered_part_in_theory: float | None
    packets_per_s_in_theory: float | None
    nodes: tuple[NodeOutcome, ...]
    gateway_shares: dict[str, float]
    complaints: tuple[str, ...]


def simulate(simulation: Simulation, on_event: Callable[[dict[str, Any]], None] | None = None) -> Outcome:
    """Runs a simulation to its end, or to Ctrl-C. UserError if it cannot be."""
    _check(simulation)
    began = time.monotonic()
    sent_bytes: dict[int, bytes] = {}
    began_us: dict[int, int] = {}
    ended: list[dict[str, Any]] = []
    complaints: list[str] = []
    summary: dict[str, Any] = {}
    uart = bytearray()
    with tempfile.TemporaryDirectory(prefix="bancada-link-") as folder:
        for event in run_air(_configuration(simulation, Path(folder))):
            kind = event["event"]
            if kind == "transmit-begin":
                sent_bytes[event["number"]] = bytes.fromhex(event["bytes"])
                began_us[event["number"]] = event["time_us"]
            elif kind == "transmit-end":
                ended.append(event)
            elif kind == "uart" and event["node"] == "gateway":
                uart += bytes.fromhex(event["bytes"])
            elif kind == "complaint":
                complaints.append(f"{event['time_us'] / 1e6:.6f} s, {event['node']}: {event['what']}")
            elif kind == "summary":
                summary = event
            if on_event is not None:
                on_event(event)
    if not summary:
        raise UserError("The simulation of the air ended without a summary.")
    return _outcome(simulation, summary, ended, sent_bytes, began_us, bytes(uart), complaints, time.monotonic() - began)


def delivery_curve(
    counts: tuple[int, ...] = (1, 2, 4, 8, 16, 32),
    schedules: tuple[Schedule, ...] = ("free", "jitter", "slots"),
    most_firmware: int = 4,
    **settings: Any,
) -> list[Outcome]:
    """The several-sensors curve: an outcome for each schedule and number of sensors that it has room for.

    Sensors beyond `most_firmware` are the timing model: each outcome's nodes say which.
    """
    outcomes = []
    for schedule in schedules:
        for sensors in counts:
            native = max(0, sensors - most_firmware)
            simulation = Simulation(sensors=sensors, schedule=schedule, native=native, **settings)
            if schedule != "slots" or sensors <= slots_in_a_period(simulation):
                outcomes.append(simulate(simulation))
    return outcomes


def slots_in_a_period(simulation: Simulation) -> int:
    """How many sensors slots have room for."""
    return int(simulation.period_s / (time_on_air_s(simulation.air_rate, simulation.frame_bytes) + SLOT_MARGIN_S))


def _check(simulation: Simulation) -> None:
    if simulation.air_rate not in AIR_RATES:
        known = ", ".join(map(str, AIR_RATES))
        raise UserError(f"The modulation of air rate {simulation.air_rate} is not documented; simulate one of {known}.")
    for what, value_s in (
        ("duration", simulation.duration_s),
        ("mean time between tips of the rain gauge", simulation.rain_interval_s),
        ("mean time between resets", simulation.reset_interval_s),
    ):
        if value_s is not None and value_s <= 0:
            raise UserError(f"The {what} must be more than 0, not {value_s:g} s.")
    if simulation.native_sensors > simulation.sensors:
        raise UserError(f"Of {simulation.sensors} sensors {simulation.native_sensors} cannot be a timing model.")
    if not 0 <= simulation.period_s <= 255:
        raise UserError(
            f"The period must be 0 to 255 whole seconds, not {simulation.period_s}: it is a byte in EEPROM."
        )
    if simulation.schedule != "jitter" and simulation.period_s == 0:
        raise UserError(
            "Without a pause (a period of 0) there are no slots and no fixed times; leave the schedule out."
        )
    if simulation.schedule == "slots" and simulation.sensors > slots_in_a_period(simulation):
        raise UserError(
            f"{simulation.sensors} slots do not fit into {simulation.period_s} s at {simulation.air_rate} bit/s:"
            f" {slots_in_a_period(simulation)} do. Take a longer period, fewer sensors or a faster air rate."
        )
    if simulation.native_sensors and simulation.period_s == 0:
        raise UserError("Sensors that never pause are simulated as firmware only: at most 16, or --native 0.")
    if simulation.eeprom_images and len(simulation.eeprom_images) != simulation.sensors - simulation.native_sensors:
        raise UserError(
            f"There are {len(simulation.eeprom_images)} EEPROM images for"
            f" {simulation.sensors - simulation.native_sensors} sensors with firmware; name one for each."
        )


def _configuration(simulation: Simulation, folder: Path) -> dict[str, Any]:
    built = build_firmware(simulation.air_rate, CHANNEL)
    chance = random.Random(f"bancada link simulate {simulation.seed}")
    module = {**_WIRES, "parameters": _module_parameters(simulation.air_rate)}
    gateway: dict[str, Any] = {
        "kind": "firmware",
        "name": "gateway",
        "elf": str(simulation.gateway_elf or built / "gateway.elf"),
        "clock_ppm": chance.uniform(-_UNO_CLOCK_PPM, _UNO_CLOCK_PPM),
        "module": module,
        "uart": "pty" if simulation.pty else {"file": str(folder / "gateway.uart")},
    }
    nodes = [gateway]
    for index in range(simulation.sensors):
        if index < simulation.sensors - simulation.native_sensors:
            elf = simulation.sensor_elf or built / "sensor.elf"
            nodes.append(_firmware_sensor(simulation, index, elf, module, chance, folder))
        else:
            nodes.append(_native_sensor(simulation, index, chance))
    return {
        "duration_s": simulation.duration_s,
        "seed": simulation.seed,
        "real_time": simulation.pty or simulation.real_time,
        "air": {"loss": simulation.loss, "bit_error": simulation.bit_error},
        "nodes": nodes,
    }


def _module_parameters(air_rate: int) -> str:
    """As the firmware wants them, so that it need not configure: 9600 8N1, the air rate, the channel."""
    return f"0000{0x18 | (300, 1200, 2400, 4800).index(air_rate):02X}{CHANNEL:02X}44"


def _slot_of(simulation: Simulation, index: int) -> tuple[int, int]:
    """A sensor's slot and the slots of the cycle, as in its EEPROM."""
    if simulation.schedule == "slots":
        return index, slots_in_a_period(simulation)
    # One slot for all: each sends when the period begins by its own clock.
    return (0, 0) if simulation.schedule == "jitter" else (0, 1)


def _firmware_sensor(
    simulation: Simulation, index: int, elf: Path, module: dict[str, Any], chance: random.Random, folder: Path
) -> dict[str, Any]:
    name = f"sensor-{index + 1}"
    slot, slots = _slot_of(simulation, index)
    if simulation.eeprom_images:
        eeprom = simulation.eeprom_images[index]
        if not eeprom.is_file():
            raise UserError(f"There is no EEPROM image {eeprom}; 'bancada link provision' writes them.")
    else:
        key = hashlib.sha256(f"bancada link simulate {simulation.seed} {name}".encode()).digest()[:16]
        eeprom = folder / f"{name}.bin"
        eeprom.write_bytes(
            image(EepromRecord(simulation.suite, 1, index + 1, 0, key, slot, slots, simulation.period_s, CHANNEL))
        )
    together = simulation.schedule == "together"
    clock_s = chance.uniform(0, simulation.period_s) if simulation.schedule == "free" else 0.0
    node: dict[str, Any] = {
        "kind": "firmware",
        "name": name,
        "elf": str(elf),
        "clock_ppm": 0 if together else chance.uniform(-_UNO_CLOCK_PPM, _UNO_CLOCK_PPM),
        "module": module,
        "eeprom": {"load": str(eeprom), "save": str(eeprom)},
        "clock": {
            "unix_s": (int(time.time()) if simulation.pty else _CLOCK_START_S) + int(clock_s),
            "phase_s": clock_s % 1,
            "drift_ppm": 0 if together else chance.uniform(-_DS3231_PPM, _DS3231_PPM),
            "square_wave": _SQUARE_WAVE_PIN,
        },
    }
    if simulation.rain_interval_s is not None:
        node["rain"] = {"pin": _RAIN_PIN, "mean_interval_s": simulation.rain_interval_s, "bounces": 2}
    if simulation.reset_interval_s is not None or simulation.reset_while_writing:
        node["resets"] = {
            "mean_interval_s": simulation.reset_interval_s,
            "while_writing": simulation.reset_while_writing,
        }
    return node


def _native_sensor(simulation: Simulation, index: int, chance: random.Random) -> dict[str, Any]:
    slot, slots = _slot_of(simulation, index)
    first_s = {
        "jitter": 0.0,
        "slots": simulation.period_s * slot / max(slots, 1),
        "free": chance.uniform(0, simulation.period_s),
        "together": 0.0,
    }[simulation.schedule]
    return {
        "kind": "native",
        "name": f"sensor-{index + 1}",
        "module": _module_parameters(simulation.air_rate),
        "device": index + 1,
        "frame_bytes": simulation.frame_bytes,
        "start_s": 0,
        "period_s": simulation.period_s,
        "jitter": _FIRMWARE_JITTER if simulation.schedule == "jitter" else 0,
        "first_s": first_s,
        "lead_s": _FIRMWARE_LEAD_S,
        "drift_ppm": chance.uniform(-_DS3231_PPM, _DS3231_PPM) if simulation.schedule == "free" else 0,
    }


def _outcome(
    simulation: Simulation,
    summary: dict[str, Any],
    ended: list[dict[str, Any]],
    sent_bytes: dict[int, bytes],
    began_us: dict[int, int],
    uart: bytes,
    complaints: list[str],
    wall_s: float,
) -> Outcome:
    gateway, *sensors = summary["nodes"]
    stream = take_apart(uart)
    bursts = b"\xff".join(stream.bursts)
    nodes = []
    at_the_pi = len(stream.opened)
    for sensor in sensors:
        own = [event for event in ended if event["node"] == sensor["name"]]
        delivered = [event for event in own if "gateway" in event["delivered_to"]]
        at_the_pi += sum(sent_bytes[event["number"]] in bursts for event in delivered)
        nodes.append(
            NodeOutcome(
                name=sensor["name"],
                kind=sensor["kind"],
                sent=len(own),
                collided=sum(event["collided"] for event in own),
                delivered=len(delivered),
                interval_s=_mean_interval_s([began_us[event["number"]] for event in own]),
                resets=sensor["resets"],
                eeprom_writes=sensor["eeprom_writes"],
                eeprom_writes_of_busiest_cell=sensor["eeprom_writes_of_busiest_cell"],
                complaints=sensor["complaints"],
                fault=sensor.get("fault"),
                shares=sensor.get("shares", {}),
            )
        )
    time_s = summary["time_us"] / 1e6
    sent = sum(node.sent for node in nodes)
    delivered_all = sum(node.delivered for node in nodes)
    part, rate = _theory(simulation)
    return Outcome(
        simulation={key: _plain(value) for key, value in asdict(simulation).items()},
        time_s=time_s,
        wall_s=wall_s,
        time_on_air_s=time_on_air_s(simulation.air_rate, simulation.frame_bytes),
        sent=sent,
        delivered=delivered_all,
        at_the_pi=at_the_pi,
        delivered_part=delivered_all / sent if sent else None,
        packets_per_s=delivered_all / time_s if time_s else 0.0,
        delivered_part_in_theory=part,
        packets_per_s_in_theory=rate,
        nodes=tuple(nodes),
        gateway_shares=gateway.get("shares", {}),
        complaints=tuple(complaints),
    )


def _mean_interval_s(began_us: list[int]) -> float | None:
    return (began_us[-1] - began_us[0]) / 1e6 / (len(began_us) - 1) if len(began_us) > 1 else None


def _theory(simulation: Simulation) -> tuple[float | None, float | None]:
    """The part delivered and the delivered packets a second; None where there is no simple theory."""
    on_air_s = time_on_air_s(simulation.air_rate, simulation.frame_bytes)
    if simulation.period_s == 0:
        if simulation.sensors > 1:
            return None, None
        return 1.0, 1 / packet_interval_in_theory_s(simulation.air_rate, simulation.frame_bytes)
    part = {
        "jitter": delivered_in_theory(simulation.sensors, simulation.period_s, on_air_s),
        "free": delivered_in_theory(simulation.sensors, simulation.period_s, on_air_s),
        "slots": 1.0,
        "together": 1.0 if simulation.sensors == 1 else 0.0,
    }[simulation.schedule]
    return part, part * simulation.sensors / simulation.period_s


def _plain(value: Any) -> Any:
    if isinstance(value, Path):
        return str(value)
    return [_plain(each) for each in value] if isinstance(value, tuple) else value
