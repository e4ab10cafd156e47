"""Each function of Tatu has a size of its own, and a program carries only those that it calls."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pytest

from bancada.build.elf import image_of
from bancada.catalogue.paths import data_root
from bancada.compilers.compile import compile_object, compiler_version, link_image
from bancada.measure.laboratory import open_laboratory
from experiments.records.function_sizes import FunctionSize, tatu_function_sizes

TATU_SRC = data_root() / "tatu" / "src"
TOOLCHAIN = open_laboratory().targets["uno"].toolchain
VERSION = compiler_version(TOOLCHAIN.compiler, TOOLCHAIN.package)
FLAGS = (*TOOLCHAIN.flags, "-Os", f"-I{TATU_SRC}")


@pytest.fixture(scope="module")
def sizes() -> list[FunctionSize]:
    return tatu_function_sizes(open_laboratory().target("uno"))


def test_functions_are_listed_by_file_and_cost_something(sizes: list[FunctionSize]) -> None:
    files = [size.source_file for size in sizes]
    assert files == sorted(files)
    public = [size.name for size in sizes if re.fullmatch(r"tatu_(?!internal_)\w+", size.name)]
    assert len(public) == len(set(public)), "an assembly function and its twin in C, both compiled"
    for function in (
        "tatu_aes128_decrypt",
        "tatu_speck64_128_tiny_decrypt",
        "tatu_rc6_128_set_key",
        "tatu_wipe",
        "tatu_sha256",
    ):
        assert function in public
    assert min(size.flash_bytes + size.ram_bytes for size in sizes) > 0


def test_tables_have_their_length(sizes: list[FunctionSize]) -> None:
    found = {size.name: size for size in sizes}
    in_flash = found["tatu_internal_aes_sbox"]
    assert (in_flash.flash_bytes, in_flash.ram_bytes) == (256, 0)
    in_ram = found["tatu_internal_aes_sbox_ram"]
    assert (in_ram.flash_bytes, in_ram.ram_bytes) == (256, 256)


def test_only_what_says_so_takes_static_ram(sizes: list[FunctionSize]) -> None:
    # The cause of a reset has to outlive the call that clears it.
    allowed = {size.name for size in sizes if size.name.endswith("_ram")} | {"cleared_causes"}
    assert {size.name for size in sizes if size.ram_bytes} <= allowed


def test_the_level_of_optimisation_is_the_callers(sizes: list[FunctionSize]) -> None:
    fast = {
        (size.source_file, size.name): size.flash_bytes
        for size in tatu_function_sizes(open_laboratory().target("uno"), "-O3")
    }
    small = {(size.source_file, size.name): size.flash_bytes for size in sizes}
    cmac = ("cmac/cmac.c", "tatu_cmac_update")
    assert fast[cmac] > small[cmac]


# ---- what the linker keeps ----

# What main() does, with `b` a buffer, and the files of Tatu that this may bring in. Assembly and C are the same to it.
PROGRAMS = {
    "nothing": ("", ()),
    "one block of Speck": (
        "tatu_speck128_128_encrypt((void *)b, b, b);",
        ("speck/*/speck128_plain_encrypt*",),
    ),
    "tiny Speck both ways": (
        "tatu_speck64_128_tiny_encrypt((void *)b, b, b); tatu_speck64_128_tiny_decrypt((void *)b, b, b);",
        (
            "speck/*/speck64_tiny_*crypt*",
            "speck/*/speck64_*crypt_on_the_fly*",
            "speck/*/speck64_schedule*",
            "speck/*/speck64_last_key*",
        ),
    ),
    "AES encryption with its key schedule": (
        "tatu_aes128_set_key((void *)b, b); tatu_aes128_encrypt((void *)b, b, b);",
        ("aes/*/aes_plain_set_key*", "aes/*/aes_plain_encrypt*", "aes/*/aes_tables_avr.S"),
    ),
    "SHA-256": ("tatu_sha256(b, b, 100);", ("sha2/*/*", "common/wipe.c")),
    "SHA3-256": (
        "tatu_sha3_256(b, b, 100);",
        ("sha3/*/sha3_256.c", "sha3/*/sponge*", "sha3/*/keccak*", "common/wipe.c"),
    ),
    "Ascon's hash": (
        "tatu_ascon_hash256(b, b, 100);",
        ("ascon/*/ascon_hash256*", "ascon/*/ascon_[absp]*", "common/wipe.c"),
    ),
    "ChaCha20 and Poly1305 that only seal": (
        "return tatu_chacha20_poly1305_encrypt(b, b, b, 9, b, 9, b, b);",
        ("chacha20/*/*", "poly1305/*/*", "common/avr/xor_avr.S", "common/wipe.c"),
    ),
    "CMAC over small Speck": (
        "struct tatu_cmac_key key; tatu_cmac_set_key(&key, tatu_speck64_128_small_encrypter((void *)b));"
        " return tatu_cmac(&key, b, 8, b, 9);",
        (
            "cmac/cmac.c",
            "cmac/avr/cmac_avr.S",
            "speck/*/speck64_small_encrypt*",
            "speck/*/speck64_encrypt_on_the_fly*",
            "speck/*/speck64_schedule*",
            "common/wipe.c",
        ),
    ),
    "CTR over tiny AES": (
        "struct tatu_ctr ctr; if (tatu_ctr_start(&ctr, tatu_aes128_tiny_encrypter((void *)b), entropy, 0)) return 1;"
        " return tatu_ctr_encrypt(&ctr, b, b, 9);",
        (
            "modes/ctr_encrypt.c",
            "modes/ctr_stream.c",
            "modes/avr/ctr_stream_avr.S",
            "aes/*/aes*_tiny_encrypt*",
            "aes/*/aes_*_avr.S",
            "common/wipe.c",
        ),
    ),
}


@dataclass(frozen=True)
class Library:
    """All of Tatu, to choose from: its objects, and the files that define each symbol."""

    objects: list[Path]
    files_of: dict[str, set[str]]

    def link(self, folder: Path, program: str) -> Path:
        """One of PROGRAMS, linked with the objects themselves, no archive between."""
        body, _ = PROGRAMS[program]
        source = folder / f"{program.replace(' ', '_')}.c"
        names = sorted({path.name for path in (TATU_SRC / "tatu").glob("*.h")} - {"gcm.h"})  # which refuses AVR
        headers = "".join(f"#include <tatu/{name}>\n" for name in names)
        source.write_text(
            f"{headers}static uint8_t bytes[300];\n"
            "static int entropy(void *state, uint8_t *output, size_t length)\n"
            "{ (void)state; while (length) output[--length] = bytes[length]; return 0; }\n"
            f"int main(void) {{ uint8_t *volatile b = bytes; (void)b; (void)entropy; {body} return 0; }}\n"
        )
        made = compile_object(TOOLCHAIN.compiler, VERSION, FLAGS, source)
        return link_image(TOOLCHAIN.compiler, VERSION, (*TOOLCHAIN.link_flags, "-Os"), [made, *self.objects])


def symbols_in(path: Path) -> set[str]:
    listing = subprocess.run(["avr-nm", "--defined-only", path], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1] for line in listing.splitlines() if line.split()[-1].startswith("tatu_")}


@pytest.fixture(scope="module")
def library() -> Library:
    objects: list[Path] = []
    files_of: dict[str, set[str]] = {}
    for source in sorted(TATU_SRC.rglob("*.[cS]")):
        objects.append(compile_object(TOOLCHAIN.compiler, VERSION, FLAGS, source))
        for symbol in symbols_in(objects[-1]):
            if source.parent.name == "linkable" and symbol.endswith("_"):
                continue  # static: what a program carries under this name is its own copy
            files_of.setdefault(symbol, set()).add(source.relative_to(TATU_SRC).as_posix())
    # An object is named by its content, and the twins in C that are empty here are all identical.
    return Library(list(dict.fromkeys(objects)), files_of)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_carries_only_what_it_calls(tmp_path: Path, library: Library, program: str) -> None:
    body, patterns = PROGRAMS[program]
    carried = {name for name in symbols_in(library.link(tmp_path, program)) if name in library.files_of}
    foreign = {
        name: library.files_of[name]
        for name in carried
        if not any(PurePosixPath(file).match(pattern) for file in library.files_of[name] for pattern in patterns)
    }
    assert not foreign
    if "decrypt" not in body:
        assert not [name for name in carried if "decrypt" in name or "inverse" in name]
    for called in re.findall(r"tatu_\w+_encrypt\b|tatu_sha\w+|tatu_ascon_hash256|tatu_cmac\b(?=\()", body):
        assert called in carried


def test_the_sizes_add_up_to_the_program(tmp_path: Path, library: Library, sizes: list[FunctionSize]) -> None:
    """A program is what it carries (all of plain SHA-256), its main(), and what every program begins with."""
    nothing = image_of(library.link(tmp_path, "nothing")).flash_bytes
    hashing = image_of(library.link(tmp_path, "SHA-256")).flash_bytes
    listed = sum(
        size.flash_bytes
        for size in sizes
        if size.source_file.startswith(("sha2/", "common/wipe")) and "small" not in size.source_file
    )
    shortened_by_the_linker = 0.03 * listed
    call_in_main_and_memcpy = 80
    assert listed - shortened_by_the_linker <= hashing - nothing <= listed + call_in_main_and_memcpy
