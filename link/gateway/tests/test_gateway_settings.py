"""Every mistake of the operator's gives one sentence that says what, where and what to do, and the exit code 2."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import tomllib
from pathlib import Path

import pytest
from gateway_site import Site
from link_site import Authority, Broker, Gateway
from sensorlink.laboratory import data_root


@pytest.fixture
def gateway(tmp_path: Path, gateway_program: Path) -> Gateway:
    """Not started, and without a broker."""
    authority = Authority(tmp_path / "authority")
    broker = Broker(tmp_path / "broker", authority, authority.issue("broker", hosts=("localhost",)))
    return Site(tmp_path, gateway_program, authority, broker, authority.issue("server")).gateway()


def complaint(gateway: Gateway, *options: str) -> str:
    done = gateway.run("--check-config", *options)
    assert done.returncode == 2, done.stdout + done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def test_settings_that_hold(gateway: Gateway) -> None:
    done = gateway.run("--check-config")
    assert done.returncode == 0, done.stderr
    assert "the settings hold; 0 rows wait in the outbox" in done.stdout


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('name = "gw-a"', 'name = "gw a"', "name = .gw a.: 1 to 64 letters"),
        ('name = "gw-a"', 'name = "gw-b"', "made for .gw-a., but this gateway's name is .gw-b."),
        ('name = "gw-a"', "", "missing field `name`"),
        ("[serial]", "[serial]\nbaut = 1", "line 3: unknown field `baut`, expected `device` or `baud`"),
        ("[serial]", "[serial]\nbaud = 115201", r"serial.baud = 115201: one of \[9600"),
        ("[serial]", "[serial]\nbaud = 'fast'", "line 3: invalid type: string .fast., expected u32"),
        ("[serial]", "[serial", "line 2: "),
        ("min_free_mb = 0", "max_mb = 0", "outbox.max_mb = 0: at least 1"),
        ("min_free_mb = 0", "commit_ms = 5000", "outbox.commit_ms = 5000: 1 to 1000"),
        ("resend_s = 0.5", "resend_s = 0", "broker.resend_s = 0: 0.1 to 3600"),
        ("authority/ca.pem", "authority/no.pem", "broker.ca = .*no.pem: no certificate can be read"),
        ("authority/gw-a.pem", "authority/gw-a.key", "broker.certificate = .*gw-a.key: there is no PEM certificate"),
        ("authority/gw-a.key", "authority/gw-a.pem", "broker.key = .*gw-a.pem: no private key can be read"),
        ("authority/gw-a.key", "authority/broker.key", "broker.key = .*: not the key of broker.certificate"),
        ("gw-a.sqlite", "nowhere/gw-a.sqlite", "the outbox's folder .*nowhere does not exist"),
    ],
)
def test_mistakes(gateway: Gateway, old: str, new: str, sentence: str) -> None:
    settings = gateway.settings.read_text()
    assert old in settings
    gateway.settings.write_text(settings.replace(old, new))
    assert re.search(sentence, complaint(gateway)), complaint(gateway)


def test_settings_that_are_not_there(gateway: Gateway) -> None:
    gateway.settings.unlink()
    assert "cannot read the settings" in complaint(gateway)


def test_two_daemons_with_one_outbox(gateway: Gateway) -> None:
    gateway.start()
    gateway.wait_for_log("has started")
    second = gateway.run()
    assert second.returncode == 2
    assert "another gateway is running with the outbox" in second.stderr
    # Settings can be checked beside a running gateway.
    assert "the settings hold; a gateway is running with this outbox" in gateway.run("--check-config").stdout
    assert gateway.stop() == 0


def test_an_outbox_of_another_version(gateway: Gateway) -> None:
    assert gateway.run("--check-config").returncode == 0
    subprocess.run(
        ["python3", "-c", f"import sqlite3; sqlite3.connect({str(gateway.outbox)!r}).execute('PRAGMA user_version=9')"],
        check=True,
    )
    assert "has layout 9, this version reads 1" in complaint(gateway)


def test_a_damaged_outbox_is_set_aside_and_the_gateway_works_on(gateway: Gateway) -> None:
    gateway.outbox.write_bytes(b"this is no database" * 1000)
    done = gateway.run("--check-config")
    assert done.returncode == 0, done.stderr
    assert "is damaged; set aside as" in done.stderr
    aside = list(gateway.folder.glob("gw-a.sqlite.damaged-*"))
    assert [file.read_bytes() for file in aside] == [b"this is no database" * 1000]


def test_a_key_that_everybody_may_read_is_warned_of(gateway: Gateway) -> None:
    gateway.identity.key.chmod(0o644)
    done = gateway.run("--check-config")
    assert done.returncode == 0
    assert "every user can read it; chmod 600" in done.stderr


def test_under_journald_lines_carry_their_priority_and_no_time(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JOURNAL_STREAM", "1:2")
    gateway.settings.unlink()
    assert complaint(gateway).startswith("<3>cannot read the settings")


def test_the_service_manager_is_told(gateway: Gateway, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(60)
        gateway.start(env={**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "60000000"})
        heard = [manager.recv(1000)]
        while b"WATCHDOG=1" not in heard or not any(line.startswith(b"STATUS=") for line in heard):
            heard.append(manager.recv(1000))
        assert heard[0] == b"READY=1"
        assert b"STATUS=no serial port, not connected, 0 rows wait" in heard
        assert gateway.stop() == 0
        while heard[-1] != b"STOPPING=1":
            heard.append(manager.recv(1000))


def test_the_example_and_the_unit_hold(gateway: Gateway, tmp_path: Path) -> None:
    """What is handed to an operator to copy: the example's settings are accepted, the unit's options exist."""
    folder = data_root() / "link" / "gateway"
    example = tomllib.loads((folder / "gateway.toml").read_text())
    assert set(example) == {"name", "serial", "outbox", "broker"}
    text = (folder / "gateway.toml").read_text()
    files = {
        example["broker"]["ca"]: gateway.authority.certificate,
        example["broker"]["certificate"]: gateway.identity.certificate,
        example["broker"]["key"]: gateway.identity.key,
        example["outbox"]["file"]: gateway.outbox,
        example["name"]: "gw-a",
    }
    for named, real in files.items():
        text = text.replace(f'"{named}"', f'"{real}"')
    gateway.settings.write_text(text)
    done = gateway.run("--check-config")
    assert done.returncode == 0, done.stderr
    unit = (folder / "bancada-link-gateway.service").read_text()
    command = re.search(r"^ExecStart=\S+ (.*)$", unit, re.MULTILINE)
    assert command is not None
    for option in re.findall(r"--[a-z-]+", command[1]):
        assert option in gateway.run("--help").stdout
