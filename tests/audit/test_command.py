"""`bancada audit` as a person uses it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bancada.audit.store import read_audits
from bancada.commands.audit import audit
from bancada.model.errors import UserError

Bancada = Callable[..., subprocess.CompletedProcess[str]]


def test_a_leak_is_named_stored_and_the_exit_status(bancada: Bancada, tmp_path: Path) -> None:
    store = tmp_path / "results.sqlite"
    done = bancada("audit", "leaky/branch", "--target", "uno", "--samples", "50", "--store", str(store))
    assert done.returncode == 1, done.stderr
    assert "leaky/branch set-key on uno, -Os: clean" in done.stdout
    assert "leaky/branch encrypt on uno, -Os: leaks" in done.stdout
    assert "branch.c:8" in done.stdout
    assert "…" not in done.stdout, "a table that is piped is not cut"
    assert "doubled" in done.stdout
    assert [stored.verdict for stored in read_audits(store)] == ["clean", "leaks"]


def test_addresses_are_counted_or_listed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command = [
        "leaky/table",
        "--target",
        "uno",
        "--operation",
        "encrypt",
        "--samples",
        "4",
        "--store",
        str(tmp_path / "results.sqlite"),
    ]
    audit.main(command, standalone_mode=False)
    assert "1 place uses an address that depends on secrets: harmless on this target" in capsys.readouterr().out
    audit.main([*command, "--addresses"], standalone_mode=False)
    out = capsys.readouterr().out
    assert "table.c:10" in out
    assert "harmless" in out


def test_on_the_host_it_says_what_was_audited(bancada: Bancada) -> None:
    done = bancada("audit", "leaky/store", "--target", "bbb", "--operation", "encrypt")
    assert done.returncode == 1
    assert "store.c:7" in done.stdout
    assert "The C sources compiled for this machine, not the Arm program" in done.stdout


def test_tables_of_assembly_are_declared_and_harmless_where_ram_has_no_cache(bancada: Bancada) -> None:
    done = bancada("audit", "tatu/aes128/ram", "--target", "samd21", "--operation", "encrypt", "--addresses")
    assert done.returncode == 0, done.stderr
    assert "tatu/aes128/ram encrypt on samd21, -Os: clean" in done.stdout
    assert "tatu_internal_aes_ram_encrypt" in done.stdout
    done = bancada("audit", "tatu/aes128/ram", "--target", "rpi3", "--operation", "encrypt", "--addresses")
    assert "tatu_internal_aes_ram_encrypt" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nothing", "--target", "uno"), "There is no candidate 'nothing'"),
        (("leaky/brunch", "--target", "uno"), "did you mean 'leaky/branch'?"),
        (("leaky/branch", "--target", "moon"), "There is no target 'moon'"),
        (
            ("leaky/branch", "--target", "uno", "--operation", "decrypt"),
            "no operation 'decrypt' with a secret in it; it has set-key, encrypt.",
        ),
        (("tatu/message-sha-256", "--target", "uno"), "audit the hash and the signature in it"),
        (("wolfssldebian", "--target", "bbb"), "comes compiled for Arm Linux"),
    ],
)
def test_mistakes_are_one_sentence(arguments: tuple[str, ...], said: str) -> None:
    with pytest.raises(UserError) as raised:
        audit.main(list(arguments), standalone_mode=False)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_without_valgrind_the_package_is_named(bancada: Bancada, tmp_path: Path) -> None:
    done = bancada("audit", "leaky/branch", "--target", "host", PATH=str(tmp_path))
    assert done.returncode == 2
    assert "apt-get install valgrind" in done.stderr
