"""What goes in at the gateway's serial port comes out at the server, once it is acknowledged and not before."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import struct
import termios
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest
from gateway_site import Site
from link_site import air_frame, air_frames, chunk, serial_frame, wait_until


class SerialLine:
    """A pseudo-terminal in the place of the serial port: what is written here, the daemon reads."""

    def __init__(self) -> None:
        self.plug_in()

    def plug_in(self) -> None:
        self._ours, self._theirs = os.openpty()
        tty.setraw(self._theirs)
        self.device = os.ttyname(self._theirs)

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._ours, data) :]

    def unplug(self) -> None:
        os.close(self._theirs)
        os.close(self._ours)


@pytest.fixture
def line() -> Iterator[SerialLine]:
    made = SerialLine()
    yield made
    made.unplug()


def test_frames_reach_the_server_and_leave_the_outbox(site: Site, line: SerialLine) -> None:
    gateway = site.gateway(serial_device=line.device)
    with site.server() as server:
        gateway.start()
        gateway.wait_for_log("connected to the broker")
        sent = set(air_frames(1, 500))
        line.write(b"".join(chunk(frame) for frame in sent))
        wait_until(lambda: server.has(sent), "all frames at the server", detail=gateway.log)
        wait_until(lambda: not gateway.stored(), "an empty outbox", detail=gateway.log)
        assert gateway.stop() == 0
    assert server.bursts == sent
    assert not server.faults
    assert server.duplicates == 0


def test_a_frame_over_a_cut_is_joined_and_damage_costs_only_its_frame(site: Site, line: SerialLine) -> None:
    gateway = site.gateway(serial_device=line.device)
    first, second, third = air_frames(1, 3)
    glued = b"noise" + first + second
    with site.server() as server:
        gateway.start()
        gateway.wait_for_log("is open")
        damaged = bytearray(chunk(third))
        damaged[20] ^= 0x40
        line.write(b"\xff garbage of another speed \x11\0")
        line.write(chunk(glued[:58]) + chunk(glued[58:], continues=True))
        line.write(bytes(damaged) + chunk(air_frame(4)) + chunk(air_frame(5))[:-9] + b"\0" + chunk(air_frame(6)))
        wait_until(lambda: air_frame(6) in server.bursts, "the last frame at the server", detail=gateway.log)
        assert gateway.stop() == 0
    assert server.bursts == {glued, air_frame(4), air_frame(6)}
    assert "damaged frames on the serial line" in gateway.log()


def test_the_port_is_set_to_raw_bytes_at_its_speed(site: Site) -> None:
    """A terminal as it comes echoes, turns CR into LF, and takes 3 for Ctrl-C and 4 for the end."""
    ours, theirs = os.openpty()
    gateway = site.gateway(serial_device=os.ttyname(theirs))
    burst = bytes(range(256))
    with site.server() as server:
        gateway.start()
        gateway.wait_for_log("is open")
        os.write(ours, b"".join(chunk(burst[first : first + 57]) for first in range(0, 256, 57)))
        wait_until(
            lambda: b"".join(sorted(server.bursts)) == burst, "every byte value as it was sent", detail=gateway.log
        )
        settings = termios.tcgetattr(theirs)
        assert settings[4] == settings[5] == termios.B115200
        assert settings[2] & (termios.CSIZE | termios.PARENB | termios.CSTOPB | termios.HUPCL) == termios.CS8
        assert gateway.stop() == 0
    os.close(ours)
    os.close(theirs)


def test_a_lot_of_garbage_is_counted_and_survived(site: Site, line: SerialLine) -> None:
    gateway = site.gateway(serial_device=line.device)
    noise = random.Random(5)
    garbage = noise.randbytes(100_000)
    with site.server() as server:
        gateway.start()
        gateway.wait_for_log("is open")
        for first in range(0, len(garbage), 1000):
            line.write(garbage[first : first + 1000] + b"\0" + chunk(air_frame(first)))
        wait_until(
            lambda: server.has({air_frame(first) for first in range(0, len(garbage), 1000)}),
            "100 frames",
            detail=gateway.log,
        )
        assert gateway.stop() == 0
        wait_until(
            lambda: b'"stopped"' in server.statuses[-1][1], "the last status", detail=lambda: str(server.statuses)
        )
    assert len(server.bursts) == 100
    # One stretch for each zero among random bytes, some of them empty, and one for each thousand.
    assert json.loads(server.statuses[-1][1])["serial"]["damaged_frames"] > 300
    assert gateway.log().count("damaged frames") == 1


def test_the_status_topic_says_how_the_gateway_does(site: Site, line: SerialLine) -> None:
    gateway = site.gateway(serial_device=line.device)

    def microcontroller(uptime_ms: int, chunks: int) -> bytes:
        return serial_frame(struct.pack(">BBIIIHH", 2, 0, uptime_ms, chunks, chunks * 32, 0, 0))

    with site.server() as server:
        gateway.start()
        gateway.wait_for_log("connected to the broker")
        line.write(microcontroller(10_000, 100) + chunk(air_frame(1)) + microcontroller(20_000, 104) + b"\x05junk\0")
        gateway.wait_for_log("the serial line lost 3 of 4 chunks")
        assert gateway.stop() == 0
        wait_until(
            lambda: b'"stopped"' in server.statuses[-1][1], "the last status", detail=lambda: str(server.statuses)
        )
    topic, payload = server.statuses[-1]
    status = json.loads(payload)
    assert topic == "link/gw-a/status"
    assert status["state"] == "stopped"
    assert status["serial"]["lost_chunks"] == 3
    assert status["serial"]["chunks"] == 1
    assert status["serial"]["damaged_frames"] == 1
    assert status["serial"]["microcontroller"]["chunks"] == 104
    with sqlite3.connect(gateway.outbox) as outbox:
        assert outbox.execute("SELECT hex(uuid) FROM identity").fetchone()[0].lower() == status["outbox"]["uuid"]


def test_a_gateway_that_dies_is_reported_by_the_broker(site: Site, line: SerialLine) -> None:
    gateway = site.gateway(serial_device=line.device)
    with site.server() as server:
        gateway.start()
        wait_until(
            lambda: any(b'"running"' in status for _, status in server.statuses), "a first status", detail=gateway.log
        )
        gateway.kill()
        wait_until(lambda: b"connection lost" in server.statuses[-1][1], "the last will", detail=site.broker.log)


def test_a_port_that_is_unplugged_is_opened_again(site: Site, tmp_path: Path) -> None:
    line = SerialLine()
    by_id = tmp_path / "tty-by-id"
    gateway = site.gateway(serial_device=str(by_id))
    with site.server() as server:
        gateway.start()
        gateway.wait_for_log("trying until it is there")
        by_id.symlink_to(line.device)
        gateway.wait_for_log("is open")
        line.write(chunk(air_frame(1)) + chunk(air_frame(2))[:10])
        wait_until(lambda: air_frame(1) in server.bursts, "the frame before", detail=gateway.log)
        line.unplug()
        gateway.wait_for_log("is gone")
        by_id.unlink()
        line.plug_in()
        by_id.symlink_to(line.device)
        wait_until(lambda: gateway.log().count("is open") == 2, "the port open again", detail=gateway.log)
        line.write(chunk(air_frame(3)))
        wait_until(lambda: air_frame(3) in server.bursts, "the frame after", detail=gateway.log)
        assert gateway.stop() == 0
    line.unplug()
    assert server.bursts == {air_frame(1), air_frame(3)}


def test_an_acknowledgement_removes_what_it_names_and_nothing_else(site: Site, line: SerialLine) -> None:
    gateway = site.gateway(serial_device=line.device, resend_s=3600, backoff_max_s=3600)
    with site.server() as server:
        server.ignores = lambda number: True
        gateway.start()
        gateway.wait_for_log("connected to the broker")
        line.write(b"".join(chunk(frame) for frame in air_frames(1, 10)))
        wait_until(lambda: server.copy()[0] == set(air_frames(1, 10)), "ten rows sent", detail=gateway.log)
        with sqlite3.connect(f"file:{gateway.outbox}?mode=ro", uri=True) as outbox:
            uuid: bytes = outbox.execute("SELECT uuid FROM identity").fetchone()[0]

        def left() -> list[int]:
            with sqlite3.connect(f"file:{gateway.outbox}?mode=ro", uri=True) as outbox:
                return [row[0] for row in outbox.execute("SELECT id FROM burst ORDER BY id")]

        everything = struct.pack(">QQ", 0, 2**64 - 1)
        server.acknowledge("gw-a", b"\x01" + bytes(16) + everything)  # another outbox's
        gateway.wait_for_log("another outbox")
        server.acknowledge("gw-a", b"\x02" + uuid + everything)  # another layout
        server.acknowledge("gw-a", b"\x01" + uuid + struct.pack(">QQ", 9, 2))  # backwards
        server.acknowledge("gw-a", b"\x01" + uuid + struct.pack(">QQQQ", 2, 4, 7, 7)[:-1])  # cut off
        wait_until(lambda: gateway.log().count("cannot be read") == 3, "three complaints", detail=gateway.log)
        assert left() == list(range(1, 11))
        server.acknowledge("gw-a", b"\x01" + uuid + struct.pack(">QQQQ", 2, 4, 7, 7))
        wait_until(lambda: left() == [1, 5, 6, 8, 9, 10], "a gap of four rows", detail=gateway.log)
        server.acknowledge("gw-a", b"\x01" + uuid + everything)
        wait_until(lambda: left() == [], "an empty outbox", detail=gateway.log)
        assert gateway.stop() == 0


def test_rows_that_were_not_sent_do_not_leave_whatever_is_acknowledged(site: Site, tmp_path: Path) -> None:
    frames = list(air_frames(1, 60_000))  # several times what may be in flight
    recording = tmp_path / "recording"
    recording.write_bytes(b"".join(chunk(frame) for frame in frames))
    gateway = site.gateway(resend_s=3600, backoff_max_s=3600)
    with site.server() as server:
        server.ignores = lambda number: True
        gateway.start("--input", str(recording))
        wait_until(lambda: len(gateway.stored()) == len(frames), "all rows in the outbox", detail=gateway.log)
        wait_until(lambda: len(server.copy()[0]) >= 16_384, "as many in flight as may be", detail=gateway.log)
        with sqlite3.connect(gateway.outbox) as outbox:
            uuid: bytes = outbox.execute("SELECT uuid FROM identity").fetchone()[0]
        server.acknowledge("gw-a", b"\x01" + uuid + struct.pack(">QQ", 0, 2**64 - 1))
        wait_until(lambda: len(gateway.stored()) < len(frames), "rows removed", detail=gateway.log)
        assert gateway.stop() == 0
        gone = set(frames) - set(gateway.stored())
        wait_until(lambda: gone <= server.copy()[0], "only rows removed that were sent")
    assert 16_384 <= len(gone) < 30_000


def test_lost_payloads_are_sent_again(site: Site, line: SerialLine) -> None:
    gateway = site.gateway(serial_device=line.device)
    with site.server() as server:
        server.ignores = lambda number: number % 3 == 1
        gateway.start()
        for first in range(1, 1000, 100):
            line.write(b"".join(chunk(frame) for frame in air_frames(first, first + 99)))
        wait_until(lambda: server.has(set(air_frames(1, 1000))), "all frames", detail=gateway.log)
        wait_until(lambda: not gateway.stored(), "an empty outbox", detail=gateway.log)
    assert not server.faults


def test_a_day_offline_drains(site: Site, tmp_path: Path) -> None:
    """Four sensors, one frame in 5 s each, for 24 hours without a broker; then ten times the live rate at least."""
    sensors, period_s, day_s = 4, 5, 86_400
    count = sensors * day_s // period_s
    recording = tmp_path / "recording"
    recording.write_bytes(b"".join(chunk(frame) for frame in air_frames(1, count)))
    gateway = site.gateway()
    site.broker.kill()
    gateway.start("--input", str(recording), "--exit-when-drained")
    wait_until(lambda: len(gateway.stored()) == count, "a day in the outbox", detail=gateway.log)
    began = time.monotonic()
    site.broker.start()
    with site.server() as server:
        assert gateway.process is not None
        # The deadline is for a machine that hangs; ten times the live rate would be 8640 s.
        assert gateway.process.wait(timeout=600) == 0, gateway.log()
        drained_s = time.monotonic() - began
        assert server.bursts == set(air_frames(1, count))
        assert not server.faults
    print(
        f"24 hours offline: {count} frames kept, drained {drained_s:.1f} s, the broker's start included: "
        f"{day_s / drained_s:,.0f} x the live rate"
    )
