"""PostgreSQL over TLS: the database's certificate is checked, or nothing is sent."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from link_site import Authority, free_port
from server_support import Site, running_postgres


@dataclass(frozen=True)
class Database:
    port: int
    authority: Path
    other_authority: Path
    socket: str

    def url(self, authority: Path | None, host: str = "localhost", more: str = "") -> str:
        root = f"sslrootcert={authority}" if authority else ""
        return f"postgresql://bancada@{host}:{self.port}/postgres?{root}{more}"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """Of which a client that does not speak TLS gets nothing, over the network that is played by loopback."""
    authority, other = Authority(tmp_path / "a", "the database's"), Authority(tmp_path / "b", "somebody's")
    identity = authority.issue("database", hosts=("localhost",))
    port = free_port()

    def prepare(folder: Path) -> list[str]:
        shutil.copy(identity.certificate, folder / "server.crt")
        shutil.copy(identity.key, folder / "server.key")
        (folder / "server.key").chmod(0o600)
        rules = folder / "rules"
        rules.write_text("local all all trust\nhostssl all all all trust\n")
        return [
            "listen_addresses=127.0.0.1",
            f"port={port}",
            "ssl=on",
            f"ssl_cert_file={folder}/server.crt",
            f"ssl_key_file={folder}/server.key",
            f"hba_file={rules}",
        ]

    with running_postgres(prepare) as socket:
        yield Database(port, authority.certificate, other.certificate, socket.format("postgres") + f"&port={port}")


def test_readings_go_to_postgresql_by_tls(farm: Site, database: Database) -> None:
    farm.database = database.url(database.authority, more="&sslmode=verify-full")
    farm.create()
    server = farm.server()
    device = farm.devices[0]
    farm.gateway().deliver([device.frame(1), device.frame(2)])
    # The rest by the socket: the test's own psql is of no interest.
    farm.database = database.socket
    assert farm.counters(device.id) == [1, 2]
    ways = farm.query(
        "SELECT ssl::text, COALESCE(version, '-') FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE "
        "client_addr IS NOT NULL"
    )
    assert ways and set(ways) == {("true", "TLSv1.3")}, ways  # the thread that stores
    assert "not encrypted" not in server.log()


def test_a_database_that_cannot_prove_its_name_gets_nothing(farm: Site, database: Database) -> None:
    farm.create()
    for url, said in (
        (database.url(database.other_authority), "UnknownIssuer"),
        (database.url(database.authority, host="127.0.0.1"), "certificate not valid for name"),
        (database.url(database.authority.with_name("nothing.pem")), "nothing.pem cannot be used"),
        (database.url(None, more="sslmode=require"), "must name the authority of its certificate, sslrootcert=FILE"),
        (database.url(None), "pg_hba.conf"),
    ):
        done = farm.attempt("serve", "--page", "none", "--database", url)
        assert done.returncode == 2 and said in done.stderr, (url, done.stderr)
        assert done.stderr.count("\n") == 1, done.stderr


def test_a_server_that_is_gone_in_a_transaction_holds_no_other_up_for_long(farm: Site) -> None:
    """PostgreSQL would wait for a machine without power for two hours, with the rows of its sensors locked."""
    with running_postgres(lambda folder: ["log_statement=all"]) as url:
        farm.database = url.format("postgres")
        farm.create()
        log = Path(url.split("?host=")[1]) / "postgres.log"
        assert "set_config('idle_in_transaction_session_timeout', '60s', false)" in log.read_text()
