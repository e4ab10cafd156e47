"""`make test-packages`: each package of Tatu is built and taken in by its own tool. Too long for `make test`."""

from __future__ import annotations

import os
import shutil
import subprocess
import venv
from pathlib import Path

import pytest

TATU = Path(__file__).resolve().parents[2] / "tatu"
KEPT_OUT = shutil.ignore_patterns("target", "build", "*.egg-info", "__pycache__")
SHA256_OF_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
IN_PYTHON = f"""
import pytatu
assert pytatu.sha256(b"abc").hex() == "{SHA256_OF_ABC}"
key, nonce = bytes(range(16)), bytes(range(16, 32))
sealed = pytatu.ascon_aead128_encrypt(key, nonce, b"21.5 degrees", b"sensor 4")
assert pytatu.ascon_aead128_decrypt(key, nonce, sealed, b"sensor 4") == b"21.5 degrees"
for wrong in (sealed[:-1], bytes([sealed[0] ^ 1]) + sealed[1:]):
    try:
        pytatu.ascon_aead128_decrypt(key, nonce, wrong, b"sensor 4")
    except pytatu.AuthenticationError:
        continue
    raise SystemExit("a forged message was accepted")
try:
    pytatu.x25519(bytes(31), bytes(32))
except ValueError as error:
    assert "31 bytes" in str(error)
else:
    raise SystemExit("a short key was accepted")
secret = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")  # RFC 8032, 7.1, test 2
signature = pytatu.ed25519_sign(secret, b"r")
assert signature.hex().startswith("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da")
pytatu.ed25519_verify(pytatu.ed25519_public_key(secret), signature, b"r")
digest = bytes.fromhex("af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf")  # RFC 6979, A.2.5, "sample"
secret = bytes.fromhex("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721")
signature = pytatu.p256_sign(secret, digest)
assert signature.hex().startswith("efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716")
public = pytatu.p256_public_key(secret)
pytatu.p256_verify(public, signature, digest)
assert pytatu.p256_ecdh(digest, public) == pytatu.p256_ecdh(secret, pytatu.p256_public_key(digest))
print("right")
"""
# What Zephyr's CMake offers to a module ("Zephyr CMake extensions"), by what CMake itself has.
ZEPHYR = """
cmake_minimum_required(VERSION 3.20)
project(stub C ASM)
set(CONFIG_TATU {configured})
function(zephyr_library_named name)
  add_library(${{name}} STATIC)
  set(ZEPHYR_CURRENT_LIBRARY ${{name}} PARENT_SCOPE)
endfunction()
function(zephyr_library_sources)
  target_sources(${{ZEPHYR_CURRENT_LIBRARY}} PRIVATE ${{ARGN}})
endfunction()
function(zephyr_include_directories)
  include_directories(${{ARGN}})
endfunction()
add_subdirectory({tatu}/zephyr tatu)
"""
# What ESP-IDF's CMake offers to a component ("Build System"), by what CMake itself has.
ESP_IDF = """
cmake_minimum_required(VERSION 3.16)
project(stub C ASM)
set(ESP_PLATFORM 1)
function(idf_component_register)
  cmake_parse_arguments(component "" "" "SRCS;INCLUDE_DIRS" ${{ARGN}})
  add_library(tatu STATIC ${{component_SRCS}})
  target_include_directories(tatu PUBLIC ${{component_INCLUDE_DIRS}})
endfunction()
add_subdirectory({tatu} tatu)
"""


def run(*command: str | Path, folder: Path, **variables: str) -> str:
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **variables},
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Tatu's folder alone, as its archive would unpack it."""
    return Path(shutil.copytree(TATU, tmp_path / "tatu-1.0.0", ignore=KEPT_OUT))


def test_debian_packages_pass_lintian_and_are_found(copy: Path, tmp_path: Path) -> None:
    run("dpkg-buildpackage", "--build=binary", "--unsigned-source", "--unsigned-changes", folder=copy)
    [changes] = tmp_path.glob("*.changes")
    # The first upload to Debian itself closes the bug that announces the package; nobody has announced it.
    allowed = ("--suppress-tags", "initial-upload-closes-no-bugs")
    run("lintian", "--allow-root", "--fail-on", "error,warning", *allowed, changes, folder=tmp_path)
    root = tmp_path / "root"
    for package in tmp_path.glob("libtatu*.deb"):
        run("dpkg-deb", "--extract", package, root, folder=tmp_path)
    [description] = root.rglob("tatu.pc")
    found = {"PKG_CONFIG_PATH": str(description.parent), "PKG_CONFIG_SYSROOT_DIR": str(root)}
    flags = run("pkg-config", "--cflags", "--libs", "tatu", folder=tmp_path, **found).split()
    source, program = tmp_path / "user.c", tmp_path / "user"
    source.write_text(
        "#include <stdio.h>\n#include <tatu/sha256.h>\n#include <tatu/version.h>\nint main(void)\n{\n"
        '    uint8_t digest[32];\n    tatu_sha256(digest, (const uint8_t *)"abc", 3);\n'
        '    for (int i = 0; i < 32; i++) {\n        printf("%02x", digest[i]);\n    }\n'
        '    printf(" %s\\n", TATU_VERSION_TEXT);\n    return 0;\n}\n'
    )
    run("cc", source, "-o", program, *flags, folder=tmp_path)
    said = run(program, folder=tmp_path, LD_LIBRARY_PATH=str(description.parents[1]))
    assert said == f"{SHA256_OF_ABC} 1.0.0\n"


def test_the_crate_is_packed_built_and_tested(copy: Path, tmp_path: Path) -> None:
    """`cargo package` unpacks what it packed and builds that."""
    target = {"CARGO_TARGET_DIR": str(tmp_path / "target")}
    run("cargo", "package", "--allow-dirty", folder=copy, **target)
    run("cargo", "test", folder=copy, **target)
    run("cargo", "clippy", "--all-targets", "--", "-D", "warnings", folder=copy, **target)


def test_pip_builds_a_wheel_of_the_source_distribution(copy: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "build", folder=tmp_path)
    run(python, "-m", "build", "--outdir", tmp_path / "dist", copy, folder=tmp_path)
    [wheel] = (tmp_path / "dist").glob("*.whl")
    run(python, "-m", "pip", "install", "--quiet", wheel, folder=tmp_path)
    assert run(python, "-c", IN_PYTHON, folder=tmp_path) == "right\n"


@pytest.mark.parametrize("project", [ZEPHYR, ESP_IDF], ids=["zephyr", "esp-idf"])
def test_cmake_of_other_systems_builds_all_of_tatu(project: str, copy: Path, tmp_path: Path) -> None:
    stub = tmp_path / "stub"
    stub.mkdir()
    (stub / "CMakeLists.txt").write_text(project.format(tatu=copy, configured="y"))
    run("cmake", "-S", stub, "-B", stub / "build", folder=tmp_path)
    run("cmake", "--build", stub / "build", "-j2", folder=tmp_path)
    [archive] = (stub / "build").rglob("libtatu.a")
    defined = run("nm", "--defined-only", archive, folder=tmp_path)
    assert {"tatu_sha256", "tatu_seal", "tatu_x25519"} <= {line.split()[-1] for line in defined.splitlines() if line}


def test_zephyr_without_the_option_builds_nothing(copy: Path, tmp_path: Path) -> None:
    stub = tmp_path / "stub"
    stub.mkdir()
    (stub / "CMakeLists.txt").write_text(ZEPHYR.format(tatu=copy, configured="n"))
    run("cmake", "-S", stub, "-B", stub / "build", folder=tmp_path)
    run("cmake", "--build", stub / "build", folder=tmp_path)
    assert not list((stub / "build").rglob("libtatu.a"))
