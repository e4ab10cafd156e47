"""Fixtures of the link's tests: a site with its authority, its broker and its gateway daemon."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from gateway_site import Site, running_site
from server_support import farm, new_database, postgres  # noqa: F401

from bancada.link.binaries import GATEWAY, binary


@pytest.fixture(scope="session")
def gateway_program() -> Path:
    """The daemon, built if need be. BANCADA_LINK_GATEWAY names another build of it, for example one with a sanitiser."""
    return Path(os.environ.get("BANCADA_LINK_GATEWAY") or binary(GATEWAY))


@pytest.fixture
def site(tmp_path: Path, gateway_program: Path) -> Iterator[Site]:
    with running_site(tmp_path, gateway_program) as made:
        yield made
