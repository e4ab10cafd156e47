"""Several honest gateways hear one sensor: that is diversity. It is no attack, and it is cheap."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from server_support import Site


@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_two_gateways_that_hear_one_frame_refuse_nothing(
    farm: Site, new_database: Callable[[], str], database: str
) -> None:
    farm.database = new_database() if database == "PostgreSQL" else None
    farm.create()
    server = farm.server()
    one, two = farm.gateway("gw-a"), farm.gateway("gw-b")
    device = farm.devices[0]
    for counter in range(50):
        for gateway in (one, two) if counter % 3 else (two, one):
            gateway.send([device.frame(counter)])
    one.drain()
    two.drain()
    assert farm.counters(device.id) == list(range(50))
    assert farm.refusals() == {}
    # Sent again because acknowledgements were lost, after a restart too: still nothing.
    server.kill()
    server.start()
    for gateway in (one, two):
        gateway.acknowledged.clear()
        gateway.publish(sorted(gateway.sent))
        gateway.drain()
    assert farm.refusals() == {}
    # Who recorded them and plays them to either gateway is seen: each has heard them already.
    for gateway in (one, two):
        gateway.deliver([device.frame(counter) for counter in range(50)])
    assert farm.refusals() == {"replay": 100}
    assert farm.counters(device.id) == list(range(50))


def test_a_gateway_that_comes_back_after_a_day_brings_copies_and_no_refusals(farm: Site) -> None:
    farm.create()
    farm.server()
    device = farm.devices[0]
    frames = [device.frame(counter) for counter in range(3000)]
    farm.gateway("gw-a").deliver(frames)
    farm.gateway("gw-b").deliver(frames)
    assert farm.counters(device.id) == list(range(3000))
    assert farm.refusals() == {}
    # Nothing is written for a copy.
    assert farm.query("SELECT COUNT(*) FROM hearing") == [(1,)]
