"""Fixtures of the laboratory's tests."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bancada.catalogue.paths import data_root
from bancada.measure.laboratory import open_laboratory
from bancada.plan.case import Firmware
from bancada.plan.plan import plan
from tests.command_line import CommandLine
from tests.laboratory_fixtures import Bancada
from tests.laboratory_fixtures import added_root as added_root


@pytest.fixture
def firmware_of() -> Callable[[str], Firmware]:
    """The firmware of one implementation on the UNO at -Os."""

    def find(implementation: str) -> Firmware:
        experiments = open_laboratory().experiments
        for experiment in ("sensor", "libraries"):
            for workload in plan(open_laboratory(), experiments[experiment], quick=True):
                if workload.firmware and workload.firmware.implementation == implementation:
                    return workload.firmware
        raise KeyError(implementation)

    return find


@pytest.fixture(scope="session")
def command_line() -> Iterator[CommandLine]:
    made = CommandLine()
    yield made
    made.close()


@pytest.fixture
def bancada(tmp_path: Path, command_line: CommandLine) -> Bancada:
    """Runs the command line as a user would, from an empty folder with a store of its own."""

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        home = tmp_path / "elsewhere"
        home.mkdir(exist_ok=True)
        whole = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data"), **environment}
        return command_line.run(arguments, home, whole, limit_s=300)

    return run


# Six firmwares with three operations each: what a campaign needs to be killed in the middle, or to meet another one.
_LITTLE = """
name = "little"
title = "A little campaign"
question = "What does Speck cost?"
study = "None."
citation = "None."
targets = ["uno"]
candidates = ["tatu"]
algorithms = ["speck128"]
operations = ["set-key", "encrypt", "decrypt"]
key_bits = [128, 192]
optimisations = ["-Os"]
samples = 16
"""


@pytest.fixture
def little(tmp_path: Path) -> str:
    """A folder for BANCADA_PATH with the experiment `little`, of 18 cases."""
    folder = tmp_path / "rooms"
    (folder / "experiments" / "little").mkdir(parents=True)
    (folder / "experiments" / "little" / "experiment.toml").write_text(_LITTLE)
    return str(folder)


@pytest.fixture
def broken_tatu(added_root: Path) -> Path:
    """A candidate `broken`: Tatu's AES with one byte of its S-box changed."""
    sources = added_root / "candidates" / "broken"
    ours = data_root() / "candidates" / "tatu"
    shutil.copytree(data_root() / "tatu" / "src", sources / "src")
    for header in ("paste.h", "one_key.h"):
        shutil.copy2(ours / header, sources / header)
    changed = 0
    for table in (sources / "src" / "aes").glob("aes_sbox*"):
        text = table.read_text()
        if "0x63, 0x7c" in text:
            table.write_text(text.replace("0x63, 0x7c", "0x63, 0x7d", 1))
            changed += 1
    assert changed, "no S-box table begins as FIPS 197, figure 7 does"
    (sources / "candidate.toml").write_text("""
name = "broken"
title = "Tatu with a broken S-box"
version = "0"
licence = "MIT"
about = "For a test."
root = "src"

[[implementation]]
name = "aes{key_bits}"
primitive = "block-cipher"
algorithm = "aes"
variant = ["plain"]
key_bits = [128]
block_bytes = 16
adapter = "one_key.h"
sources = ["aes/**/*.[cS]", "common/**/*.[cS]"]
include = ["."]
adapter_defines = ["TATU_HEADER=<tatu/aes.h>", "TATU_NAME=tatu_aes{key_bits}"]
operations = ["set-key", "encrypt", "decrypt"]
""")
    return sources
