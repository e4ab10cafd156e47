"""The two programs and a server behind them, in simulated time: what the sensor does with what it is told."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from downlink_support import (
    CHANNEL,
    FELL_BACK,
    KEY,
    LISTENS,
    ON_TRIAL,
    PERIOD,
    SETTING_REFUSED,
    STAGE_COUNTERS,
    Downlink,
    Heard,
    PlayedServer,
    key_of_stage,
)
from firmware_host import ASCON, FIRMWARE, Host, record
from simulation_bench import firmware, of, run, summary_of

START_S = 1_800_000_000
DEVICE_KEY = bytes(range(100, 116))
WANTED = "00001A1744"
# Each order's number, as a server counts them: far enough apart.
STEP = 2


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("programs")
    command = ["make", "-j2", "-C", str(FIRMWARE), f"OUT={out}", "programs"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return out


class Bench:
    """One sensor, one gateway, one server."""

    def __init__(self, programs: Path, tmp_path: Path, **settings: Any) -> None:
        self.downlink = Downlink(9, DEVICE_KEY)
        self.number = 1000
        self._programs, self._folder = programs, tmp_path
        self._record: dict[str, Any] = settings
        self.events: list[dict[str, Any]] = []

    def next_number(self) -> int:
        self.number += STEP
        return self.number

    def order(self, heard: Heard, **asks: Any) -> bytes:
        return self.downlink.order(self.next_number(), heard.counter, **asks)

    def run(
        self,
        duration_s: float,
        respond: Callable[[Heard], bytes | None],
        air: dict[str, float] | None = None,
        **node: Any,
    ) -> PlayedServer:
        image = self._folder / "eeprom.bin"
        if not image.exists():
            image.write_bytes(record(device=9, key=DEVICE_KEY, **self._record).ljust(1024, b"\xff"))
        node.setdefault("clock", {"unix_s": START_S, "phase_s": 0.3, "square_wave": "PD3"})
        sensor = firmware(
            "sensor",
            self._programs / "sensor.elf",
            parameters=WANTED,
            eeprom={"load": str(image), "save": str(image)},
            **node,
        )
        gateway = firmware("gateway", self._programs / "gateway.elf", parameters=WANTED, uart="answered")
        server = PlayedServer(self.downlink, respond)
        self.server = server
        self.events = run([sensor, gateway], duration_s, server, air=air or {})
        assert of(self.events, "complaint") == [] and of(self.events, "fault") == []
        return server

    def sent_at(self) -> list[float]:
        return [event["time_us"] / 1e6 for event in of(self.events, "transmit-begin", "sensor")]


@pytest.fixture
def bench(programs: Path, tmp_path: Path) -> Bench:
    return Bench(programs, tmp_path)


def test_nobody_answers_and_nothing_changes(bench: Bench) -> None:
    server = bench.run(60, lambda heard: None)
    assert len(server.heard) >= 10
    assert all(heard.flags == LISTENS for heard in server.heard if heard.kind == 0)
    sensor = summary_of(bench.events, "sensor")
    assert sensor["shares"]["power-down"] > 0.65  # it listens for six tenths of a second of five


def clock_is_right(server: PlayedServer, after_us: int, true_s: Callable[[float], float]) -> bool:
    """Each frame's second is the one in which it was made, a quarter of a second before it was sent."""
    late = [heard for heard in server.heard if heard.time_us > after_us]
    # From making the frame to having it: 250 ms, and 453 ms on the way.
    return len(late) > 3 and all(0.6 < true_s(heard.time_us / 1e6) - heard.unix_s < 1.8 for heard in late)


@pytest.mark.parametrize(
    ("clock", "is_set"),
    [
        ({"unix_s": START_S - 37, "phase_s": 0.62}, True),
        ({"unix_s": START_S + 590, "phase_s": 0.1}, True),
        ({"unix_s": START_S, "oscillator_stopped": True}, True),
        # Nobody sets a clock by hours without an operator's word.
        ({"unix_s": START_S - 7200}, False),
    ],
)
def test_the_clock_is_set_within_its_bound(bench: Bench, clock: dict[str, Any], is_set: bool) -> None:
    def respond(heard: Heard) -> bytes:
        return bench.order(heard, time_ms=START_S * 1000 + heard.time_us // 1000)

    server = bench.run(60, respond, clock={**clock, "square_wave": "PD3"})
    assert clock_is_right(server, 25_000_000, lambda time_s: START_S + time_s) is is_set


def test_the_clock_is_set_by_hours_if_the_operator_says_so(bench: Bench) -> None:
    def respond(heard: Heard) -> bytes:
        time_ms = START_S * 1000 + heard.time_us // 1000
        return bench.order(heard, time_ms=time_ms, whatever_it_shows=True)

    server = bench.run(60, respond, clock={"unix_s": START_S - 7200, "square_wave": "PD3"})
    assert clock_is_right(server, 25_000_000, lambda time_s: START_S + time_s)


def test_slots_are_those_of_the_servers_time(programs: Path, tmp_path: Path) -> None:
    """The clock is 37.42 s slow and was set by nobody: random pauses first, then the slot, within 20 ms."""
    bench = Bench(programs, tmp_path, slot=2, slots=4)

    def respond(heard: Heard) -> bytes:
        return bench.order(heard, time_ms=START_S * 1000 + heard.time_us // 1000)

    clock = {"unix_s": START_S - 38, "phase_s": 0.58, "square_wave": "PD3"}
    bench.run(120, respond, clock=clock)
    # 32 bytes on the module's line and its silence stand between the slot and the air.
    into_slot = [(time_s - 2.5 - 35 / 960) % 5 for time_s in bench.sent_at() if time_s > 30]
    assert len(into_slot) > 15
    assert all(min(late_s, 5 - late_s) < 0.02 for late_s in into_slot), into_slot


def test_a_frame_lost_on_the_air_is_no_reading_lost(bench: Bench) -> None:
    """Three of ten packets fade, in both directions. What is missing is asked for and sent again."""

    def respond(heard: Heard) -> bytes | None:
        have = {each.counter for each in bench.server.heard}
        top = max(have)
        missing = sum(1 << age for age in range(24) if top - 1 - age >= 0 and top - 1 - age not in have)
        return bench.downlink.order(bench.next_number(), top, missing=missing) if missing else None

    server = bench.run(400, respond, air={"loss": 0.3})
    sent = {
        int.from_bytes(bytes.fromhex(event["bytes"])[4:8], "big")
        for event in of(bench.events, "transmit-begin", "sensor")
    }
    have = {heard.counter for heard in server.heard}
    lost = {counter for counter in sent if counter < max(sent) - 8} - have
    first = {event["bytes"] for event in of(bench.events, "transmit-begin", "sensor")}
    assert len(sent) > 60 and len(first) == len(sent)  # the same frames again, none sealed anew
    assert lost == set(), lost


def test_a_setting_is_obeyed_kept_and_confirmed(bench: Bench) -> None:
    told: list[int] = []

    def respond(heard: Heard) -> bytes | None:
        if len(told) < 2 and heard.kind == 0:
            frame = bench.order(heard, setting=PERIOD, value=10)
            told.append(bench.number)
            return frame
        return None

    server = bench.run(150, respond)
    gaps = [later - earlier for earlier, later in zip(bench.sent_at()[-6:], bench.sent_at()[-5:], strict=False)]
    assert all(7.4 < gap < 12.6 for gap in gaps)
    assert server.heard[-1].flags >> 8 == told[-1] & 0xFF
    assert not server.heard[-1].flags & SETTING_REFUSED
    again = bench.run(60, lambda heard: None)
    assert 4 <= len(again.heard) <= 8  # after a reset too


def test_a_setting_out_of_bounds_is_refused_and_told(bench: Bench) -> None:
    server = bench.run(60, lambda heard: bench.order(heard, setting=PERIOD, value=0) if heard.kind == 0 else None)
    assert server.heard[-1].flags & SETTING_REFUSED
    assert len(server.heard) >= 10


def to_channel(bench: Bench, channel: int) -> Callable[[Heard], bytes | None]:
    """Orders the channel once."""
    told: list[int] = []

    def respond(heard: Heard) -> bytes | None:
        if told or heard.kind != 0:
            return None
        told.append(channel)
        return bench.order(heard, setting=CHANNEL, value=channel)

    return respond


def test_a_channel_where_nobody_answers_is_given_up(bench: Bench) -> None:
    server = bench.run(120, to_channel(bench, 5))
    channels = [event["channel"] for event in of(bench.events, "transmit-begin", "sensor")]
    assert channels.count(5) == 8 and channels[-3:] == [23] * 3
    assert server.heard[-1].flags & SETTING_REFUSED and not server.heard[-1].flags & ON_TRIAL


def test_a_reset_ends_a_trial(bench: Bench) -> None:
    bench.run(60, to_channel(bench, 5), resets={"at": [{"time_s": 30, "cause": "brown-out"}]})
    channels = [event["channel"] for event in of(bench.events, "transmit-begin", "sensor")]
    assert 5 in channels and channels[-3:] == [23] * 3


def test_a_new_power_is_kept_once_an_answer_came(bench: Bench) -> None:
    told: list[int] = []

    def respond(heard: Heard) -> bytes | None:
        if not told and heard.kind == 0:
            told.append(1)
            return bench.order(heard, setting=5, value=3)
        return bench.order(heard) if heard.flags & ON_TRIAL else None

    server = bench.run(80, respond)
    flags = [heard.flags for heard in server.heard]
    assert any(flag & ON_TRIAL for flag in flags) and not flags[-1] & (ON_TRIAL | SETTING_REFUSED)
    again = bench.run(30, lambda heard: None)
    assert len(again.heard) >= 3


def test_the_next_key_comes_over_the_air(bench: Bench) -> None:
    new = bytes(range(30, 46))
    told: list[int] = []

    def respond(heard: Heard) -> bytes | None:
        if heard.epoch == 0 and heard.kind == 0:
            told.append(heard.counter)
            bench.server.expect(1, new)
            return bench.downlink.frame(bench.next_number(), new, KEY, heard.counter)
        return None

    server = bench.run(80, respond)
    epochs = [heard.epoch for heard in server.heard]
    assert epochs == sorted(epochs) and epochs[-1] == 1 and len(told) <= 3
    counters = [heard.counter for heard in server.heard]
    assert counters == sorted(set(counters))
    image = (bench._folder / "eeprom.bin").read_bytes()
    assert DEVICE_KEY not in image and new in image


def test_an_order_that_was_kept_from_the_sensor_is_refused_later(bench: Bench) -> None:
    """Somebody who jams an order keeps it, and sends it when thirty more frames have gone by."""
    kept: list[bytes] = []
    frames: list[int] = []

    def respond(heard: Heard) -> bytes | None:
        frames.append(heard.counter)
        if heard.kind == 0 and not kept:
            kept.append(bench.order(heard, setting=PERIOD, value=60))
        return kept[0] if len(frames) in (30, 31, 32) else None

    server = bench.run(220, respond)
    assert len(server.sent) == 3 and len(frames) > 36
    assert server.heard[-1].flags == LISTENS  # no receipt
    gaps = [later - earlier for earlier, later in zip(bench.sent_at()[-6:], bench.sent_at()[-5:], strict=False)]
    assert all(gap < 6.5 for gap in gaps)


def test_a_key_that_was_kept_from_the_sensor_is_refused_later(bench: Bench) -> None:
    kept: list[bytes] = []
    frames: list[int] = []

    def respond(heard: Heard) -> bytes | None:
        frames.append(heard.counter)
        bench.server.expect(1, bytes(range(30, 46)))
        if heard.kind == 0 and not kept:
            kept.append(bench.downlink.frame(bench.next_number(), bytes(range(30, 46)), KEY, heard.counter))
        return kept[0] if len(frames) in (18, 19, 20) else None

    server = bench.run(130, respond)
    assert len(server.sent) == 3 and {heard.epoch for heard in server.heard} == {0}


def test_a_channel_that_falls_silent_is_left_for_the_one_before(tmp_path: Path) -> None:
    """Somebody sends on what both sides send until the new channel is kept, and then no more. With this build a sensor
    waits for one minute instead of 25 hours, and looks for half a minute."""
    out = tmp_path / "impatient"
    flags = "-DFALLBACK_AFTER_S=60 -DFALLBACK_FOR_S=30"
    command = ["make", "-j2", "-C", str(FIRMWARE), f"OUT={out}", f"CPPFLAGS={flags}", "programs"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    bench = Bench(out, tmp_path)
    told: list[int] = []

    def respond(heard: Heard) -> bytes | None:
        if not told and heard.kind == 0:
            told.append(1)
            return bench.order(heard, setting=5, value=2)
        # The trial is answered, and the way back; nothing in between.
        return bench.order(heard) if heard.flags & (ON_TRIAL | FELL_BACK) else None

    def powers(since_s: float) -> list[int]:
        sent = of(bench.events, "transmit-begin", "sensor")
        return [event["power_dbm"] for event in sent if event["time_us"] > since_s * 1e6]

    server = bench.run(60, respond)
    assert powers(40) and set(powers(40)) == {14} and not server.heard[-1].flags & ON_TRIAL
    told.clear()
    told.append(1)
    server = bench.run(150, respond)
    fell_back = [heard for heard in server.heard if heard.flags & FELL_BACK]
    assert fell_back and server.heard[0].time_us < 20_000_000
    assert set(powers(0)) == {14, 20} and set(powers(100)) == {20}
    again = bench.run(20, lambda heard: None)
    assert again.heard and set(powers(0)) == {20}, "an answer came there: it stays"


def test_no_rain_is_lost_with_frames(bench: Bench) -> None:
    """Half of the packets fade and nobody asks for them again: each frame that comes has the whole total."""
    tips = [4 + 2.5 * number for number in range(60)]
    server = bench.run(200, lambda heard: None, air={"loss": 0.5}, rain={"pin": "PD2", "times_s": tips})
    data = [heard for heard in server.heard if heard.kind == 0]
    sent = of(bench.events, "transmit-begin", "sensor")
    assert len(data) < 0.7 * len(sent)
    totals = [heard.words[0] for heard in data]
    assert totals == sorted(totals) and totals[-1] == len(tips)
    steps = [totals[0], *(later - earlier for earlier, later in zip(totals, totals[1:], strict=False))]
    assert sum(steps) == len(tips)


def test_a_key_that_ratchets_does_so_over_a_reset(programs: Path, tmp_path: Path) -> None:
    """The last block of a stage, a reset, and the first of the next; an order is heard in both."""
    bench = Bench(programs, tmp_path, mark=STAGE_COUNTERS - 256, ratchets=True, stage=0)
    keys = [key_of_stage(DEVICE_KEY, ASCON, 0, 9, stage) for stage in range(2)]

    def opened(frame: bytes) -> int:
        """The counter, if the frame is sealed under the key of its stage."""
        counter = int.from_bytes(frame[4:8], "big")
        assert Host.shared().open(9, ASCON, 0, keys[counter // STAGE_COUNTERS], frame) is not None
        return counter

    bench.run(60, lambda heard: None, resets={"at": [{"time_s": 30, "cause": "external"}]})
    sent = of(bench.events, "transmit-begin", "sensor")
    counters = [opened(bytes.fromhex(event["bytes"])) for event in sent]
    assert counters[0] == STAGE_COUNTERS - 256 and counters == sorted(set(counters))
    assert sum(counter >= STAGE_COUNTERS for counter in counters) >= 3
    # The server of the second stage: an order under its key is obeyed.
    bench.downlink = Downlink(9, keys[1])
    server = bench.run(60, lambda heard: bench.order(heard, setting=PERIOD, value=7) if heard.kind == 0 else None)
    assert server.heard and server.heard[-1].flags >> 8 != 0 and not server.heard[-1].flags & SETTING_REFUSED
