"""The page in front of who means it harm: connections held open, forms of other sites, paths, absurd questions, names
that are markup.
"""

from __future__ import annotations

import json
import socket
import time
import urllib.parse

from link_site import DEADLINE_S
from page_support import enter, login, request, text_of
from selenium import webdriver
from server_support import Server, Site, until

MARKUP = "<img src=x onerror=\"document.title='owned'\"><b>weir</b>"


def connect(server: Server) -> socket.socket:
    url = urllib.parse.urlsplit(server.page_url())
    return socket.create_connection((url.hostname, url.port), timeout=DEADLINE_S)


def raw(server: Server, text: str) -> str:
    """What the server says to bytes that no client library would send, up to its end of the connection."""
    with connect(server) as stream:
        stream.sendall(text.encode())
        said = b""
        while part := stream.recv(65536):
            said += part
    return said.decode()


def session(farm: Site, server: Server) -> str:
    return login(server, farm.password)[1]["set-cookie"].split(";")[0]


def test_who_dawdles_is_left_and_holds_up_nobody(farm: Site) -> None:
    farm.create()
    server = farm.server(page="127.0.0.1:0")
    silent = [connect(server) for _ in range(20)]
    in_the_head = [connect(server) for _ in range(20)]
    in_the_body = [connect(server) for _ in range(20)]
    for stream in in_the_head:
        stream.sendall(b"GET /login HTTP/1.1\r\nHost: localhost\r\nX-")
    for stream in in_the_body:
        stream.sendall(
            b"POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
            b"application/x-www-form-urlencoded\r\nContent-Length: 90\r\n\r\npass"
        )
    began = time.monotonic()
    cookie = session(farm, server)
    assert request(server, "GET", "/api/overview", cookie=cookie)[0] == 200
    # A byte now and then does not help: a head has its time as a whole.
    for stream in [*silent, *in_the_head]:
        stream.settimeout(0.05)
        while True:
            assert time.monotonic() - began < DEADLINE_S, "the connection stays open"
            try:
                if stream in in_the_head:
                    stream.sendall(b"a")
                if not stream.recv(1000):
                    break
            except TimeoutError:
                continue
            except ConnectionError:
                break
    for stream in in_the_body:
        said = b""
        while part := stream.recv(1000):
            said += part
        assert b"408 Request Timeout" in said, said
    for stream in [*silent, *in_the_head, *in_the_body]:
        stream.close()
    assert request(server, "GET", "/api/overview", cookie=cookie)[0] == 200


def test_forms_of_other_sites_do_nothing(farm: Site) -> None:
    farm.create()
    server = farm.server(page="127.0.0.1:0")
    host = urllib.parse.urlsplit(server.page_url()).netloc
    wanted = urllib.parse.urlencode({"password": farm.password})
    for headers, refused in (
        ({"Origin": "https://evil.example"}, True),
        ({"Origin": "null"}, True),
        ({"Origin": f"http://{host}.evil.example"}, True),
        ({"Sec-Fetch-Site": "cross-site"}, True),
        ({"Sec-Fetch-Site": "same-site"}, True),
        ({"Origin": f"http://{host}"}, False),
        ({"Sec-Fetch-Site": "same-origin", "Origin": f"http://{host}"}, False),
        ({}, False),
    ):
        cookie = session(farm, server)
        assert request(server, "POST", "/login", wanted, headers=headers)[0] == (403 if refused else 303), headers
        assert request(server, "POST", "/logout", cookie=cookie, headers=headers)[0] == (403 if refused else 303), (
            headers
        )
        assert request(server, "GET", "/api/overview", cookie=cookie)[0] == (200 if refused else 401), headers


def attempt(server: Server, host: str | None, password: str, target: str = "/login") -> int:
    """An attempt at the password as a page sends it that the browser takes for `host`'s own; the answer's status."""
    form = urllib.parse.urlencode({"password": password})
    own = f"Host: {host}\r\nOrigin: http://{host}\r\n" if host else ""
    head = (
        f"POST {target} HTTP/1.1\r\n{own}Content-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(form)}\r\nConnection: close\r\n\r\n"
    )
    return int(raw(server, head + form).split(" ", 2)[1])


def test_a_name_that_was_bent_to_this_server_cannot_lock_the_password(farm: Site) -> None:
    """DNS rebinding: the page of evil.example has its name lead to loopback. Its attempts come from there, and from
    their own origin.
    """
    farm.create(extra=("--page-host", "certified.example"))
    server = farm.server(page="127.0.0.1:0", extra=("--page-host", "farm.example"))
    port = urllib.parse.urlsplit(server.page_url()).port
    for host in (
        "evil.example",
        f"evil.example:{port}",
        f"localhost.evil.example:{port}",
        f"127.0.0.1.evil.example:{port}",
        f"farm.example.evil.example:{port}",
        f"localhost@evil.example:{port}",
        f"evil.example\r\nHost: localhost:{port}",
        "",
    ):
        assert attempt(server, host, "a guess") in (400, 421), host
    assert attempt(server, f"localhost:{port}", "a guess", f"http://evil.example:{port}/login") == 421
    for _ in range(10):
        assert attempt(server, f"evil.example:{port}", "a guess") == 421
        assert (
            request(server, "POST", "/login", "password=a+guess", headers={"Origin": "http://evil.example"})[0] == 403
        )
    # Nothing was counted: all free attempts are left, under every name that is the page's own, and then the password is
    # right.
    own = [f"127.0.0.1:{port}", f"localhost:{port}", "certified.example", f"Farm.Example:{port}"]
    for host in own:
        assert attempt(server, host, "a guess") == 401, host
    assert attempt(server, f"[::1]:{port}", farm.password) == 303
    # Nor is anything else shown under another name.
    cookie = session(farm, server)
    assert request(server, "GET", "/api/overview", cookie=cookie, headers={"Host": "evil.example"})[0] == 421
    assert request(server, "GET", "/login", headers={"Host": "evil.example"})[0] == 421
    assert request(server, "GET", "/api/overview", cookie=cookie, headers={"Host": "certified.example"})[0] == 200


def test_a_name_of_the_page_is_a_name(farm: Site) -> None:
    farm.create()
    said = farm.attempt("serve", "--page", "127.0.0.1:0", "--page-host", "https://farm.example")
    assert said.returncode == 2
    assert said.stderr.splitlines()[-1].startswith(
        "bancada: --page-host https://farm.example: a name that browsers call the page by, without a port"
    )


def test_paths_lead_nowhere_but_to_the_page(farm: Site) -> None:
    farm.create()
    server = farm.server(page="127.0.0.1:0")
    cookie = session(farm, server)
    seal = (farm.folder / "server" / "seal.key").read_text().strip()
    for path in (
        "/../server/seal.key",
        "/..%2fserver%2fseal.key",
        "/%2e%2e/server/seal.key",
        "/app.js/../../server/seal.key",
        "//server/seal.key",
        "/server/seal.key",
        "/..\\server\\seal.key",
        "/app.js%00",
        "/link.sqlite",
        "/api/../link.sqlite",
        "/api/overview/",
        "/API/overview",
        "/site.toml",
    ):
        said = raw(server, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n")
        assert said.split(" ", 2)[1] in ("400", "404"), (path, said)
        assert seal not in said and "root:" not in said, path
    # Nor is what needs the password had by another spelling or method without it.
    for line in (
        "GET /api/overview?x HTTP/1.1",
        "HEAD /api/overview HTTP/1.1",
        "GET http://localhost/api/overview HTTP/1.1",
        "POST /logout HTTP/1.1",
    ):
        said = raw(server, f"{line}\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        assert said.split(" ", 2)[1] == "401", (line, said)


def test_absurd_questions_have_short_answers(farm: Site) -> None:
    farm.create()
    server = farm.server(page="127.0.0.1:0")
    farm.gateway().deliver([farm.devices[0].frame(counter) for counter in range(300)])
    cookie = session(farm, server)
    most, least = 2**63 - 1, -(2**63)
    for from_ms, to_ms, points in (
        (least, most, most),
        (most, least, least),
        (0, most, 0),
        (least, least, -1),
        (most, most, 2**62),
    ):
        status, _, text = request(
            server, "GET", f"/api/series?device=1&from_ms={from_ms}&to_ms={to_ms}&points={points}", cookie=cookie
        )
        series = json.loads(text)
        assert status == 200 and len(series["points"]) <= 2001
        assert sum(point["came"] for point in series["points"]) == (300 if from_ms <= 0 < to_ms else 0)
    for query in (
        "",
        "?device=1",
        "?device=70000&from_ms=0&to_ms=1&points=1",
        "?device=-1&from_ms=0&to_ms=1&points=1",
        f"?device=1&from_ms={2**63}&to_ms=1&points=1",
        "?device=1'&from_ms=0&to_ms=1&points=1",
        "?device=1&device=2&from_ms=0&to_ms=1&points=1",
    ):
        assert request(server, "GET", f"/api/series{query}", cookie=cookie)[0] == 400, query
    assert request(server, "POST", "/login", "password=" + "x" * 100_000)[0] == 413
    assert request(server, "POST", "/login", "password=%ff%fe")[0] in (400, 401, 422)
    assert (
        raw(server, "GET /login HTTP/1.1\r\nHost: localhost\r\nX-Long: " + "x" * 60_000 + "\r\n\r\n").split(" ", 2)[1]
        == "431"
    )
    # A cookie that is no token is no session.
    for value in ("", "=", "zz", "0" * 63, "0" * 65, "0" * 4000, "'; DROP TABLE session"):
        assert request(server, "GET", "/api/overview", cookie=f"bancada_link={value}")[0] == 401, value
    assert request(server, "GET", "/api/overview", cookie=f"other=1; {cookie}")[0] == 200


def test_names_are_never_markup(farm: Site, browser: webdriver.Chrome) -> None:
    farm.create()
    farm.provision("--device", "77", "--name", MARKUP)
    server = farm.server(page="127.0.0.1:0")
    gateway = farm.gateway()
    gateway.publish_raw(
        json.dumps({"instance": "one", "state": MARKUP, "outbox": {"rows": MARKUP}}).encode(), "link/gw-a/status"
    )
    until(lambda: farm.query("SELECT 1 FROM gateway WHERE status IS NOT NULL"), "the gateway's account of itself")
    enter(browser, server, farm.password)
    until(lambda: MARKUP in text_of(browser, ".card[data-device='77']"), "the sensor's name")
    # What waits in its outbox is a number, or is not told.
    until(lambda: text_of(browser, "#gateways").count(MARKUP) == 1, "the gateway's state")
    browser.execute_script("document.querySelector(\".card[data-device='77']\").click()")
    until(lambda: text_of(browser, "#detail-title") == MARKUP, "its own part of the page")
    assert browser.execute_script("return document.querySelectorAll('img, b').length") == 0
    assert browser.title == "Rain sensors"
