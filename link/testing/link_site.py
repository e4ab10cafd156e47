"""A whole site of the link for tests: its authority, its broker, its gateway daemon, and a double of its server."""

from __future__ import annotations

import binascii
import contextlib
import os
import random
import signal
import socket
import sqlite3
import ssl
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from laboratory_references import cobs_encode
from paho.mqtt.enums import CallbackAPIVersion

# How long anything may take on a loaded machine before a test says that it does not happen.
DEADLINE_S = 60.0
ACL = """pattern write link/%u/up
pattern write link/%u/status
pattern read link/%u/ack
pattern read link/%u/down
user server
topic read link/+/up
topic read link/+/status
topic write link/+/ack
topic write link/+/down
"""


def wait_until(
    condition: Callable[[], object], what: str, timeout_s: float = DEADLINE_S, detail: Callable[[], str] = str
) -> None:
    """Returns as soon as `condition` holds; an assertion error that says `what` did not come to pass, and any
    `detail`.
    """
    end = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < end, f"not within {timeout_s} s: {what}\n{detail()}"
        time.sleep(0.01)


# Below those that Linux gives to a program that connects or asks for any port (ip_local_port_range begins at 32768): a
# port that is free now is free when the broker starts, and while it is down between two starts.
_PORTS = range(20_000, 32_000)
_taken: list[socket.socket] = []


def free_port() -> int:
    """A port that no program listens on, and that no other test on this machine is given while this process lives."""
    for port in random.sample(_PORTS, len(_PORTS)):
        mark = socket.socket(socket.AF_UNIX)
        with socket.socket() as probe:
            try:
                mark.bind(f"\0bancada-link-test-port-{port}")  # gone with the process, unlike a file
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(("127.0.0.1", port))
            except OSError:
                mark.close()
                continue
        _taken.append(mark)
        return port
    raise AssertionError("no port is free")


@dataclass(frozen=True)
class Identity:
    """A certificate and its key, as files."""

    certificate: Path
    key: Path


class Authority:
    """A certification authority in a folder."""

    def __init__(self, folder: Path, name: str = "test authority") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        now = datetime.now(UTC)
        certificate = (
            x509.CertificateBuilder()
            .subject_name(self._name)
            .issuer_name(self._name)
            .public_key(self._key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=400))
            .not_valid_after(now + timedelta(days=400))
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self._key.public_key()), critical=False)
            .sign(self._key, hashes.SHA256())
        )
        self.certificate = folder / "ca.pem"
        self.certificate.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))

    def issue(
        self, common_name: str, hosts: tuple[str, ...] = (), expired: bool = False, file: str | None = None
    ) -> Identity:
        """A certificate for a client, or for a server if it has hosts."""
        key = ec.generate_private_key(ec.SECP256R1())
        now = datetime.now(UTC)
        usage = ExtendedKeyUsageOID.SERVER_AUTH if hosts else ExtendedKeyUsageOID.CLIENT_AUTH
        builder = (
            x509.CertificateBuilder()
            .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)]))
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=30))
            .not_valid_after(now + timedelta(days=-1 if expired else 300))
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False)
        )
        if hosts:
            names: list[x509.GeneralName] = []
            for host in hosts:
                names.append(x509.IPAddress(ip_address(host)) if host[0].isdigit() else x509.DNSName(host))
            builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        made = Identity(self._folder / f"{file or common_name}.pem", self._folder / f"{file or common_name}.key")
        made.certificate.write_bytes(builder.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
        made.key.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        made.key.chmod(0o600)
        return made


class Program:
    """A child process with its output in a file."""

    def __init__(self, log: Path) -> None:
        self.log_file = log
        self.process: subprocess.Popen[bytes] | None = None
        self._log_begin = 0

    def spawn(self, command: list[str], **options: object) -> None:
        with self.log_file.open("ab") as log:
            self._log_begin = log.tell()
            self.process = subprocess.Popen(  # type: ignore[call-overload]
                command, stdout=log, stderr=log, **{"stdin": subprocess.DEVNULL, **options}
            )

    def log(self) -> str:
        return self.log_file.read_text(errors="replace") if self.log_file.exists() else ""

    def log_since_start(self) -> str:
        """Without what earlier runs wrote into the same file: a program that starts again is not ready because its
        predecessor was.
        """
        return self.log_file.read_bytes()[self._log_begin :].decode(errors="replace") if self.log_file.exists() else ""

    def wait_for_log(self, text: str, timeout_s: float = DEADLINE_S) -> None:
        def written() -> bool:
            ended = self.process is None or self.process.poll() is not None  # first: the last words come before the end
            said = text in self.log_since_start()
            assert said or not ended, f"ended without saying {text!r}:\n{self.log()}"
            return said

        wait_until(written, f"the log says {text!r}", timeout_s, self.log)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def stop(self) -> int:
        """Asks it to end, as systemd does; its exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(DEADLINE_S)
        self.process = None
        return code


class Broker(Program):
    """mosquitto with TLS 1.3, certificates required, and the access list of the link."""

    def __init__(self, folder: Path, authority: Authority, identity: Identity, extra: str = "") -> None:
        super().__init__(folder / "broker.log")
        self._folder = folder
        self.port = free_port()
        self._state = folder / "broker.state"
        self._state.mkdir(parents=True)
        (folder / "acl").write_text(ACL)
        (folder / "acl").chmod(0o600)
        self._settings = folder / "broker.conf"
        self._settings.write_text(
            ("user root\n" if os.getuid() == 0 else "")
            + f"listener {self.port} 127.0.0.1\n"
            + f"cafile {authority.certificate}\ncertfile {identity.certificate}\nkeyfile {identity.key}\n"
            + "require_certificate true\nuse_identity_as_username true\ntls_version tlsv1.3\n"
            + f"allow_anonymous false\nacl_file {folder / 'acl'}\n"
            + f"persistence true\npersistence_location {self._state}/\nlog_type all\n{extra}"
        )

    def start(self) -> None:
        assert self.process is None
        self.spawn(["mosquitto", "-c", str(self._settings)])

        def listens() -> bool:
            assert self.process is not None
            assert self.process.poll() is None, f"mosquitto has ended:\n{self.log()}"
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.port)) == 0

        wait_until(listens, "mosquitto listens", detail=self.log)

    def wipe(self) -> None:
        """Forgets what the broker has kept on disk, as a new SD card does."""
        for file in self._state.iterdir():
            file.unlink()


class SteadyFeed:
    """Writes frames to a daemon's standard input at a steady rate, from a given number on, until it is ended or the
    daemon dies.
    """

    PER_SECOND = 2000
    _SLICE_S = 0.01

    def __init__(self, daemon: Program, frame: Callable[[int], bytes], first: int) -> None:
        assert daemon.process is not None and daemon.process.stdin is not None
        self._pipe = daemon.process.stdin
        self._frame, self._next = frame, first
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._write, daemon=True)
        self._thread.start()

    def _write(self) -> None:
        begun, first = time.monotonic(), self._next
        try:
            while not self._end.wait(self._SLICE_S):
                due = first + int((time.monotonic() - begun) * self.PER_SECOND)
                self._pipe.write(b"".join(chunk(self._frame(number)) for number in range(self._next, due)))
                self._pipe.flush()
                self._next = due
        except BrokenPipeError:
            pass

    def end(self) -> int:
        """The number after the last frame that was written."""
        self._end.set()
        self._thread.join()
        return self._next


def client_context(authority: Authority, identity: Identity) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=str(authority.certificate))
    context.load_cert_chain(identity.certificate, identity.key)
    return context


class ServerDouble:
    """Acknowledges what it has stored in memory, as the server does after its commit; counts what comes twice."""

    def __init__(self, port: int, context: ssl.SSLContext) -> None:
        self.stored: dict[tuple[bytes, int], bytes] = {}
        self.bursts: set[bytes] = set()
        self.duplicates = 0
        self.statuses: list[tuple[str, bytes]] = []
        self.faults: list[str] = []
        # Set to lose payloads, or acknowledgements of what is stored: given a payload's number, says whether this one
        # is lost.
        self.ignores: Callable[[int], bool] = lambda number: False
        self.keeps_silent: Callable[[int], bool] = lambda number: False
        # Everything that came, ignored or not.
        self.seen: set[bytes] = set()
        self.subscribed = threading.Event()
        self._payloads = 0
        self._lock = threading.Lock()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id="server", protocol=mqtt.MQTTv5)
        self._client.tls_set_context(context)
        # paho adds and compares the two; its annotation says whole seconds.
        self._client.reconnect_delay_set(0.05, 0.5)  # type: ignore[arg-type]
        self._client.on_connect = self._on_connect
        self._client.on_subscribe = lambda *_: self.subscribed.set()
        self._client.on_disconnect = lambda *_: self.subscribed.clear()
        self._client.on_message = self._on_message
        self._client.connect_async("127.0.0.1", port, keepalive=10)
        self._client.loop_start()

    def __enter__(self) -> ServerDouble:
        assert self.subscribed.wait(DEADLINE_S), "the double of the server does not get to the broker"
        return self

    def __exit__(self, *_: object) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _on_connect(self, client: mqtt.Client, *_: object) -> None:
        client.subscribe([("$share/servers/link/+/up", 1), ("link/+/status", 1)])

    def _on_message(self, client: mqtt.Client, _: object, message: mqtt.MQTTMessage) -> None:
        if message.topic.endswith("/status"):
            self.statuses.append((message.topic, bytes(message.payload)))
            return
        try:
            outbox, records = parse_up(bytes(message.payload))
        except (AssertionError, struct.error) as reason:
            self.faults.append(f"{message.topic}: {reason}")
            return
        self._payloads += 1
        ignored = self.ignores(self._payloads)
        with self._lock:
            self.seen.update(burst for _, _, burst in records)
            if ignored:
                return
            for number, _received_ms, burst in records:
                before = self.stored.setdefault((outbox, number), burst)
                if before is not burst:
                    self.duplicates += 1
                    if before != burst:
                        self.faults.append(f"id {number} stands for two bursts")
                self.bursts.add(burst)
        if self.keeps_silent(self._payloads):
            return
        client.publish(
            message.topic.removesuffix("up") + "ack", ack_payload(outbox, [row[0] for row in records]), qos=1
        )

    def acknowledge(self, gateway: str, payload: bytes) -> None:
        self._client.publish(f"link/{gateway}/ack", payload, qos=1).wait_for_publish(DEADLINE_S)

    def send_down(self, gateway: str, payload: bytes) -> None:
        self._client.publish(f"link/{gateway}/down", payload, qos=1).wait_for_publish(DEADLINE_S)

    def has(self, bursts: set[bytes]) -> bool:
        with self._lock:
            return bursts <= self.bursts

    def copy(self) -> tuple[set[bytes], set[bytes]]:
        """All bursts that came, and those of them that are stored."""
        with self._lock:
            return set(self.seen), set(self.bursts)


def parse_up(payload: bytes) -> tuple[bytes, list[tuple[int, int, bytes]]]:
    """The records of a payload of the topic `up`, read by its description and not by the codec under test."""
    assert payload[0] == 1, f"layout {payload[0]}"
    outbox, rest, records = payload[1:17], payload[17:], []
    while rest:
        number, received_ms, length = struct.unpack_from(">QQH", rest)
        assert 1 <= length <= 512 and len(rest) >= 18 + length, f"record {number} of {length} bytes"
        records.append((number, received_ms, rest[18 : 18 + length]))
        rest = rest[18 + length :]
    return outbox, records


def ack_payload(outbox: bytes, numbers: list[int]) -> bytes:
    ranges: list[list[int]] = []
    for number in sorted(numbers):
        if ranges and ranges[-1][1] + 1 == number:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return b"\x01" + outbox + b"".join(struct.pack(">QQ", first, last) for first, last in ranges)


def serial_frame(payload: bytes) -> bytes:
    """As the gateway's microcontroller sends it; the checksum is that of Python's binascii."""
    return cobs_encode(payload + struct.pack(">H", binascii.crc_hqx(payload, 0xFFFF))) + b"\0"


def chunk(data: bytes, continues: bool = False, uptime_ms: int = 0) -> bytes:
    return serial_frame(struct.pack(">BBI", 1, int(continues), uptime_ms) + data)


def air_frame(number: int) -> bytes:
    """32 bytes that differ for every number, with zeros among them."""
    return (
        struct.pack(">BBHI", 0x10, 0x10, number >> 16 & 0xFFFF, number)
        + b"\0" * 8
        + struct.pack(">QQ", number, ~number & 2**64 - 1)
    )


def air_frames(first: int, last: int) -> Iterator[bytes]:
    return (air_frame(number) for number in range(first, last + 1))


def air_frame_number(frame: bytes) -> int:
    number: int = struct.unpack_from(">Q", frame, 16)[0]
    return number


@dataclass
class Gateway(Program):
    """The daemon under test."""

    binary: Path
    folder: Path
    authority: Authority
    identity: Identity
    port: int
    name: str = "gw-a"
    host: str = "localhost"
    resend_s: float = 0.5
    backoff_max_s: float = 0.3
    outbox_settings: dict[str, int] = field(default_factory=lambda: {"min_free_mb": 0})
    serial_device: str = "/dev/null"
    outbox_file: Path | None = None

    def __post_init__(self) -> None:
        super().__init__(self.folder / f"{self.name}.log")
        self.folder.mkdir(parents=True, exist_ok=True)
        self.settings = self.folder / f"{self.name}.toml"
        self.outbox = self.outbox_file or self.folder / f"{self.name}.sqlite"
        self.configure()

    def configure(self) -> None:
        limits = "".join(f"{key} = {value}\n" for key, value in self.outbox_settings.items())
        self.settings.write_text(
            f'name = "{self.name}"\n[serial]\ndevice = "{self.serial_device}"\n'
            f'[outbox]\nfile = "{self.outbox}"\n{limits}'
            f'[broker]\nhost = "{self.host}"\nport = {self.port}\nca = "{self.authority.certificate}"\n'
            f'certificate = "{self.identity.certificate}"\nkey = "{self.identity.key}"\n'
            f"resend_s = {self.resend_s}\nbackoff_max_s = {self.backoff_max_s}\n"
        )

    def start(self, *options: str, **spawn: object) -> None:
        assert self.process is None
        self.spawn([str(self.binary), "--config", str(self.settings), *options], **spawn)

    def stored(self) -> list[bytes]:
        """The bursts in the outbox; none if it is not there yet."""
        if not self.outbox.exists():
            return []
        with contextlib.closing(sqlite3.connect(self.outbox, timeout=DEADLINE_S)) as outbox:
            if not outbox.execute("SELECT count(*) FROM sqlite_master WHERE name = 'burst'").fetchone()[0]:
                return []
            return [row[0] for row in outbox.execute("SELECT bytes FROM burst ORDER BY id")]

    def run(self, *options: str, **how: Any) -> subprocess.CompletedProcess[str]:
        command = [str(self.binary), "--config", str(self.settings), *options]
        standard = {"capture_output": True, "text": True, "timeout": DEADLINE_S, "stdin": subprocess.DEVNULL}
        return subprocess.run(command, **{**standard, **how})
