"""The measurements of whole devices: the link's two firmwares on a simulated radio channel, in paper mode and
sealed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean, median
from typing import Any

from sensorlink.air import LINE_BYTE_S, SILENT_BYTES, time_on_air_s
from sensorlink.binaries import GATEWAY, SERVER, built
from sensorlink.firmware import EVERYTHING, build_firmware
from sensorlink.simulate import CHANNEL, Outcome, Schedule, Simulation, simulate, slots_in_a_period

from bancada.build.elf import image_of
from bancada.catalogue.experiment import Experiment
from bancada.engines.simavr.session import air_simulator, engine_version
from bancada.model.errors import UserError
from bancada.model.finding import Observation
from bancada.model.key import result_key
from bancada.model.status import Fidelity
from bancada.plan.laboratory import Laboratory
from bancada.store.store import Store
from bancada.studies.this_machine import processor

from . import packets, throughput

AIR_RATE = 2400
PERIOD_S = 5
PAPER_BYTES = 16
# Packets of a reading of 16 bytes: bare; with a tag of 8; with an IV; with an IV and a tag of 8 or 16; the link's.
AIR_BYTES = (16, 24, 28, 32, 40, 48)
_PAPER_S = 12.0
_DELIVERY_S = 600.0
# Clocks that disagree stay so for a whole run, so there are many short runs instead of one: each has random phases.
_RUNS: dict[Schedule, int] = {"free": 20, "jitter": 10, "slots": 5}
# A packet that has come over the air is out of the gateway's serial port within this time.
_LATENCY_LIMIT_US = 100_000
RATES = (2400, 1200)
# Authenticated encryption of the sealed link: docs/reference/link-formats.md.
SUITES = {1: "Ascon-AEAD128", 2: "AES-128-CCM"}
_DUTY_S = 300.0
COUNTS = (1, 2, 4, 8, 11, 16, 32)
SCHEDULES: tuple[Schedule, ...] = ("free", "jitter", "slots")
# Further sensors are a timing model: simulating all of them with firmware would be slow.
_FIRMWARE_SENSORS = 2

_REGION_SEAL, _REGION_ENCRYPT, _REGION_DECRYPT, _REGION_SET_KEY = 1, 3, 4, 5
_MARKER_READY = 0x10
_CLOCK_HZ = 16_000_000


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _ciphers(folder: Path) -> list[str]:
    """Names of the paper mode's ciphers that have both programs, `none` first."""
    names = {path.stem.removeprefix("sensor-") for path in (folder / "paper").glob("sensor-*.elf")}
    both = {name for name in names if (folder / "paper" / f"gateway-{name}.elf").is_file()}
    return sorted(both, key=lambda name: (name != "none", name))


class _Markers:
    """The firmware's own markers, by node: regions' cycles, and when it was ready."""

    def __init__(self) -> None:
        self._regions: dict[tuple[str, int], list[int]] = {}
        self._ready_us: dict[str, int] = {}

    def take(self, event: dict[str, Any]) -> None:
        if event["event"] == "region":
            self._regions.setdefault((event["node"].split("-")[0], event["region"]), []).append(event["cycles"])
        elif event["event"] == "marker" and event["value"] == _MARKER_READY:
            self._ready_us.setdefault(event["node"].split("-")[0], event["time_us"])

    def cycles(self, node: str, region: int) -> float | None:
        found = self._regions.get((node, region))
        return median(found) if found else None

    def ready_ms(self, node: str) -> float | None:
        found = self._ready_us.get(node)
        return None if found is None else found / 1000


def _sizes(folder: Path, name: str) -> dict[str, int]:
    figures = {}
    for program in ("sensor", "gateway"):
        image = image_of(folder / "paper" / f"{program}-{name}.elf")
        figures[f"{program}_flash_bytes"] = image.flash_bytes
        figures[f"{program}_ram_static_bytes"] = image.ram_static_bytes
    return figures


def _paper(folder: Path, name: str) -> Observation:
    """One cipher on both devices. Packets follow each other as fast as radio and firmware allow."""
    markers = _Markers()
    simulation = Simulation(
        sensors=1,
        period_s=0,
        air_rate=AIR_RATE,
        duration_s=_PAPER_S,
        frame_bytes=PAPER_BYTES,
        sensor_elf=folder / "paper" / f"sensor-{name}.elf",
        gateway_elf=folder / "paper" / f"gateway-{name}.elf",
    )
    begins: list[int] = []

    def take(event: dict[str, Any]) -> None:
        markers.take(event)
        if event["event"] == "transmit-begin":
            begins.append(event["time_us"])

    outcome = simulate(simulation, take)
    packet_us = (begins[-1] - begins[0]) / (len(begins) - 1)
    figures: dict[str, Any] = {
        **_sizes(folder, name),
        "packets_per_s": 1e6 / packet_us,
        "packets_per_s_in_theory": outcome.packets_per_s_in_theory,
        "packet_ms": packet_us / 1000,
        "line_ms": (PAPER_BYTES + SILENT_BYTES) * LINE_BYTE_S * 1000,
        "air_ms": {str(rate): time_on_air_s(rate, PAPER_BYTES) * 1000 for rate in RATES},
        "delivered_part": outcome.delivered_part,
        "sensor_ready_ms": markers.ready_ms("sensor"),
        "gateway_ready_ms": markers.ready_ms("gateway"),
        "encrypt_cycles": markers.cycles("sensor", _REGION_ENCRYPT),
        "decrypt_cycles": markers.cycles("gateway", _REGION_DECRYPT),
        "sensor_set_key_cycles": markers.cycles("sensor", _REGION_SET_KEY),
        "gateway_set_key_cycles": markers.cycles("gateway", _REGION_SET_KEY),
    }
    return Observation("paper", name, Fidelity.EXACT, {"air_rate": AIR_RATE, "duration_s": _PAPER_S}, figures, _now())


def _duty(suite: int) -> Observation:
    """The real link's sensor at the study's period.

    How long the processor is awake, idle and asleep, and how long the radio sends.
    """
    markers = _Markers()
    outcome = simulate(
        Simulation(sensors=1, period_s=PERIOD_S, air_rate=AIR_RATE, duration_s=_DUTY_S, schedule="jitter", suite=suite),
        markers.take,
    )
    seal = markers.cycles("sensor", _REGION_SEAL)
    figures: dict[str, Any] = {
        "shares": outcome.nodes[0].shares,
        "gateway_shares": outcome.gateway_shares,
        "transmitting_share": outcome.sent * outcome.time_on_air_s / outcome.time_s,
        "seal_cycles": seal,
        "seal_share": None if seal is None else seal / _CLOCK_HZ * outcome.sent / outcome.time_s,
        "packets": outcome.sent,
        "time_on_air_ms": outcome.time_on_air_s * 1000,
    }
    parameters = {"period_s": PERIOD_S, "duration_s": _DUTY_S, "suite": suite, "algorithm": SUITES[suite]}
    return Observation("duty", _duty_name(suite), Fidelity.EXACT, parameters, figures, _now())


def _duty_name(suite: int) -> str:
    return "sealed" if suite == 1 else f"sealed, {SUITES[suite]}"


def _air_times() -> Observation:
    """How long packets of other sizes are on the air."""
    figures = {str(rate): {str(size): time_on_air_s(rate, size) * 1000 for size in AIR_BYTES} for rate in RATES}
    return Observation("air", "time on air, ms", Fidelity.EXACT, {"bytes": list(AIR_BYTES)}, figures, _now())


class _Latency:
    """The time from a packet's end on the air to its last byte on the gateway's serial port, in steps of 5 ms."""

    def __init__(self) -> None:
        self._ended_us: int | None = None
        self._last_us: int | None = None
        self.all_ms: list[float] = []
        # Of each run that delivered something.
        self.means_ms: list[float] = []
        self._before = 0

    def take(self, event: dict[str, Any]) -> None:
        if event["event"] == "transmit-end" and "gateway" in event["delivered_to"]:
            self.finish()
            self._ended_us = event["time_us"]
        elif event["event"] == "uart" and event["node"] == "gateway" and self._is_of_the_packet(event["time_us"]):
            self._last_us = event["time_us"]

    def _is_of_the_packet(self, time_us: int) -> bool:
        return self._ended_us is not None and time_us - self._ended_us <= _LATENCY_LIMIT_US

    def finish(self) -> None:
        """The packet before is complete."""
        if self._ended_us is not None and self._last_us is not None:
            self.all_ms.append((self._last_us - self._ended_us) / 1000)
        self._ended_us = self._last_us = None

    def end_run(self) -> None:
        """The run is over."""
        self.finish()
        if len(self.all_ms) > self._before:
            self.means_ms.append(mean(self.all_ms[self._before :]))
        self._before = len(self.all_ms)


def _delivery(schedule: Schedule, sensors: int) -> Observation:
    """Many runs, each with random phases: what is delivered is a sample, however exact each run is."""
    native = max(0, sensors - _FIRMWARE_SENSORS)
    runs = _RUNS[schedule]
    outcomes: list[Outcome] = []
    latency = _Latency()
    for seed in range(1, runs + 1):
        simulation = Simulation(
            sensors=sensors,
            period_s=PERIOD_S,
            air_rate=AIR_RATE,
            schedule=schedule,
            duration_s=_DELIVERY_S / runs,
            native=native,
            seed=seed,
        )
        outcomes.append(simulate(simulation, latency.take))
        latency.end_run()
    sent, delivered = (sum(getattr(outcome, name) for outcome in outcomes) for name in ("sent", "delivered"))
    figures: dict[str, Any] = {
        "sensors": sensors,
        "sent": sent,
        "delivered": delivered,
        "delivered_part": delivered / sent if sent else None,
        "delivered_parts": [outcome.delivered_part for outcome in outcomes if outcome.delivered_part is not None],
        "delivered_part_in_theory": outcomes[0].delivered_part_in_theory,
        "packets_per_s": delivered / sum(outcome.time_s for outcome in outcomes),
        "firmware_sensors": sensors - native,
        "gateway_awake_part": mean(outcome.gateway_shares["awake"] for outcome in outcomes),
        "gateway_awake_parts": [outcome.gateway_shares["awake"] for outcome in outcomes],
        "latency_means_ms": latency.means_ms,
        "latency_median_ms": median(latency.all_ms) if latency.all_ms else None,
        "latency_most_ms": max(latency.all_ms, default=None),
    }
    parameters = {
        "schedule": schedule,
        "period_s": PERIOD_S,
        "air_rate": AIR_RATE,
        "duration_s": _DELIVERY_S,
        "runs": runs,
    }
    return Observation("delivery", f"{schedule} {sensors}", Fidelity.MODELLED, parameters, figures, _now())


def _runs(folder: Path) -> Iterator[tuple[str, str, Callable[[], Observation]]]:
    """(kind, name, how to observe it)"""
    for name in _ciphers(folder):
        yield "paper", name, lambda name=name: _paper(folder, name)  # type: ignore[misc]
    for suite in SUITES:
        yield "duty", _duty_name(suite), lambda suite=suite: _duty(suite)  # type: ignore[misc]
    yield "air", "time on air, ms", _air_times
    for schedule in SCHEDULES:
        for sensors in COUNTS:
            fits = sensors <= slots_in_a_period(Simulation(sensors=sensors, period_s=PERIOD_S, air_rate=AIR_RATE))
            if schedule != "slots" or fits:
                yield "delivery", f"{schedule} {sensors}", lambda a=schedule, b=sensors: _delivery(a, b)  # type: ignore[misc]


def _observe_throughput(experiment: Experiment, store: Store, say: Callable[[str], None]) -> None:
    """Gateway daemon and server on this machine. If something that they need is missing, they are left out, with one
    line that says so."""
    what = "throughput of gateway and server"
    gateway, server = built(GATEWAY), built(SERVER)
    if gateway is None or server is None:
        # Their build takes minutes, which is too long for an optional part of a report.
        say(f"{what}: left out, the link's programs are not built: `bancada link demo` builds them")
        return
    code = Path(throughput.__file__).read_bytes()
    key = result_key("throughput", gateway, server, throughput.FRAMES, code, processor())
    if store.find_observation(experiment.name, "throughput", throughput.NAME, key) is not None:
        say(f"{what}: unchanged")
        return
    try:
        observation = throughput.throughput(gateway, server)
    except UserError as error:
        say(f"{what}: left out, {error}")
        return
    store.put_observation(experiment.name, key, observation)
    say(f"{what}: {throughput.FRAMES} frames, {observation.figures['lost']} lost")


def _observe_packets(laboratory: Laboratory, experiment: Experiment, store: Store, say: Callable[[str], None]) -> None:
    """Protected packets on the UNO alone, whatever the radio."""
    target = laboratory.target("uno")
    code = Path(packets.__file__).read_bytes()
    fresh = unchanged = 0
    for protection, program in packets.packet_programs(target):
        key = result_key(packets.KIND, protection.name, program.elf.read_bytes(), code, engine_version())
        if store.find_observation(experiment.name, packets.KIND, protection.name, key) is not None:
            unchanged += 1
            continue
        store.put_observation(experiment.name, key, packets.observe_packet(protection, program))
        fresh += 1
    say(f"protected packets: {fresh} run, {unchanged} unchanged")


def observe(laboratory: Laboratory, experiment: Experiment, store: Store, say: Callable[[str], None]) -> None:
    """Simulates whatever has changed since it was stored."""
    _observe_packets(laboratory, experiment, store, say)
    folder = build_firmware(AIR_RATE, CHANNEL, EVERYTHING)
    code = Path(__file__).read_bytes()
    facts = (str(air_simulator()), folder.name, code, laboratory.targets["uno"].clock_hz)
    fresh = unchanged = 0
    for kind, name, run in _runs(folder):
        key = result_key(kind, name, *facts)
        if store.find_observation(experiment.name, kind, name, key) is not None:
            unchanged += 1
            continue
        store.put_observation(experiment.name, key, run())
        fresh += 1
    say(f"whole devices on a simulated air: {fresh} run, {unchanged} unchanged")
    _observe_throughput(experiment, store, say)
