"""What registries and IDEs read of Tatu: manifests that agree, by the rules of each; the reference of the interface."""

from __future__ import annotations

import json
import re
import tarfile
import tomllib
from pathlib import Path

import pytest
import yaml
from platformio.package.manifest.schema import ManifestSchema
from platformio.package.pack import PackagePacker

from tatu.tools.headers import read_header, read_headers
from tatu.tools.keywords import keywords
from tatu.tools.reference import reference

pytestmark = pytest.mark.quick

TATU = Path(__file__).resolve().parents[2] / "tatu"
SEMANTIC_VERSION = r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)"
# Arduino library specification, "library.properties file format"
ARDUINO_CATEGORIES = {
    "Display",
    "Communication",
    "Signal Input/Output",
    "Sensors",
    "Device Control",
    "Timing",
    "Data Storage",
    "Data Processing",
    "Other",
}
ARDUINO_NAME = r"[A-Za-z0-9][A-Za-z0-9 _.\-]{0,62}"


def arduino() -> dict[str, str]:
    lines = (TATU / "library.properties").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line)


def test_every_manifest_has_the_same_version() -> None:
    header = (TATU / "src" / "tatu" / "version.h").read_text()
    parts = [re.search(rf"TATU_VERSION_{part} (\d+)", header) for part in ("MAJOR", "MINOR", "PATCH")]
    text = re.search(r'TATU_VERSION_TEXT "(.+)"', header)
    cmake = re.search(r"project\(tatu VERSION (\S+)", (TATU / "CMakeLists.txt").read_text())
    debian = re.match(r"tatu \((.+)-1\)", (TATU / "debian" / "changelog").read_text())
    assert text is not None and cmake is not None and debian is not None
    versions = {
        "version.h": ".".join(part.group(1) for part in parts if part is not None),
        "text": text.group(1),
        "library.properties": arduino()["version"],
        "library.json": json.loads((TATU / "library.json").read_text())["version"],
        "CMakeLists.txt": cmake.group(1),
        "idf_component.yml": yaml.safe_load((TATU / "idf_component.yml").read_text())["version"],
        "Cargo.toml": tomllib.loads((TATU / "Cargo.toml").read_text())["package"]["version"],
        "pyproject.toml": tomllib.loads((TATU / "pyproject.toml").read_text())["project"]["version"],
        "debian/changelog": debian.group(1),
    }
    assert len(set(versions.values())) == 1, versions
    assert re.fullmatch(SEMANTIC_VERSION, versions["text"])


def test_the_licence_is_that_of_what_is_packaged() -> None:
    """MIT alone: what else the repository has, and under which licence, is in no package."""
    for path in (TATU / "LICENSE", TATU / "debian" / "copyright", TATU.parent / "tatulink" / "LICENSE"):
        assert "MIT" in path.read_text() and "GPL" not in path.read_text(), path


def test_debian_names_the_library_after_its_soname() -> None:
    """Debian Policy 8.1: another soname is another package; Tatu's is the major and minor part of the version."""
    version = re.search(r"project\(tatu VERSION (\d+\.\d+)", (TATU / "CMakeLists.txt").read_text())
    assert version is not None
    packages = re.findall(r"^Package: (libtatu[\d.]+)$", (TATU / "debian" / "control").read_text(), re.MULTILINE)
    assert packages == [f"libtatu{version[1]}"]
    assert (TATU / "debian" / f"{packages[0]}.install").is_file()


def test_the_rules_of_arduinos_library_manager() -> None:
    """Arduino library specification 1.5 to 2.2, and what Library Manager asks of a submission."""
    fields = arduino()
    assert re.fullmatch(ARDUINO_NAME, fields["name"]) and not fields["name"].lower().startswith("arduino")
    assert re.fullmatch(SEMANTIC_VERSION, fields["version"])
    for needed in ("author", "maintainer", "sentence", "paragraph", "url", "architectures", "includes"):
        assert fields[needed], needed
    assert fields["category"] in ARDUINO_CATEGORIES
    assert fields["url"].startswith("https://")
    assert not fields["paragraph"].startswith(fields["sentence"])
    assert fields["dot_a_linkage"] in ("true", "false")
    for header in fields["includes"].split(","):
        assert (TATU / "src" / header).is_file(), header
    assert (TATU / "LICENSE").is_file()
    assert not (TATU / ".development").exists()
    assert not list(TATU.rglob("*.exe"))
    examples = [path for path in (TATU / "examples").iterdir() if path.is_dir()]
    assert examples
    for folder in examples:
        assert (folder / f"{folder.name}.ino").is_file(), folder
        assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.\-]{0,62}", folder.name)


def test_platformio_packs_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PlatformIO fetches the list of licences from the network; here it gets one."""
    monkeypatch.setattr(ManifestSchema, "load_spdx_licenses", lambda _self: {"licenses": [{"licenseId": "MIT"}]})
    packed = PackagePacker(str(TATU)).pack(str(tmp_path / "tatu.tar.gz"))
    names = set(tarfile.open(packed).getnames())
    sources = {str(path.relative_to(TATU)) for path in (TATU / "src").rglob("*.*")}
    assert {"library.json", "LICENSE", *sources} <= names
    assert "examples/encrypt_reading/encrypt_reading.ino" in names
    assert not [name for name in names if name.split("/")[0] in ("tests", "fuzz", "tools", "rust", "python", "debian")]


def test_platformio_names_every_header_of_the_interface() -> None:
    """All but those that others include, and the entropy source of one family."""
    included = {
        "block_cipher",
        "chacha20",
        "entropy",
        "entropy_avr",
        "error",
        "noise",
        "wipe",
        "version",
        "ecb",
        "sealed",
    }
    wanted = {f"tatu/{path.name}" for path in (TATU / "src" / "tatu").glob("*.h") if path.stem not in included}
    named = set(json.loads((TATU / "library.json").read_text())["headers"])
    assert wanted <= named
    assert all((TATU / "src" / name).is_file() for name in named)


def test_zephyr_and_esp_idf_name_what_exists() -> None:
    """Zephyr's documentation, "Modules"; the manifest of ESP-IDF's component manager."""
    module = yaml.safe_load((TATU / "zephyr" / "module.yml").read_text())
    assert module["name"] == "tatu"
    assert (TATU / module["build"]["cmake"] / "CMakeLists.txt").is_file()
    assert (TATU / module["build"]["kconfig"]).read_text().startswith("config TATU\n")
    component = yaml.safe_load((TATU / "idf_component.yml").read_text())
    assert set(component) <= {"version", "description", "url", "license", "dependencies", "files", "maintainers"}
    assert component["url"].startswith("https://") and component["license"] == "MIT"


def test_every_symbol_of_the_interface_is_documented() -> None:
    """A number of bytes says by its name what it is."""
    headers = read_headers()
    missing = [
        f"{header.name}: {symbol.name}"
        for header in headers
        for symbol in header.symbols
        if not symbol.about and not (symbol.kind == "constant" and symbol.name.endswith("_BYTES"))
    ]
    assert missing == []
    assert sum(len(header.symbols) for header in headers) > 400


def test_a_symbol_without_a_comment_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "new.h"
    path.write_text("/* Tatu: new. */\n\n/* What it does. */\nvoid tatu_known(void);\n\nvoid tatu_unknown(int a);\n")
    assert [(each.name, each.about) for each in read_header(path).symbols] == [
        ("tatu_known", "What it does."),
        ("tatu_unknown", ""),
    ]


def test_no_declared_name_is_missing_from_the_reference() -> None:
    """Every tatu_ name that a header declares with a parenthesis, found in another way than the reader's."""
    read = {symbol.name for header in read_headers() for symbol in header.symbols}
    for path in (TATU / "src" / "tatu").glob("*.h"):
        for line in path.read_text().splitlines():
            found = re.match(r"(?:TATU_MUST_CHECK )?(?:int|void|uint8_t|uint32_t|size_t) (tatu_\w+)\(", line)
            if found and "internal" not in line:
                assert found.group(1) in read, f"{path.name}: {line}"


def test_the_generated_files_are_current() -> None:
    """`python -m tatu.tools` writes them."""
    headers = read_headers()
    assert (TATU / "keywords.txt").read_text() == keywords(headers)
    assert (TATU.parent / "docs" / "reference" / "tatu-api.md").read_text() == reference(headers)
    words = [line for line in (TATU / "keywords.txt").read_text().splitlines() if line and not line.startswith("#")]
    assert all(re.fullmatch(r"\w+\t(KEYWORD1|KEYWORD2|LITERAL1)", line) for line in words)
