"""A program without the right certificate gets nothing, on either side, and a log says that it was refused."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import paho.mqtt.client as mqtt
import pytest
from gateway_site import Site
from impostor import Impostor
from link_site import ACL, DEADLINE_S, Authority, Broker, air_frame, chunk, client_context, free_port, wait_until
from paho.mqtt.enums import CallbackAPIVersion

# TLS 1.1 is deprecated, in Python too: that is what it is tried for.
pytestmark = pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_1 is deprecated:DeprecationWarning")

# MQTT 3.1.1, CONNECT with a clean session and the client identifier "t"; section 3.1 of the standard.
CONNECT = bytes.fromhex("100d00044d51545404 02003c0001 74".replace(" ", ""))
CONNACK_ACCEPTED = bytes.fromhex("20020000")


def answer(port: int, context: ssl.SSLContext) -> bytes:
    """What the broker answers to a CONNECT: nothing if it ends the connection, in whichever way TLS reports that."""
    try:
        with (
            socket.create_connection(("localhost", port), timeout=DEADLINE_S) as plain,
            context.wrap_socket(plain, server_hostname="localhost") as tls,
        ):
            tls.sendall(CONNECT)
            return tls.recv(4)
    except (ssl.SSLError, ConnectionError):
        return b""


def anonymous(authority: Authority) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(authority.certificate))


def test_the_broker_lets_in_who_has_a_certificate(site: Site) -> None:
    assert answer(site.broker.port, client_context(site.authority, site.authority.issue("gw-a"))) == CONNACK_ACCEPTED


@pytest.mark.parametrize("case", ["no certificate", "expired", "another authority"])
def test_the_broker_refuses_and_says_so(site: Site, tmp_path: Path, case: str) -> None:
    context = anonymous(site.authority)
    if case == "expired":
        context = client_context(site.authority, site.authority.issue("gw-a", expired=True))
    if case == "another authority":
        context = client_context(site.authority, Authority(tmp_path / "other").issue("gw-a"))
    assert answer(site.broker.port, context) == b""
    expected = {
        "no certificate": "peer did not return a certificate",
        "expired": "certificate verify failed",
        "another authority": "certificate verify failed",
    }[case]
    site.broker.wait_for_log(expected)


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_1, ssl.TLSVersion.TLSv1_2])
def test_the_broker_refuses_older_tls(site: Site, version: ssl.TLSVersion) -> None:
    context = client_context(site.authority, site.authority.issue("gw-a"))
    context.set_ciphers("DEFAULT:@SECLEVEL=0")  # or else the client itself would refuse TLS 1.1
    context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
    context.maximum_version = version
    assert answer(site.broker.port, context) == b""
    site.broker.wait_for_log("unsupported protocol")


@pytest.mark.parametrize(
    ("case", "sentence"),
    [
        ("expired", "the broker refuses this gateway's certificate: expired"),
        ("another authority", "the broker refuses this gateway's certificate: not signed by its authority"),
    ],
)
def test_the_gateway_says_why_it_is_refused(site: Site, tmp_path: Path, case: str, sentence: str) -> None:
    if case == "expired":
        identity = site.authority.issue("gw-a", expired=True)
    else:
        identity = Authority(tmp_path / "other").issue("gw-a")
    gateway = site.gateway(identity=identity)
    gateway.start()
    gateway.wait_for_log(sentence)
    assert "connected to the broker" not in gateway.log()
    # It says so once, and not at every attempt.
    wait_until(lambda: site.broker.log().count("OpenSSL Error") >= 4, "several attempts", detail=site.broker.log)
    assert gateway.log().count(sentence) == 1
    assert gateway.stop() == 0


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path / "authority")


@pytest.mark.parametrize(
    ("case", "sentence"),
    [
        ("expired", "the broker's certificate has expired"),
        ("another authority", "the broker's certificate was not signed by broker.ca"),
        ("another host", "the broker's certificate is for another host"),
        ("TLS 1.2", "the broker does not speak TLS 1.3"),
        ("TLS 1.1", "the broker does not speak TLS 1.3"),
    ],
)
def test_the_gateway_refuses_an_impostor(site: Site, tmp_path: Path, case: str, sentence: str) -> None:
    signer = Authority(tmp_path / "other") if case == "another authority" else site.authority
    hosts = ("broker.example",) if case == "another host" else ("localhost",)
    newest = {"TLS 1.2": ssl.TLSVersion.TLSv1_2, "TLS 1.1": ssl.TLSVersion.TLSv1_1}.get(case, ssl.TLSVersion.TLSv1_3)
    impostor = Impostor(signer.issue("impostor", hosts=hosts, expired=case == "expired"), newest)
    recording = tmp_path / "recording"
    recording.write_bytes(chunk(air_frame(1)))
    gateway = site.gateway(port=impostor.port)
    gateway.start("--input", str(recording))
    gateway.wait_for_log(sentence)
    wait_until(lambda: impostor.visits >= 3, "several attempts", detail=gateway.log)
    assert gateway.stop() == 0
    impostor.close()
    assert impostor.heard == b""
    assert "; 1 rows wait" in gateway.log().splitlines()[-1]


def test_what_speaks_no_tls_is_named(site: Site) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    gateway = site.gateway(port=listener.getsockname()[1])
    gateway.start()
    visitor, _ = listener.accept()
    visitor.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    gateway.wait_for_log("what answers at the broker's port does not speak TLS")
    visitor.close()
    listener.close()
    assert gateway.stop() == 0


@pytest.fixture
def neighbour(site: Site) -> Iterator[mqtt.Client]:
    """The gateway gw-b at the broker, doing as it likes."""
    client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id="neighbour", protocol=mqtt.MQTTv5)
    client.tls_set_context(client_context(site.authority, site.authority.issue("gw-b")))
    client.connect("localhost", site.broker.port)
    client.loop_start()
    yield client
    client.disconnect()
    client.loop_stop()


def test_no_gateway_writes_or_reads_the_topics_of_another(site: Site, neighbour: mqtt.Client, tmp_path: Path) -> None:
    overheard: list[str] = []
    neighbour.on_message = lambda _client, _data, message: overheard.append(message.topic)
    subscribed = threading.Event()
    neighbour.on_subscribe = lambda *_: subscribed.set()
    neighbour.subscribe([("link/#", 1), ("link/gw-a/ack", 1), ("link/gw-b/ack", 1)])
    assert subscribed.wait(DEADLINE_S)
    recording = tmp_path / "recording"
    recording.write_bytes(chunk(air_frame(1)))
    gateway = site.gateway()
    with site.server() as server:
        payload = b"\x01" + bytes(16) + bytes(7) + b"\x01" + bytes(8) + b"\x00\x20" + air_frame(666)
        for topic in ("link/gw-a/up", "link/gw-a/status", "link/gw-a/ack", "link/gw-b/ack"):
            neighbour.publish(topic, payload, qos=1).wait_for_publish(DEADLINE_S)
            site.broker.wait_for_log(f"Denied PUBLISH from neighbour (d0, q1, r0, m{neighbour_mid(site, topic)}")
        gateway.start("--input", str(recording), "--exit-when-drained")
        assert gateway.process is not None
        assert gateway.process.wait(60) == 0, gateway.log()
        # The neighbour's own topics work, and what it hears of acknowledgements is its own alone.
        neighbour.publish("link/gw-b/up", payload, qos=1).wait_for_publish(DEADLINE_S)
        wait_until(lambda: "link/gw-b/ack" in overheard, "the neighbour's own acknowledgement", detail=site.broker.log)
        assert set(overheard) == {"link/gw-b/ack"}
        assert {topic for topic, _ in server.statuses} == {"link/gw-a/status"}
        assert all(b"{" in status for _, status in server.statuses)
        assert server.bursts == {air_frame(1), air_frame(666)}


def neighbour_mid(site: Site, topic: str) -> str:
    """The number of the neighbour's last denied message to `topic`, from the broker's log."""
    denied: list[str] = []

    def logged() -> bool:
        denied.extend(
            line
            for line in site.broker.log().splitlines()
            if "Denied PUBLISH from neighbour" in line and f"'{topic}'" in line
        )
        return bool(denied)

    wait_until(logged, f"the refusal of {topic} in the broker's log", detail=site.broker.log)
    return denied[-1].split(", m", 1)[1].split(",", 1)[0]


def test_the_gateway_says_that_the_access_list_is_against_it(
    tmp_path: Path, gateway_program: Path, authority: Authority
) -> None:
    broker = Broker(tmp_path / "broker", authority, authority.issue("broker", hosts=("localhost", "127.0.0.1")))
    (tmp_path / "broker" / "acl").write_text(ACL.replace("pattern write link/%u/up\n", ""))
    site = Site(tmp_path, gateway_program, authority, broker, authority.issue("server"))
    broker.start()
    recording = tmp_path / "recording"
    recording.write_bytes(chunk(air_frame(1)))
    gateway = site.gateway()
    try:
        gateway.start("--input", str(recording))
        gateway.wait_for_log('its access list must let "gw-a" write link/gw-a/up')
        assert gateway.stop() == 0
    finally:
        gateway.kill()
        broker.kill()
    assert "; 1 rows wait" in gateway.log().splitlines()[-1]


def test_two_gateways_with_one_certificate_are_named(site: Site, tmp_path: Path) -> None:
    identity = site.authority.issue("gw-a")
    first = site.gateway(identity=identity, backoff_max_s=60)
    second = site.gateway(identity=identity, folder=tmp_path / "second", backoff_max_s=60)
    first.start()
    first.wait_for_log("connected to the broker")
    second.start()
    first.wait_for_log("two gateways with one certificate?")


def test_a_broker_that_is_not_there_is_named(site: Site) -> None:
    gateway = site.gateway(port=free_port())
    gateway.start()
    gateway.wait_for_log("Connection refused")
    assert gateway.stop() == 0
