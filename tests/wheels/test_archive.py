"""A wheel holds what it says, and has the same bytes whenever it is written."""

from __future__ import annotations

import csv
import hashlib
import os
import subprocess
import sys
import zipfile
from base64 import urlsafe_b64decode
from dataclasses import replace
from pathlib import Path

import pytest

from wheels.archive import Wheel, write_wheel

pytestmark = pytest.mark.quick

_WHEEL = Wheel(
    name="an-example",
    version="1.2",
    tags=("py3-none-manylinux_2_17_x86_64", "py3-none-musllinux_1_1_x86_64"),
    metadata={"Summary": "An example", "License-Expression": "MIT"},
    description="About it.\n",
    files={"an_example/__init__.py": b"", "an_example/tool": b"#!/bin/sh\necho it runs\n"},
    programs=frozenset({"an_example/tool"}),
    licences={"LICENSE": b"MIT"},
)


def test_the_bytes_do_not_depend_on_order_or_time(tmp_path: Path) -> None:
    turned = replace(_WHEEL, files=dict(reversed(_WHEEL.files.items())))
    first, second = write_wheel(_WHEEL, tmp_path / "a"), write_wheel(turned, tmp_path / "b")
    assert first.name == "an_example-1.2-py3-none-manylinux_2_17_x86_64.musllinux_1_1_x86_64.whl"
    assert first.read_bytes() == second.read_bytes()


def test_the_record_names_every_file_with_its_hash(tmp_path: Path) -> None:
    with zipfile.ZipFile(write_wheel(_WHEEL, tmp_path)) as archive:
        rows = list(csv.reader(archive.read("an_example-1.2.dist-info/RECORD").decode().splitlines()))
        assert {row[0] for row in rows} == set(archive.namelist())
        for path, digest, size in rows:
            if digest:
                content = archive.read(path)
                assert urlsafe_b64decode(digest.removeprefix("sha256=") + "=") == hashlib.sha256(content).digest()
                assert int(size) == len(content)


def test_pip_installs_it_and_its_program_can_be_run(tmp_path: Path) -> None:
    made = write_wheel(replace(_WHEEL, tags=("py3-none-any",)), tmp_path)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target"]
    subprocess.run([*pip, str(tmp_path / "there"), str(made)], check=True, env={**os.environ, "PIP_FIND_LINKS": ""})
    assert os.access(tmp_path / "there/an_example/tool", os.X_OK)
    assert not os.access(tmp_path / "there/an_example/__init__.py", os.X_OK)
