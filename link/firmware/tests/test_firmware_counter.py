"""The counter in EEPROM: no value twice, whatever resets, torn writes and spoiled records do."""

from __future__ import annotations

import os
from binascii import crc_hqx
from pathlib import Path

import pytest
from counter_lives import DAY_S, Life, lives
from firmware_host import (
    AES_CCM,
    BLOCK,
    EXHAUSTED,
    NEVER,
    NO_RECORD,
    READY,
    RECORD_BYTES,
    RECORDS,
    TATULINK,
    WORN,
    Host,
    compile_host,
    record,
)

RESETS = int(os.environ.get("LINK_TEST_RESETS", "2000"))


@pytest.fixture
def host() -> Host:
    host = Host.shared()
    host.load(record())
    return host


def place(position: int) -> slice:
    return slice(position * RECORD_BYTES, (position + 1) * RECORD_BYTES)


def test_starts_at_the_mark_and_reserves_before_use(host: Host) -> None:
    assert host.c.host_counter_start() == READY
    assert bytes(host.eeprom[place(1)]) == record(BLOCK)
    assert host.take(3) == [0, 1, 2]
    assert host.take(BLOCK - 3) == list(range(3, BLOCK))
    assert bytes(host.eeprom[place(2)]) == b"\xff" * RECORD_BYTES
    assert host.take(1) == [BLOCK]
    assert bytes(host.eeprom[place(2)]) == record(2 * BLOCK)
    assert not host.c.host_counter_repaired()


def test_a_reset_goes_on_at_the_mark(host: Host) -> None:
    host.c.host_counter_start()
    host.take(10)
    host.c.host_counter_start()
    assert host.take(1) == [BLOCK]


def test_the_identity_is_the_records(host: Host) -> None:
    import ctypes

    host.load(
        record(
            512,
            device=0xABCD,
            suite=AES_CCM,
            epoch=14,
            key=bytes(range(50, 66)),
            slot=3,
            slots=11,
            period=30,
            channel=9,
        )
    )
    assert host.c.host_counter_start() == READY
    device, suite, epoch = ctypes.c_uint16(), ctypes.c_uint8(), ctypes.c_uint8()
    key, settings = ctypes.create_string_buffer(16), ctypes.create_string_buffer(4)
    host.c.host_counter_identity(ctypes.byref(device), ctypes.byref(suite), ctypes.byref(epoch), key, settings)
    assert (device.value, suite.value, epoch.value, key.raw) == (0xABCD, AES_CCM, 14, bytes(range(50, 66)))
    assert list(settings.raw) == [3, 11, 30, 9]


def test_an_empty_eeprom_is_silent(host: Host) -> None:
    host.load(b"\xff" * 1024)
    assert host.c.host_counter_start() == NO_RECORD


def test_a_record_with_one_bit_flipped_is_none(host: Host) -> None:
    for bit in range(8 * RECORD_BYTES):
        host.load(record())
        host.eeprom[bit // 8] ^= 1 << bit % 8
        assert host.c.host_counter_start() == NO_RECORD, f"bit {bit}"


def test_a_record_of_another_layout_or_suite_is_none(host: Host) -> None:
    for offset, value in ((0, 2), (1, 0x30), (1, 0x00)):
        body = bytearray(record()[:30])
        body[offset] = value
        host.load(bytes(body) + crc_hqx(bytes(body), 0xFFFF).to_bytes(2, "big"))
        assert host.c.host_counter_start() == NO_RECORD, f"byte {offset} is {value}"


def test_the_end_of_the_numbers_is_silence(host: Host) -> None:
    host.load(record(NEVER - 300))
    assert host.c.host_counter_start() == READY
    values = host.take(1000)
    assert values == list(range(NEVER - 300, NEVER))
    assert host.take(1) == []
    assert host.c.host_counter_start() == EXHAUSTED
    assert host.c.host_counter_start() == EXHAUSTED


def test_worn_cells_are_passed_over_and_the_highest_record_never_overwritten(host: Host) -> None:
    for address in range(RECORD_BYTES, 4 * RECORD_BYTES):
        host.stuck[address] = 1
    assert host.c.host_counter_start() == READY
    assert bytes(host.eeprom[place(4)]) == record(BLOCK)
    for address in range(1024):
        host.stuck[address] = 1
    assert len(host.take(1000)) == BLOCK
    assert host.take(1) == []
    assert host.c.host_counter_start() == WORN
    assert bytes(host.eeprom[place(4)]) == record(BLOCK)


def test_a_write_torn_at_every_byte(host: Host) -> None:
    """Power fails in each byte of the record in turn, which then holds the old value, all ones, zeros, or anything."""
    for start in (0, 0xFE00, 0x00FFFF00, 0xFFFFF000):
        for writes in range(1, 34):
            for torn in (0xFF, 0x00, 0x5A):
                for filled in (False, True):
                    host.load(
                        b"".join(record((start + i * BLOCK) & NEVER) for i in range(RECORDS))
                        if filled
                        else record(start)
                    )
                    life = Life(host, 0)
                    life.live(-1, 0, 10)
                    for _ in range(3):
                        life.live(writes, torn, 600)
                    life.live(-1, 0, 300)
                    assert life.repeated == [] and life.silent == 0
                    assert len(life.used) >= 256 or host.c.host_counter_next() > 0xFFFFFE00


def test_random_resets_use_no_number_twice(host: Host) -> None:
    life = lives(host, 1, RESETS, rot=0)
    assert life.repeated == []
    assert life.silent == 0
    assert len(life.used) > 10 * RESETS


def test_records_that_spoil_between_resets_use_no_number_twice(host: Host) -> None:
    """Bits rot as well, the highest record's too."""
    life = lives(host, 2, RESETS // 4, rot=0.2)
    assert life.repeated == []
    assert life.silent == 0
    assert len(life.used) > RESETS


def test_one_place_may_spoil_again_and_again(host: Host) -> None:
    life = Life(host, 3)
    for _ in range(200):
        life.live(-1, 0, 300)
        for _ in range(2):
            newest = max(
                range(RECORDS),
                key=lambda i: (
                    int.from_bytes(bytes(host.eeprom[place(i)][4:8]), "big")
                    if host.eeprom[i * RECORD_BYTES] == 1
                    else 0
                ),
            )
            host.eeprom[newest * RECORD_BYTES + 20] ^= 1
    assert life.repeated == []


def test_fifteen_torn_writes_in_a_row_do_not_silence_the_device(host: Host) -> None:
    life = Life(host, 4)
    for _ in range(40):
        life.live(1, 0x00, 1)
    life.live(-1, 0, 300)
    life.live(-1, 0, 300)
    assert life.repeated == [] and len(life.used) == 600


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("mark->value + skipped", "mark->value"),
        ("complete(ring, record, next);", "complete(ring, record, first);"),
        ("(uint8_t)(mark->spoiled + 1)", "1"),
        ("> mark->value)", "< mark->value)"),
    ],
)
def test_these_tests_see_a_counter_that_goes_back(tmp_path: Path, text: str, instead: str) -> None:
    """The same lives with a fault put into the counter: if none of them repeats a number, the tests above prove
    nothing.
    """
    source = (TATULINK / "tatulink" / "mark.c").read_text()
    assert source.count(text) == 1
    faulty = Host(compile_host(tmp_path / "core.so", {"mark.c": source.replace(text, instead)}))
    faulty.load(record())
    for address in (40, 41, 105):
        faulty.stuck[address] = 1
    life = lives(faulty, 2, 400, rot=0.2)
    assert life.repeated != []


def test_cells_wear_slowly(host: Host) -> None:
    """A day at a period of 5 s: at most 100 records are written, and no cell more often than its record."""
    assert host.c.host_counter_start() == READY
    assert len(host.take(DAY_S // 5)) == DAY_S // 5
    # Byte 6 of a record belongs to the mark and differs in each: 16 records are 16 * 256 apart.
    records_written = sum(host.wear[position * RECORD_BYTES + 6] for position in range(RECORDS))
    assert records_written == -(-(DAY_S // 5) // BLOCK)
    assert records_written <= 100
    assert max(host.wear) <= -(-records_written // RECORDS)
