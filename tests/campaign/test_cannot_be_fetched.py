"""A library that git does not get is a row that says so; the campaign goes on, and the next run tries again."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from bancada.catalogue.paths import cache_folder
from tests.laboratory_fixtures import Bancada

ADDRESS = "https://git.invalid/somebody/Speckled"

_CANDIDATE = """
name = "{name}"
title = "Speckled"
version = "1"
licence = "MIT"
about = "For a test."
usable = false
{source}
[[implementation]]
name = "speck64"
primitive = "block-cipher"
algorithm = "speck64"
variant = ["plain"]
key_bits = [128]
block_bytes = 8
adapter = "adapter.h"
sources = ["speckled.c"]
include = ["."]
operations = ["set-key", "encrypt"]
"""
_FROM_GIT = """
[source]
registry = "git"
address = "{address}"
commit = "{commit}"
sha256 = "{sha256}"
"""
_ADAPTER = """
#include "speckled.h"
#define BANCADA_ONE_KEY 1
typedef struct speckled bancada_encrypt_context;
static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    speckled_key(context, key);
}
static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    speckled_encrypt(context, output, input);
}
"""
_HEADER = """
#include <stdint.h>
struct speckled { uint32_t keys[27]; };
void speckled_key(struct speckled *context, const uint8_t *key);
void speckled_encrypt(const struct speckled *context, uint8_t *output, const uint8_t *input);
"""
# Speck-64/128 in the byte order of its designers' implementation guide.
_SOURCE = """
#include <string.h>
#include "speckled.h"
#define RIGHT(x, n) (((x) >> (n)) | ((x) << (32 - (n))))
#define ROUND(x, y, k) (x = (RIGHT(x, 8) + y) ^ (k), y = RIGHT(y, 29) ^ x)
void speckled_key(struct speckled *context, const uint8_t *key)
{
    uint32_t word[4];
    memcpy(word, key, 16);
    uint32_t first = word[0];
    for (uint8_t i = 0; i < 27; i++) {
        context->keys[i] = first;
        ROUND(word[1 + i % 3], first, i);
    }
}
void speckled_encrypt(const struct speckled *context, uint8_t *output, const uint8_t *input)
{
    uint32_t word[2];
    memcpy(word, input, 8);
    for (uint8_t i = 0; i < 27; i++) {
        ROUND(word[1], word[0], context->keys[i]);
    }
    memcpy(output, word, 8);
}
"""
_EXPERIMENT = """
name = "speckles"
title = "Speck"
question = "What does it cost?"
study = "None."
citation = ""
targets = ["uno"]
candidates = ["speckled", "spotted"]
algorithms = ["speck64"]
operations = ["encrypt"]
key_bits = [128]
optimisations = ["-Os"]
samples = 16
"""


def _git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=Nobody", "-c", "user.email=nobody@example.org")
    return subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def _repository(folder: Path) -> str:
    folder.mkdir()
    (folder / "speckled.c").write_text(_SOURCE)
    (folder / "speckled.h").write_text(_HEADER)
    _git(folder, "init", "--quiet")
    _git(folder, "config", "core.autocrlf", "false")
    _git(folder, "add", "--all")
    _git(folder, "commit", "--quiet", "--message", uuid.uuid4().hex)  # a commit that no cache has
    return _git(folder, "rev-parse", "HEAD").strip()


@pytest.fixture
def commit(tmp_path: Path) -> Iterator[str]:
    """The commit of a new repository. What the cache got of it is removed."""
    made = _repository(tmp_path / "repository")
    yield made
    for path in (cache_folder() / "sources").glob(f"Speckled-{made[:12]}-*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def _records(bancada: Bancada) -> dict[str, dict[str, str]]:
    done = bancada("export", "--format", "jsonl", "--experiment", "speckles")
    return {record["candidate"]: record for record in map(json.loads, done.stdout.splitlines())}


def test_it_is_a_row_the_others_are_measured_and_the_next_run_tries_again(
    bancada: Bancada, added_root: Path, tmp_path: Path, commit: str
) -> None:
    entries = sorted((("speckled.c", _SOURCE), ("speckled.h", _HEADER)))
    tree = b"".join(f"100644 {name}\0{len(text)}\0{text}".encode() for name, text in entries)
    pinned = _FROM_GIT.format(address=ADDRESS, commit=commit, sha256=hashlib.sha256(tree).hexdigest())
    for name, source in (("speckled", pinned), ("spotted", f'root = "{tmp_path / "repository"}"\n')):
        own = added_root / "candidates" / name
        own.mkdir(parents=True)
        (own / "adapter.h").write_text(_ADAPTER)
        (own / "candidate.toml").write_text(_CANDIDATE.format(name=name, source=source))
    (added_root / "experiments" / "speckles").mkdir(parents=True)
    (added_root / "experiments" / "speckles" / "experiment.toml").write_text(_EXPERIMENT)
    (tmp_path / "nothing").touch()
    away = {"GIT_CONFIG_GLOBAL": str(tmp_path / "nothing"), "GIT_CONFIG_SYSTEM": os.devnull}

    ordinary = bancada("run", "speckles", **away)
    assert ordinary.returncode == 0, ordinary.stdout + ordinary.stderr
    assert "speckles: left out what git fetches (speckled); to measure it: bancada run speckles --from-git" in (
        ordinary.stdout
    )
    assert set(_records(bancada)) == {"spotted"}

    unreached = bancada("run", "speckles", "--from-git", **away)
    assert unreached.returncode == 1, "as where any other case failed"
    assert f"cannot be fetched: {ADDRESS} at {commit[:12]} is not in the cache" in unreached.stdout
    records = _records(bancada)
    assert (records["spotted"]["status"], records["speckled"]["status"]) == ("ok", "failed")
    assert records["speckled"]["reason"].startswith("cannot be fetched: ")
    page = bancada("report", "--output", str(tmp_path / "page.html"), **away)
    assert page.returncode == 0, page.stderr
    assert "cannot be fetched: https://git.invalid/somebody/Speckled" in (tmp_path / "page.html").read_text()

    mirror = tmp_path / "gitconfig"
    mirror.write_text(f'[url "file://{tmp_path / "repository"}"]\n\tinsteadOf = {ADDRESS}\n')
    reached = bancada("run", "speckles", "--from-git", **{**away, "GIT_CONFIG_GLOBAL": str(mirror)})
    assert reached.returncode == 0, reached.stdout + reached.stderr
    assert _records(bancada)["speckled"]["status"] == "ok"

    later = bancada("run", "speckles", **away)
    assert "earlier results" not in later.stdout, "results that --from-git made are no leftovers"
