"""Slots that never overlap, and jitter that parts identical nodes."""

from __future__ import annotations

import random
from bisect import bisect_left

import pytest
from firmware_host import ASCON, Host

# 32 bytes at 2400 bit/s (time-on-air formula), which a slot must hold.
ON_AIR_MS = 370


def slot_begins(host: Host, slot: int, slots: int, period: int, unix_s: int, ms: int, ahead: int) -> int:
    """Unix time in milliseconds of the next slot."""
    return unix_s * 1000 + ms + int(host.c.host_slot_ms(slot, slots, period, unix_s, ms, ahead))


@pytest.mark.parametrize(("slots", "period"), [(11, 5), (1, 1), (2, 1), (120, 60), (7, 3), (254, 255), (255, 255)])
def test_slots_are_exact_and_never_overlap(slots: int, period: int) -> None:
    host = Host.shared()
    source = random.Random(slots * 1000 + period)
    for _ in range(200):
        now_s, ms = source.randrange(1, 1 << 32 - 1), source.randrange(1000)
        ahead = source.randrange(min(1000, period * 1000))
        begins = sorted((slot_begins(host, slot, slots, period, now_s, ms, ahead), slot) for slot in range(slots))
        for begin, slot in begins:
            assert begin % (period * 1000) == period * 1000 * slot // slots
            assert ahead <= begin - (now_s * 1000 + ms) < ahead + period * 1000
        for (first, _), (second, _) in zip(begins, begins[1:], strict=False):
            assert second - first >= period * 1000 // slots


def test_eleven_nodes_fit_into_five_seconds() -> None:
    host = Host.shared()
    begins = [slot_begins(host, slot, 11, 5, 1_800_000_000, 0, 0) % 5000 for slot in range(11)]
    gaps = [(b - a) % 5000 for a, b in zip(begins, begins[1:] + begins[:1], strict=True)]
    assert min(gaps) > ON_AIR_MS


@pytest.mark.parametrize(
    ("slot", "slots", "period", "slotted"),
    [(0, 0, 5, False), (3, 3, 5, False), (2, 3, 5, True), (0, 1, 0, False), (9, 4, 5, False)],
)
def test_slots_that_do_not_exist_are_not_used(slot: int, slots: int, period: int, slotted: bool) -> None:
    assert Host.shared().c.host_is_slotted(slot, slots, period) is slotted


@pytest.mark.parametrize(("slots", "period"), [(11, 5), (13, 5), (4, 5), (1, 1), (2, 1), (1, 255)])
def test_slots_are_given_up_before_two_can_meet(slots: int, period: int) -> None:
    """Clocks that were set 40 ms apart, each 3.5 ppm off, in the worse direction."""
    host = Host.shared()

    def gap_ms(since_s: int) -> float:
        return period * 1000 // slots - ON_AIR_MS - 40 - 2 * 3.5e-3 * since_s

    limit_s = next(since_s for since_s in (0, 1 << 40) if since_s or gap_ms(0) <= 0)
    if limit_s:
        low, limit_s = 0, 1 << 30
        while low + 1 < limit_s:
            middle = (low + limit_s) // 2
            low, limit_s = (middle, limit_s) if gap_ms(middle) > 0 else (low, middle)
    holds = [bool(host.c.host_slots_hold(slots, period, since_s)) for since_s in (0, max(limit_s - 2, 0), limit_s + 1)]
    assert holds == ([True, True, False] if gap_ms(0) > 0 else [False, False, False])
    # A clock that was never set holds anything; one that was set later than now was not set by this program.
    assert not host.c.host_slots_hold(slots, period, 0xFFFF_FFFF)


def tags(host: Host, device: int, key: bytes, count: int, start: int = 0) -> list[bytes]:
    frames = [host.seal(device, ASCON, 0, key, 0, counter, bytes(16)) for counter in range(start, start + count)]
    return [frame[24:] for frame in frames if frame]


@pytest.mark.parametrize("period", [1, 5, 60, 255])
def test_pauses_are_spread_around_the_period(period: int) -> None:
    host = Host.shared()
    drawn = tags(host, 1, bytes(16), 4000)
    pauses = [int(host.c.host_pause_ms(period, tag)) for tag in drawn]
    assert all(750 * period <= pause < 1250 * period for pause in pauses)
    # The mean of 4,000 uniform numbers of width period / 2 has a standard deviation of period / 438.
    assert abs(sum(pauses) / len(pauses) - 1000 * period) < 10 * period
    quarters = [sum(1 for pause in pauses if (pause - 750 * period) * 4 // (500 * period) == i) for i in range(4)]
    assert all(900 < quarter < 1100 for quarter in quarters)
    first = [int(host.c.host_first_ms(period, tag)) for tag in drawn]
    assert all(0 <= wait < 1000 * period for wait in first)
    assert abs(sum(first) / len(first) - 500 * period) < 20 * period


def test_a_period_of_zero_does_not_wait() -> None:
    host = Host.shared()
    assert host.c.host_first_ms(0, bytes([255] * 8)) == 0
    assert host.c.host_pause_ms(0, bytes([255] * 8)) == 0


def sendings(host: Host, device: int, key: bytes, count: int) -> list[int]:
    drawn = tags(host, device, key, count)
    times = [int(host.c.host_first_ms(5, drawn[0]))]
    for tag in drawn[:-1]:
        times.append(times[-1] + int(host.c.host_pause_ms(5, tag)))
    return times


def delivered(nodes: list[list[int]]) -> float:
    """The part of the first node's frames that no other overlaps."""
    others = sorted(time for node in nodes[1:] for time in node)
    alone = 0
    for time in nodes[0]:
        at = bisect_left(others, time - ON_AIR_MS + 1)
        alone += at == len(others) or others[at] >= time + ON_AIR_MS
    return alone / len(nodes[0])


@pytest.mark.parametrize("nodes", [2, 4, 8])
def test_identical_nodes_switched_on_together_part(nodes: int) -> None:
    """Device ids apart, the nodes are the same; the delivery is what chance allows: (1 - 2 * air / period) ^ (n
    - 1).
    """
    host = Host.shared()
    times = [sendings(host, device, bytes([device]) * 16, 4000) for device in range(1, nodes + 1)]
    chance = (1 - 2 * ON_AIR_MS / 5000) ** (nodes - 1)
    assert abs(delivered(times) - chance) < 0.03
    assert delivered([times[0]] * nodes) == 0


def test_a_node_differs_from_itself_after_a_reset() -> None:
    """The counter goes on, so the second life does not follow the first one's times."""
    host = Host.shared()
    first = tags(host, 1, bytes(16), 50)
    second = tags(host, 1, bytes(16), 50, start=256)
    assert not set(first) & set(second)
