"""Tatu from where people take it: CMake, the Arduino IDE, PlatformIO."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from bancada.engines.simavr.program import run_program
from bancada.engines.simavr.session import runner
from bancada.primitives.references import ascon
from tests.tatu.arduino_builder import Builder, LibraryNotFound, properties
from tests.tatu.curve_checks import SECP256K1

pytestmark = pytest.mark.long

TATU = Path(__file__).resolve().parents[2] / "tatu"
EXAMPLES = sorted(path.name for path in (TATU / "examples").iterdir())
WATCHDOG_VECTOR = "__vector_6"
# Most sketches have said everything after a second; two signatures and three verifications take longer.
CYCLES = {"sign_messages": 130_000_000, "sign_with_secp256k1": 80_000_000}


def upper(digest: bytes) -> str:
    return digest.hex().upper()


# What a sketch prints on an UNO, from implementations that are not Tatu's.
SAID = {
    "hash_messages": f"""SHA-256: {upper(hashlib.sha256(b"abc").digest())}
SHA-256 in pieces: {upper(hashlib.sha256(b"abc").digest())}
SHA-512: {upper(hashlib.sha512(b"abc").digest())}
SHA3-256: {upper(hashlib.sha3_256(b"abc").digest())}
Ascon-Hash256: {upper(ascon.hash256(b"abc"))}
""",
    # RFC 4231, section 4.3; RFC 5869; RFC 4493, section 4; RFC 8439, section 2.5.2.
    "authenticate_messages": f"""HMAC-SHA-256: 5BDCC146BF60754E6A042426089575C75A003F089D2739839DEC58B964EC3843
a changed tag does not hold
derived: {upper(HKDF(SHA256(), 16, None, b"up").derive(b"Jefe"))}
AES-CMAC: BB1D6929E95937287FA37D129B756746
Poly1305: A8061DC1305136C6C22B8BAF0C0127A9
""",
    "encrypt_and_authenticate": """Ascon-AEAD128: 12 mm of rain
AES-128-CCM: 12 mm of rain
ChaCha20-Poly1305: 12 mm of rain
Ascon-AEAD128: refused
""",
    # RFC 8032, section 7.1, test 1.
    "sign_messages": """Ed25519 of an empty message: \
E5564300C360AC729086E2CC806E828A84877F1EB8E5D974D873E065224901555FB8821590A33BACC61E39701CF9B46BD25BF5F0595BBE24655141438E7A100B
it holds
P-256: the signature holds
P-256: another message's does not
""",
    "sign_with_secp256k1": f"""secp256k1: \
{SECP256K1.signature(int.from_bytes(bytes([7] * 32)), hashlib.sha256(b"12 mm of rain").digest()).upper()}
it holds
another message's does not
""",
}

USER_CMAKE = """
cmake_minimum_required(VERSION 3.16)
project(user C)
find_package(tatu 1.0 REQUIRED)
add_executable(user user.c)
target_link_libraries(user PRIVATE tatu::tatu)
"""

# The script with which ESP-IDF asks components what they need, before any is built: tools/cmake/scripts.
ESP_IDF_SCRIPT = """
macro(idf_component_register)
  cmake_parse_arguments(component "" "" "SRCS;INCLUDE_DIRS" ${ARGN})
  foreach(source ${component_SRCS})
    message(STATUS ${source})
  endforeach()
  return()
endmacro()
include(${COMPONENT}/CMakeLists.txt)
"""

USER_C = """
#include <tatu/aes.h>

int main(void)
{
    struct tatu_aes128_small context;
    uint8_t block[16] = {0};
    tatu_aes128_small_set_key(&context, block);
    tatu_aes128_small_encrypt(&context, block, block);
    return block[0] == 0x66 && block[15] == 0x2e ? 0 : 1;
}
"""

PLAIN_SKETCH = """
#include <Tatu.h>
#include <tatu/speck.h>

static struct tatu_speck64_128_tiny context;
static uint8_t block[8];

void setup() { tatu_speck64_128_tiny_set_key(&context, (const uint8_t *)"0123456789abcdef"); }
void loop()
{
    tatu_speck64_128_tiny_encrypt(&context, block, block);
    PORTB = block[0];
}
"""


def run(*command: str | Path) -> str:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tatu as a zip file would unpack it in a libraries folder: a copy, apart from the repository."""
    library = tmp_path_factory.mktemp("sketchbook") / "libraries" / "Tatu"
    shutil.copytree(TATU, library)
    return library


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the installed library is compiled, once for all sketches."""
    return tmp_path_factory.mktemp("objects")


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory, objects: Path) -> Path:
    """The Arduino core for the UNO."""
    return Builder("uno", tmp_path_factory.mktemp("core"), objects).core()


def defined_symbols(elf: Path) -> set[str]:
    return {line.split()[-1] for line in run("avr-nm", "--defined-only", elf).splitlines() if " W " not in line}


def test_cmake_builds_tests_installs_and_is_found(tmp_path: Path) -> None:
    build, prefix, user = tmp_path / "build", tmp_path / "prefix", tmp_path / "user"
    run("cmake", "-S", TATU, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_FLAGS=-Werror")
    run("cmake", "--build", build, "-j2")
    assert "100% tests passed" in run("ctest", "--test-dir", build)
    run("cmake", "--install", build, "--prefix", prefix)
    user.mkdir()
    (user / "CMakeLists.txt").write_text(USER_CMAKE)
    (user / "user.c").write_text(USER_C)
    run("cmake", "-S", user, "-B", user / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", user / "build")
    run(user / "build" / "user")


@pytest.mark.slow
def test_cmake_builds_a_shared_library(tmp_path: Path) -> None:
    build, prefix = tmp_path / "build", tmp_path / "prefix"
    run("cmake", "-S", TATU, "-B", build, "-DBUILD_SHARED_LIBS=ON", "-DCMAKE_C_FLAGS=-Werror")
    run("cmake", "--build", build, "-j2")
    assert "100% tests passed" in run("ctest", "--test-dir", build)
    run("cmake", "--install", build, "--prefix", prefix)
    assert list(prefix.rglob("libtatu.so"))
    assert not list(prefix.rglob("libtatu.a"))


def test_pkg_config_finds_a_prefix_with_spaces(tmp_path: Path) -> None:
    prefix, build = tmp_path / "my programs", tmp_path / "build"
    run("cmake", "-S", TATU, "-B", build, f"-DCMAKE_INSTALL_PREFIX={prefix}", "-DCMAKE_INSTALL_LIBDIR=/opt/lib 32")
    asked = ["pkg-config", "--cflags", "--libs", "tatu"]
    found = {**os.environ, "PKG_CONFIG_PATH": str(build)}
    flags = subprocess.run(asked, env=found, capture_output=True, text=True, check=True).stdout
    assert shlex.split(flags) == [f"-I{prefix}/include", "-L/opt/lib 32", "-ltatu"]
    moved = subprocess.run(
        [*asked, "--define-variable=prefix=/else where"], env=found, capture_output=True, text=True, check=True
    )
    assert shlex.split(moved.stdout)[0] == "-I/else where/include"


def test_the_script_of_esp_idf_reads_the_component(tmp_path: Path) -> None:
    """It runs in the folder of the build, and it is a script: a part of CMake's commands is not there."""
    script = tmp_path / "component_get_requirements.cmake"
    script.write_text(ESP_IDF_SCRIPT)
    command = ["cmake", "-DESP_PLATFORM=1", f"-DCOMPONENT={TATU}", "-P", str(script)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    named = {Path(line.removeprefix("-- ")) for line in done.stdout.splitlines()}
    assert named == {path for path in (TATU / "src").rglob("*") if path.suffix in (".c", ".S")}


def configure(build: Path, compiler: str, core: str) -> None:
    """Tatu for a processor without an operating system, as a toolchain file would describe it."""
    newlib = " -isystem /usr/include/newlib" if compiler == "clang" else ""
    run(
        "cmake",
        "-S",
        TATU,
        "-B",
        build,
        f"-DCMAKE_C_COMPILER={compiler}",
        "-DCMAKE_C_COMPILER_TARGET=arm-none-eabi",
        "-DCMAKE_SYSTEM_NAME=Generic",
        f"-DCMAKE_SYSTEM_PROCESSOR={core}",
        "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY",
        f"-DCMAKE_C_FLAGS=-mcpu={core} -mthumb -Werror{newlib}",
        "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
    )


@pytest.mark.slow
def test_cmake_for_a_cortex_m_leaves_no_symbol_undefined(tmp_path: Path) -> None:
    configure(tmp_path, "clang", "cortex-m0plus")
    run("cmake", "--build", tmp_path, "-j2")
    defined: set[str] = set()
    undefined: set[str] = set()
    for line in run("arm-none-eabi-nm", tmp_path / "libtatu.a").splitlines():
        *_, kind, name = ["", *line.split()] if line else ["", "", ""]
        (undefined if kind == "U" else defined).add(name)
    assert {"tatu_sha256", "tatu_aes128_encrypt"} <= defined
    assert {name for name in undefined - defined if name.startswith("tatu_")} == set()
    [member] = [path for path in tmp_path.rglob("keccak_permute_thumb1.S.*") if path.suffix in (".o", ".obj")]
    assert "T tatu_internal_keccak_permute" in run("arm-none-eabi-nm", member)


# tests/portability compiles each of them with both compilers.
@pytest.mark.parametrize(("compiler", "core"), [("clang", "cortex-m4"), ("arm-none-eabi-gcc", "cortex-m4")])
def test_cmake_compiles_the_assembly_for_a_cortex_m(tmp_path: Path, compiler: str, core: str) -> None:
    configure(tmp_path, compiler, core)
    compiled = {Path(one["file"]) for one in json.loads((tmp_path / "compile_commands.json").read_text())}
    assembly = {path for path in (TATU / "src").rglob("*.S") if path.parent.name.startswith("thumb")}
    assert len(assembly) > 10
    assert assembly <= compiled


def test_the_packages_tests_call_every_header(tmp_path: Path) -> None:
    tests = "".join(path.read_text() for path in (TATU / "tests").glob("*.c"))
    headers = {path.name for path in (TATU / "src" / "tatu").glob("*.h")}
    # The entropy source needs an AVR; the last four are part of other headers.
    indirect = {"entropy_avr.h", "saved_seed_avr.h", "entropy.h", "error.h", "block_cipher.h", "chacha20.h"}
    assert {name for name in headers - indirect if f"#include <tatu/{name}>" not in tests} == set()


@pytest.mark.parametrize("example", EXAMPLES)
def test_arduino_ide_compiles_the_example(
    tmp_path: Path, installed: Path, core: Path, objects: Path, example: str
) -> None:
    sketch = installed / "examples" / example / f"{example}.ino"
    elf = Builder("uno", tmp_path / "build", objects).build(sketch, [installed], core)
    text, data, bss = map(int, run("avr-size", elf).splitlines()[1].split()[:3])
    assert text + data < 32256
    assert data + bss < 2048
    assert (WATCHDOG_VECTOR in defined_symbols(elf)) == ("TATU_ENTROPY_AVR_INTERRUPT()" in sketch.read_text())
    if example in SAID:
        said = (
            run_program("atmega328p", 16_000_000, elf, CYCLES.get(example, 20_000_000)).sent.decode().replace("\r", "")
        )
        assert said == SAID[example]


def test_what_another_sketch_left_in_eeprom_is_no_key(
    tmp_path: Path, installed: Path, core: Path, objects: Path
) -> None:
    """Zeros, which anyone could guess: the sketch makes a key of its own."""
    original = installed / "examples" / "encrypt_reading" / "encrypt_reading.ino"
    sketch = tmp_path / "after_another.ino"
    sketch.write_text(f"{original.read_text()}\nuint8_t other_sketch[64] EEMEM __attribute__((used)) = {{0}};\n")
    elf = Builder("uno", tmp_path / "build", objects).build(sketch, [installed], core)
    command = [runner(), "--mcu", "atmega328p", "--frequency", "16000000", "--wdt-jitter", "5"]
    command += ["--max-cycles", "300000000", elf]
    said = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, check=False).stdout
    assert said.startswith(b"key of this device, shown once: ")


def test_no_signature_that_arrives_overflows_the_stack_of_an_uno(
    tmp_path: Path, installed: Path, core: Path, objects: Path
) -> None:
    sketch = installed / "examples" / "verify_updates" / "verify_updates.ino"
    elf = Builder("uno", tmp_path / "build", objects).build(sketch, [installed], core)
    message, zeros = b"\0\3abc", bytes(7840)
    lms_beginning = (1).to_bytes(8) + bytes(32)  # which is not of a key that the sketch has
    for arrives in (
        b"L\0\3" + lms_beginning,
        b"S\0\3" + zeros[:16] + b"abc\x1e\xa0" + zeros,
        b"R" + message + b"1" * 256,
    ):
        command = [runner(), "--mcu", "atmega328p", "--frequency", "16000000", "--max-cycles", "200000000", elf]
        done = subprocess.run(list(map(str, command)), input=arrives, capture_output=True, check=False)
        assert done.stdout.startswith(b"refused\r\n"), arrives[:1]
        assert b"stack overflow" not in done.stderr


# Each header's function belongs to one of them; an Arduino sketch has no other use for these.
WITHOUT_EXAMPLE = {
    "block_cipher.h": "part of each cipher's header",
    "chacha20.h": "part of chacha20_poly1305.h",
    "entropy.h": "part of each source's header",
    "error.h": "part of every header",
    "saved_seed.h": "part of saved_seed_avr.h",
    "version.h": "a number",
}


def test_every_header_has_an_example() -> None:
    sketches = "".join((TATU / "examples" / name / f"{name}.ino").read_text() for name in EXAMPLES)
    headers = {path.name for path in (TATU / "src" / "tatu").glob("*.h")}
    without = {name for name in headers if f"#include <tatu/{name}>" not in sketches}
    assert without == set(WITHOUT_EXAMPLE)


def test_no_key_is_in_the_example() -> None:
    sketch = (TATU / "examples" / "encrypt_reading" / "encrypt_reading.ino").read_text()
    assert "tatu_seal(" in sketch
    numbers = [re.findall(r"\b(?:0x[0-9a-fA-F]+|[0-9]+)\b", braces) for braces in re.findall(r"\{([^{}]*)\}", sketch)]
    assert max(len(each) for each in numbers if each) < 4


def test_a_sketch_without_the_entropy_source_gets_no_watchdog_vector(
    tmp_path: Path, installed: Path, core: Path, objects: Path
) -> None:
    sketch = tmp_path / "plain.ino"
    sketch.write_text(PLAIN_SKETCH)
    for linkage in ("false", "true"):
        manifest = installed / "library.properties"
        manifest.write_text(re.sub("dot_a_linkage=.*", f"dot_a_linkage={linkage}", manifest.read_text()))
        elf = Builder("uno", tmp_path / linkage, objects).build(sketch, [installed], core)
        symbols = defined_symbols(elf)
        assert "main" in symbols
        assert WATCHDOG_VECTOR not in symbols


def test_the_arduino_ide_finds_tatu_by_its_root_header_only(tmp_path: Path, installed: Path) -> None:
    sketch = tmp_path / "lost.ino"
    sketch.write_text(PLAIN_SKETCH.replace("#include <Tatu.h>\n", ""))
    with pytest.raises(LibraryNotFound, match="tatu/speck.h"):
        Builder("uno", tmp_path, tmp_path).libraries_of(sketch, [installed], [])


def test_manifests_agree_and_name_what_exists() -> None:
    arduino = properties(TATU / "library.properties")
    platformio = json.loads((TATU / "library.json").read_text())
    cmake_version = re.search(r"project\(tatu VERSION (\S+)", (TATU / "CMakeLists.txt").read_text())
    required = ("name", "version", "author", "maintainer", "sentence", "paragraph", "category", "url", "architectures")
    assert all(arduino[field] for field in required)
    assert cmake_version is not None
    assert arduino["version"] == platformio["version"] == cmake_version.group(1)
    assert arduino["name"] == platformio["name"] == "Tatu"
    for header in platformio["headers"]:
        assert (TATU / platformio["build"]["includeDir"] / header).is_file()
    assert (TATU / "src" / arduino["includes"]).is_file()
    for pattern in platformio["export"]["include"]:
        assert list(TATU.glob(pattern)), pattern


def test_no_symbolic_links_because_zip_files_lose_them() -> None:
    assert not [path for path in TATU.rglob("*") if path.is_symlink()]
