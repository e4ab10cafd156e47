"""Downloads of readings hold nobody up, however slowly they are read, and none that breaks off looks whole."""

from __future__ import annotations

import http.client
import socket
import sqlite3
import urllib.parse
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager

import pytest
from link_site import DEADLINE_S
from page_support import login
from server_support import Server, Site

# More lines than a connection has room for: some 7 MB.
MANY = 100_000


def fill(farm: Site) -> None:
    farm.query(
        f"WITH RECURSIVE every(counter) AS (SELECT 1 UNION ALL SELECT counter + 1 FROM every WHERE counter < {MANY}) "
        "INSERT INTO reading (device, epoch, counter, kind, received_ms, stored_ms, outbox, outbox_id, device_time_s, "
        "second, third, fourth, time_ms) SELECT d.device, d.epoch, counter, 0, counter, counter, 1, counter, 0, "
        "counter, 21500, 3300, counter FROM every, epoch d"
    )


@contextmanager
def download(server: Server, token: str) -> Iterator[http.client.HTTPResponse]:
    """The answer, of which nothing is read yet, on a connection with little room."""
    url = urllib.parse.urlsplit(server.page_url())
    assert url.hostname and url.port
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=DEADLINE_S)
    with closing(connection):
        connection.sock = socket.socket()
        connection.sock.settimeout(DEADLINE_S)
        connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sock.connect((url.hostname, url.port))
        connection.request("GET", "/api/readings", headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        assert answer.status == 200
        yield answer


def test_whoever_reads_slowly_holds_nobody_up(farm: Site) -> None:
    farm.create(fleet=1)
    fill(farm)
    server = farm.server(page="127.0.0.1:0")
    token = farm.run("token", "slow").split()[-1]
    with ExitStack() as readers:
        answers = [readers.enter_context(download(server, token)) for _ in range(8)]
        # Everybody else gets to the database meanwhile.
        assert login(server, farm.password)[0] == 303
        # Nobody who reads keeps SQLite's log from being brought into the file.
        with closing(sqlite3.connect(farm.folder / "link.sqlite", timeout=DEADLINE_S)) as database:
            busy, pages, done = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            assert (busy, pages - done) == (0, 0)
        assert answers[0].read().count(b"\n") == MANY + 1


def test_a_download_that_breaks_off_does_not_look_whole(farm: Site) -> None:
    farm.create(fleet=2)
    fill(farm)
    server = farm.server(page="127.0.0.1:0")
    with download(server, farm.run("token", "slow").split()[-1]) as answer:
        assert answer.read(100).startswith(b"time,device,name,")
        # The database fails before the second sensor's turn.
        farm.query("ALTER TABLE reading RENAME TO gone")
        with pytest.raises((http.client.IncompleteRead, ConnectionError)):
            answer.read()
