"""A wrong file of the user stops what asks for it with one sentence, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from bancada.catalogue import catalogue
from bancada.catalogue.paths import data_root
from bancada.measure.laboratory import open_laboratory
from bancada.model.errors import UserError
from bancada.plan.plan import plan
from tests.laboratory_fixtures import Bancada

_CANDIDATE = """
name = "mine"
title = "Mine"
version = "0"
licence = "MIT"
about = "For a test."

[[implementation]]
name = "{name}"
primitive = "block-cipher"
algorithm = "aes"
variant = {variant}
key_bits = {key_bits}
block_bytes = 16
adapter = "mine.h"
sources = ["mine.c"]
operations = ["set-key", "encrypt"]
"""
_EXPERIMENT = """
name = "mine"
title = "Mine"
question = "What does a hash cost?"
study = "None."
citation = ""
targets = ["uno"]
candidates = ["tatu"]
algorithms = ["sha-256"]
operations = ["hash"]
key_bits = [0]
optimisations = ["-Os"]
samples = 16
{sizes}
"""


def _write(root: Path, name: str, text: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("kind", "file"),
    [
        ("target", "targets/mine/target.toml"),
        ("candidate", "candidates/mine/candidate.toml"),
        ("experiment", "experiments/mine/experiment.toml"),
        ("core", "cores/mine.toml"),
    ],
)
def test_a_broken_file_stops_those_who_ask_for_it(kind: str, file: str, added_root: Path) -> None:
    path = _write(added_root, file, "name = \n")
    laboratory = open_laboratory()
    assert plan(laboratory, laboratory.experiment("sensor"), ("uno",), ("tatu",), quick=True)
    with pytest.raises(UserError, match=f"{path}: not valid TOML"):
        getattr(laboratory, kind)("mine")
    with pytest.raises(UserError, match=f"{path}: not valid TOML"):
        list(getattr(laboratory, f"{kind}s"))


def test_a_target_of_a_broken_core_names_the_core(added_root: Path) -> None:
    core = _write(added_root, "cores/mine.toml", "name = \n")
    uno = (data_root() / "targets" / "uno" / "target.toml").read_text()
    _write(added_root, "targets/board/target.toml", uno.replace('"uno"', '"board"').replace('"avr5"', '"mine"'))
    with pytest.raises(UserError, match=f"{core}: not valid TOML"):
        open_laboratory().target("board")


def test_an_operating_point_of_a_broken_target_names_the_file(added_root: Path) -> None:
    target = _write(added_root, "targets/mine/target.toml", "name = \n")
    with pytest.raises(UserError, match=f"{target}: not valid TOML"):
        open_laboratory().target("mine@400MHz")


def test_a_broken_file_does_not_stop_a_run(bancada: Bancada, added_root: Path) -> None:
    _write(added_root, "candidates/mine/candidate.toml", "name = \n")
    done = bancada("check", "tatu", "--target", "nowhere")
    assert "There is no target 'nowhere'" in done.stderr
    refused = bancada("check", "mine", "--target", "uno")
    assert refused.returncode == 2 and "not valid TOML" in refused.stderr and "Traceback" not in refused.stderr


def test_a_name_that_is_taken_is_said(added_root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    catalogue.say.cache_clear()
    path = _write(
        added_root,
        "candidates/tatu/candidate.toml",
        _CANDIDATE.replace("mine", "tatu").format(name="aes", variant='["plain"]', key_bits="[128]"),
    )
    assert open_laboratory().candidate("tatu").title == "Mine"
    ours = data_root() / "candidates" / "tatu" / "candidate.toml"
    assert capsys.readouterr().err == f"bancada: {path} replaces {ours}: both are called 'tatu'.\n"
    open_laboratory()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("cores", "said"),
    [
        ('["cortex-m4", "cortex-m44"]', "key 'cores': There is no core 'cortex-m44'; did you mean 'cortex-m4'\\?"),
        ('"cortex-m4"', "key 'cores': Input should be a valid tuple"),
    ],
)
def test_a_candidate_for_a_core_that_there_is_not_is_refused(cores: str, said: str, added_root: Path) -> None:
    text = _CANDIDATE.format(name="aes", variant='["plain"]', key_bits="[128]")
    path = _write(added_root, "candidates/mine/candidate.toml", text.replace("\n\n[[", f"\ncores = {cores}\n\n[["))
    laboratory = open_laboratory()
    with pytest.raises(UserError, match=said) as refused:
        laboratory.candidate("mine")
    assert str(path) in str(refused.value) and "\n" not in str(refused.value)
    assert laboratory.candidate("tatu")


def test_a_row_for_a_core_that_there_is_not_is_refused(added_root: Path) -> None:
    text = _CANDIDATE.format(name="aes", variant='["plain"]', key_bits="[128]")
    _write(added_root, "candidates/mine/candidate.toml", text.rstrip() + '\ncores = ["cortex-m44"]\n')
    laboratory = open_laboratory()
    with pytest.raises(UserError, match="key 'cores': There is no core 'cortex-m44'; did you mean 'cortex-m4'"):
        laboratory.candidate("mine")
    assert laboratory.candidate("tatu")


def test_a_candidate_for_a_core_of_the_users_is_read(added_root: Path) -> None:
    core = (data_root() / "cores" / "avr5.toml").read_text()
    _write(added_root, "cores/mine.toml", core.replace('name = "avr5"', 'name = "mine"'))
    text = _CANDIDATE.format(name="aes", variant='["plain"]', key_bits="[128]")
    _write(added_root, "candidates/mine/candidate.toml", text.replace("\n\n[[", '\ncores = ["mine"]\n\n[['))
    assert open_laboratory().candidate("mine").cores == ("mine",)


@pytest.mark.parametrize(
    ("name", "variant", "key_bits", "twice"),
    [("aes", '["plain"]', "[128, 256]", "aes"), ("aes{key_bits}", '["plain", "small"]', "[128]", "aes128")],
)
def test_two_implementations_of_one_name_are_refused(
    name: str, variant: str, key_bits: str, twice: str, added_root: Path
) -> None:
    """The figures of the second would replace those of the first."""
    path = _write(
        added_root,
        "candidates/mine/candidate.toml",
        _CANDIDATE.format(name=name, variant=variant, key_bits=key_bits),
    )
    with pytest.raises(UserError, match=f"two implementations are called '{twice}'") as refused:
        open_laboratory().candidate("mine")
    assert str(path) in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ("", "key 'sizes_bytes': 'hash' of a hash is measured on messages, and no size is given"),
        ("sizes_bytes = [-1]", "key 'sizes_bytes.0': Input should be greater than or equal to 0"),
        ("sizes_bytes = [16]\npacket_sizes_bytes = [0]", "key 'packet_sizes_bytes.0': Input should be greater than 0"),
        ("sizes_bytes = [16]\nassociated_sizes_bytes = [-1]", "key 'associated_sizes_bytes.0': Input should be"),
    ],
)
def test_sizes_that_cannot_be_measured(bancada: Bancada, sizes: str, said: str, added_root: Path) -> None:
    _write(added_root, "experiments/mine/experiment.toml", _EXPERIMENT.format(sizes=sizes))
    done = bancada("run", "mine")
    assert done.returncode == 2
    words = " ".join(done.stderr.split())
    assert said in words and "experiment.toml" in words and "Traceback" not in words
