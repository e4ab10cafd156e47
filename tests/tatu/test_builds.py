"""Tatu compiles without a warning everywhere, its headers stand alone, and the linker drops what is not called."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.tatu.compiled import objects_of

SRC = Path(__file__).resolve().parents[2] / "tatu" / "src"
C_FILES = sorted(SRC.rglob("*.c"))
ASSEMBLY_FILES = sorted(SRC.rglob("*.S"))
HEADERS = sorted((SRC / "tatu").glob("*.h"))
NOT_ON_AVR = {"gcm.h"}  # test_gcm.py has what it says there
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wconversion")
# What projects ask of headers that they include.
IN_HEADERS = ("-Wshadow", "-Wundef")
SECTIONS = ("-ffunction-sections", "-fdata-sections")
AVR = ("avr-gcc", "-mmcu=atmega328p", "-DF_CPU=16000000UL", "-Os", *SECTIONS, "-mrelax")


def compile_all(folder: Path, command: tuple[str, ...], files: list[Path]) -> list[Path]:
    """Compiles `files`, whose names are unique, into `folder`."""
    subprocess.run([*command, f"-I{SRC}", "-c", *map(str, files)], cwd=folder, check=True)
    return sorted(folder.glob("*.o"))


def test_file_names_are_unique() -> None:
    """An archive holds one member a name, and several build systems put all objects into one folder."""
    stems = [path.stem for path in C_FILES + ASSEMBLY_FILES]
    assert len(stems) == len(set(stems))


# The warnings of gcc depend on the level, those of clang's front end do not.
@pytest.mark.parametrize(
    ("compiler", "level"),
    [
        ("gcc", "-O2"),
        ("clang", "-O2"),
        *(pytest.param("gcc", f"-O{number}", marks=pytest.mark.slow) for number in (0, 1, 3)),
    ],
)
def test_host_compilers_have_nothing_to_say(compiler: str, level: str) -> None:
    assert len(objects_of(compiler, (*STRICT, level), C_FILES)) == len(C_FILES)


@pytest.mark.parametrize(
    ("device", "portable"),
    [
        ("atmega328p", ()),
        ("atmega328p", ("-DTATU_PORTABLE",)),
        *(pytest.param(device, (), marks=pytest.mark.slow) for device in ("atmega2560", "atmega32u4")),
    ],
)
def test_avr_compiler_has_nothing_to_say(device: str, portable: tuple[str, ...]) -> None:
    flags = ("-Os", f"-mmcu={device}", *portable)
    objects_of("avr-gcc", (*STRICT, *flags), C_FILES)
    objects_of("avr-gcc", flags, ASSEMBLY_FILES)


@pytest.mark.parametrize("header", HEADERS, ids=lambda header: header.name)
def test_header_stands_alone_in_c_and_cpp(tmp_path: Path, header: Path) -> None:
    source = f"#include <tatu/{header.name}>\n#include <tatu/{header.name}>\nint main(void);\n"
    (tmp_path / "user.c").write_text(source)
    (tmp_path / "user.cpp").write_text(source)
    c_flags = (*STRICT, *IN_HEADERS, "-Wstrict-prototypes")
    compile_all(tmp_path, ("gcc", *c_flags), [tmp_path / "user.c"])
    cpp_flags = (
        "-std=c++11",
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Werror",
        "-Wconversion",
        "-Wold-style-cast",
        *IN_HEADERS,
    )
    compile_all(tmp_path, ("g++", *cpp_flags), [tmp_path / "user.cpp"])
    if header.name in NOT_ON_AVR:
        return
    compile_all(tmp_path, (*AVR, *c_flags), [tmp_path / "user.c"])
    compile_all(tmp_path, ("avr-g++", "-mmcu=atmega328p", "-Os", *cpp_flags), [tmp_path / "user.cpp"])


def test_clang_finds_no_cast_of_c_in_cpp(tmp_path: Path) -> None:
    """Which g++ permits between extern "C" and its end."""
    (tmp_path / "user.cpp").write_text("".join(f"#include <tatu/{header.name}>\n" for header in HEADERS))
    compile_all(tmp_path, ("clang++", "-std=c++11", "-Wold-style-cast", "-Werror"), [tmp_path / "user.cpp"])


@pytest.fixture(scope="module")
def avr_objects() -> list[Path]:
    compiler, *flags = AVR
    return objects_of(compiler, (*flags, "-std=gnu99"), C_FILES) + objects_of(compiler, flags, ASSEMBLY_FILES)


class LinkError(Exception):
    """What the linker said."""


def linked_symbols(folder: Path, objects: list[Path], program: str) -> set[str]:
    """What an AVR program linked with all of Tatu's objects, no archive in between, ends up with."""
    (folder / "program.c").write_text(program)
    elf = folder / "program.elf"
    command = [*AVR, "-std=gnu99", "-Wl,--gc-sections", f"-I{SRC}", str(folder / "program.c"), "-o", str(elf)]
    linked = subprocess.run([*command, *map(str, objects)], capture_output=True, text=True, check=False)
    if linked.returncode != 0:
        raise LinkError(linked.stderr)
    listing = subprocess.run(["avr-nm", "--defined-only", elf], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1] for line in listing.splitlines() if line.split()[-2] not in "Ww"}


def test_a_program_that_only_encrypts_carries_no_decryption(tmp_path: Path, avr_objects: list[Path]) -> None:
    for variant in ("", "_ram", "_small", "_tiny"):
        context = "aes128" if variant == "_ram" else f"aes128{variant}"
        symbols = linked_symbols(
            tmp_path,
            avr_objects,
            f"""#include <tatu/aes.h>
            int main(void) {{
                struct tatu_{context} context; uint8_t block[16] = {{0}};
                tatu_aes128{variant}_set_key(&context, block);
                tatu_aes128{variant}_encrypt(&context, block, block);
                return block[0]; }}""",
        )
        ours = {symbol for symbol in symbols if symbol.startswith("tatu_")}
        assert f"tatu_aes128{variant}_encrypt" in ours
        assert not [s for s in ours if any(word in s for word in ("decrypt", "inverse", "192", "256", "speck", "drbg"))]


def test_modes_link_only_the_cipher_that_is_named(tmp_path: Path, avr_objects: list[Path]) -> None:
    symbols = linked_symbols(
        tmp_path,
        avr_objects,
        """#include <avr/io.h>
        #include <tatu/cbc.h>
        #include <tatu/speck.h>
        static int entropy(void *state, uint8_t *output, size_t length)
        { (void)state; while (length) output[--length] = TCNT0; return 0; }
        int main(void) {
            struct tatu_speck64_128_tiny context; uint8_t packet[24] = {0};
            tatu_speck64_128_tiny_set_key(&context, packet);
            return tatu_cbc_encrypt(tatu_speck64_128_tiny_encrypter(&context), packet, packet, 16, entropy, 0); }""",
    )
    ours = {symbol for symbol in symbols if symbol.startswith("tatu_")}
    assert {"tatu_cbc_encrypt", "tatu_speck64_128_tiny_encrypt"} <= ours
    assert not [s for s in ours if any(word in s for word in ("decrypt", "aes", "speck128", "ctr", "plain"))]
    assert "__vector_6" not in symbols


def test_the_linker_asks_for_the_watchdog_interrupt_by_name(tmp_path: Path, avr_objects: list[Path]) -> None:
    program = """#include <tatu/entropy_avr.h>
        {}
        int main(void) {{ struct tatu_entropy_avr source; return tatu_entropy_avr_start(&source); }}"""
    with pytest.raises(LinkError, match="TATU_ENTROPY_AVR_INTERRUPT_in_one_of_your_files"):
        linked_symbols(tmp_path, avr_objects, program.format(""))
    assert "__vector_6" in linked_symbols(tmp_path, avr_objects, program.format("TATU_ENTROPY_AVR_INTERRUPT()"))
