"""What the daemon keeps for sensors, and when it lets it go."""

from __future__ import annotations

import os
import select
import struct
import tty
from collections.abc import Iterator

import pytest
from gateway_site import Site
from link_site import DEADLINE_S, Gateway, ServerDouble, chunk, serial_frame, wait_until

DATA, BOOT, ORDER, KEY = range(4)


def frame(kind: int, device: int, number: int) -> bytes:
    return struct.pack(">BBHI", 0x10 | kind, 0x10, device, number) + bytes(8) + struct.pack(">QQ", number, device)


def told(message: bytes) -> bytes:
    """What the microcontroller gets to put this on the air."""
    return serial_frame(b"\x04\x00" + message)


class Line:
    """A pseudo-terminal in the place of the serial port, read and written."""

    def __init__(self) -> None:
        self._ours, self._theirs = os.openpty()
        tty.setraw(self._theirs)
        self.device = os.ttyname(self._theirs)

    def write(self, data: bytes) -> None:
        os.write(self._ours, data)

    def read(self, count: int) -> bytes:
        found = b""
        while len(found) < count and select.select([self._ours], [], [], DEADLINE_S)[0]:
            found += os.read(self._ours, count - len(found))
        return found

    def says_something(self) -> bool:
        return bool(select.select([self._ours], [], [], 0.2)[0])

    def drain(self) -> None:
        while select.select([self._ours], [], [], 0.5)[0]:
            os.read(self._ours, 4096)

    def nothing_more(self) -> bool:
        return not select.select([self._ours], [], [], 0)[0]

    def close(self) -> None:
        os.close(self._theirs)
        os.close(self._ours)


@pytest.fixture
def line() -> Iterator[Line]:
    made = Line()
    yield made
    made.close()


def begun(gateway: Gateway, server: ServerDouble, line: Line) -> None:
    """Waits until the daemon takes frames for sensors: it asks for them after everything else."""
    device = 60_000
    gateway.wait_for_log("is open")
    gateway.wait_for_log("connected to the broker")

    def through() -> bool:
        server.send_down(gateway.name, b"\x01" + frame(ORDER, device, 1))
        line.write(chunk(frame(DATA, device, 1)))
        return line.says_something()

    wait_until(through, "a frame for a sensor goes through", detail=gateway.log)
    line.drain()


def all_is_taken(gateway: Gateway, server: ServerDouble, line: Line) -> None:
    """Waits until the daemon has taken what was sent down before."""
    device = 60_001
    server.send_down(gateway.name, b"\x01" + frame(ORDER, device, 1))

    def through() -> bool:
        line.write(chunk(frame(DATA, device, 1)))
        return line.says_something()

    wait_until(through, "what was sent down is taken", detail=gateway.log)
    line.drain()


def test_a_frame_waits_for_its_sensor_and_goes_as_it_came(site: Site, line: Line) -> None:
    gateway = site.gateway(serial_device=line.device)
    with site.server() as server:
        gateway.start()
        begun(gateway, server, line)
        first, newer, other = frame(ORDER, 7, 1), frame(KEY, 7, 2), frame(ORDER, 8, 3)
        for payload in (first, newer, other):
            server.send_down("gw-a", b"\x01" + payload)
        server.send_down("gw-a", b"\x02" + first)  # another layout
        server.send_down("gw-a", b"\x01" + first[:-1])
        server.send_down("gw-a", b"\x01" + frame(DATA, 7, 9))  # no frame to a sensor
        gateway.wait_for_log("a frame to a sensor that cannot be read is ignored")
        # A sensor that nothing waits for, and what another gateway sends to ours.
        line.write(chunk(frame(DATA, 9, 1)) + chunk(frame(ORDER, 7, 1)))
        line.write(chunk(b"\x55" + frame(BOOT, 8, 5)))
        assert line.read(len(told(other))) == told(other)
        line.write(chunk(frame(DATA, 7, 5)))
        assert line.read(len(told(newer))) == told(newer)
        # Nobody here knows whose frames these were. What waits goes when the server has heard the sensors.
        for device, number in ((7, 2), (8, 3)):
            server.send_down("gw-a", struct.pack(">BHI", 2, device, number))
        all_is_taken(gateway, server, line)
        heard = [chunk(frame(DATA, device, 6)) for device in (7, 8)]
        line.write(b"".join(heard))
        wait_until(lambda: server.has({frame(DATA, 7, 6), frame(DATA, 8, 6)}), "the frames are at the server")
        assert line.nothing_more()
        assert gateway.stop() == 0
    assert not server.faults


def test_made_up_frames_do_not_empty_the_mailbox(site: Site, line: Line) -> None:
    """Whoever sends a header of a sensor's gets its answer sent, but not taken away from it."""
    gateway = site.gateway(serial_device=line.device)
    with site.server() as server:
        gateway.start()
        begun(gateway, server, line)
        answer = frame(ORDER, 7, 1)
        server.send_down("gw-a", b"\x01" + answer)
        all_is_taken(gateway, server, line)

        def answered(counter: int) -> bool:
            line.write(chunk(frame(DATA, 7, counter)))
            return line.says_something()

        # Three that somebody made up, then the sensor's. Repetitions are at least 1.9 s apart.
        for counter in (0xFFFFFFFF, 0, 1, 2):
            wait_until(lambda counter=counter: answered(counter), "the answer goes out", detail=gateway.log)  # type: ignore[misc]
            assert line.read(len(told(answer))) == told(answer)
        # The server has heard the sensor after an earlier answer: what waits is a later one.
        server.send_down("gw-a", struct.pack(">BHI", 2, 7, 0))
        all_is_taken(gateway, server, line)
        wait_until(lambda: answered(3), "the answer goes out", detail=gateway.log)


def test_another_gateways_frames_do_not_get_here(site: Site, line: Line) -> None:
    gateway = site.gateway(serial_device=line.device)
    with site.server() as server:
        gateway.start()
        begun(gateway, server, line)
        server.send_down("gw-b", b"\x01" + frame(ORDER, 7, 1))
        server.send_down("gw-a", b"\x01" + frame(ORDER, 8, 1))
        server.send_down("gw-a", b"")  # said in the log, when all before it is taken
        gateway.wait_for_log("a frame to a sensor that cannot be read is ignored")
        line.write(chunk(frame(DATA, 7, 1)) + chunk(frame(DATA, 8, 1)))
        assert line.read(len(told(frame(ORDER, 8, 1)))) == told(frame(ORDER, 8, 1))
        wait_until(lambda: server.has({frame(DATA, 8, 1)}), "the frames are at the server")
        assert line.nothing_more()
