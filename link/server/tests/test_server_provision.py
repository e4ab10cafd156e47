"""Provisioning, revocation, passwords: what an operator does, and every mistake on the way."""

from __future__ import annotations

import os
import stat
import subprocess
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID
from sensorlink.eeprom import decode_record
from server_support import Device, Site, read_fleet


def certificate(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def from_intel_hex(text: str) -> bytes:
    """By the format's description: each line's bytes sum to zero."""
    image = bytearray()
    for line in text.split():
        data = bytes.fromhex(line.removeprefix(":"))
        assert sum(data) % 256 == 0, line
        if data[3] == 0:
            assert int.from_bytes(data[1:3], "big") == len(image)
            image += data[4 : 4 + data[0]]
    assert text.endswith(":00000001FF\n")
    return bytes(image)


def test_certificates_are_what_they_are_for(farm: Site) -> None:
    farm.create()
    authority = certificate(farm.folder / "ca" / "ca.crt")
    for path, usage, names in (
        ("broker/broker.crt", ExtendedKeyUsageOID.SERVER_AUTH, {"localhost"}),
        ("server/server.crt", ExtendedKeyUsageOID.CLIENT_AUTH, set()),
        ("server/page.crt", ExtendedKeyUsageOID.SERVER_AUTH, {"localhost"}),
        ("gateways/gw-a/gateway.crt", ExtendedKeyUsageOID.CLIENT_AUTH, set()),
    ):
        found = certificate(farm.folder / path)
        found.verify_directly_issued_by(authority)
        assert list(found.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value) == [usage], path
        assert isinstance(found.public_key(), ec.EllipticCurvePublicKey)
        assert found.not_valid_before_utc < datetime.now(UTC) < found.not_valid_after_utc
        assert timedelta(days=729) < found.not_valid_after_utc - datetime.now(UTC) <= timedelta(days=730)
        if names:
            assert names <= set(
                found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value.get_values_for_type(
                    x509.DNSName
                )
            )
    assert not authority.extensions.get_extension_for_class(x509.KeyUsage).value.digital_signature


def test_renewal_keeps_the_page_s_names(farm: Site) -> None:
    def names() -> set[str]:
        found = certificate(farm.folder / "server" / "page.crt")
        return set(
            found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value.get_values_for_type(
                x509.DNSName
            )
        )

    farm.create(extra=("--page-host", "farm.example"))
    assert names() == {"farm.example", "localhost"}
    farm.provision("--renew")
    assert names() == {"farm.example", "localhost"}
    farm.provision("--renew", "--page-host", "weir.example")
    farm.provision("--renew")
    assert names() == {"weir.example", "localhost"}
    # A site from before its settings named them.
    settings = farm.folder / "site.toml"
    settings.write_text(
        "".join(line for line in settings.read_text().splitlines(keepends=True) if not line.startswith("page_hosts"))
    )
    assert "page_hosts" not in settings.read_text()
    farm.provision("--renew")
    assert names() == {"weir.example", "localhost"}
    assert 'page_hosts = ["weir.example"]' in settings.read_text()
    # What else its owner wrote stays.
    settings.write_text("# the owner's\n" + settings.read_text())
    farm.provision("--renew")
    assert settings.read_text().startswith("# the owner's\n")
    # A name that the certificate has not is not passed over.
    farm.provision("--page-host", "weir.example.", "--gateway", "gw-c")
    refused = farm.attempt("provision", "--page-host", "barn.example")
    assert (
        refused.returncode == 2
        and "--page-host barn.example: the page's certificate is for other names; with --renew" in refused.stderr
    )
    refused = farm.attempt("provision", "--renew", "--page-host", "barn.example:8443")
    assert (
        refused.returncode == 2
        and "--page-host barn.example:8443: a name that browsers call the page by, without a port" in refused.stderr
    )
    assert names() == {"weir.example", "localhost"}


def test_secrets_are_their_owner_s_only(farm: Site) -> None:
    farm.create()
    farm.provision("--device", "900")
    secrets = [path for path in farm.folder.rglob("*") if path.suffix in (".key", ".bin", ".eep")] + [
        farm.folder.parent / "fleet.csv"
    ]
    assert len(secrets) == 11
    secrets += [farm.folder / "site.toml", farm.folder / "link.sqlite"]
    for path in secrets:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    for folder in (path for path in farm.folder.rglob("*") if path.is_dir()):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700, folder
    # Where root provisioned, the broker's account must get through to its folder, and see nothing on its way.
    assert stat.S_IMODE(farm.folder.stat().st_mode) == (0o711 if os.getuid() == 0 else 0o700)


def test_the_database_holds_no_device_key_in_clear(farm: Site) -> None:
    farm.create(fleet=3)
    content = b"".join(path.read_bytes() for path in farm.folder.glob("link.sqlite*"))
    for line in (farm.folder.parent / "fleet.csv").read_text().splitlines()[1:]:
        master, key = line.split(",")[3:5]
        assert bytes.fromhex(master) not in content and bytes.fromhex(key) not in content
        assert master.encode() not in content and key.encode() not in content
    # Another seal: the server says so and does not start.
    (farm.folder / "server" / "seal.key").write_text("00" * 16)
    done = farm.attempt("serve", "--page", "none")
    assert done.returncode == 2
    assert "sealed by another server key" in done.stderr


def test_an_image_holds_the_record_that_the_firmware_reads(farm: Site) -> None:
    farm.create()
    farm.provision(
        "--device",
        "4660",
        "--suite",
        "ccm",
        "--slots",
        "11",
        "--period",
        "30",
        "--channel",
        "5",
        "--name",
        "Upper weir",
    )
    stem = farm.folder / "devices" / "4660-epoch0"
    image = stem.with_suffix(".bin").read_bytes()
    assert from_intel_hex(stem.with_suffix(".eep").read_text()) == image
    record = decode_record(image[:32])
    assert record is not None
    assert (record.suite, record.epoch, record.device, record.mark) == (2, 0, 4660, 0)
    assert (record.slot, record.slots, record.period_s, record.channel) == (4660 % 11, 11, 30, 5)
    assert set(image[32:]) == {0xFF} and len(image) == 512
    farm.server()
    farm.gateway().deliver([Device(4660, 0, 2, record.key).frame(0)])
    assert farm.counters(4660) == [0]


def test_a_gateway_s_certificate_can_be_issued_anew(farm: Site) -> None:
    farm.create()
    before = certificate(farm.folder / "gateways" / "gw-a" / "gateway.crt")
    farm.provision("--gateway", "gw-a", "--renew", "--days", "10")
    after = certificate(farm.folder / "gateways" / "gw-a" / "gateway.crt")
    assert after.serial_number != before.serial_number
    assert after.not_valid_after_utc - datetime.now(UTC) < timedelta(days=10)
    revoked = x509.load_pem_x509_crl((farm.folder / "broker" / "crl.pem").read_bytes())
    assert len(revoked) == 0
    farm.run("revoke", "--gateway", "gw-a")
    revoked = x509.load_pem_x509_crl((farm.folder / "broker" / "crl.pem").read_bytes())
    assert {entry.serial_number for entry in revoked} == {before.serial_number, after.serial_number}
    # The broker goes by names, and reads that list when it starts: the thief would be let in again with the name.
    for renew in ((), ("--renew",)):
        done = farm.attempt("provision", "--gateway", "gw-a", *renew)
        assert done.returncode == 2 and "The gateway 'gw-a' is revoked" in done.stderr
    assert "gw-a" not in (farm.folder / "broker" / "dynamic-security.json").read_text()
    authority = certificate(farm.folder / "ca" / "ca.crt")
    assert revoked.is_signature_valid(authority.public_key())  # type: ignore[arg-type]


def test_ten_thousand_devices_in_postgresql(farm: Site, new_database) -> None:  # type: ignore[no-untyped-def]
    farm.database = new_database()
    farm.create(fleet=10_000)
    assert len({device.key for device in read_fleet(farm.folder.parent / "fleet.csv")}) == 10_000
    farm.server()
    last = farm.devices[-1]
    farm.gateway().deliver([last.frame(1)])
    assert farm.counters(last.id) == [1]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("provision", "--device", "1"), "Device 1 exists already; give it a new key with: bancada link rotate 1"),
        (("provision", "--gateway", "gw-a"), "The gateway 'gw-a' exists already; --renew issues its certificate anew."),
        (
            ("provision", "--gateway", "../x"),
            "'../x' cannot be a gateway's name: 1 to 64 letters, digits, '-', '_' or '.', and not 'server', "
            "'server-…' or 'admin'.",
        ),
        (
            ("provision", "--gateway", "server"),
            "'server' cannot be a gateway's name: 1 to 64 letters, digits, '-', '_' or '.', and not 'server', "
            "'server-…' or 'admin'.",
        ),
        (("provision", "--fleet", "3"), "--fleet needs --csv FILE: where to write the devices' keys."),
        (
            ("provision", "--fleet", "10", "--first", "65530", "--csv", "x.csv"),
            "A fleet of 10 from id 65530 does not fit: the last id is 65535.",
        ),
        (
            ("provision", "--fleet", "3", "--first", "100", "--csv", "/proc/none/x.csv"),
            "The folder /proc/none cannot be made: ",
        ),
        (
            ("provision", "--page", "8080"),
            "--page 8080: an address and a port, such as 127.0.0.1:8080 or 0.0.0.0:8443.",
        ),
        (("provision", "--device", "9", "--rain-alarm", "0"), "--rain-alarm 0: a rate in mm/h above 0."),
        (("provision", "--device", "9", "--rain-window", "1441"), "--rain-window 1441: 1 to 1440 minutes."),
        (("provision", "--device", "9", "--name", "a\nb"), "A sensor's name has 1 to 80 letters."),
        (("rotate", "77"), "There is no device 77; add it with: bancada link provision --device 77"),
        (("revoke", "--device", "77"), "There is no device 77."),
        (("revoke", "--gateway", "attic"), "There is no gateway 'attic'."),
        (("serve", "--broker", "localhost"), "--broker localhost: a host and a port, such as localhost:8883."),
        (
            ("serve", "--database", "postgresql://nobody@127.0.0.1:1/none"),
            "The database postgresql://nobody@127.0.0.1:1/none cannot be used: ",
        ),
    ],
)
def test_mistakes_are_one_sentence(farm: Site, arguments: tuple[str, ...], sentence: str) -> None:
    farm.create()
    done = farm.attempt(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(f"bancada: {sentence}")
    assert done.stderr.count("\n") == 1
    # Nothing is done by halves.
    assert not (farm.folder / "devices" / "9-epoch0.eep").exists()
    assert farm.query("SELECT COUNT(*) FROM device") == [(2,)]


def test_the_database_s_url_may_be_in_the_environment(
    farm: Site, new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An argument with a password in it is shown to everybody by ps."""
    monkeypatch.setenv("BANCADA_LINK_DATABASE", new_database())
    farm.create()
    assert not (farm.folder / "link.sqlite").exists()
    server = farm.server()
    farm.gateway().deliver([farm.devices[0].frame(1)])
    server.kill()
    farm.database = os.environ["BANCADA_LINK_DATABASE"]
    assert farm.counters(farm.devices[0].id) == [1]
    assert farm.database in (farm.folder / "site.toml").read_text()
    monkeypatch.setenv("BANCADA_LINK_DATABASE", "")
    assert farm.attempt("audit").returncode == 0
    assert farm.attempt("serve", "--database", "missing/link.sqlite").returncode == 2


def test_a_database_beyond_this_machine_needs_tls_or_a_word(farm: Site) -> None:
    farm.create()
    # An address of this machine that is not loopback, and a port where no program answers.
    done = farm.attempt("serve", "--database", "postgresql://nobody:secret@0.0.0.0:1/none")
    assert done.returncode == 2
    assert (
        "must name the authority of its certificate, sslrootcert=FILE" in done.stderr and "secret" not in done.stderr
    ), done.stderr
    done = farm.attempt("serve", "--database", "postgresql://nobody:secret@0.0.0.0:1/none?sslmode=disable")
    assert done.returncode == 2
    assert done.stderr.count("is not encrypted") == 1 and "secret" not in done.stderr, done.stderr
    near = farm.attempt("serve", "--database", "postgresql://nobody:secret@127.0.0.1:1/none")
    assert near.returncode == 2 and "is not encrypted" not in near.stderr


def test_no_site_and_a_spoiled_one(farm: Site) -> None:
    done = farm.attempt("serve")
    assert (done.returncode, done.stderr) == (
        2,
        f"bancada: There is no site in {farm.folder}; make one with: bancada link provision --site {farm.folder}\n",
    )
    farm.create()
    settings = farm.folder / "site.toml"
    settings.write_text(settings.read_text().replace("broker_port", "broker_part"))
    done = farm.attempt("audit")
    assert done.returncode == 2
    assert "site.toml, line" in done.stderr and "broker_part" in done.stderr


def test_the_password_can_be_set_and_is_kept_as_a_slow_hash(farm: Site) -> None:
    farm.create()
    done = farm.attempt("password", "--stdin", stdin="short\n")
    assert (done.returncode, done.stderr) == (2, "bancada: The password is too short: at least 10 characters.\n")
    done = farm.attempt("password", "--stdin", stdin="correct horse battery\n")
    assert done.returncode == 0
    ((hashed,),) = farm.query("SELECT hash FROM account")
    assert hashed.startswith("$argon2id$v=19$m=19456,t=2,p=1$")


def test_a_run_that_was_interrupted_can_be_repeated(farm: Site) -> None:
    """Killed at several moments of its making, a site is either made or can be made by the same command."""
    command = ["provision", "--broker-port", str(farm.port), "--gateway", "gw-a"]
    from server_support import server_program

    for pause_s in (0.0, 0.005, 0.02, 0.05):
        begun = subprocess.Popen(
            [server_program(), *command, "--site", str(farm.folder)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(pause_s)  # the moment of the kill, not a wait for something
        begun.kill()
        begun.wait()
        if (farm.folder / "site.toml").is_file():
            break
    done = farm.attempt(*command)
    assert done.returncode == 0 or "exists already" in done.stderr, done.stderr
    assert (farm.folder / "broker" / "mosquitto.conf").is_file()
