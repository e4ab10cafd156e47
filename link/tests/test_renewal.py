"""Certificates are renewed before they end: a whole site whose clocks are set ahead, and requests that get none."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from link_site import DEADLINE_S, Program, chunk
from sensorlink.binaries import GATEWAY, binary
from server_support import Server, Site, TestGateway, until

DAY_S = 86_400


def gateway_program() -> str:
    return os.environ.get("BANCADA_LINK_GATEWAY") or str(binary(GATEWAY))


class Daemon(Program):
    """A gateway's daemon with the folder that provisioning made for it."""

    def __init__(self, site: Site, name: str) -> None:
        super().__init__(site.folder.parent / f"{name}.log")
        self.folder = site.folder / "gateways" / name
        settings = self.folder / "gateway.toml"
        settings.write_text(
            settings.read_text().replace("[broker]", "min_free_mb = 0\n\n[broker]")
            + "resend_s = 0.5\nbackoff_max_s = 0.3\n"
        )

    def start(self, clock: dict[str, str]) -> None:
        command = [gateway_program(), "--config", str(self.folder / "gateway.toml"), "--input", "-"]
        self.spawn(command, stdin=subprocess.PIPE, env={**os.environ, **clock})

    def bring(self, frame: bytes) -> None:
        assert self.process is not None and self.process.stdin is not None
        self.process.stdin.write(chunk(frame))
        self.process.stdin.flush()


@pytest.fixture
def daemons() -> Iterator[list[Daemon]]:
    started: list[Daemon] = []
    yield started
    for daemon in started:
        daemon.kill()


def ends(path: Path) -> datetime:
    return x509.load_pem_x509_certificate(path.read_bytes()).not_valid_after_utc


def start_all(site: Site, server: Server, clock: dict[str, str]) -> None:
    site.broker.spawn(["mosquitto", "-c", str(site.folder / "broker" / "mosquitto.conf")], env={**os.environ, **clock})
    site.broker.wait_for_log("running")
    server.start(env={**os.environ, **clock})


def test_a_site_goes_on_beyond_the_end_of_its_certificates(
    farm: Site, shifted_clock: Path, daemons: list[Daemon]
) -> None:
    """Certificates of a day, two days backdated: their last third has begun. Two gateways; one is off while the other
    gets its new certificate. Three days later only that one is let in.
    """
    farm.create(extra=("--days", "1"))
    server = farm.server()
    awake, asleep = (Daemon(farm, name) for name in ("gw-a", "gw-b"))
    daemons += [awake, asleep]
    awake.start({})
    awake.wait_for_log("another one is asked for")
    certificate = (awake.folder / "gateway.crt").read_bytes()
    said = farm.run("renew", "--wait", "2", "--then", f"touch {farm.folder}/told")
    for expected in (
        "broker/broker.crt is new",
        "server/server.crt is new",
        "server/page.crt is new",
        "Gateway 'gw-a' gets another certificate",
    ):
        assert expected in said, said
    assert "gw-b" not in said and (farm.folder / "told").is_file()
    awake.wait_for_log("the certificate is renewed")
    kept = awake.folder / "identity.pem"
    assert kept.stat().st_mode & 0o777 == 0o600 and ends(kept) > datetime.now(UTC) + timedelta(days=700)
    assert (awake.folder / "gateway.crt").read_bytes() == certificate, "what the operator installed stays"
    # It delivers with the new one at once, and nobody asks any more.
    awake.bring(farm.devices[0].frame(1))
    until(lambda: farm.counters(1) == [1], "a reading by the new certificate")
    said = farm.run("renew", "--wait", "1")
    assert said == "No certificate was due.\n"
    for program in (awake, farm.broker, server):
        program.kill()

    clock = {"LD_PRELOAD": str(shifted_clock), "SHIFTED_CLOCK_S": str(3 * DAY_S)}
    start_all(farm, server, clock)
    for daemon in (awake, asleep):
        daemon.start(clock)
    awake.bring(farm.devices[0].frame(2))
    until(lambda: farm.counters(1) == [1, 2], "a reading three days later")
    asleep.wait_for_log("the broker refuses this gateway's certificate: expired")
    # A revoked gateway has no way in by its renewed certificate.
    farm.run("revoke", "--gateway", "gw-a")
    serials = (farm.folder / "ca" / "revoked.txt").read_text()
    assert f"{x509.load_pem_x509_certificate(kept.read_bytes()).serial_number:x}" in serials


def request_of(name: str, key: ec.EllipticCurvePrivateKey) -> bytes:
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    request = x509.CertificateSigningRequestBuilder().subject_name(subject).sign(key, hashes.SHA256())
    return request.public_bytes(serialization.Encoding.PEM)


def keep(gateway: TestGateway, topic: str, payload: bytes) -> None:
    """Publishes what the broker keeps, if it lets it through; a refusal of MQTT 3 looks like a success."""
    gateway._client.publish(topic, payload, qos=1, retain=True).wait_for_publish(DEADLINE_S)


def test_nobody_gets_a_certificate_of_another(farm: Site) -> None:
    farm.create(gateways=("gw-a", "gw-b", "gw-c", "gw-d"), extra=("--days", "1"))
    key = ec.generate_private_key(ec.SECP256R1())
    one, two, three = (farm.gateway(name) for name in ("gw-a", "gw-b", "gw-c"))
    # By its own topic, with the name of another in it: the name counts that the broker knows.
    keep(one, "link/gw-a/request", request_of("gw-b", key))
    # By the topic of another: the broker does not let it through.
    keep(two, "link/gw-d/request", request_of("gw-d", key))
    # Too long, and signed by another key than the one it is for.
    keep(two, "link/gw-b/request", b"x" * 100_000)
    broken = bytearray(request_of("gw-b", key))
    broken[-60] ^= 1
    keep(two, "link/gw-b/request", bytes(broken))
    # Revoked since it asked.
    keep(three, "link/gw-c/request", request_of("gw-c", key))
    farm.query("UPDATE gateway SET revoked_ms = 1 WHERE name = 'gw-c'")
    said = farm.run("renew", "--wait", "2")
    assert "Gateway 'gw-a' gets another certificate" in said
    assert "gateway 'gw-b' is refused: it is not a request that its key has signed" in said
    assert "gateway 'gw-c' is refused: it is revoked" in said and "gw-d" not in said, said
    assert farm.run("renew", "--wait", "1") == "No certificate was due.\n", "each is answered once"
    # Of the certificate that was given: its name is the topic's, and it is no server's and no authority's.
    got: list[bytes] = []
    one._client.message_callback_add(
        "link/gw-a/certificate", lambda _c, _d, message: got.append(bytes(message.payload))
    )
    one._client.subscribe("link/gw-a/certificate", 1)
    until(lambda: got, "the certificate, which the broker keeps")
    certificate = x509.load_pem_x509_certificate(got[0])
    assert certificate.subject.rfc4514_string() == "CN=gw-a"
    assert [
        usage.dotted_string for usage in certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    ] == ["1.3.6.1.5.5.7.3.2"]
    assert certificate.public_key() == key.public_key()


def test_nobody_gets_a_certificate_before_it_is_due(farm: Site) -> None:
    """Whoever has a gateway's key for an hour asks for certificates again and again, at any time of the present one."""
    farm.create()
    gateway = farm.gateway("gw-a")

    def asked(*options: str) -> str:
        keep(gateway, "link/gw-a/request", request_of("gw-a", ec.generate_private_key(ec.SECP256R1())))
        return farm.run("renew", "--wait", "1", *options)

    serials = farm.query("SELECT serial FROM gateway WHERE name = 'gw-a'")
    for _ in range(3):
        said = asked()
        assert "gateway 'gw-a' is refused: it is not due before" in said, said
    assert farm.query("SELECT serial FROM gateway WHERE name = 'gw-a'") == serials
    assert "gets another certificate" in asked("--force"), "the operator may say otherwise"
    assert "is not due before" in asked(), "the newest certificate counts"
    # The last third of 732 days: two of them before now.
    farm.query("UPDATE certificate SET begins_s = begins_s - 500 * 86400, ends_s = ends_s - 500 * 86400")
    assert "gets another certificate" in asked()


def test_without_the_authoritys_key_nothing_is_signed(farm: Site) -> None:
    farm.create(extra=("--days", "1"))
    (farm.folder / "ca" / "ca.key").rename(farm.folder.parent / "kept elsewhere")
    before = (farm.folder / "server" / "server.crt").read_bytes()
    done = farm.attempt("renew")
    assert done.returncode == 2 and "ca/ca.key is not here" in done.stderr
    assert (farm.folder / "server" / "server.crt").read_bytes() == before
