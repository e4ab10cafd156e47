"""Provisioning, rotation, revocation, passwords: what an operator does, and every mistake on the way."""

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
from server_support import Device, Site, device_key, read_fleet, until

from bancada.link.eeprom import decode_record


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
            assert names <= set(found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value.get_values_for_type(x509.DNSName))
    assert not authority.extensions.get_extension_for_class(x509.KeyUsage).value.digital_signature


def test_renewal_keeps_the_page_s_names(farm: Site) -> None:
    def names() -> set[str]:
        found = certificate(farm.folder / "server" / "page.crt")
        return set(found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value.get_values_for_type(x509.DNSName))

    farm.create(extra=("--page-host", "farm.example"))
    assert names() == {"farm.example", "localhost"}
    farm.provision("--renew")
    assert names() == {"farm.example", "localhost"}
    farm.provision("--renew", "--page-host", "weir.example")
    farm.provision("--renew")
    assert names() == {"weir.example", "localhost"}
    # A site from before its settings named them.
    settings = farm.folder / "site.toml"
    settings.write_text("".join(line for line in settings.read_text().splitlines(keepends=True) if not line.startswith("page_hosts")))
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
    assert refused.returncode == 2 and "--page-host barn.example: the page's certificate is for other names; with --renew" in refused.stderr
    refused = farm.attempt("provision", "--renew", "--page-host", "barn.example:8443")
    assert refused.returncode == 2 and "--page-host barn.example:8443: a name that browsers call the page by, without a port" in refused.stderr
    assert names() == {"weir.example", "localhost"}


def test_secrets_are_their_owner_s_only(farm: Site) -> None:
    farm.create()
    farm.provision("--device", "900")
    secrets = [path for path in farm.folder.rglob("*") if path.suffix in (".key", ".bin", ".eep")] + [farm.folder.parent / "fleet.csv"]
    assert len(secrets) == 10
    secrets += [farm.folder / "site.toml", farm.folder / "link.sqlite"]
    for path in secrets:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    for folder in [farm.folder, *(path for path in farm.folder.rglob("*") if path.is_dir())]:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700, folder


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
    farm.provision("--device", "4660", "--suite", "ccm", "--slots", "11", "--period", "30", "--channel", "5", "--name", "Upper weir")
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


def test_rotation_ends_the_old_key_with_the_first_good_frame_of_the_new(farm: Site) -> None:
    farm.create()
    farm.server()
    old = farm.devices[0]
    gateway = farm.gateway()
    gateway.deliver([old.frame(5)])
    farm.run("rotate", str(old.id), "--suite", "ccm")
    record = decode_record((farm.folder / "devices" / f"{old.id}-epoch1.bin").read_bytes()[:32])
    assert record is not None and (record.epoch, record.suite, record.mark) == (1, 2, 0)
    master = bytes.fromhex((farm.folder.parent / "fleet.csv").read_text().splitlines()[1].split(",")[3])
    assert record.key == device_key(master, 1, 2)
    new = Device(old.id, 1, 2, record.key)
    gateway.deliver([old.frame(6)])
    forged = bytearray(new.frame(0))
    forged[30] ^= 4
    gateway.deliver([bytes(forged), old.frame(7)])
    gateway.deliver([new.frame(0), old.frame(8)])
    gateway.deliver([old.frame(5), new.frame(1)])
    assert farm.query(f"SELECT epoch, counter FROM reading WHERE device = {old.id} ORDER BY epoch, counter") == [(0, 5), (0, 6), (0, 7), (1, 0), (1, 1)]
    assert farm.refusals() == {"forged tag": 1, "wrong suite or epoch": 2}


def rotated(farm: Site, old: Device) -> Device:
    """The device under its next key."""
    farm.run("rotate", str(old.id))
    record = decode_record((farm.folder / "devices" / f"{old.id}-epoch{old.epoch + 1}.bin").read_bytes()[:32])
    assert record is not None
    return Device(old.id, record.epoch, record.suite, record.key)


def stored(farm: Site, device: int) -> list[tuple[int, int]]:
    return [(int(epoch), int(counter)) for epoch, counter in farm.query(f"SELECT epoch, counter FROM reading WHERE device = {device} ORDER BY epoch, counter")]


@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_readings_that_a_rotation_overtook_are_stored_once(farm: Site, new_database: Callable[[], str], database: str) -> None:
    """Under the old key and on their way, from the gateway that heard the new key later and from one that was offline."""
    farm.database = new_database() if database == "PostgreSQL" else None
    farm.create(gateways=("gw-a", "gw-b", "gw-c"))
    farm.server()
    old = farm.devices[0]
    gateway, offline = farm.gateway("gw-a"), farm.gateway("gw-b")
    farm.gateway("gw-c").deliver([old.frame(500)])
    new = rotated(farm, old)
    # Behind the window, within it, and above it.
    behind, within, above = range(100, 300), range(470, 490), range(501, 700)
    on_the_way = gateway.number([old.frame(counter) for counter in (*behind, *within, *above)])
    (newer,) = gateway.number([new.frame(0)])
    gateway.publish([newer])
    until(lambda: newer in gateway.acknowledged, "acknowledged")
    for _ in range(2):  # the second time is no replay: an acknowledgement was lost
        gateway.acknowledged -= set(on_the_way)
        gateway.publish(on_the_way)
        until(lambda: not gateway.unacknowledged(), "acknowledged")
    other = range(300, 400)
    offline.deliver([old.frame(counter) for counter in other])
    expected = [(0, counter) for counter in (*behind, *other, *within, 500, *above)] + [(1, 0)]
    assert stored(farm, old.id) == expected
    assert farm.refusals() == {}
    # Stored before, whoever brings them: refused.
    offline.deliver([old.frame(counter) for counter in (100, 399, 480, 500, 699)])
    assert farm.refusals() == {"wrong suite or epoch": 5}
    # Never stored, but this gateway had heard the new key before it: held back on the air.
    gateway.deliver([old.frame(counter) for counter in (450, 650, 9000)])
    offline.deliver([new.frame(1)])
    offline.deliver([old.frame(counter) for counter in (450, 9000)])
    assert farm.refusals() == {"wrong suite or epoch": 10}
    assert stored(farm, old.id) == [*expected, (1, 1)]


def test_a_retired_key_s_readings_may_be_deleted_and_are_no_less_replays(farm: Site) -> None:
    farm.create()
    farm.server()
    old = farm.devices[0]
    gateway, offline = farm.gateway("gw-a"), farm.gateway("gw-b")
    gateway.deliver([old.frame(counter) for counter in range(200)])
    new = rotated(farm, old)
    gateway.deliver([new.frame(0)])
    farm.query(f"DELETE FROM reading WHERE device = {old.id} AND epoch = 0 AND counter < 190")
    offline.deliver([old.frame(counter) for counter in range(200)])
    assert stored(farm, old.id) == [(0, counter) for counter in range(190, 200)] + [(1, 0)]
    assert farm.refusals() == {"wrong suite or epoch": 200}


def test_a_stated_time_ends_the_old_key_for_what_is_on_its_way_too(farm: Site) -> None:
    farm.create()
    farm.server()
    old = farm.devices[0]
    gateway, offline = farm.gateway("gw-a"), farm.gateway("gw-b")
    new = rotated(farm, old)
    gateway.deliver([new.frame(0)])
    offline.deliver([old.frame(1)])
    farm.query(f"UPDATE epoch SET retires_ms = {int(time.time() * 1000) - 1} WHERE device = {old.id} AND epoch = 0")
    offline.deliver([old.frame(2)])
    assert stored(farm, old.id) == [(0, 1), (1, 0)]
    assert farm.refusals() == {"wrong suite or epoch": 1}


def test_rotation_ends_the_old_key_at_a_stated_time(farm: Site) -> None:
    farm.create()
    farm.server()
    one, two = farm.devices
    farm.run("rotate", str(one.id), "--old-for", "0s")
    farm.run("rotate", str(two.id), "--old-for", "1d")
    farm.gateway().deliver([one.frame(1), two.frame(1)])
    assert farm.query("SELECT device, epoch, counter FROM reading") == [(two.id, 0, 1)]
    assert farm.refusals() == {"wrong suite or epoch": 1}


def test_an_old_key_ends_after_a_week_unless_another_time_is_stated(farm: Site) -> None:
    """Without an end, who stole it could go on for ever by way of a gateway that does not hear the sensor."""
    farm.create(fleet=1)
    before_ms = int(time.time() * 1000)
    said = farm.run("rotate", "1")
    assert "bring the new one to the sensor before. If somebody may know the old key: --old-for 0s." in said
    ((epoch, retires_ms), (newest, none)) = farm.query("SELECT epoch, COALESCE(retires_ms, 0) FROM epoch ORDER BY epoch")
    assert (epoch, newest, none) == (0, 1, 0)
    week_ms = 7 * 86_400_000
    assert before_ms + week_ms <= retires_ms <= int(time.time() * 1000) + week_ms
    # A later rotation does not give an older key more time.
    farm.run("rotate", "1", "--old-for", "30d")
    assert farm.query("SELECT retires_ms FROM epoch WHERE epoch = 0") == [(retires_ms,)]
    assert "Its old key has ended" in farm.run("rotate", "1", "--old-for", "0s")
    ((latest,),) = farm.query("SELECT MAX(retires_ms) FROM epoch WHERE epoch < 3")
    assert latest <= int(time.time() * 1000)


def test_sixteen_epochs_and_no_more(farm: Site) -> None:
    farm.create(fleet=1)
    for _ in range(15):
        farm.run("rotate", "1")
    done = farm.attempt("rotate", "1")
    assert (done.returncode, done.stderr) == (2, "bancada: Device 1 has used all 16 key epochs; give the sensor a new id.\n")
    keys = {record.key for path in (farm.folder / "devices").glob("*.bin") if (record := decode_record(path.read_bytes()[:32]))}
    assert len(keys) == 15


def test_a_database_from_a_backup_makes_no_epoch_twice(farm: Site) -> None:
    """Its counter would begin anew under the key that the sensor has used already."""
    farm.create(fleet=1)
    database = farm.folder / "link.sqlite"
    backup = database.read_bytes()
    for _ in range(2):
        farm.run("rotate", "1")
    (farm.folder / "devices" / "1-epoch1.bin").unlink()
    database.write_bytes(backup)
    assert "Device 1 has key epoch 3: " in farm.run("rotate", "1")
    (farm.folder / "devices" / "1-epoch15.eep").touch()
    assert "has used all 16 key epochs" in farm.attempt("rotate", "1").stderr


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
    # The older one would let its holder in again once the name is: it is revoked with the newer.
    assert {entry.serial_number for entry in revoked} == {before.serial_number, after.serial_number}
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
        (("provision", "--gateway", "../x"), "'../x' cannot be a gateway's name: 1 to 64 letters, digits, '-', '_' or '.', and not 'server'."),
        (("provision", "--gateway", "server"), "'server' cannot be a gateway's name: 1 to 64 letters, digits, '-', '_' or '.', and not 'server'."),
        (("provision", "--fleet", "3"), "--fleet needs --csv FILE: where to write the devices' keys."),
        (("provision", "--fleet", "10", "--first", "65530", "--csv", "x.csv"), "A fleet of 10 from id 65530 does not fit: the last id is 65535."),
        (("provision", "--page", "8080"), "--page 8080: an address and a port, such as 127.0.0.1:8080 or 0.0.0.0:8443."),
        (("provision", "--rain-alarm", "0"), "--rain-alarm 0: a rate in mm/h above 0."),
        (("rotate", "77"), "There is no device 77; add it with: bancada link provision --device 77"),
        (("revoke", "--device", "77"), "There is no device 77."),
        (("revoke", "--gateway", "attic"), "There is no gateway 'attic'."),
        (("serve", "--broker", "localhost"), "--broker localhost: a host and a port, such as localhost:8883."),
        (("serve", "--database", "postgresql://nobody@127.0.0.1:1/none"), "The database postgresql://nobody@127.0.0.1:1/none cannot be used: "),
    ],
)
def test_mistakes_are_one_sentence(farm: Site, arguments: tuple[str, ...], sentence: str) -> None:
    farm.create()
    done = farm.attempt(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(f"bancada: {sentence}")
    assert done.stderr.count("\n") == 1


def test_the_database_s_url_may_be_in_the_environment(farm: Site, new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch) -> None:
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
    # An address of this machine that is none of loopback's, and a port where nobody answers.
    done = farm.attempt("serve", "--database", "postgresql://nobody:secret@0.0.0.0:1/none")
    assert done.returncode == 2
    assert "must name the authority of its certificate, sslrootcert=FILE" in done.stderr and "secret" not in done.stderr, done.stderr
    done = farm.attempt("serve", "--database", "postgresql://nobody:secret@0.0.0.0:1/none?sslmode=disable")
    assert done.returncode == 2
    assert done.stderr.count("is not encrypted") == 1 and "secret" not in done.stderr, done.stderr
    near = farm.attempt("serve", "--database", "postgresql://nobody:secret@127.0.0.1:1/none")
    assert near.returncode == 2 and "is not encrypted" not in near.stderr


def test_no_site_and_a_spoiled_one(farm: Site) -> None:
    done = farm.attempt("serve")
    assert (done.returncode, done.stderr) == (2, f"bancada: There is no site in {farm.folder}; make one with: bancada link provision --site {farm.folder}\n")
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
    ((hashed,),) = farm.query("SELECT value FROM setting WHERE name = 'password'")
    assert hashed.startswith("$argon2id$v=19$m=19456,t=2,p=1$")


def test_a_run_that_was_interrupted_can_be_repeated(farm: Site) -> None:
    """Killed at several moments of its making, a site is either made or can be made by the same command."""
    command = ["provision", "--broker-port", str(farm.port), "--gateway", "gw-a"]
    from server_support import server_program

    for pause_s in (0.0, 0.005, 0.02, 0.05):
        begun = subprocess.Popen([server_program(), *command, "--site", str(farm.folder)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(pause_s)  # the moment of the kill, not a wait for something
        begun.kill()
        begun.wait()
        if (farm.folder / "site.toml").is_file():
            break
    done = farm.attempt(*command)
    assert done.returncode == 0 or "exists already" in done.stderr, done.stderr
    assert (farm.folder / "broker" / "mosquitto.conf").is_file()
