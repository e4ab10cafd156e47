"""Nothing forged, damaged or replayed is stored, every refusal has its reason, and what is sent twice is stored
once.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from server_support import ASCON, BOOT, CCM, Device, Server, Site, device_key, until, up_payload

FORGERIES = int(os.environ.get("LINK_TEST_FORGERIES", "20000"))
U32 = 2**32 - 1


def test_what_is_good_is_stored_with_its_variables_and_acknowledged(farm: Site) -> None:
    farm.create()
    farm.server()
    one, two = farm.devices
    at_ms = 1_790_000_000_123
    farm.gateway().deliver(
        [
            one.frame(0, kind=BOOT),
            one.frame(1, time_s=0, pulses=7, temperature_mc=-12_345, supply_mv=2950, flags=5),
            two.frame(9) + two.frame(10),
        ],
        received_ms=at_ms,
    )
    assert farm.counters(one.id) == [0, 1]
    assert farm.counters(two.id) == [9, 10]
    row = farm.query(
        f"SELECT kind, received_ms, device_time_s, second, third, fourth FROM reading WHERE device = {one.id} AND "
        "counter = 1"
    )
    assert row == [(0, at_ms, 0, 7, -12_345, 5 << 16 | 2950)]
    assert farm.refusals() == {}


def test_every_refusal_has_its_reason_in_the_audit_log(farm: Site) -> None:
    farm.create(fleet=3)
    farm.server()
    one, two, gone = farm.devices
    farm.run("revoke", "--device", str(gone.id))
    forged = bytearray(one.frame(5))
    forged[24] ^= 1
    stranger = Device(4711, 0, ASCON, bytes(16))
    other_epoch = Device(one.id, 3, ASCON, one.key)
    gateway = farm.gateway()
    gateway.deliver([one.frame(100)])
    gateway.deliver(
        [
            bytes(forged),
            stranger.frame(1),
            other_epoch.frame(1),
            gone.frame(1),
            one.frame(1, kind=2),
            b"static",
            one.frame(36),
            one.frame(100),
        ]
    )
    assert farm.refusals() == {
        "forged tag": 1,
        "unknown device": 1,
        "wrong suite or epoch": 1,
        "revoked device": 1,
        "unsupported type": 1,
        "malformed": 1,
        "outside window": 1,
        "replay": 1,
    }
    assert farm.counters(one.id) == [100]
    assert farm.query("SELECT COUNT(*) FROM reading") == [(1,)]
    lines = [json.loads(line) for line in farm.run("audit", "--format", "jsonl").splitlines()]
    assert [line["reason"] for line in lines[:2]] == ["replay", "outside window"]
    assert lines[0]["bytes"] == one.frame(100).hex()
    only = farm.run("audit", "--reason", "forged tag", "--format", "jsonl").splitlines()
    assert len(only) == 1 and json.loads(only[0])["device"] == one.id
    assert two.id not in [line["device"] for line in lines]


def test_a_burst_sent_again_is_acknowledged_again_and_is_no_replay(farm: Site) -> None:
    farm.create()
    server = farm.server()
    one = farm.devices[0]
    gateway = farm.gateway()
    ids = gateway.deliver([one.frame(number) for number in range(50)] + [b"static"])
    before = farm.refusals()
    for restart in (False, True):
        if restart:
            server.kill()
            server.start()
        gateway.acknowledged.clear()
        gateway.publish(ids + ids)
        gateway.drain()
        assert farm.counters(one.id) == list(range(50))
        assert farm.refusals() == before == {"malformed": 1}


def replay_everywhere(farm: Site, server: Server, frames: list[bytes], device: Device, expected: list[int]) -> None:
    """Plays recorded frames back through the first gateway as new bursts, through a second one, and after a restart."""
    for gateway in (farm.gateway("gw-a"), farm.gateway("gw-b")):
        gateway.deliver(frames)
        gateway.deliver([b"".join(frames[:16]), *reversed(frames)])
    server.kill()
    server.start()
    farm.gateway("gw-b").deliver(frames)
    assert farm.counters(device.id) == expected


@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_a_late_frame_is_held_against_everything_before_it_in_its_outbox(
    farm: Site, new_database: Callable[[], str], database: str
) -> None:
    """The outbox heard 299, then what is late, then 280, which was late itself but within the window: 299 counts, not
    280.
    """
    farm.database = new_database() if database == "PostgreSQL" else None
    farm.create()
    farm.server()
    device = farm.devices[0]
    gateway = farm.gateway("gw-a")
    newest, late, within = gateway.number([device.frame(299), device.frame(210), device.frame(280)])
    gateway.publish([newest, within])
    until(lambda: {newest, within} <= gateway.acknowledged, "acknowledged")
    gateway.publish([late])
    until(lambda: not gateway.unacknowledged(), "acknowledged")
    assert farm.counters(device.id) == [280, 299]
    assert farm.refusals() == {"outside window": 1}
    # From an outbox that had heard nothing beyond it before, it was merely overtaken.
    other = farm.gateway("gw-b")
    overtaken, newer = other.number([device.frame(211), device.frame(300)])
    other.publish([newer])
    until(lambda: newer in other.acknowledged, "acknowledged")
    other.publish([overtaken])
    until(lambda: not other.unacknowledged(), "acknowledged")
    assert farm.counters(device.id) == [211, 280, 299, 300]


@pytest.mark.parametrize("start", [0, 2**16 - 100, U32 - 199])
def test_no_replay_is_accepted_at_any_edge(farm: Site, start: int) -> None:
    """Every other frame arrives; then all that arrived is played back. 2^16 and 2^32 - 1 lie within the stretches."""
    farm.create(suite="ccm" if start else "ascon")
    server = farm.server()
    device = farm.devices[0]
    assert device.suite == (CCM if start else ASCON)
    counters = list(range(start, start + 200, 2)) + ([U32] if start + 199 == U32 else [])
    frames = [device.frame(counter) for counter in counters]
    farm.gateway("gw-a").deliver(frames)
    assert farm.counters(device.id) == counters
    replay_everywhere(farm, server, frames, device, counters)
    assert set(farm.refusals()) == {"replay"}
    # Two connections of one name would take turns, and an acknowledgement reaches only the one that has its turn.
    assert "already connected" not in farm.broker.log()


def test_late_frames_within_the_window_are_accepted_once(farm: Site) -> None:
    farm.create()
    farm.server()
    device = farm.devices[0]
    gateway = farm.gateway()
    gateway.deliver([device.frame(1000)])
    gateway.deliver([device.frame(1000 - behind) for behind in (63, 64, 65, 1, 63)])
    assert farm.counters(device.id) == [937, 999, 1000]
    assert farm.refusals() == {"outside window": 2, "replay": 1}


def test_bursts_that_overtook_one_another_are_all_stored(farm: Site) -> None:
    """A killed server's bursts come again after newer ones were stored: far behind the window, but never stored."""
    farm.create()
    farm.server()
    one, two = farm.devices
    gateway = farm.gateway()
    early = gateway.deliver([device.frame(counter) for counter in range(200) for device in (one, two)])
    ids = gateway.number([device.frame(counter) for counter in range(200, 900) for device in (one, two)])
    for part in (ids[1000:], ids[:300] + ids[:300], ids[300:1000], ids, early):
        gateway.acknowledged -= set(part)
        gateway.publish(part)
        until(partial(gateway.has_acknowledged, part), "acknowledged")
    assert farm.counters(one.id) == farm.counters(two.id) == list(range(900))
    assert farm.refusals() == {}


@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_frames_of_one_burst_are_held_against_each_other_in_their_order(
    farm: Site, new_database: Callable[[], str], database: str
) -> None:
    """A sensor's last frame before a reset and its boot frame, 246 counters on, came in one burst. The burst came late:
    the broker had lost it, and newer ones were stored. The frame in front was received first, so it is stored; the one
    behind was received after a newer one, so it is refused.
    """
    farm.database = new_database() if database == "PostgreSQL" else None
    farm.create()
    farm.server()
    first, second = farm.devices
    gateway = farm.gateway()
    late = gateway.number(
        [
            first.frame(10) + first.frame(256, kind=BOOT),
            second.frame(256, kind=BOOT) + second.frame(10),
        ]
    )
    newer = gateway.number([first.frame(257) + second.frame(257)])
    for ids in (newer, late):
        gateway.publish(ids)
        until(partial(gateway.has_acknowledged, ids), "acknowledged")
    assert farm.counters(first.id) == [10, 256, 257]
    assert farm.counters(second.id) == [256, 257]
    assert farm.refusals() == {"outside window": 1}


def test_a_day_that_another_gateway_kept_offline_is_stored_beside_the_newer(farm: Site) -> None:
    farm.create()
    farm.server()
    device = farm.devices[0]
    online, offline = farm.gateway("gw-a"), farm.gateway("gw-b")
    online.deliver([device.frame(counter) for counter in range(0, 3000, 2)])
    offline.deliver([device.frame(counter) for counter in range(1, 3000, 2)])
    assert farm.counters(device.id) == list(range(3000))
    assert farm.refusals() == {}


def test_a_frame_held_back_on_the_air_is_refused(farm: Site) -> None:
    """Recorded and jammed, played to a gateway that has heard much newer ones since: authentic, never stored,
    refused.
    """
    farm.create()
    farm.server()
    device = farm.devices[0]
    gateway = farm.gateway()
    gateway.deliver([device.frame(counter) for counter in range(200) if counter != 100])
    gateway.deliver([device.frame(100)])
    gateway.deliver([device.frame(300) + device.frame(201)])
    assert farm.counters(device.id) == [counter for counter in range(200) if counter != 100] + [300]
    assert farm.refusals() == {"outside window": 2}


def test_forged_and_damaged_frames_are_refused_and_cost_nobody_else(farm: Site) -> None:
    """Bursts of damage with a good frame in each: exactly the good frames are stored."""
    farm.create(fleet=50)
    server = farm.server()
    chance = random.Random(7)
    gateway = farm.gateway()
    good: dict[int, list[int]] = {device.id: [] for device in farm.devices}
    damaged = 0
    began = time.monotonic()
    while damaged < FORGERIES:
        bursts = []
        for device in farm.devices:
            counter = len(good[device.id])
            frame = device.frame(counter)
            parts = []
            for _ in range(min(14, 10 + chance.randrange(5))):
                parts.append(damage(frame, chance))
                damaged += 1
            parts.insert(chance.randrange(len(parts) + 1), frame)
            bursts.append(b"".join(parts))
            good[device.id].append(counter)
        gateway.deliver(bursts)
    for device in farm.devices:
        assert farm.counters(device.id) == good[device.id]
    assert server.process is not None and server.process.poll() is None
    print(
        f"{damaged} forged or damaged frames: 0 accepted; {sum(map(len, good.values()))} good ones among them: all "
        f"stored; {time.monotonic() - began:.0f} s"
    )


def damage(frame: bytes, chance: random.Random) -> bytes:
    """A frame that is not the one given: a bit flipped, bytes changed, the tag guessed, the end or a byte lost, or
    noise.
    """
    changed = bytearray(frame)
    kind = chance.randrange(6)
    if kind == 0:
        changed[chance.randrange(32)] ^= 1 << chance.randrange(8)
    elif kind == 1:
        for at in chance.sample(range(32), 3):
            changed[at] ^= chance.randrange(1, 256)
    elif kind == 2:
        changed[24:] = bytes(byte ^ chance.randrange(1, 256) for byte in changed[24:])
    elif kind == 3:
        del changed[chance.randrange(1, 32) :]
    elif kind == 4:
        del changed[chance.randrange(32)]
    else:
        changed = bytearray(chance.randbytes(chance.randrange(1, 33)))
    return bytes(changed)


def test_no_clock_decides(farm: Site) -> None:
    """Clocks of gateway and sensor a day early, a day late, never set, at the ends of their ranges: the same
    decisions.
    """
    cases = [(ahead_ms, ahead_s) for ahead_ms in (-86_400_000, 86_400_000, None) for ahead_s in (0, -86_400, 86_400)]
    farm.create(fleet=len(cases))
    farm.server()
    now = int(time.time())
    gateway = farm.gateway()
    for number, (device, (ahead_ms, ahead_s)) in enumerate(zip(farm.devices, cases, strict=True), 1):
        at_ms = 2**64 - 1 if ahead_ms is None else now * 1000 + ahead_ms
        times = [now, now + ahead_s if ahead_s else 0, 2**32 - 1, now]
        for counter, time_s in enumerate(times):
            gateway.deliver([device.frame(counter, time_s=time_s)], received_ms=now * 1000 if counter % 2 else at_ms)
        again = [device.frame(counter, time_s=time_s) for counter, time_s in enumerate(times)]
        gateway.deliver(again, received_ms=at_ms)
        assert farm.counters(device.id) == [0, 1, 2, 3], (ahead_ms, ahead_s)
        assert farm.refusals() == {"replay": 4 * number}, (ahead_ms, ahead_s)


def test_a_payload_that_is_none_is_not_acknowledged_and_harms_nobody(farm: Site) -> None:
    farm.create()
    server = farm.server()
    gateway = farm.gateway()
    for payload in (
        b"",
        b"\x02" + bytes(40),
        b"\x01" + bytes(7),
        b"\x01" + gateway.outbox + bytes(17),
        b"\x01" + gateway.outbox + bytes(18),
    ):
        gateway.publish_raw(payload)
    gateway.deliver([farm.devices[0].frame(1)])
    assert farm.counters(farm.devices[0].id) == [1]
    assert server.log().count("not acknowledged") == 5
    # The journal is not for whoever has a gateway's certificate to fill.
    for _ in range(50):
        gateway.publish_raw(b"")
    gateway.deliver([farm.devices[0].frame(2)])
    assert server.log().count("not acknowledged") == 5


def test_a_message_beyond_all_bounds_does_not_reach_the_servers(farm: Site) -> None:
    """It would cut off one server after the other, since the broker hands it to the next."""
    farm.create()
    server = farm.server()
    gateway = farm.gateway()
    gateway.publish_raw(b"\x01" + bytes(5_000_000))
    gateway.deliver([farm.devices[0].frame(1)])
    assert farm.counters(farm.devices[0].id) == [1]
    assert "no connection to the broker" not in server.log()


def test_no_gateway_speaks_for_another_or_for_a_server(farm: Site) -> None:
    """By the access list that provisioning wrote: neither bursts nor acknowledgements under another's name get
    anywhere.
    """
    farm.create()
    gateway, other = farm.gateway("gw-a"), farm.gateway("gw-b")
    device = farm.devices[0]
    # No server runs yet: what the other has sent waits, and an acknowledgement would be a forgery.
    ids = other.send([device.frame(1)])
    forged = b"\x01" + other.outbox + (0).to_bytes(8, "big") + (999).to_bytes(8, "big")
    for topic in ("link/gw-b/ack", "link/gw-a/ack"):
        gateway.publish_raw(forged, topic)
    farm.server()
    gateway.publish_raw(up_payload(bytes(16), [(1, 0, device.frame(2))]), "link/gw-b/up")
    gateway.deliver([device.frame(3)])
    assert other.acknowledged <= set(ids)
    other.drain()
    assert other.acknowledged == set(ids)
    assert farm.counters(device.id) == [1, 3]


def test_a_gateway_that_is_revoked_is_refused_and_keeps_what_it_has(farm: Site) -> None:
    farm.create()
    server = farm.server()
    gateway, other = farm.gateway("gw-a"), farm.gateway("gw-b")
    device = farm.devices[0]
    before = gateway.deliver([device.frame(1)])
    # As long as the broker has not been told, its connection stands: the server refuses it nevertheless, and what it
    # had stored before if that comes again.
    farm.query("UPDATE gateway SET revoked_ms = 1 WHERE name = 'gw-a'")
    farm.query("UPDATE setting SET value = '1' || value WHERE name = 'generation'")
    gateway.publish(before)
    ids = gateway.send([device.frame(2)])
    until(lambda: farm.refusals() == {"unknown gateway": 2}, "the refusals are in the audit log")
    other.deliver([device.frame(3)])
    assert set(ids) <= gateway.unacknowledged()
    assert farm.counters(device.id) == [1, 3]
    # With the new list of revoked certificates the broker does not let it in again.
    assert "The broker has ended its connection" in farm.run("revoke", "--gateway", "gw-a")
    farm.broker.kill()
    farm.start_broker()
    assert "gw-a" not in (farm.folder / "broker" / "dynamic-security.json").read_text()
    other.deliver([device.frame(4)])
    farm.broker.wait_for_log("certificate verify failed")
    assert server.process is not None and server.process.poll() is None
    assert set(ids) <= gateway.unacknowledged()


def test_a_gateway_revoked_without_the_authority_s_key_is_said_to_be_half_revoked(farm: Site) -> None:
    farm.create()
    (farm.folder / "ca" / "ca.key").rename(farm.folder / "elsewhere.key")
    said = farm.attempt("revoke", "--gateway", "gw-a")
    assert said.returncode == 2
    assert "Gateway 'gw-a' is revoked: servers refuse what it sends from now on. The broker still lets" in said.stderr
    assert "ca.key is not here" in said.stderr
    assert farm.query("SELECT count(*) FROM gateway WHERE name = 'gw-a' AND revoked_ms IS NOT NULL") == [(1,)]
    # Again, with the key, does the rest.
    (farm.folder / "elsewhere.key").rename(farm.folder / "ca" / "ca.key")
    assert "The broker has ended its connection" in farm.run("revoke", "--gateway", "gw-a")


def test_an_export_of_a_device_that_is_not_there_is_one_sentence(farm: Site) -> None:
    farm.create()
    said = farm.attempt("export", "--device", "1", "--device", "77")
    assert (said.returncode, said.stdout, said.stderr.strip()) == (2, "", "bancada: There is no device 77.")


def test_keys_are_the_definition_s(farm: Site, tmp_path: Path) -> None:
    farm.create(fleet=4)
    for line in (tmp_path / "fleet.csv").read_text().splitlines()[1:]:
        number, epoch, suite, master, key, *_ = line.split(",")
        assert device_key(bytes.fromhex(master), int(epoch), int(suite)).hex() == key, number
