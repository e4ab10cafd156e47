"""Frames to the sensor: what it accepts, what it refuses, and which key it keeps."""

from __future__ import annotations

import ctypes
import os
import random
from pathlib import Path

import pytest
from downlink_support import (
    DERIVE_DOWN,
    DEVICE_KEY,
    KEY,
    NEVER,
    PERIOD,
    Downlink,
    derive,
    downlink_host,
    order_text,
    start,
)
from firmware_host import (
    AES_CCM,
    ASCON,
    BLOCK,
    FIRMWARE,
    READY,
    Host,
    bits_flipped,
    compile_host,
    record,
    reference_seal,
)

TRIES = int(os.environ.get("LINK_TEST_DOWNLINK_TRIES", "4000"))
NOTHING, REPLAYED, STALE, WORN, IS_ORDER, IS_KEY = range(6)
MARKS = slice(768, 896)


@pytest.fixture
def host() -> Host:
    return downlink_host()


def opened(host: Host, frame: bytes) -> tuple[int, list[int], bytes]:
    fields = (ctypes.c_uint32 * 8)()
    key = ctypes.create_string_buffer(16)
    return host.c.host_downlink_open(frame, fields, key), list(fields), key.raw


@pytest.mark.parametrize("suite", [ASCON, AES_CCM])
def test_derived_keys_are_those_of_other_implementations(host: Host, suite: int) -> None:
    draw = random.Random(suite)
    for _ in range(20):
        key, device, epoch = draw.randbytes(16), draw.randrange(1 << 16), draw.randrange(16)
        for purpose, number in ((DERIVE_DOWN, 0), (2, draw.randrange(1 << 32))):
            made = ctypes.create_string_buffer(16)
            assert host.c.host_derive(made, device, suite, epoch, key, purpose, ctypes.c_uint32(number))
            assert made.raw == derive(key, suite, epoch, device, purpose, number)
            assert made.raw != key


@pytest.mark.parametrize("suite", [ASCON, AES_CCM])
def test_an_order_says_what_it_was_made_of(host: Host, suite: int) -> None:
    server = start(host, suite=suite, device=0x1234, epoch=9)
    text = order_text(0x01020304, 1_800_000_000_987, 0xABCDEF, PERIOD, 0x55AA, whatever_it_shows=True)
    assert opened(host, server.frame(4711, text))[:2] == (
        IS_ORDER,
        [4711, 0x01020304, 1_800_000_000, 987, 1, 0xABCDEF, PERIOD, 0x55AA],
    )


@pytest.mark.parametrize("suite", [ASCON, AES_CCM])
def test_forgeries_are_nothing_and_write_nothing(host: Host, suite: int) -> None:
    """Every bit flipped, frames of chance, of another device, epoch, suite and direction, under the other key."""
    server = start(host, suite=suite)
    before = bytes(host.eeprom)
    good = server.order(100, 5)
    draw = random.Random(7)
    tries = list(bits_flipped(good))
    tries += [good[:8] + draw.randbytes(24) for _ in range(TRIES)]
    tries += [Downlink(8, DEVICE_KEY, suite).order(100), Downlink(7, DEVICE_KEY, suite, 1).order(100)]
    tries += [Downlink(7, bytes(16), suite).order(100), Downlink(7, DEVICE_KEY, 3 - suite).order(100)]
    # A frame of another device, its header made to look right.
    tries += [good[:8] + Downlink(8, DEVICE_KEY, suite).order(100)[8:]]
    # The sensor's own frames, as they are and under the types of the downlink.
    for kind in range(16):
        head = bytes([1 << 4 | kind]) + good[1:8]
        tries.append(reference_seal(suite, DEVICE_KEY, head, bytes(16)))
    # The right key of the downlink, and a type that only sensors send.
    tries += [server.frame(100, bytes(16), kind) for kind in (0, 1, *range(4, 16))]
    accepted = sum(opened(host, frame)[0] != NOTHING for frame in tries)
    assert (accepted, bytes(host.eeprom) == before) == (0, True)
    assert opened(host, good)[0] == IS_ORDER
    print(f"forged downlink frames: {len(tries)} tries, {accepted} accepted")


def test_nothing_is_accepted_twice_whatever_resets_it(host: Host) -> None:
    server = start(host)
    draw = random.Random(1)
    numbers, highest = [], 0
    for _ in range(200):
        highest += draw.choice([2, 3, 60, 3600])
        numbers.append(highest)
    replays = accepted = 0
    for at, number in enumerate(numbers):
        assert opened(host, server.order(number))[0] == IS_ORDER
        if at % 3 == 0:
            assert host.c.host_downlink_start() == number + 2
        for earlier in numbers[max(0, at - 5) : at + 1]:
            replays += 1
            accepted += opened(host, server.order(earlier))[0] != REPLAYED
    assert accepted == 0
    print(f"replayed downlink frames: {replays} tries, {accepted} accepted")


def test_what_answers_no_recent_frame_is_refused_and_writes_nothing(host: Host) -> None:
    """Whoever keeps an answer from the sensor cannot have it obeyed later."""
    server = start(host)
    host.c.host_answerable(1000, 1023)
    before = bytes(host.eeprom)
    for answers in (0, 999, 1024, NEVER):
        assert opened(host, server.order(100, answers))[0] == STALE
        assert bytes(host.eeprom) == before
    for number, answers in ((100, 1000), (102, 1011), (104, 1023)):
        assert opened(host, server.order(number, answers))[0] == IS_ORDER
    # The next key is good for the frames of its group of eight, and for the next eight.
    key = bytes(range(200, 216))
    accepted = []
    for newest in range(1000, 1040):
        host.c.host_downlink_start()
        host.c.host_answerable(newest - 23, newest)
        found = opened(host, server.frame(2 * newest, key, KEY, answers=1012))[0]
        assert found in (NOTHING, IS_KEY)
        if found == IS_KEY:
            accepted.append(newest)
    assert accepted == list(range(1008, 1024))


def test_the_frames_that_may_be_answered_are_the_last_ones(host: Host) -> None:
    oldest, newest = ctypes.c_uint32(), ctypes.c_uint32()

    def last(frames: int) -> tuple[int, int] | None:
        any_kept = host.c.host_resend_last(frames, ctypes.byref(oldest), ctypes.byref(newest))
        return (oldest.value, newest.value) if any_kept else None

    host.c.host_resend_start()
    assert last(24) is None
    for kept, counter in enumerate([*range(500, 510), *range(768, 798)]):
        host.c.host_resend_keep(bytes([0x10, 0x10, 0, 7]) + counter.to_bytes(4, "big") + bytes(24), 1)
        if kept == 0:
            assert last(24) == (500, 500)
        if counter == 770:
            assert last(4) == (509, 770) and last(24) == (500, 770)
    assert last(1) == (797, 797) and last(4) == (794, 797)
    assert last(24) == last(200) == (774, 797)


def test_a_record_that_spoils_lets_nothing_be_repeated(host: Host) -> None:
    server = start(host)
    for number in range(10, 60, 10):
        assert opened(host, server.order(number))[0] == IS_ORDER
    whole = bytes(host.eeprom)
    for place in range(MARKS.start, MARKS.stop, 8):
        for byte in range(8):
            host.eeprom[:] = list(whole)
            host.eeprom[place + byte] ^= 0x10
            host.c.host_downlink_start()
            assert [opened(host, server.order(number))[0] for number in range(10, 60, 10)] == [REPLAYED] * 5
            assert opened(host, server.order(60))[0] == IS_ORDER


def test_power_that_fails_while_it_accepts(host: Host) -> None:
    """In each byte of both records: what was not done may come again under its number; what was done may not."""
    server = start(host)
    repeated = locked_out = cuts = 0
    for before in range(0, 12):
        for writes in range(1, 18):
            for torn in (0x00, 0xFF, 0x5A):
                host.load(record())
                host.c.host_counter_start()
                host.c.host_downlink_start()
                for number in range(100, 100 + 10 * before, 10):
                    opened(host, server.order(number))
                host.c.host_power_fails_after(writes, torn)
                done = opened(host, server.order(500))[0] == IS_ORDER and host.c.host_has_power()
                host.c.host_power_fails_after(-1, 0)
                host.c.host_downlink_start()
                again = [opened(host, server.order(number))[0] for number in range(100, 100 + 10 * before, 10)]
                repeated += IS_ORDER in again or (done and opened(host, server.order(500))[0] == IS_ORDER)
                locked_out += opened(host, server.order(504))[0] != IS_ORDER
                cuts += 1
    assert (repeated, locked_out) == (0, 0)
    print(f"power cuts while accepting: {cuts}, {repeated} repeated, {locked_out} locked out")


def test_cells_that_keep_nothing_stop_the_downlink_and_nothing_else(host: Host) -> None:
    server = start(host)
    for address in range(MARKS.start, MARKS.stop):
        host.stuck[address] = 1
    assert opened(host, server.order(10))[0] == WORN
    assert opened(host, server.order(10))[0] == WORN
    assert host.take(3) == [0, 1, 2]


def test_cells_wear_slowly(host: Host) -> None:
    """A year with an order each hour."""
    server = start(host)
    for hour in range(24 * 365 // 10):
        assert opened(host, server.order(3600 * (hour + 1)))[0] == IS_ORDER
    assert max(host.wear[MARKS]) <= 24 * 365 // 10 // 8 + 1


@pytest.mark.parametrize("suite", [ASCON, AES_CCM])
def test_the_next_key_replaces_every_copy_of_the_old_one(host: Host, suite: int) -> None:
    server = start(host, suite=suite, epoch=3)
    host.take(5 * BLOCK)
    new = bytes(range(200, 216))
    host.c.host_answerable(5 * BLOCK - 24, 5 * BLOCK - 1)
    found, _, key = opened(host, server.frame(50, new, KEY, 5 * BLOCK - 2))
    assert (found, key) == (IS_KEY, new)
    assert host.c.host_next_epoch(key)
    assert DEVICE_KEY not in bytes(host.eeprom)
    first = host.take(1)[0]
    assert first >= 5 * BLOCK  # counters go on
    assert host.c.host_counter_start() == READY
    assert host.take(1)[0] > first
    assert opened(host, server.order(60))[0] == NOTHING
    assert opened(host, Downlink(7, new, suite, 4).order(40, 5 * BLOCK - 1))[0] == REPLAYED
    assert opened(host, Downlink(7, new, suite, 4).order(60, 5 * BLOCK - 1))[0] == IS_ORDER


def test_there_is_no_key_after_the_last_epoch(host: Host) -> None:
    start(host, epoch=15)
    before = bytes(host.eeprom)
    assert not host.c.host_next_epoch(bytes(16))
    assert bytes(host.eeprom) == before
    assert host.take(1) == [0]


def holds_part_of(key: bytes, eeprom: bytes) -> bool:
    """Whether a record has two bytes of a key where its key stands. Keys in these tests have no byte in common."""
    stored = [eeprom[at + 8 : at + 24] for at in range(0, 512, 32)]
    return any(sum(a == b for a, b in zip(part, key, strict=True)) > 1 for part in stored)


def test_a_record_that_is_not_whole_keeps_no_old_key(host: Host) -> None:
    """Whatever byte of it the power failed in, or a cell lost: the next start overwrites it."""
    old, new = bytes(range(50, 66)), bytes(range(200, 216))
    for place in (0, 1, 2, 6, 28, 31):
        for at in (3, 15):
            host.load(record(5 * BLOCK, epoch=1, key=new))
            spoiled = bytearray(record(4 * BLOCK, epoch=1, key=old))
            spoiled[place] ^= 0x21
            host.eeprom[32 * at : 32 * at + 32] = list(spoiled)
            assert host.c.host_counter_start() == READY
            assert not holds_part_of(old, bytes(host.eeprom)), (place, at)
            assert host.take(1)[0] >= 5 * BLOCK


def test_power_that_fails_while_the_key_changes(host: Host) -> None:
    """In every byte that is written: the device goes on under one of the two keys, no counter of a key comes twice, and
    once it has begun again under the new one nothing of the old one is left, in no record and no part of one.
    """
    new = bytes(range(200, 216))
    cuts = twice = silent = left = 0
    # Of the last records each byte: nothing after them says that the overwriting was not finished.
    for writes in [*range(1, 40), *range(40, 300, 7), *range(300, 470)]:
        for torn in (0x00, 0xFF, 0x5A):
            start(host)
            host.take(4 * BLOCK + 9)
            used = {(0, counter) for counter in range(4 * BLOCK + 9)}
            host.c.host_power_fails_after(writes, torn)
            host.c.host_next_epoch(new)
            host.c.host_power_fails_after(-1, 0)
            silent += host.c.host_counter_start() != READY
            device, suite, epoch = ctypes.c_uint16(), ctypes.c_uint8(), ctypes.c_uint8()
            key, settings = ctypes.create_string_buffer(16), ctypes.create_string_buffer(4)
            host.c.host_counter_identity(ctypes.byref(device), ctypes.byref(suite), ctypes.byref(epoch), key, settings)
            assert (epoch.value, key.raw) in ((0, DEVICE_KEY), (1, new))
            now = {(epoch.value, counter) for counter in host.take(300)}
            twice += len(now & used)
            left += epoch.value == 1 and holds_part_of(DEVICE_KEY, bytes(host.eeprom))
            cuts += 1
    assert (twice, silent, left) == (0, 0, 0)
    print(f"power cuts while the key changes: {cuts}, {twice} counters twice, {silent} silent, {left} with the old key")


SECOND_RECORD = """ &&
           tatulink_mark_reserve(&downlink->mark, &ring, &storage, record, counter + 1) == TATULINK_MARK_READY"""


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("counter < downlink->mark.value", "counter == 0"),
        (SECOND_RECORD, ""),
        ("frame_open(payload, &type, &counter, &down, frame)", "frame_open(payload, &type, &counter, identity, frame)"),
    ],
)
def test_these_tests_see_a_sensor_that_accepts_too_much(tmp_path: Path, text: str, instead: str) -> None:
    """Replays taken, one record instead of two, the key of the other direction."""
    source = (FIRMWARE / "core" / "downlink.c").read_text()
    assert source.count(text) == 1
    faulty = Host(compile_host(tmp_path / "core.so", {"downlink.c": source.replace(text, instead)}))
    broken = 0
    for check in (
        test_nothing_is_accepted_twice_whatever_resets_it,
        test_a_record_that_spoils_lets_nothing_be_repeated,
        test_forgeries_are_nothing_and_write_nothing,
    ):
        arguments = (faulty, ASCON) if check is test_forgeries_are_nothing_and_write_nothing else (faulty,)
        try:
            check(*arguments)
        except AssertionError:
            broken += 1
    assert broken >= 1
