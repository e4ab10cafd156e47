"""The platform tag of a wheel is what its programs need."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from wheels.portable import NotPortable, glibc_minor, tags


def _compiled(folder: Path, name: str, *options: str) -> Path:
    source = folder / f"{name}.c"
    source.write_text('#include <stdio.h>\nint main(void) { puts(""); return 0; }\n')
    made = folder / name
    subprocess.run(["cc", str(source), "-o", str(made), *options], check=True)
    return made


def test_a_program_without_libraries_runs_on_any_linux(tmp_path: Path) -> None:
    whole = _compiled(tmp_path, "whole", "-static")
    assert glibc_minor(whole) is None
    assert tags([whole], "x86_64") == ("py3-none-manylinux_2_17_x86_64", "py3-none-musllinux_1_1_x86_64")


def test_the_newest_symbol_of_glibc_decides(tmp_path: Path) -> None:
    here = _compiled(tmp_path, "here")
    shown = subprocess.run(["objdump", "-T", str(here)], capture_output=True, text=True, check=True).stdout
    newest = max(
        int(part.split(".")[1].rstrip(")")) for part in shown.split() if part.strip("()").startswith("GLIBC_2.")
    )
    assert glibc_minor(here) == newest
    assert tags([here], "x86_64") == (f"py3-none-manylinux_2_{max(newest, 17)}_x86_64",)


def test_a_library_that_other_machines_may_lack_is_refused(tmp_path: Path) -> None:
    needy = _compiled(tmp_path, "needy", "-Wl,--no-as-needed", "-lz")
    with pytest.raises(NotPortable, match=r"needy needs libz\.so\.1"):
        glibc_minor(needy)
