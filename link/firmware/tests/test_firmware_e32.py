"""The E32's driver against a module that follows its manual, and against modules that do not."""

from __future__ import annotations

import ctypes
from collections import deque

import pytest
from firmware_host import Host

WANTED = bytes([0xC0, 0x00, 0x00, 0x1A, 0x17, 0x44])
OTHER = bytes([0xC0, 0x00, 0x00, 0x1A, 0x10, 0x44])


class Module:
    """Modes, commands and AUX as the manual has them; time in milliseconds of the driver's waiting."""

    def __init__(self, saved: bytes = WANTED) -> None:
        self.saved = saved
        self.mode = (False, False)
        self.busy_ms = 0
        self.written = bytearray()
        self.on_air: list[bytes] = []
        self.commands: list[bytes] = []
        self.to_host: deque[int] = deque()
        self.waited_ms = 0
        self.changes = 0
        self.modes: list[tuple[bool, bool]] = []
        self.air_ms = 300
        self.hangs = False
        self.mute = False
        self.garbled = 0

    def aux(self) -> bool:
        if self.mode == (False, False) and self.written:
            self.on_air.append(bytes(self.written))
            self.written.clear()
            self.busy_ms = self.air_ms
        return not self.hangs and self.busy_ms == 0

    def set_mode(self, m1: bool, m0: bool) -> None:
        assert not self.busy_ms or self.hangs, "the mode changed while the module was busy"
        self.mode = (m1, m0)
        self.modes.append(self.mode)
        self.busy_ms = 5

    def put(self, byte: int) -> None:
        assert self.busy_ms == 0 or self.mode == (False, False)
        self.written.append(byte)
        if self.mode == (True, True):
            self.command()

    def command(self) -> None:
        command = bytes(self.written)
        if command in (b"\xc1" * 3, b"\xc4" * 3) or (command[0] == 0xC0 and len(command) == 6):
            self.commands.append(command)
            self.written.clear()
            if command[0] == 0xC0:
                self.saved = command
            if command[0] != 0xC4 and not self.mute:
                self.to_host.extend(self.saved if not self.garbled else bytes([self.saved[0] ^ 1, *self.saved[1:]]))
                self.garbled = max(0, self.garbled - 1)

    def get(self, timeout_ms: int) -> int:
        return self.to_host.popleft() if self.to_host else -1

    def tick(self) -> None:
        self.waited_ms += 1
        self.busy_ms = max(0, self.busy_ms - 1)

    def connect(self) -> Host:
        """The callbacks are kept here: C has only their addresses."""
        host = Host.shared()
        host.load(b"")
        self.callbacks = (
            ctypes.CFUNCTYPE(ctypes.c_bool)(self.aux),
            ctypes.CFUNCTYPE(None, ctypes.c_bool, ctypes.c_bool)(self.set_mode),
            ctypes.CFUNCTYPE(None, ctypes.c_uint8)(self.put),
            ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint8)(self.get),
            ctypes.CFUNCTYPE(None)(self.tick),
        )
        host.c.host_e32(*self.callbacks)
        return host


def test_a_configured_module_is_only_read() -> None:
    module = Module()
    assert module.connect().c.host_e32_configure(0x17)
    assert module.commands == [b"\xc1\xc1\xc1"]
    assert module.mode == (False, False)


@pytest.mark.parametrize("saved", [OTHER, bytes([0xC0, 0, 0, 0x18, 0x17, 0x44]), bytes([0xC0, 1, 2, 0x1A, 0x17, 0xC4])])
def test_another_configuration_is_written_once_and_read_back(saved: bytes) -> None:
    module = Module(saved)
    assert module.connect().c.host_e32_configure(0x17)
    assert module.commands == [b"\xc1" * 3, WANTED, b"\xc1" * 3]
    assert module.saved == WANTED and module.mode == (False, False)


def test_the_channel_is_what_is_asked_for() -> None:
    module = Module()
    assert module.connect().c.host_e32_configure(5)
    assert module.saved == bytes([0xC0, 0, 0, 0x1A, 5, 0x44])


def test_a_garbled_answer_is_asked_for_again() -> None:
    module = Module()
    module.garbled = 2
    assert module.connect().c.host_e32_configure(0x17)
    assert module.saved == WANTED


def test_bytes_before_the_answer_do_not_shift_it() -> None:
    module = Module()
    module.to_host.extend(b"\x00\x17\x44")
    assert module.connect().c.host_e32_configure(0x17)
    assert module.commands == [b"\xc1\xc1\xc1"]


def test_a_mute_module_is_given_up_in_time_and_left_in_normal_mode() -> None:
    module = Module()
    module.mute = True
    assert not module.connect().c.host_e32_configure(0x17)
    assert module.mode == (False, False)
    assert module.waited_ms < 2000


def test_a_module_that_hangs_does_not_hang_the_node() -> None:
    module = Module()
    module.hangs = module.mute = True
    host = module.connect()
    assert not host.c.host_e32_configure(0x17)
    assert module.waited_ms < 25_000
    sent_before = len(module.on_air)
    assert not host.c.host_e32_send(bytes(32), 32)
    assert len(module.on_air) == sent_before and not module.written
    assert not host.c.host_e32_sleep()


def test_a_packet_goes_out_whole_and_is_waited_for() -> None:
    module = Module()
    host = module.connect()
    for length in (16, 32, 58):
        packet = bytes(range(length))
        before = module.waited_ms
        assert host.c.host_e32_send(packet, length)
        assert module.on_air[-1] == packet
        assert module.aux() and module.waited_ms - before == module.air_ms + 2
    assert len(module.on_air) == 3


def test_sending_waits_for_a_module_that_still_sends() -> None:
    module = Module()
    host = module.connect()
    module.busy_ms = 400
    assert host.c.host_e32_send(b"next", 4)
    assert module.on_air == [b"next"]


def test_sending_leaves_what_was_received() -> None:
    """Common drivers empty the receiving side around each packet, and lose what another sensor sent meanwhile."""
    module = Module()
    host = module.connect()
    module.to_host.extend(b"another sensor's frame")
    assert host.c.host_e32_send(bytes(32), 32)
    assert bytes(module.to_host) == b"another sensor's frame"


def test_a_module_that_never_ends_sending_is_noticed() -> None:
    module = Module()
    module.air_ms = 1_000_000
    host = module.connect()
    assert not host.c.host_e32_send(bytes(32), 32)
    assert 8000 <= module.waited_ms < 9000


def test_sleep_and_wake_wait_for_aux_and_settle() -> None:
    module = Module()
    host = module.connect()
    assert host.c.host_e32_sleep() and module.mode == (True, True)
    assert module.aux() and module.waited_ms >= 5 + 2
    assert host.c.host_e32_wake() and module.mode == (False, False)
    assert module.aux() and module.modes == [(True, True), (False, False)]


def test_a_restart_sends_the_reset_command() -> None:
    module = Module()
    host = module.connect()
    host.c.host_e32_restart()
    assert module.commands == [b"\xc4\xc4\xc4"]
    assert host.c.host_e32_configure(0x17)
