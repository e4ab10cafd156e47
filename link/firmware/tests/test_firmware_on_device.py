"""The two programs whole, in the simulated ATmega328P: what goes on the air is what independent ciphers say, whatever
fails.

The simulation runs the ELF files unmodified, with their modules, clocks, rain gauges and EEPROMs
(docs/reference/link-simulation.md).
"""

from __future__ import annotations

import shutil
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from firmware_host import AES_CCM, ASCON, FIRMWARE, TATU, TATULINK, Host, payloads, record, reference_seal
from simulation_bench import firmware, listener, native, of, run

START_S = 1_800_000_000
KEY = bytes(range(100, 116))
WANTED = "00001A1744"
RTC_LOST_POWER, SLOT_REPAIRED, RAIN_ALARM, LISTENS = 1, 2, 4, 8


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("programs")
    subprocess.run(["make", "-j2", "-C", str(FIRMWARE), f"OUT={out}", "all"], check=True, stdout=subprocess.DEVNULL)
    return out


@dataclass(frozen=True)
class Frame:
    time_s: float
    kind: int
    counter: int
    unix_s: int
    words: tuple[int, ...]

    @property
    def flags(self) -> int:
        return self.words[2] >> 16

    @property
    def supply_mv(self) -> int:
        return self.words[2] & 0xFFFF


def eeprom(tmp_path: Path, image: bytes) -> dict[str, str]:
    path, saved = tmp_path / "eeprom.bin", tmp_path / "after.bin"
    path.write_bytes(image.ljust(1024, b"\xff"))
    return {"load": str(path), "save": str(saved)}


def uart(tmp_path: Path, name: str) -> dict[str, str]:
    """The simulation tells of a serial port only if it leads somewhere."""
    return {"file": str(tmp_path / f"{name}.uart")}


def said(events: list[dict[str, Any]], node: str) -> bytes:
    return b"".join(bytes.fromhex(event["bytes"]) for event in of(events, "uart", node))


def told(events: list[dict[str, Any]]) -> list[bytes]:
    """The payloads of the gateway's whole messages."""
    stream = said(events, "gateway")
    return payloads(stream[: stream.rindex(b"\0") + 1])


def sensor(programs: Path, tmp_path: Path, image: bytes | None = None, **settings: Any) -> dict[str, Any]:
    settings.setdefault("clock", {"unix_s": START_S, "phase_s": 0.3, "square_wave": "PD3"})
    settings.setdefault("rain", {"pin": "PD2"})
    if image is None:
        image = record(device=9, key=KEY)
    return firmware("sensor", programs / "sensor.elf", eeprom=eeprom(tmp_path, image), **settings)


def frames(events: list[dict[str, Any]], suite: int = ASCON, device: int = 9) -> list[Frame]:
    """The sensor's frames, each opened by the portable core and sealed again by the reference."""
    host = Host.shared()
    found = []
    for event in of(events, "transmit-begin", "sensor"):
        frame = bytes.fromhex(event["bytes"])
        opened = host.open(device, suite, 0, KEY, frame)
        assert opened is not None
        kind, counter, payload = opened
        assert reference_seal(suite, KEY, frame[:8], payload) == frame
        unix_s, *words = struct.unpack(">IIII", payload)
        found.append(Frame(event["time_us"] / 1e6, kind, counter, unix_s, tuple(words)))
    return found


@pytest.mark.parametrize("suite", [ASCON, AES_CCM])
def test_the_first_frame_is_a_boot_frame_and_data_follow(programs: Path, tmp_path: Path, suite: int) -> None:
    image = record(512, device=9, suite=suite, key=KEY)
    events = run([sensor(programs, tmp_path, image), listener()], 40)
    boot, *data = frames(events, suite)
    assert (boot.kind, boot.counter) == (1, 512)
    cause, version, mark = boot.words
    assert (cause & 1, version, mark) == (1, 0x00010100, 512)  # MCUSR: power-on
    assert len(data) >= 5
    for index, frame in enumerate(data):
        assert (frame.kind, frame.counter) == (0, 513 + index)
        assert frame.flags == LISTENS
        assert abs(frame.supply_mv - 5000) < 60
        assert frame.words[:2] == (0, 21_500)
        # Read a quarter of a second before it is due; 33 ms on the serial line, and the module's own 3.
        assert 0.2 < frame.time_s + START_S + 0.3 - frame.unix_s < 1.4
    assert of(events, "complaint") == [] and of(events, "fault") == []


def test_slots_are_kept(programs: Path, tmp_path: Path) -> None:
    image = record(device=9, key=KEY, slot=4, slots=11)
    found = frames(run([sensor(programs, tmp_path, image), listener()], 60))
    assert len(found) >= 10
    for frame in found:
        # 32 bytes at 9600 bit/s and three byte times of silence stand between the slot and the air.
        after_slot = (frame.time_s + START_S + 0.3 - 5 * 4 / 11) % 5 - 35 / 960
        assert 0 <= after_slot < 0.005


@pytest.mark.parametrize(
    ("clock", "flags", "time_known"),
    [
        (None, RTC_LOST_POWER, False),
        ({"unix_s": START_S, "square_wave": "PD3", "oscillator_stopped": True}, RTC_LOST_POWER, False),
        ({"unix_s": START_S}, 0, True),
    ],
)
@pytest.mark.parametrize("slots", [0, 11])
def test_without_a_good_clock_it_sends_all_the_same(
    programs: Path, tmp_path: Path, clock: dict[str, Any] | None, flags: int, time_known: bool, slots: int
) -> None:
    """No clock, one that was never set, one whose SQW is not connected."""
    image = record(device=9, key=KEY, slots=slots)
    found = frames(run([sensor(programs, tmp_path, image, clock=clock), listener()], 60))
    assert 8 <= len(found) <= 14
    for frame in found[1:]:
        assert frame.flags == flags | LISTENS
        assert (frame.unix_s > START_S) is time_known
    pauses = [b.time_s - a.time_s for a, b in zip(found, found[1:], strict=False)]
    # The watchdog's oscillator is not exact, and its seconds are whole.
    assert all(3 < pause < 7.5 for pause in pauses[2:])
    assert len({round(pause, 1) for pause in pauses}) > 3


def test_nothing_is_ever_sent_without_a_record(programs: Path, tmp_path: Path) -> None:
    spoiled = bytearray(record(device=9, key=KEY))
    spoiled[12] ^= 1
    for image in (b"", bytes(spoiled), record(0xFFFFFFFF, device=9, key=KEY)):
        events = run([sensor(programs, tmp_path, image, uart=uart(tmp_path, "sensor")), listener()], 30)
        assert of(events, "transmit-begin", "sensor") == []
        text = said(events, "sensor")
        assert text.startswith(b"silent: ") and text.endswith(b"\r\n") and text.count(b"\n") == 1


def test_rain_is_counted_and_survives_resets(programs: Path, tmp_path: Path) -> None:
    tips = [2.0, 2.5, 9.1, 9.4, 14.0001, 22.3, 22.45, 30.0]
    rain = {"pin": "PD2", "times_s": tips, "bounces": 3, "pulse_ms": 60}
    resets = {"at": [{"time_s": 17.5, "cause": "external"}, {"time_s": 33.0, "cause": "power-loss"}]}
    found = frames(run([sensor(programs, tmp_path, rain=rain, resets=resets), listener()], 50))
    data = [frame for frame in found if frame.kind == 0]
    for frame in data:
        assert frame.words[0] <= len([tip for tip in tips if tip < frame.time_s])
    assert data[-1].words[0] == len(tips)
    assert [frame.counter for frame in found if frame.kind == 1] == [0, 256, 512]


def test_much_rain_raises_the_alarm(programs: Path, tmp_path: Path) -> None:
    rain = {"pin": "PD2", "times_s": [10 + i / 2 for i in range(25)]}
    found = frames(run([sensor(programs, tmp_path, rain=rain), listener()], 40))
    alarms = [(frame.words[0], bool(frame.flags & RAIN_ALARM)) for frame in found if frame.kind == 0]
    assert all(alarm == (pulses >= 25) for pulses, alarm in alarms)
    assert alarms[0][1] is False and alarms[-1] == (25, True)


def test_a_spoiled_record_is_told(programs: Path, tmp_path: Path) -> None:
    torn = bytearray(record(256, device=9, key=KEY))
    torn[31] ^= 0xFF
    found = frames(run([sensor(programs, tmp_path, record(0, device=9, key=KEY) + bytes(torn)), listener()], 15))
    assert found[0].counter == 256
    assert all(frame.flags & SLOT_REPAIRED for frame in found if frame.kind == 0)


def test_temperatures_below_zero(programs: Path, tmp_path: Path) -> None:
    clock = {"unix_s": START_S, "square_wave": "PD3", "temperature_c": -10.25}
    found = frames(run([sensor(programs, tmp_path, clock=clock, supply_mv=4500), listener()], 15))
    assert found[-1].words[1] == (1 << 32) - 10_250
    assert abs(found[-1].supply_mv - 4500) < 60


def test_a_program_that_hangs_is_reset_and_says_so(tmp_path: Path) -> None:
    """The sensor with an endless loop put into it, reached after 12 s."""
    changed = tmp_path / "firmware"
    shutil.copytree(FIRMWARE, changed)
    source = (changed / "sensor.c").read_text()
    place = "        read_all(&reading, &moment);\n"
    assert source.count(place) == 1
    (changed / "sensor.c").write_text(
        source.replace(
            place, place + "        if (due_ms > 12000) {\n            for (;;) {\n            }\n        }\n"
        )
    )
    subprocess.run(
        ["make", "-C", str(changed), f"TATU={TATU}", f"TATULINK={TATULINK}", f"OUT={tmp_path}", "programs"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    found = frames(run([sensor(tmp_path, tmp_path), listener()], 60))
    boots = [frame for frame in found if frame.kind == 1]
    assert len(boots) >= 3 and [boot.counter for boot in boots] == [256 * i for i in range(len(boots))]
    assert boots[0].words[0] & 8 == 0 and all(boot.words[0] == 8 for boot in boots[1:])


def test_a_module_with_other_settings_is_configured(programs: Path, tmp_path: Path) -> None:
    events = run(
        [sensor(programs, tmp_path, record(device=9, key=KEY, channel=5), parameters="1234180044"), listener()], 15
    )
    assert {event["channel"] for event in of(events, "transmit-begin", "sensor")} == {5}


def test_the_gateway_loses_no_byte_while_it_sends_and_receives(programs: Path, tmp_path: Path) -> None:
    """Packets that come as fast as the module can hand them on: everything comes out, nothing lost, doubled or
    damaged.
    """
    gateway = firmware("gateway", programs / "gateway.elf", parameters=WANTED, uart=uart(tmp_path, "gateway"))
    sender = native("sender", frame_bytes=58, period_s=0.0605, module=WANTED)
    events = run([gateway, sender], 21)
    sent = [bytes.fromhex(event["bytes"]) for event in of(events, "transmit-begin", "sender")]
    got = told(events)
    received = b"".join(payload[6:] for payload in got if payload[0] == 1)
    assert of(events, "complaint") == []
    assert len(sent) > 150
    assert received in (b"".join(sent[:-1]), b"".join(sent[:-2]))  # the last are still on their way
    status = [struct.unpack(">IIHHIH", payload[6:]) for payload in got if payload[0] == 2]
    # It tells its channel (docs/reference/link-formats.md).
    assert {payload[1] for payload in got if payload[0] == 2} == {0x80 + bytes.fromhex(WANTED)[3]} and len(status) == 3
    assert all(not any(rest) for _, _, *rest in status)
    assert status[0][:2] == (0, 0) and status[-1][0] > 140


PAPER = ["none", "aes128", "aes192-small", "aes256-tiny", "speck128-128", "speck128-192-small", "speck128-256-tiny"]


@pytest.mark.parametrize("cipher", PAPER)
def test_paper_mode_carries_the_studys_block(programs: Path, tmp_path: Path, cipher: str) -> None:
    node = firmware(
        "sensor",
        programs / f"paper/sensor-{cipher}.elf",
        parameters=WANTED,
        rain={"pin": "PD2"},
        clock={"unix_s": START_S, "square_wave": "PD3"},
    )
    gateway = firmware(
        "gateway", programs / f"paper/gateway-{cipher}.elf", parameters=WANTED, uart=uart(tmp_path, "gateway")
    )
    events = run([node, gateway], 6)
    packets = [bytes.fromhex(event["bytes"]) for event in of(events, "transmit-begin", "sensor")]
    plain = [payload[6:] for payload in told(events) if payload[0] == 3]
    assert len(plain) >= 10 and all(len(packet) == 16 for packet in packets)
    for block in plain:
        unix_s, pulses, temperature, last = struct.unpack(">IIII", block)
        assert START_S <= unix_s <= START_S + 6 and (pulses, temperature) == (0, 21_500)
        assert last >> 16 == 0 and abs((last & 0xFFFF) - 5000) < 60
    assert (packets[0] == plain[0]) is (cipher == "none")
    regions = {event["region"] for node_name in ("sensor", "gateway") for event in of(events, "region", node_name)}
    assert regions == (set() if cipher == "none" else {3, 4, 5})
