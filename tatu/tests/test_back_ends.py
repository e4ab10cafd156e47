"""Each part of an algorithm is served by one back end on each machine, and the table in the README says by which."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tatu.tests.back_ends import FOLDERS, HEADERS, MACHINES, SRC, serving, table

README = SRC.parent / "README.md"
SOURCES = sorted(path for path in SRC.rglob("*") if path.suffix in (".c", ".S"))


def is_here(command: tuple[str, ...]) -> bool:
    return shutil.which(command[0]) is not None


@pytest.mark.parametrize("machine", MACHINES)
def test_one_folder_serves_each_part_and_has_the_files(machine: str) -> None:
    assert is_here(MACHINES[machine]), f"install {MACHINES[machine][0]}"
    for header in HEADERS:
        parts = serving(header, MACHINES[machine])
        assert parts, header.name
        for part, folders in parts.items():
            assert len(folders) == 1, f"{part} on {machine}: {folders}"
            assert list((header.parent / folders[0]).glob("*.[cS]")), f"{part} on {machine}: {folders[0]} is empty"


def test_portable_means_portable_everywhere() -> None:
    for machine, command in MACHINES.items():
        for header in HEADERS:
            served = serving(header, (*command, "-DTATU_PORTABLE"))
            assert all(folders == ["portable"] for folders in served.values()), f"{header.name} on {machine}: {served}"


def test_the_table_in_the_readme_is_what_the_headers_say() -> None:
    assert "\n".join(table()) in README.read_text()


def test_only_the_header_of_an_algorithm_chooses_its_back_end() -> None:
    """A file in the folder of a back end asks its algorithm's header whether it serves, and nothing else."""
    for header in HEADERS:
        defined = set(re.findall(r"#define (TATU_INTERNAL_\w+)", header.read_text()))
        back_ends = {header.parent / folder for folder in FOLDERS if folder != "portable"}
        for source in (path for path in SOURCES if path.parent in back_ends):
            condition = re.search(r"^#if (.*)$", source.read_text(), re.MULTILINE)
            assert condition is not None, source
            asked = re.fullmatch(r"defined\((TATU_INTERNAL_\w+)\)", condition[1])
            assert asked is not None and asked[1] in defined, f"{source.relative_to(SRC)}: {condition[0]}"


def test_the_example_of_the_readme_compiles(tmp_path: Path) -> None:
    (example,) = re.findall(r"```c\n(.*?)```", README.read_text(), re.DOTALL)
    include, body = example.split("\n", 1)
    bytes_ = ", ".join(f"uint8_t *{name}" for name in ("packet", "message", "header", "key"))
    bytes_ += ", tatu_entropy_function *source, void *source_state"
    program = tmp_path / "example.c"
    program.write_text(
        f"{include}\nint example({bytes_}, size_t length, size_t header_length);\n"
        f"int example({bytes_}, size_t length, size_t header_length) {{\n{body}    return 0;\n}}\n"
    )
    flags = ("-std=c99", "-Wall", "-Wextra", "-Werror", f"-I{SRC}")
    subprocess.run(["gcc", *flags, "-c", str(program), "-o", str(tmp_path / "example.o")], check=True)


def test_folders_are_those_of_the_back_ends() -> None:
    for header in HEADERS:
        assert {path.name for path in header.parent.iterdir() if path.is_dir()} <= set(FOLDERS)


def test_no_two_sources_have_the_same_name() -> None:
    """The Arduino IDE adds objects to the library's archive one by one, and an object replaces another of its name."""
    names: dict[str, Path] = {}
    for source in SOURCES:
        assert source.stem not in names, f"{source} and {names[source.stem]}"
        names[source.stem] = source


def test_no_line_is_longer_than_120_characters() -> None:
    """Except for rows of tables in Markdown, which cannot be broken."""
    folders = ("src", "tests", "fuzz", "examples")
    files = [path for folder in folders for path in (SRC.parent / folder).rglob("*") if path.is_file()]
    for path in (*files, README):
        if path.suffix in (".c", ".h", ".S", ".inc", ".py", ".md", ".ino", ".txt"):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                assert len(line) <= 120 or line.startswith("|"), f"{path.relative_to(SRC.parent)}:{number}"
