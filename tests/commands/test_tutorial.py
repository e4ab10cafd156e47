"""The tutorial of docs/tutorials/your-own-library.md, block by block, as a stranger would type it."""

from __future__ import annotations

import csv
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

TUTORIAL = Path(__file__).resolve().parents[2] / "docs" / "tutorials" / "your-own-library.md"
_BLOCK = re.compile(r"^```(sh|sh fails|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _blocks() -> list[tuple[str, str]]:
    return _BLOCK.findall(TUTORIAL.read_text(encoding="utf-8"))


def test_the_tutorial_leads_from_nothing_to_a_row_in_the_report(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "COLUMNS": "200",
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "BANCADA_PATH": str(tmp_path),  # the tutorial's own first line, for the blocks after it
    }
    said = ""
    kinds = []
    for kind, text in _blocks():
        kinds.append(kind)
        if kind == "text":
            assert text.strip() in said, f"the tutorial promises:\n{text}\nbut it was:\n{said}"
            continue
        done = subprocess.run(
            ["bash", "-e", "-c", text], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600
        )
        said = done.stdout + done.stderr
        assert done.returncode == (1 if kind == "sh fails" else 0), said
    assert kinds == ["sh", "sh fails", "text", "sh", "text", "sh", "sh", "sh fails", "text", "sh", "text", "sh"]
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "mycipher/speck64" in page
    assert "tatu/speck64-128" in page
    said = subprocess.run(
        ["bancada", "export", "--store", "own.sqlite", "--format", "csv"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    mine = [row for row in csv.DictReader(io.StringIO(said)) if row["implementation"] == "mycipher/speck64"]
    own = [row for row in mine if "/avr-gcc-O" in row["case"]]
    assert len(own) == 9
    assert all(row["status"] == "ok" for row in own)
    # One level of each of the other compilers; the engine's build needs clang, so there is at least that one.
    others = {row["case"].rpartition("/")[2] for row in mine if row not in own}
    assert any("clang" in name for name in others)
    assert all(name.endswith("-Os") for name in others)


@pytest.mark.parametrize(
    "algorithm",
    [
        # One of each primitive.
        *("aes", "sha-256", "ascon-aead128"),
        *(
            pytest.param(algorithm, marks=pytest.mark.slow)
            for algorithm in ("rc6", "speck128", "sha3-256", "ascon-hash256", "aes-ccm", "chacha20-poly1305")
        ),
    ],
)
def test_a_new_candidate_of_any_algorithm_builds_and_fails_its_vectors(algorithm: str, tmp_path: Path) -> None:
    environment = {**os.environ, "BANCADA_PATH": str(tmp_path)}
    command = [sys.executable, "-m", "bancada"]
    made = subprocess.run(
        [*command, "new", "candidate", "mine", "--algorithm", algorithm, "--folder", str(tmp_path)],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    checked = subprocess.run([*command, "check", "mine"], env=environment, capture_output=True, text=True)
    assert checked.returncode == 1 and "WRONG" in checked.stdout and "expected" in checked.stdout, checked.stdout
    if algorithm == "sha-256":  # a candidate that was asked for by name and is wrong is no success
        question = ["run", "hashes", "--quick", "--target", "uno", "--store", str(tmp_path / "s.sqlite")]
        ran = subprocess.run(
            [*command, *question, "--candidate", "mine"], env=environment, capture_output=True, text=True
        )
        assert ran.returncode == 1 and "not-conformant" in ran.stdout, ran.stdout + ran.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["my-cipher"], ("'my-cipher' cannot name a candidate", "small letters")),
        (["tinyaes"], ("already", "tinyaes")),
        (["mine", "--sources", "."], ("There is no .c",)),
    ],
)
def test_a_mistake_in_a_new_candidate_is_one_sentence(
    arguments: list[str], words: tuple[str, ...], tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bancada", "new", "candidate", *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert all(word in done.stderr for word in words), done.stderr
    assert list(tmp_path.iterdir()) == []
