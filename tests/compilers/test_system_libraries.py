"""A new C library is another image and another fact of a worker, though no source, flag or compiler changed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bancada.campaign import distribute_worker
from bancada.compilers.compile import compile_object, compiler_version, link_image, look_again
from bancada.compilers.system_libraries import system_libraries
from bancada.measure.laboratory import open_laboratory

_GCC = {"bbb": "arm-linux-gnueabihf-gcc", "uno": "avr-gcc", "samd21": "arm-none-eabi-gcc"}


@pytest.fixture
def upgraded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Puts a compiler of the same name in front, which has a libc.a of its own."""

    def upgrade(compiler: str) -> None:
        real = shutil.which(compiler)
        tools = tmp_path / "tools"
        tools.mkdir()
        (tmp_path / "libc.a").write_bytes(b"!<arch>\n")
        (tools / compiler).write_text(
            f'#!/bin/sh\nfor one in "$@"; do [ "$one" = -print-file-name=libc.a ] && echo {tmp_path / "libc.a"} &&'
            f' exit; done\nexec {real} "$@"\n'
        )
        (tools / compiler).chmod(0o755)
        monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
        look_again()

    yield upgrade
    look_again()


@pytest.mark.parametrize("target", _GCC)
def test_another_libc_is_another_hash(target: str, upgraded: Callable[[str], None]) -> None:
    flags = open_laboratory().targets[target].toolchain.link_flags
    before = system_libraries(_GCC[target], flags)
    look_again()
    assert system_libraries(_GCC[target], flags) == before
    upgraded(_GCC[target])
    assert system_libraries(_GCC[target], flags) != before


def test_processors_have_libraries_of_their_own() -> None:
    one, other = (
        system_libraries("arm-none-eabi-gcc", open_laboratory().targets[name].toolchain.link_flags)
        for name in ("samd21", "stm32f4")
    )
    assert one != other


def test_an_image_is_linked_again_with_another_libc(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, upgraded: Callable[[str], None]
) -> None:
    monkeypatch.setenv("BANCADA_CACHE", str(tmp_path / "cache"))
    source = tmp_path / "main.c"
    source.write_text("int main(void) { return 0; }\n")
    toolchain = open_laboratory().targets["bbb"].toolchain
    version = compiler_version(toolchain.compiler, toolchain.package)
    made = compile_object(toolchain.compiler, version, ("-O2",), source)
    before = link_image(toolchain.compiler, version, ("-static",), [made])
    assert link_image(toolchain.compiler, version, ("-static",), [made]) == before
    upgraded(toolchain.compiler)
    assert link_image(toolchain.compiler, version, ("-static",), [made]) != before


def test_a_worker_says_which_libraries_it_links(upgraded: Callable[[str], None]) -> None:
    name = "state of the C library and what else arm-linux-gnueabihf-gcc links for bbb"
    before = distribute_worker.facts(open_laboratory(), (("bbb", ""),))
    upgraded("arm-linux-gnueabihf-gcc")
    after = distribute_worker.facts_afresh((("bbb", ""),))
    assert before[name] != after[name]
    assert len(after[name]) == 12
    assert {key for key in before if before[key] != after[key]} == {name}
