"""The candidates of this repository: what each folder must say and hold, and one measured from its registry to its
figures."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from bancada.answers.ranking import advisable, headline, study_table
from bancada.catalogue.candidate import Candidate, Implementation, Source
from bancada.catalogue.paths import data_root
from bancada.measure.derive import derive
from bancada.measure.laboratory import open_laboratory
from bancada.measure.read_metrics import read_metrics
from bancada.measure.samples import Run
from bancada.model.build import Build, Conformance, Image
from bancada.model.run import Region
from bancada.model.status import Status
from bancada.plan.plan import plan
from tests.example_results import result
from tests.laboratory_fixtures import Bancada

ROOM = data_root() / "candidates"
FOLDERS = sorted(path.name for path in ROOM.iterdir() if path.is_dir())
_ADAPTER_LINES = 20
_LICENCES = {
    *(
        "MIT",
        "Unlicense",
        "CC0-1.0",
        "BSL-1.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "Apache-2.0",
        "EPL-1.0",
        "WTFPL",
        "public domain",
        "commercial",
    ),
    "ISC",
    *("GPL-2.0-or-later", "GPL-3.0-or-later", "LGPL-2.1-or-later", "LGPL-3.0-or-later"),
    *("GPL-3.0-only", "LGPL-3.0-only", "AGPL-3.0-only", "Brian-Gladman-3-Clause"),
    "NONE",  # SPDX 2.3, 3.2: its authors state none
}


@pytest.fixture(params=FOLDERS)
def candidate(request: pytest.FixtureRequest) -> Candidate:
    """Each folder's candidate.toml, validated: another key, a missing one or a wrong kind is an error that names it."""
    return open_laboratory().candidates[str(request.param)]


def _filled(row: Implementation, text: str) -> set[str]:
    """`text` for every variant and key size of the row."""
    return {
        text.replace("{variant}", variant).replace("{key_bits}", str(bits)).replace("{key_bytes}", str(bits // 8))
        for variant in row.variant
        for bits in row.key_bits
    }


def _timed_lines(header: str) -> list[str]:
    """The lines between the braces of the functions, except those that set a signature's key: they are outside of what
    is timed."""
    bodies = re.findall(r"^static [^{;]*?\b(\w+)\([^{;]*\)\n\{\n(.*?)^\}", header, re.MULTILINE | re.DOTALL)
    untimed = ("bancada_set_sign_key", "bancada_set_verify_key")
    return [line for name, body in bodies if name not in untimed for line in body.splitlines() if line.strip()]


def test_the_folder_says_the_name(candidate: Candidate) -> None:
    assert candidate.name == candidate.folder.name


def test_every_adapter_and_monitor_source_is_there(candidate: Candidate) -> None:
    for row in candidate.implementation:
        for name in (row.adapter, *row.monitor_sources):
            for filled in _filled(row, name):
                assert (candidate.folder / filled).is_file(), f"{row.name} names '{filled}'"


def test_no_two_implementations_have_one_name(candidate: Candidate) -> None:
    names = [name for row in candidate.implementation for name in sorted(_filled(row, row.name))]
    expanded = sum(len(row.variant) * len(row.key_bits) for row in candidate.implementation if row.key_bits != (0,))
    expanded += sum(len(row.variant) for row in candidate.implementation if row.key_bits == (0,))
    assert len(names) == len(set(names)) == expanded


def test_what_comes_from_a_registry_is_pinned(candidate: Candidate) -> None:
    assert [candidate.source is not None, candidate.root is not None, bool(candidate.compiled)].count(True) == 1
    for package in candidate.compiled:
        assert set(package.sha256) == {"armhf", "arm64"}
        assert re.fullmatch(r"\d[\w.+:~-]*", package.version), "one version, not a range"
    if candidate.source is not None:
        assert len(set(candidate.source.sha256)) > 4, "64 zeros ask what the hash is; they do not pin it"
    if isinstance(candidate.source, Source):
        assert re.fullmatch(r"\d[\w.+-]*", candidate.source.version), "one version, not a range"


def test_what_is_on_the_heap_is_said_where_ram_is_counted_and_where_it_is_read(candidate: Candidate) -> None:
    for row in candidate.implementation:
        assert row.primitive == "message" or row.heap == ("on the heap" in row.notes), row.name


def test_ram_is_unknown_where_part_of_it_is_on_the_heap() -> None:
    laboratory = open_laboratory()
    workloads = plan(laboratory, laboratory.experiment("signatures"), ("bbb",), ("openssl",), quick=True)
    case = next(case for workload in workloads for case in workload.cases if case.operation == "sign")
    build = Build(
        Status.OK, None, "elf", "hash", "gcc 12", "-O2", images={"none": Image("", 0, 0), "sign": Image("", 9, 9)}
    )
    run = Run({case: (Region(9, 9, 9, 9),)}, {}, None, "qemu")
    metrics = read_metrics()
    result = derive(case, build, Conformance(1, 1, None, None), run, Status.OK, None, metrics)
    assert result.ram_context_bytes is None
    assert result.ram_bytes is None
    counted = derive(
        case,
        build,
        Conformance(1, 1, None, None),
        replace(run, context_bytes={"sign": 8}),
        Status.OK,
        None,
        metrics,
    )
    assert counted.ram_bytes == 8 + 9 + 9


def test_what_is_there_to_be_compared_with_is_never_advised() -> None:
    plain = result(
        candidate="plain",
        implementation="plain/rc6-128",
        cycles_median=1,
        flash_bytes=1,
        time_us=1.0,
        stack_bytes=1,
        energy_uj=0.1,
    )
    library = result(candidate="tatu", implementation="tatu/rc6-128", cycles_median=2, flash_bytes=2)
    metrics = read_metrics()
    advised = advisable([plain, library], open_laboratory().not_advised)
    for rows in (headline(advised, plain.target, metrics), study_table(advised, metrics)):
        winners = {winner.candidate for row in rows for found in row.best.values() for winner in found.winners}
        assert winners == {"tatu"}


def test_the_licence_is_stated(candidate: Candidate) -> None:
    stated = re.split(r" (?:OR|or|AND) ", candidate.licence)
    assert set(stated) <= _LICENCES, f"{stated}: an SPDX identifier that is listed in this test"


def test_adapters_are_thin(candidate: Candidate) -> None:
    # A message's adapter includes those of a hash and a signature, which are looked at themselves.
    rows = [row for row in candidate.implementation if row.primitive != "message"]
    for header in sorted({name for row in rows for name in _filled(row, row.adapter)}):
        lines = _timed_lines((candidate.folder / header).read_text())
        assert 0 < len(lines) <= _ADAPTER_LINES, f"{header} has {len(lines)} lines of code; what it does is timed"


def test_adapters_hide_no_header_of_the_library(candidate: Candidate) -> None:
    """The candidate's folder comes first in the include path (docs/how-to/candidates.md)."""
    for header in candidate.folder.glob("*.h"):
        included = re.findall(r'#include ["<]([^">]+)[">]', header.read_text())
        assert header.name not in included


def test_a_hash_is_measured_from_its_registry_to_its_figures(bancada: Bancada, tmp_path: Path) -> None:
    done = bancada("run", "hashes", "--quick", "--candidate", "bearssl")
    assert done.returncode == 0, done.stdout + done.stderr
    exported = bancada("export", "--format", "jsonl").stdout
    every = [json.loads(line) for line in exported.splitlines()]
    results = {result["size_bytes"]: result for result in every if result["algorithm"] == "sha-256"}
    assert sorted(results) == [0, 8, 16, 32, 64, 128, 512]
    for found in results.values():
        said = (found["status"], found["algorithm"], found["operation"])
        assert said == ("ok", "sha-256", "hash"), found["reason"]
        assert found["conformance_passed"] == found["conformance_total"] > 64
        # 64 round constants of 4 bytes are in flash and, const without PROGMEM, in RAM (FIPS 180-4, section 4.2.2).
        assert found["flash_bytes"] > found["ram_static_bytes"] >= 256
        # The caller keeps 32 bytes of chaining value, 64 of a block and a length.
        assert found["ram_context_bytes"] >= 32 + 64 + 8
    cycles = {size: result["cycles_median"] for size, result in results.items()}
    # FIPS 180-4, section 5.1.1: up to 55 bytes are one block; 64, 128 and 512 bytes are 2, 3 and 9.
    per_block = (cycles[512] - cycles[128]) / 6
    assert cycles[0] < cycles[32] < 1.1 * cycles[0]
    assert cycles[64] - cycles[32] == pytest.approx(per_block, rel=0.05)
    assert cycles[128] - cycles[64] == pytest.approx(per_block, rel=0.05)
