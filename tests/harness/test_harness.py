"""The firmware's monitor in the simulator: timers agree, errors are answered, the board's path works on a
pseudo-terminal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bancada.build.build import build
from bancada.measure.device import Device, open_device
from bancada.measure.laboratory import open_laboratory
from bancada.monitor.monitor import MONITOR_TIMING, OPERATION_EMPTY, DeviceError
from bancada.plan.case import Firmware
from bancada.plan.plan import plan
from bancada.primitives.block_cipher.calls import BlockCipherCalls

IMPLEMENTATIONS = ["tatu/aes128", "tatu/aes256/small", "tatu/speck128-128", "tatu/aes128/tiny", "tinyaes/aes128"]


@pytest.fixture
def slow_candidate(added_root: Path) -> Firmware:
    """A cipher that does nothing but take its time: about 25,000 turns of a loop."""
    folder = added_root / "candidates" / "slow"
    folder.mkdir(parents=True)
    (folder / "slow.h").write_text("""
#define BANCADA_ONE_KEY 1
typedef struct { uint8_t key[16]; } bancada_encrypt_context;
void slow_copy(uint8_t *output, const uint8_t *input);
static inline void bancada_set_encrypt_key(bancada_encrypt_context *c, const uint8_t *key) { slow_copy(c->key, key); }
static inline void bancada_encrypt(bancada_encrypt_context *c, uint8_t *out, const uint8_t *in) { slow_copy(out, in); }
""")
    (folder / "slow.c").write_text("""
#include <stdint.h>
void slow_copy(uint8_t *output, const uint8_t *input)
{
    for (volatile uint16_t turn = 0; turn < 25000; turn++) {
    }
    output[0] = input[0];
}
""")
    (folder / "candidate.toml").write_text("""
name = "slow"
title = "Slow"
version = "0"
licence = "MIT"
about = "For a test."

[[implementation]]
name = "aes{key_bits}"
primitive = "block-cipher"
algorithm = "aes"
variant = ["plain"]
key_bits = [128]
block_bytes = 16
adapter = "slow.h"
sources = ["slow.c"]
operations = ["set-key", "encrypt"]
""")
    workloads = plan(
        open_laboratory(), open_laboratory().experiments["libraries"], only_candidates=("slow",), quick=True
    )
    return next(workload.firmware for workload in workloads if workload.firmware)


def _region_cycles(device: Device) -> int:
    """Cycles between the markers, as the engine counted them."""
    cycles = device.session.regions()[0].region_cycles
    assert cycles is not None
    return cycles


def _empty(device: Device) -> tuple[int, int]:
    """Cycles of a region in which nothing is called, by the engine's markers and by the device's Timer 1."""
    device.session.regions()
    _, timer_cycles = device.monitor.call(OPERATION_EMPTY, chain=MONITOR_TIMING)
    return _region_cycles(device), timer_cycles


def _timed(device: Device, operation: str) -> tuple[int, int]:
    """Cycles of one call by the engine's markers, and by the device's Timer 1."""
    key = bytes(range(device.facts.key_bytes))
    calls = BlockCipherCalls(device.monitor, device.facts.block_bytes, cbc=None)
    calls.prepare_timed_call(operation, key, bytes(device.facts.block_bytes))
    device.session.regions()
    timer_cycles = calls.timed_call(operation)
    return _region_cycles(device), timer_cycles


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
def test_timer_1_and_the_engine_agree_to_the_cycle(implementation: str, firmware_of: Callable[[str], Firmware]) -> None:
    firmware = firmware_of(implementation)
    with open_device(firmware, build(firmware)) as device:
        empty_region, empty_timer = _empty(device)
        for operation in ("set-key", "encrypt", "set-decrypt-key", "decrypt"):
            region, timer = _timed(device, operation)
            assert timer - empty_timer == region - empty_region, operation


def test_the_timer_counts_beyond_its_sixteen_bits(slow_candidate: Firmware) -> None:
    with open_device(slow_candidate, build(slow_candidate)) as device:
        empty_region, empty_timer = _empty(device)
        region, timer = _timed(device, "encrypt")
        assert region > 3 * 0x10000
        assert timer - empty_timer == region - empty_region


def test_what_the_device_refuses_is_said(firmware_of: Callable[[str], Firmware]) -> None:
    firmware = firmware_of("tatu/speck128-128")
    with open_device(firmware, build(firmware)) as device:
        monitor = device.monitor
        with pytest.raises(DeviceError, match="does not have the operation"):
            monitor.call(77)
        with pytest.raises(DeviceError, match="has no such buffer"):
            monitor.write(99, b"x")
        with pytest.raises(DeviceError, match="outside a buffer"):
            monitor.read(0, 17)
        assert monitor.call(OPERATION_EMPTY)[0] == 0


def test_garbage_on_the_line_is_survived(firmware_of: Callable[[str], Firmware]) -> None:
    firmware = firmware_of("tatu/speck128-128")
    with open_device(firmware, build(firmware)) as device:
        device.session.write(bytes(range(256)) * 3)
        monitor = device.monitor
        monitor.write(0, bytes(16))
        assert monitor.read(0, 16) == bytes(16)
