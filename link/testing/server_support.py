"""A provisioned site for the server's tests: its broker, its servers, and a gateway that speaks MQTT but keeps no
outbox.
"""

from __future__ import annotations

import hmac
import os
import re
import shutil
import signal
import sqlite3
import ssl
import struct
import subprocess
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from laboratory_references import aead128_encrypt
from link_site import DEADLINE_S, Program, free_port, wait_until
from paho.mqtt.enums import CallbackAPIVersion
from sensorlink.binaries import SERVER, binary

ASCON, CCM = 1, 2
DATA, BOOT = 0, 1


def server_program() -> str:
    """The server, built if necessary. BANCADA_LINK_SERVER names another build of it."""
    return os.environ.get("BANCADA_LINK_SERVER") or str(binary(SERVER))


def device_key(master: bytes, epoch: int, suite: int) -> bytes:
    """By the definition: HMAC-SHA-256 over a label, epoch, suite and direction, its first 16 bytes."""
    return hmac.digest(master, b"bancada link v1" + bytes([epoch, suite, 0]), "sha256")[:16]


@cache
def seal(key: bytes, suite: int, header: bytes, plaintext: bytes) -> bytes:
    """A frame, by Python's implementations. Ascon takes them half a millisecond, and tests send frames again."""
    if suite == ASCON:
        ciphertext, tag = aead128_encrypt(key, header + bytes(8), header, plaintext)
        return header + ciphertext + tag[:8]
    return header + AESCCM(key, tag_length=8).encrypt(header + bytes(5), plaintext, header)


@dataclass
class Device:
    """A sensor as the tests play it."""

    id: int
    epoch: int
    suite: int
    key: bytes

    def header(self, counter: int, kind: int = DATA) -> bytes:
        return struct.pack(">BBHI", 1 << 4 | kind, self.suite << 4 | self.epoch, self.id, counter)

    def frame(
        self,
        counter: int,
        *,
        kind: int = DATA,
        time_s: int = 1_800_000_000,
        pulses: int = 0,
        temperature_mc: int = 21_500,
        supply_mv: int = 3300,
        flags: int = 0,
    ) -> bytes:
        return seal(
            self.key,
            self.suite,
            self.header(counter, kind),
            struct.pack(">IIiI", time_s, pulses, temperature_mc, flags << 16 | supply_mv),
        )


def read_fleet(path: Path) -> list[Device]:
    rows = [line.split(",") for line in path.read_text().splitlines()[1:]]
    return [Device(int(row[0]), int(row[1]), int(row[2]), bytes.fromhex(row[4])) for row in rows]


def up_payload(outbox: bytes, records: Iterable[tuple[int, int, bytes]]) -> bytes:
    return (
        b"\x01"
        + outbox
        + b"".join(struct.pack(">QQH", number, at_ms, len(burst)) + burst for number, at_ms, burst in records)
    )


class TestGateway:
    """Publishes bursts and notes which ids a server acknowledged. It repeats nothing unless told to."""

    __test__ = False

    def __init__(self, site: Site, name: str) -> None:
        self.outbox = uuid.uuid4().bytes
        self.acknowledged: set[int] = set()
        self.sent: dict[int, tuple[int, bytes]] = {}
        # Frames to devices, in the order in which they came.
        self.downs: list[bytes] = []
        # Device and number of what need not wait any more.
        self.forgets: list[bytes] = []
        self.name = name
        self._next = 1
        self._lock = threading.Lock()
        self._connected = threading.Event()
        folder = site.folder / "gateways" / name
        context = ssl.create_default_context(cafile=str(folder / "ca.crt"))
        context.load_cert_chain(folder / "gateway.crt", folder / "gateway.key")
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=f"{name}-{uuid.uuid4()}")
        self._client.tls_set_context(context)
        self._client.max_inflight_messages_set(1000)
        self._client.on_connect = lambda client, *_: client.subscribe(
            [(f"link/{name}/ack", 1), (f"link/{name}/down", 1)]
        )
        self._client.on_subscribe = lambda *_: self._connected.set()
        self._client.on_disconnect = lambda *_: self._connected.clear()
        self._client.on_message = lambda _client, _data, message: self._note(message.topic, bytes(message.payload))
        # paho adds and compares the two; its annotation says whole seconds.
        self._client.reconnect_delay_set(0.05, 0.2)  # type: ignore[arg-type]
        self._client.connect_async("localhost", site.port)
        self._client.loop_start()
        assert self._connected.wait(DEADLINE_S), f"gateway {name} does not get to the broker"

    def _note(self, topic: str, payload: bytes) -> None:
        if topic.endswith("/down"):
            with self._lock:
                (self.forgets if payload[:1] == b"\x02" else self.downs).append(payload[1:])
            return
        assert payload[:1] == b"\x01"
        if payload[1:17] != self.outbox:
            return
        with self._lock:
            for at in range(17, len(payload), 16):
                first, last = struct.unpack_from(">QQ", payload, at)
                self.acknowledged.update(range(first, last + 1))

    def send(self, bursts: Iterable[bytes], received_ms: int | None = None, batch: int = 200) -> list[int]:
        """Publishes bursts under new ids; the ids."""
        ids = self.number(bursts, received_ms)
        self.publish(ids, batch)
        return ids

    def number(self, bursts: Iterable[bytes], received_ms: int | None = None) -> list[int]:
        """Gives bursts their ids, as an outbox does when they come from the air."""
        at_ms = int(time.time() * 1000) if received_ms is None else received_ms
        ids = []
        for burst in bursts:
            self.sent[self._next] = (at_ms, burst)
            ids.append(self._next)
            self._next += 1
        return ids

    def publish(self, ids: Iterable[int], batch: int = 200) -> None:
        """Publishes bursts under the ids that they have: for the first time, or again."""
        waiting = list(ids)
        for at in range(0, len(waiting), batch):
            records = [(number, *self.sent[number]) for number in waiting[at : at + batch]]
            self._client.publish(f"link/{self.name}/up", up_payload(self.outbox, records), qos=1)

    def publish_raw(self, payload: bytes, topic: str | None = None) -> mqtt.MQTTMessageInfo:
        """What tells whether the broker has it."""
        return self._client.publish(topic or f"link/{self.name}/up", payload, qos=1)

    def unacknowledged(self) -> set[int]:
        with self._lock:
            return set(self.sent) - self.acknowledged

    def has_acknowledged(self, ids: Iterable[int]) -> bool:
        """Whether a server has acknowledged all of these to this gateway."""
        with self._lock:
            return set(ids) <= self.acknowledged

    def deliver(self, bursts: Iterable[bytes], received_ms: int | None = None) -> list[int]:
        """Sends, and waits until a server has acknowledged everything ever sent, repeating as a gateway does."""
        ids = self.send(bursts, received_ms)
        self.drain()
        return ids

    def drain(self, resend_s: float = 3.0, timeout_s: float = DEADLINE_S) -> None:
        end = time.monotonic() + timeout_s
        while self.unacknowledged():
            again = time.monotonic() + resend_s
            wait_until(
                lambda again=again: not self.unacknowledged() or time.monotonic() > again,  # type: ignore[misc]
                "acknowledged, or time to repeat",
            )
            missing = self.unacknowledged()
            assert time.monotonic() < end, f"{len(missing)} bursts stay unacknowledged after {timeout_s} s"
            self.publish(sorted(missing))

    def leave(self) -> None:
        """Ends its connection, so that another machine with its certificate can have one."""
        self._client.disconnect()
        self._client.loop_stop()

    def come_back(self) -> None:
        self._connected.clear()
        self._client.reconnect()
        self._client.loop_start()
        assert self._connected.wait(DEADLINE_S), f"gateway {self.name} does not get to the broker again"

    def close(self) -> None:
        self.leave()


class Server(Program):
    """`bancada link serve` of a site."""

    def __init__(
        self, site: Site, number: int, database: str | None, page: str, name: str, extra: tuple[str, ...] = ()
    ) -> None:
        super().__init__(site.folder / f"server-{number}.log")
        self.command = [server_program(), "serve", "--site", str(site.folder), "--page", page, *extra]
        if name != "server":
            self.command += ["--name", name]
        if database:
            self.command += ["--database", database]

    def start(self, **options: Any) -> None:
        assert self.process is None
        before = self.log().count("connected to the broker")
        self.spawn(self.command, **options)

        def connected() -> bool:
            assert self.process is not None and self.process.poll() is None, f"the server has ended:\n{self.log()}"
            return self.log().count("connected to the broker") > before

        wait_until(connected, "the server is connected to the broker", detail=self.log)

    def page_url(self) -> str:
        self.wait_for_log("page at http")
        urls: list[str] = re.findall(r"page at (\S+)", self.log())
        return urls[-1]


class Daemon(Program):
    """The gateway daemon of a provisioned site, with the settings that provisioning wrote."""

    def __init__(self, program: Path, farm: Site, name: str = "gw-a", folder: Path | None = None) -> None:
        """`folder`: where a copy of the gateway's folder is, instead of the site's."""
        self._folder = folder or farm.folder / "gateways" / name
        super().__init__(self._folder / "gateway.log")
        self._program = program
        settings = self._folder / "gateway.toml"
        if "resend_s" not in settings.read_text():  # of a copied folder they are set
            settings.write_text(settings.read_text() + "resend_s = 0.5\nbackoff_max_s = 0.5\n")

    def start(self) -> None:
        self.spawn(
            [str(self._program), "--config", str(self._folder / "gateway.toml"), "--input", "-"], stdin=subprocess.PIPE
        )

    def bursts(self) -> list[bytes]:
        file = self._folder / "outbox.sqlite"
        if not file.exists():
            return []
        outbox = sqlite3.connect(file, timeout=30)
        try:
            if not outbox.execute("SELECT count(*) FROM sqlite_master WHERE name = 'burst'").fetchone()[0]:
                return []
            return [row[0] for row in outbox.execute("SELECT bytes FROM burst")]
        finally:
            outbox.close()


def let_through(folder: Path) -> None:
    """If the tests run as root, the broker does not: it must get through to its folder."""
    if os.getuid() == 0:
        for above in folder.resolve().parents:
            if above.stat().st_mode & 0o001 == 0:
                above.chmod(above.stat().st_mode | 0o001)


@dataclass
class Site:
    """A provisioned site and everything that runs in it."""

    folder: Path
    port: int = field(default_factory=free_port)
    database: str | None = None
    password: str = ""
    devices: list[Device] = field(default_factory=list)
    _running: list[Program] = field(default_factory=list)
    _gateways: list[TestGateway] = field(default_factory=list)
    broker: Program = field(init=False)

    def provision(self, *arguments: str) -> str:
        return self.run(
            "provision",
            "--broker-port",
            str(self.port),
            *(("--database", self.database) if self.database else ()),
            *arguments,
        )

    def run(self, command: str, *arguments: str) -> str:
        done = self.attempt(command, *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def attempt(self, command: str, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        whole = [server_program(), command, "--site", str(self.folder), *arguments]
        return subprocess.run(whole, capture_output=True, text=True, timeout=DEADLINE_S, input=stdin)

    def create(
        self,
        fleet: int = 2,
        gateways: tuple[str, ...] = ("gw-a", "gw-b"),
        suite: str = "ascon",
        extra: tuple[str, ...] = (),
    ) -> None:
        table = self.folder.parent / "fleet.csv"
        names = [part for name in gateways for part in ("--gateway", name)]
        said = self.provision(*names, "--fleet", str(fleet), "--csv", str(table), "--suite", suite, *extra)
        found = re.search(r"password, shown this once: (\S+)", said)
        assert found, said
        self.password = found[1]
        self.devices = read_fleet(table)
        self.start_broker()

    def start_broker(self) -> None:
        let_through(self.folder)
        self.broker = Program(self.folder / "broker.log")
        self._running.append(self.broker)
        self.broker.spawn(["mosquitto", "-c", str(self.folder / "broker" / "mosquitto.conf")])
        self.broker.wait_for_log("running")

    def server(self, page: str = "none", start: bool = True, extra: tuple[str, ...] = ()) -> Server:
        """Each server of a site has a certificate of its own: the first its first, a further one is provisioned now."""
        servers = sum(isinstance(program, Server) for program in self._running)
        name = "server" if servers == 0 else f"server-{servers + 1}"
        if servers:
            self.provision("--server", name)
        server = Server(self, len(self._running), self.database, page, name, extra)
        self._running.append(server)
        if start:
            server.start()
        return server

    def gateway(self, name: str = "gw-a") -> TestGateway:
        """A gateway with a new outbox. An earlier one of this name leaves first: the client id is the certificate's
        name, so two at once would take the broker's connection from each other for ever.
        """
        for earlier in self._gateways:
            if earlier.name == name:
                earlier.leave()
        gateway = TestGateway(self, name)
        self._gateways.append(gateway)
        return gateway

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        if self.database:
            done = subprocess.run(
                ["psql", "-AtF", "\x1f", "-c", sql, self.database], capture_output=True, text=True, check=True
            )
            return [
                tuple(int(cell) if re.fullmatch(r"-?\d+", cell) else cell for cell in line.split("\x1f"))
                for line in done.stdout.splitlines()
            ]
        # A connection that is only left stays open until Python's collector comes, and keeps the database in use.
        with closing(sqlite3.connect(self.folder / "link.sqlite", timeout=30)) as database, database:
            return database.execute(sql).fetchall()

    def counters(self, device: int) -> list[int]:
        return [
            row[0] for row in self.query(f"SELECT counter FROM reading WHERE device = {device} ORDER BY epoch, counter")
        ]

    def refusals(self) -> dict[str, int]:
        # One statement, so that both are of one moment: a server may be storing.
        rows = self.query(
            "SELECT 'log', reason, COUNT(*) FROM refusal GROUP BY reason UNION ALL SELECT 'page', reason, count FROM "
            "refusal_count"
        )
        found, shown = (
            {str(reason): int(count) for where, reason, count in rows if where == wanted} for wanted in ("log", "page")
        )
        assert found == shown, "what the page shows without counting"
        return found

    def close(self) -> None:
        for gateway in self._gateways:
            gateway.close()
        for program in reversed(self._running):
            if program.process is not None and program.process.poll() is None:
                program.process.send_signal(signal.SIGCONT)
            program.kill()


def until(condition: Callable[[], object], what: str) -> None:
    wait_until(condition, what)


@pytest.fixture
def farm(tmp_path: Path) -> Iterator[Site]:
    """A site that is not provisioned yet; whatever is started in it ends with the test."""
    made = Site(tmp_path / "farm")
    yield made
    made.close()


@contextmanager
def running_postgres(prepare: Callable[[Path], list[str]] = lambda folder: []) -> Iterator[str]:
    """A PostgreSQL cluster of the tests' own with a socket in a temporary folder, no port, no password; the URL of its
    databases.

    `prepare` puts files into that folder and gives more settings.
    """
    folder = Path(tempfile.mkdtemp(prefix="bancada-pg-"))
    settings = ["listen_addresses=", *prepare(folder)]
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    assert programs, "the tests of the server need PostgreSQL: apt-get install postgresql"
    # PostgreSQL refuses to run as root; Debian's package brings the account.
    account: dict[str, Any] = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}
    if account:
        for path in (folder, *folder.iterdir()):
            shutil.chown(path, "postgres", "postgres")
    data = folder / "data"
    subprocess.run(
        [programs[-1] / "initdb", "-N", "-D", data, "-U", "bancada", "-A", "trust"],
        check=True,
        capture_output=True,
        cwd=folder,
        **account,
    )
    log = Program(folder / "postgres.log")
    options = [part for setting in settings for part in ("-c", setting)]
    log.spawn([str(programs[-1] / "postgres"), "-D", str(data), "-k", str(folder), *options], cwd=folder, **account)
    try:
        log.wait_for_log("ready to accept connections")
        yield f"postgresql://bancada@localhost/{{}}?host={folder}"
    finally:
        if log.process is not None:
            log.process.send_signal(signal.SIGQUIT)  # at once: no test needs this cluster again
            log.process.wait(DEADLINE_S)
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    with running_postgres() as url:
        yield url


@pytest.fixture
def new_database(postgres: str) -> Callable[[], str]:
    """Makes an empty PostgreSQL database; its URL."""

    def make() -> str:
        name = f"link_{uuid.uuid4().hex}"
        subprocess.run(
            ["psql", "-q", "-c", f"CREATE DATABASE {name}", postgres.format("postgres")],
            check=True,
            capture_output=True,
        )
        return postgres.format(name)

    return make
