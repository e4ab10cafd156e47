"""Programs of `bancada validate`: what is fetched for them, and where their files are."""

from __future__ import annotations

from pathlib import Path

import pytest

from bancada.catalogue.candidate import GitSource, Source
from bancada.model.errors import UserError
from bancada.validate.kept_profiles import kept_profile
from bancada.validate.programs import Call, Program, build, find_call, programs

_COMMIT = "0" * 40
_SHA256 = "0" * 64


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """A program of two repositories that are already fetched: one has the function, the other what it calls."""
    for repository, file, text in (
        ("outer", "scheme/api.h", "void work(void);\n"),
        ("outer", "scheme/work.c", '#include "helper.h"\nvoid work(void) { helper(BYTES_OF_A_CALL); }\n'),
        ("inner", "common/helper.h", "void helper(unsigned);\n"),
        ("inner", "common/helper.c", 'void helper(unsigned times) { while (times-- > 0) __asm__(""); }\n'),
    ):
        path = tmp_path / repository / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "declarations.h").write_text('#include "api.h"\n')
    real = next(iter(programs().values())).folder.parent
    for driver in ("driver_bare.c", "driver_bare.ld"):
        (tmp_path / driver).write_bytes((real / driver).read_bytes())

    def fetched(source: Source | GitSource, _: Path) -> Path:
        assert isinstance(source, GitSource)
        return tmp_path / source.repository

    monkeypatch.setattr("bancada.validate.programs.fetch", fetched)
    folder = tmp_path / "mine"
    folder.mkdir()
    source = {"registry": "git", "commit": _COMMIT, "sha256": _SHA256}
    return Program.model_validate(
        {
            "folder": folder,
            "name": "mine",
            "title": "Mine",
            "licence": "MIT",
            "about": "A program.",
            "state": "thumb",
            "bare": True,
            "kind": "compiled",
            "declarations": "../declarations.h",
            "include": ["modules/inner/common"],
            "common": ["modules/inner/common/helper.c"],
            "flags": ["-DBYTES_OF_A_CALL=100"],
            "source": {**source, "address": "https://example.org/outer"},
            "submodule": {"modules/inner": {**source, "address": "https://example.org/inner"}},
        }
    )


def test_a_program_takes_files_of_its_submodules_and_all_sources_of_a_folder(program: Program) -> None:
    call = Call(name="work", folder="scheme", run="work()", core="cortex-m4")

    elf = build(program, call, 16)

    profile = kept_profile(elf, program.emulator, None, 16, None)
    assert sum(edge.times for edge in profile.edges) >= 100


def test_a_folder_without_sources_is_named(program: Program) -> None:
    with pytest.raises(UserError, match="outer has no sources in nowhere, which mine/work names"):
        build(program, Call(name="work", folder="nowhere", run="work()", core="cortex-m4"), 16)


def test_every_row_of_a_table_of_calls_has_what_its_program_gives_all_of_them() -> None:
    program, call = find_call("lwc-nrf52840/ascon-armv7m")
    assert (call.core, call.run, call.kind) == ("cortex-m4", "encrypt()", "crypto-assembly")
    assert program.kind == "compiled"
    assert find_call("pqm4-stm32f4/saber-m4fspeed-keys")[1].run == "make_keys()"
    assert all(one.is_from_git for name, one in programs().items() if name.startswith(("lwc-", "pqm4-")))
