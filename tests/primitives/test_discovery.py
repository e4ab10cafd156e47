"""Primitives and algorithms from folders of BANCADA_PATH.

They are found, or refused with one sentence, and never judged by another's vectors.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bancada.build.build import build
from bancada.campaign.wire import packed, unpacked
from bancada.catalogue.paths import data_root
from bancada.measure.conformance import conformance
from bancada.measure.device import open_device
from bancada.measure.laboratory import open_laboratory
from bancada.measure.run import run
from bancada.model.errors import UserError
from bancada.model.status import Status
from bancada.plan.everything_of import everything_of
from bancada.plan.plan import plan
from bancada.primitives import read_primitives

OUTSIDE = Path(__file__).parent / "outside" / "primitives"

_AEAD = """
name = "ours"
title = "Ours"
version = "0"
licence = "MIT"
about = "For a test."
root = "tatu/src"

[[implementation]]
name = "{algorithm}"
primitive = "aead"
algorithm = "{algorithm}"
variant = ["plain"]
key_bits = [128]
nonce_bytes = 13
tag_bytes = 8
adapter = "aes_ccm.h"
sources = ["ccm/**/*.[cS]", "aes/**/*.[cS]", "common/**/*.[cS]"]
include = ["."]
adapter_defines = ["TATU_KEY=tatu_aes128", "TATU_NAME=tatu_aes128_ccm"]
operations = ["set-key", "encrypt", "decrypt"]
"""


def _candidate(root: Path, text: str) -> None:
    folder = root / "candidates" / "ours"
    folder.mkdir(parents=True, exist_ok=True)
    for header in ("aes_ccm.h", "paste.h"):
        shutil.copy2(data_root() / "candidates" / "tatu" / header, folder)
    (folder / "candidate.toml").write_text(text)


def _add(root: Path, *parts: str) -> Path:
    """A part of tests/primitives/outside in the folder of BANCADA_PATH."""
    place = root.joinpath("primitives", *parts)
    shutil.copytree(OUTSIDE.joinpath(*parts), place, ignore=shutil.ignore_patterns("__pycache__"))
    return place


def _ours() -> str:
    """What `check` would say of the candidate's one implementation, on the UNO."""
    experiment = everything_of(open_laboratory(), open_laboratory().candidates["ours"], "uno", "-Os")
    (workload,) = [one for one in plan(open_laboratory(), experiment) if one.firmware is not None]
    firmware = workload.firmware
    assert firmware is not None
    unjudged = firmware.primitive.why_unjudged(firmware.algorithm, firmware.key_bits)
    if unjudged is not None:
        return unjudged
    made = build(firmware)
    assert made.status is Status.OK, made.reason
    with open_device(firmware, made) as device:
        tested = conformance(firmware, device)
    if tested.first_failure is not None:
        return tested.first_failure
    timed = run(firmware, made, workload.cases, samples=2)
    assert all(region.cycles > 100 for regions in timed.regions.values() for region in regions)
    return f"right, {tested.total} checks, {len(timed.regions)} cases timed"


def test_an_algorithm_of_a_known_primitive_brings_its_own_vectors(added_root: Path) -> None:
    _add(added_root, "aead", "algorithms", "aes_ccm_8")
    _candidate(added_root, _AEAD.format(algorithm="aes-ccm-8"))
    assert list(read_primitives()["aead"].algorithms)[-1] == "aes-ccm-8"
    said = _ours()
    assert said.startswith("right, ") and said.endswith("3 cases timed"), said
    # Ten vectors of NIST's with tags of 8 bytes, both ways, at least.
    assert int(said.split()[1]) > 20


def test_its_vectors_are_the_ones_that_judge(added_root: Path) -> None:
    place = _add(added_root, "aead", "algorithms", "aes_ccm_8")
    text = (place / "__init__.py").read_text()
    assert text.count("parted(sealed, plaintext)") == 1
    (place / "__init__.py").write_text(text.replace("parted(sealed, plaintext)", "parted(sealed[::-1], plaintext)"))
    _candidate(added_root, _AEAD.format(algorithm="aes-ccm-8"))
    assert _ours().startswith("CAVP VTT 20, encrypt: expected "), _ours()


@pytest.mark.parametrize("algorithm", ["aes-ocb", "aes-ccm-8"])
def test_an_algorithm_without_vectors_is_refused_by_name(added_root: Path, algorithm: str) -> None:
    """No folder for aes-ocb; one without a vector for aes-ccm-8."""
    place = _add(added_root, "aead", "algorithms", "aes_ccm_8")
    text = (place / "__init__.py").read_text()
    (place / "__init__.py").write_text(text.replace("VTT{key_bits}", "VADT{key_bits}"))
    _candidate(added_root, _AEAD.format(algorithm=algorithm))
    assert f"there are no vectors for the aead '{algorithm}' with a 128-bit key, so nothing is measured" in _ours()


def test_what_lies_in_a_later_folder_replaces_what_was_there(
    added_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _add(added_root, "prf")
    other = tmp_path / "other"
    shutil.copytree(added_root, other)
    file = other / "primitives" / "prf" / "__init__.py"
    file.write_text(file.read_text().replace("pseudo-random function", "the other one"))
    monkeypatch.setenv("BANCADA_PATH", f"{added_root}:{other}")
    assert read_primitives()["prf"].title == "the other one"
    monkeypatch.setenv("BANCADA_PATH", str(added_root))
    assert read_primitives()["prf"].title == "pseudo-random function"
    monkeypatch.delenv("BANCADA_PATH")
    assert "prf" not in read_primitives()


def test_a_primitive_can_be_sent_to_another_process(added_root: Path) -> None:
    _add(added_root, "prf")
    for primitive in read_primitives().values():
        received = unpacked(packed(primitive), open_laboratory())
        assert received == primitive
        assert hash(received) == hash(primitive)
        assert list(received.algorithms) == list(primitive.algorithms)


def _without(line: str) -> str:
    return (OUTSIDE / "prf" / "__init__.py").read_text().replace(line, "")


BROKEN = {
    "it does not load": ("prf/__init__.py", "import nowhere\n", r"prf/__init__.py does not load: No module named 'now"),
    "it exposes nothing": ("prf/__init__.py", "", r"must expose PRIMITIVE, which is of the class Primitive \("),
    "it lacks a part": ("prf/__init__.py", _without("    images={"), r"does not load"),
    "another name": (
        "prf/__init__.py",
        (OUTSIDE / "prf" / "__init__.py").read_text().replace('name="prf"', 'name="kdf"'),
        "PRIMITIVE is named 'kdf', but the folder 'prf'",
    ),
    "an algorithm of another primitive": (
        "aead/algorithms/aes_ccm_8/__init__.py",
        "from bancada.primitives.hash.algorithms.sha_256 import ALGORITHM\n",
        r"must expose ALGORITHM, which is of the class AeadAlgorithm \(bancada.primitives.aead.algorithm\)",
    ),
    "neither": (
        "padlock/README",
        "",
        "padlock is neither a primitive, which has a contract.h, nor named as a known one",
    ),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_folder_with_a_mistake_is_one_clear_sentence(added_root: Path, fault: str) -> None:
    place, text, message = BROKEN[fault]
    _add(added_root, "prf")
    _add(added_root, "aead", "algorithms", "aes_ccm_8")
    file = added_root / "primitives" / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    with pytest.raises(UserError, match=message):
        read_primitives()


def test_a_primitive_without_its_c_sources_is_refused(added_root: Path) -> None:
    (_add(added_root, "prf") / "size.c").unlink()
    with pytest.raises(UserError, match="prf has no size.c; a primitive has contract.h, operations.c, size.c"):
        read_primitives()


ROWS = {
    ('primitive = "aead"', 'primitive = "aed"'): "There is no primitive 'aed'; did you mean 'aead'?",
    ('"encrypt",', '"encript",'): "There is no operation of a aead 'encript'; did you mean 'encrypt'?",
    ('"encrypt", ', ""): "a aead has at least the operations encrypt",
    ("nonce_bytes = 13", ""): "a aead needs 'nonce_bytes'",
    ("tag_bytes = 8", 'tag_bytes = 8\nbyte_order = "paper"'): "'aes-ccm' has one byte order only",
}


@pytest.mark.parametrize("change", ROWS, ids=ROWS.values())
def test_a_row_that_lacks_what_its_primitive_asks_for_is_refused(added_root: Path, change: tuple[str, str]) -> None:
    _candidate(added_root, _AEAD.format(algorithm="aes-ccm").replace(*change))
    with pytest.raises(UserError) as error:
        _ours()
    assert "candidates/ours/candidate.toml: implementation 'aes-ccm': " in str(error.value)
    assert ROWS[change] in str(error.value)
