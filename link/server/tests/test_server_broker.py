"""What a certificate of the site allows at its broker, and what it does not."""

from __future__ import annotations

import json
import os
import ssl
import threading
from pathlib import Path

import paho.mqtt.client as mqtt
from link_site import DEADLINE_S
from paho.mqtt.enums import CallbackAPIVersion
from server_support import Site, until, up_payload


class Holder:
    """An attacker with a gateway's certificate and key."""

    def __init__(self, site: Site, gateway: str, client_id: str = "") -> None:
        folder = site.folder / "gateways" / gateway
        context = ssl.create_default_context(cafile=str(folder / "ca.crt"))
        context.load_cert_chain(folder / "gateway.crt", folder / "gateway.key")
        self.heard: list[tuple[str, bytes]] = []
        self.ended = threading.Event()
        self.connected = threading.Event()
        self._granted: dict[int | None, list[bool]] = {}
        self.client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=client_id, protocol=mqtt.MQTTv5)
        self.client.tls_set_context(context)
        self.client.on_connect = lambda *_: self.connected.set()
        self.client.on_disconnect = lambda *_: self.ended.set()
        self.client.on_message = lambda _client, _data, message: self.heard.append(
            (message.topic, bytes(message.payload))
        )
        self.client.on_subscribe = lambda _client, _data, mid, codes, _properties: self._granted.update(
            {mid: [not code.is_failure for code in codes]}
        )
        self.client.reconnect_delay_set(60, 60)
        self.client.connect("localhost", site.port)
        self.client.loop_start()
        assert self.connected.wait(DEADLINE_S)

    def subscribe(self, *topics: str) -> list[bool]:
        """Whether the broker grants each."""
        _, mid = self.client.subscribe([(topic, 1) for topic in topics])
        until(lambda: mid in self._granted, "the broker's answer")
        return self._granted[mid]

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


def test_one_gateways_certificate_does_not_silence_the_site(farm: Site) -> None:
    farm.create()
    farm.server()
    gateway = farm.gateway("gw-a")
    thief = Holder(farm, "gw-b")
    for _ in range(50):
        assert thief.subscribe("$share/servers/link/+/up") == [False]
    other = (
        "link/+/up",
        "link/gw-a/up",
        "#",
        "link/#",
        "$share/servers/#",
        "$share/x/link/gw-a/ack",
        "link/gw-a/ack",
        "link/+/ack",
        "link/gw-a/down",
        "link/+/down",
        "link/gw-b/#",
        "$SYS/#",
        "$CONTROL/#",
    )
    assert thief.subscribe(*other) == [False] * len(other)
    assert thief.subscribe("link/gw-b/ack", "link/gw-b/down") == [True, True]
    # Published once, and nothing is repeated: each frame gets to the server.
    gateway.send([farm.devices[0].frame(counter) for counter in range(60)], batch=1)
    until(lambda: not gateway.unacknowledged(), "every frame is acknowledged")
    assert farm.counters(farm.devices[0].id) == list(range(60))
    # Nor does it change its own rights, or speak for others.
    others = ("up", "ack", "status", "down")
    for topic in ("$CONTROL/dynamic-security/v1", "link/gw-b/down", *(f"link/gw-a/{each}" for each in others)):
        answer = thief.client.publish(topic, up_payload(bytes(16), [(1, 1, farm.devices[0].frame(99))]), qos=1)
        answer.wait_for_publish(DEADLINE_S)
    gateway.deliver([farm.devices[0].frame(60)])
    assert farm.counters(farm.devices[0].id) == list(range(61))
    assert thief.heard == [] and gateway.downs == []
    thief.close()


def test_a_client_id_is_bound_to_its_certificate(farm: Site) -> None:
    """In MQTT a second client of one id ends the first one's connection: no certificate gives a right to the ids of
    others.
    """
    farm.create()
    honest = Holder(farm, "gw-a", "gateway-gw-a")
    for client_id in ("gateway-gw-a", "gw-a", "server"):
        thief = Holder(farm, "gw-b", client_id)
        assert thief.subscribe("link/gw-b/ack") == [True]
        thief.close()
    assert honest.subscribe("link/gw-a/ack") == [True]
    assert not honest.ended.is_set()
    honest.close()


def test_a_revoked_gateway_loses_its_connection_at_once(farm: Site) -> None:
    farm.create()
    farm.server()
    revoked, other = Holder(farm, "gw-b"), Holder(farm, "gw-a")
    assert revoked.subscribe("link/gw-b/ack") == [True]
    said = farm.run("revoke", "--gateway", "gw-b")
    assert "The broker has ended its connection" in said
    assert revoked.ended.wait(DEADLINE_S)
    assert not other.ended.is_set() and other.subscribe("link/gw-a/ack") == [True]
    # Until the broker reads the list of revoked certificates it may come back, and has no right at all.
    again = Holder(farm, "gw-b")
    assert again.subscribe("link/gw-b/ack") == [False]
    for holder in (revoked, other, again):
        holder.close()


def test_a_gateway_that_is_added_needs_no_restart(farm: Site) -> None:
    farm.create()
    farm.server()
    said = farm.provision("--gateway", "gw-c")
    assert "The broker knows them" in said
    farm.gateway("gw-c").deliver([farm.devices[0].frame(1)])
    # The rights outlive the broker.
    farm.broker.stop()
    farm.broker.spawn(["mosquitto", "-c", str(farm.folder / "broker" / "mosquitto.conf")])
    farm.broker.wait_for_log("running")
    farm.gateway("gw-a").deliver([farm.devices[0].frame(2)])
    farm.gateway("gw-c").deliver([farm.devices[0].frame(3)])


def test_the_broker_never_runs_as_root(farm: Site) -> None:
    farm.create()
    assert farm.broker.process is not None
    status = Path(f"/proc/{farm.broker.process.pid}/status").read_text()
    users = next(line.split()[1:] for line in status.splitlines() if line.startswith("Uid:"))
    assert "0" not in users
    refused = farm.attempt("provision", "--broker-user", "root")
    assert refused.returncode == 2 and "root" in refused.stderr and refused.stderr.count("\n") == 1
    # Only the broker's folder is the broker's.
    owner = (farm.folder / "broker").stat().st_uid
    assert str(owner) in users
    for room in ("ca", "server", "gateways"):
        assert (farm.folder / room).stat().st_uid == os.getuid()
        assert (farm.folder / room).stat().st_mode & 0o077 == 0


def test_no_gateway_gets_the_name_of_a_server(farm: Site) -> None:
    farm.create()
    for name in ("server-2", "admin", "server"):
        refused = farm.attempt("provision", "--gateway", name)
        assert refused.returncode == 2 and f"'{name}' cannot be a gateway's name" in refused.stderr


def test_each_server_has_a_certificate_of_its_own(farm: Site) -> None:
    farm.create()
    first, second = farm.server(), farm.server()
    certificates = {(farm.folder / "server" / f"{name}.crt").read_bytes() for name in ("server", "server-2")}
    assert len(certificates) == 2
    farm.gateway().deliver([farm.devices[0].frame(counter) for counter in range(50)], None)
    assert first.process is not None and second.process is not None
    refused = farm.attempt("serve", "--name", "server-3", "--page", "none")
    assert refused.returncode == 2 and "provision --server server-3" in refused.stderr


def test_a_server_whose_subscription_is_refused_does_not_say_that_it_is_connected(farm: Site) -> None:
    """Without it the server gets nothing, whatever the gateways send; it tries again, and works once it is allowed."""
    farm.create()
    farm.broker.kill()
    rights = farm.folder / "broker" / "dynamic-security.json"
    granted = rights.read_text()
    rules = json.loads(granted)
    for role in rules["roles"]:
        if role["rolename"] == "server":
            role["acls"] = [acl for acl in role["acls"] if acl["acltype"] != "subscribeLiteral"]
    rights.write_text(json.dumps(rules))
    farm.start_broker()
    server = farm.server(start=False)
    server.spawn(server.command)
    server.wait_for_log("does not let this server read what gateways send")
    assert "connected to the broker" not in server.log()
    farm.broker.kill()
    rights.write_text(granted)
    farm.start_broker()
    server.wait_for_log("connected to the broker")
    farm.gateway().deliver([farm.devices[0].frame(1)])
    assert farm.counters(farm.devices[0].id) == [1]


def test_a_broker_that_runs_is_told_the_rights_of_any_number_of_gateways(farm: Site) -> None:
    """Those of a thousand do not fit in one message, and the broker writes all of them anew for each command."""
    farm.create(fleet=1, gateways=("gw-a", "gw-b"))
    farm.broker.kill()
    others = ", ".join(f"('other-{number:04}', '')" for number in range(1000))
    farm.query(f"INSERT INTO gateway (name, serial) VALUES {others}")
    farm.provision()
    farm.start_broker()
    staying, leaving = Holder(farm, "gw-a"), Holder(farm, "gw-b")
    assert "The broker knows them." in farm.provision("--gateway", "gw-c")
    new = Holder(farm, "gw-c")
    assert new.subscribe("link/gw-c/ack", "link/gw-a/ack") == [True, False]
    assert "The broker has ended its connection" in farm.run("revoke", "--gateway", "gw-b")
    assert leaving.ended.wait(DEADLINE_S)
    assert not staying.ended.is_set() and staying.subscribe("link/gw-a/ack") == [True]
    # What it has is what its next start gets.
    told = json.loads((farm.folder / "broker" / "dynamic-security.json").read_text())
    names = {client["username"] for client in told["clients"]}
    assert len(names) == 1004 and {"gw-a", "gw-c", "other-0999"} <= names and "gw-b" not in names
    for holder in (staying, leaving, new):
        holder.close()
