"""A key that ratchets: frames of each stage are sealed under its own key, and older ones cannot be had any more."""

from __future__ import annotations

import ctypes

import pytest
from downlink_support import STAGE_COUNTERS, key_of_stage
from firmware_host import AES_CCM, ASCON, BLOCK, READY, Host, record

KEY = bytes(range(16))


@pytest.fixture
def host() -> Host:
    return Host.shared()


def start(host: Host, mark: int = 0, stage: int = 0, suite: int = ASCON, key: bytes = KEY) -> None:
    host.load(record(mark, suite=suite, epoch=2, key=key, ratchets=True, stage=stage))
    assert host.c.host_counter_start() == READY


def key_now(host: Host) -> bytes:
    device, suite, epoch = ctypes.c_uint16(), ctypes.c_uint8(), ctypes.c_uint8()
    key, settings = ctypes.create_string_buffer(16), ctypes.create_string_buffer(4)
    host.c.host_counter_identity(ctypes.byref(device), ctypes.byref(suite), ctypes.byref(epoch), key, settings)
    return key.raw


@pytest.mark.parametrize("suite", [ASCON, AES_CCM])
def test_each_stage_has_the_key_of_other_implementations(host: Host, suite: int) -> None:
    start(host, suite=suite)
    keys = [key_of_stage(KEY, suite, 2, 7, stage) for stage in range(4)]
    assert len(set(keys)) == 4 and keys[0] == KEY
    for counter in range(3 * STAGE_COUNTERS + 10):
        assert host.take(1) == [counter]
        if counter % 500 == 0 or counter % STAGE_COUNTERS in (0, STAGE_COUNTERS - 1):
            assert key_now(host) == keys[counter // STAGE_COUNTERS]


def test_a_reset_at_any_block_goes_on_with_the_right_key(host: Host) -> None:
    start(host)
    keys = [key_of_stage(KEY, ASCON, 2, 7, stage) for stage in range(4)]
    for block in range(3 * STAGE_COUNTERS // BLOCK):
        (counter,) = host.take(1)
        assert counter == block * BLOCK
        assert key_now(host) == keys[counter // STAGE_COUNTERS]
        assert host.c.host_counter_start() == READY


def test_what_is_in_the_device_opens_none_of_its_frames_of_two_stages_ago(host: Host) -> None:
    start(host)
    keys = [key_of_stage(KEY, ASCON, 2, 7, stage) for stage in range(5)]
    for counter in range(4 * STAGE_COUNTERS + 1):
        host.take(1)
        if counter % BLOCK == 0:
            stage = counter // STAGE_COUNTERS
            found = [number for number, key in enumerate(keys) if key in bytes(host.eeprom)]
            # The stage before is in records that are not written again yet.
            assert found in ([stage], [stage - 1, stage])
    assert KEY not in bytes(host.eeprom)


def test_power_that_fails_while_a_stage_ends(host: Host) -> None:
    """In every byte of the record that begins the next stage: no counter twice, and the key is that of its counter."""
    keys = [key_of_stage(KEY, ASCON, 2, 7, stage) for stage in range(3)]
    cuts = twice = wrong = 0
    for mark, used in ((STAGE_COUNTERS - BLOCK, BLOCK), (STAGE_COUNTERS - 2 * BLOCK, 2 * BLOCK)):
        for writes in range(1, 34):
            for torn in (0x00, 0xFF, 0x5A):
                start(host, mark, 0)
                before = set(host.take(used))
                host.c.host_power_fails_after(writes, torn)
                before |= set(host.take(1))
                host.c.host_power_fails_after(-1, 0)
                assert host.c.host_counter_start() == READY
                (counter,) = host.take(1)
                twice += counter in before
                wrong += key_now(host) != keys[counter // STAGE_COUNTERS]
                cuts += 1
    assert (twice, wrong) == (0, 0)
    print(f"power cuts while a stage ends: {cuts}, {twice} counters twice, {wrong} under the wrong key")


def test_spoiled_records_that_skip_blocks_skip_stages_too(host: Host) -> None:
    """The highest record is of one stage and the counter goes on in the next."""
    keys = [key_of_stage(KEY, ASCON, 2, 7, stage) for stage in range(40)]
    for stage in (0, 1, 31, 32, 33):
        mark = (stage + 1) * STAGE_COUNTERS - BLOCK
        host.load(record(mark, epoch=2, key=keys[stage], ratchets=True, stage=stage))
        for address in range(32, 32 * 12):
            host.eeprom[address] = 0x11
        assert host.c.host_counter_start() == READY
        (counter,) = host.take(1)
        assert counter == mark + 11 * BLOCK
        assert key_now(host) == keys[counter // STAGE_COUNTERS]


def test_a_new_key_comes_to_the_stage_of_its_counters(host: Host) -> None:
    start(host, 3 * STAGE_COUNTERS, 2)
    new = bytes(range(100, 116))
    assert host.c.host_next_epoch(new)
    (counter,) = host.take(1)
    assert counter > 3 * STAGE_COUNTERS
    assert key_now(host) == key_of_stage(new, ASCON, 3, 7, 3)


def test_a_key_that_does_not_ratchet_stays(host: Host) -> None:
    host.load(record(0, epoch=2, key=KEY))
    assert host.c.host_counter_start() == READY
    host.take(2 * STAGE_COUNTERS)
    assert key_now(host) == KEY
