"""A broker that is not the site's gets nothing from the server, and the server's log says why."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from impostor import Impostor
from link_site import Authority, wait_until
from server_support import Site

pytestmark = pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_1 is deprecated:DeprecationWarning")


class SiteAuthority(Authority):
    """The site's own authority, as a thief of its key would use it."""

    def __init__(self, folder: Path, site: Site) -> None:
        super().__init__(folder)
        key = serialization.load_pem_private_key((site.folder / "ca" / "ca.key").read_bytes(), None)
        assert isinstance(key, ec.EllipticCurvePrivateKey)
        self._key = key
        self._name = x509.load_pem_x509_certificate((site.folder / "ca" / "ca.crt").read_bytes()).subject


@pytest.mark.parametrize(
    ("case", "sentence"),
    [
        ("nothing wrong", None),
        ("expired", "certificate expired"),
        ("another authority", "UnknownIssuer"),
        ("another host", "certificate not valid for name"),
        ("TLS 1.2", "ProtocolVersion"),
        ("TLS 1.1", "ProtocolVersion"),
    ],
)
def test_the_server_refuses_an_impostor(farm: Site, tmp_path: Path, case: str, sentence: str | None) -> None:
    farm.create()
    signer = Authority(tmp_path / "other") if case == "another authority" else SiteAuthority(tmp_path / "own", farm)
    hosts = ("broker.example",) if case == "another host" else ("localhost",)
    newest = {"TLS 1.2": ssl.TLSVersion.TLSv1_2, "TLS 1.1": ssl.TLSVersion.TLSv1_1}.get(case, ssl.TLSVersion.TLSv1_3)
    impostor = Impostor(signer.issue("impostor", hosts=hosts, expired=case == "expired"), newest)
    server = farm.server(start=False, extra=("--broker", f"localhost:{impostor.port}"))
    server.spawn(server.command)
    wait_until(
        lambda: impostor.heard if sentence is None else impostor.visits >= 3, "several attempts", detail=server.log
    )
    if sentence:
        server.wait_for_log("no connection to the broker")
        assert sentence in server.log(), server.log()
        assert server.log().count("no connection to the broker") == 1, "said at every attempt"
        assert impostor.heard == b""
    assert "connected to the broker" not in server.log()
    impostor.close()
