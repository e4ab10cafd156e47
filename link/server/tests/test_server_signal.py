"""How strongly gateways receive, where their modules tell: stored for each frame and gateway, shown, and never believed
for anything else."""

from __future__ import annotations

import json

import pytest
from metrics_support import get
from page_support import request, session_of
from server_support import Site, TestGateway, until


def tells(farm: Site, gateway: TestGateway, signal: bool | None) -> None:
    """The gateway's daemon says whether its module puts a byte behind each packet."""
    status = {"state": "running", "serial": {"signal": signal}}
    topic = f"link/{gateway.name}/status"
    gateway._client.publish(topic, json.dumps(status), qos=1, retain=True).wait_for_publish(60)
    sql = f"SELECT COALESCE(status, '{{}}') FROM gateway WHERE name = '{gateway.name}'"
    until(lambda: json.loads(farm.query(sql)[0][0]) == status, "the status is noted")


def byte(dbm: int) -> bytes:
    return bytes([256 + dbm])


def signals(farm: Site) -> list[tuple[str, int, int]]:
    return farm.query(
        "SELECT o.gateway, s.counter, s.dbm FROM signal s JOIN outbox o ON o.number = s.outbox "
        "ORDER BY o.gateway, s.counter"
    )


def test_each_frame_and_gateway_has_its_strength(farm: Site) -> None:
    farm.create()
    server = farm.server(page="127.0.0.1:0", extra=("--metrics", "127.0.0.1:0"))
    near, far = farm.gateway("gw-a"), farm.gateway("gw-b")
    tells(farm, near, True)
    tells(farm, far, True)
    device = farm.devices[0]
    near.deliver([device.frame(0) + byte(-71), device.frame(1) + byte(-72) + device.frame(2) + byte(-73)])
    # The same frames, further away; what another device is told, and its byte, is nothing to refuse.
    far.deliver([device.frame(1) + byte(-118), device.frame(2) + byte(-119)])
    expected = [("gw-a", 0, -71), ("gw-a", 1, -72), ("gw-a", 2, -73), ("gw-b", 1, -118), ("gw-b", 2, -119)]
    assert signals(farm) == expected
    assert farm.query("SELECT COUNT(*) FROM refusal") == [(0,)]
    # A replay from nearby changes nothing.
    near.deliver([device.frame(2) + byte(-20)])
    assert signals(farm) == expected and farm.query("SELECT reason FROM refusal") == [("replay",)]
    # The newest frame counts; of gateways that brought it together the one that heard it best.
    near.deliver([device.frame(3) + byte(-101)])
    gauges = [line for line in get(server, "/metrics")[1].splitlines() if line.startswith("link_sensor_signal_dbm{")]
    assert len(gauges) == 1 and 'device="1"' in gauges[0] and gauges[0].endswith(" -101"), gauges
    session = session_of(server, farm.password)
    overview = json.loads(request(server, "GET", "/api/overview", cookie=session)[2])
    assert {each["id"]: each["signal_dbm"] for each in overview["devices"]} == {1: -101, 2: None}


def test_a_byte_of_a_module_that_does_not_tell_is_no_strength(farm: Site) -> None:
    farm.create()
    farm.server()
    gateway = farm.gateway("gw-a")
    device = farm.devices[0]
    gateway.deliver([device.frame(0) + b"\x90"])
    tells(farm, gateway, False)
    gateway.deliver([device.frame(1) + b"\x90"])
    assert signals(farm) == [] and farm.counters(device.id) == [0, 1]
    assert farm.query("SELECT reason FROM refusal") == [("malformed",)] * 2


@pytest.mark.parametrize("position", [0, 1, 31, 32])
def test_a_frame_at_the_end_of_a_burst_has_no_strength(farm: Site, position: int) -> None:
    """A burst of 512 bytes may be cut between a frame and its byte."""
    farm.create()
    farm.server()
    gateway = farm.gateway("gw-a")
    tells(farm, gateway, True)
    device = farm.devices[0]
    gateway.deliver([b"\x55" * position + device.frame(5)])
    assert farm.counters(device.id) == [5] and signals(farm) == []
