"""Writes a wheel (the binary distribution format of PyPA, https://packaging.python.org/specifications/): the same bytes
for the same files."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

# The first moment that a ZIP file can name.
_TIME = (1980, 1, 1, 0, 0, 0)
_GENERATOR = "bancada (wheels/archive.py)"


@dataclass(frozen=True)
class Wheel:
    """One wheel: its metadata, and its files by the path that they are installed at. `programs` are those to be
    executable."""

    name: str
    version: str
    tags: tuple[str, ...]
    metadata: dict[str, str]
    description: str
    files: dict[str, bytes] = field(default_factory=dict)
    programs: frozenset[str] = frozenset()
    licences: dict[str, bytes] = field(default_factory=dict)

    @property
    def file_name(self) -> str:
        """The name, with the platforms of all tags in one (compressed tag sets)."""
        platforms = ".".join(tag.rpartition("-")[2] for tag in self.tags)
        return f"{_normal(self.name)}-{self.version}-py3-none-{platforms}.whl"


def _normal(name: str) -> str:
    return name.replace("-", "_")


def _record_line(path: str, content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{path},sha256={digest},{len(content)}\n"


def write_wheel(wheel: Wheel, folder: Path) -> Path:
    """Writes the wheel into the folder, in the place of one of the same name."""
    info = f"{_normal(wheel.name)}-{wheel.version}.dist-info"
    headers = {"Metadata-Version": "2.4", "Name": wheel.name, "Version": wheel.version, **wheel.metadata}
    licences = "".join(f"License-File: {name}\n" for name in sorted(wheel.licences))
    metadata = "".join(f"{key}: {value}\n" for key, value in headers.items()) + licences
    tags = "".join(f"Tag: {tag}\n" for tag in wheel.tags)
    files = {
        **wheel.files,
        f"{info}/METADATA": f"{metadata}\n{wheel.description}".encode(),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: {_GENERATOR}\nRoot-Is-Purelib: false\n{tags}".encode(),
        **{f"{info}/licenses/{name}": text for name, text in wheel.licences.items()},
    }
    record = "".join(_record_line(path, content) for path, content in sorted(files.items()))
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / wheel.file_name
    with zipfile.ZipFile(made, "w") as archive:
        for path, content in [*sorted(files.items()), (f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode())]:
            entry = zipfile.ZipInfo(path, _TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if path in wheel.programs else 0o100644) << 16
            archive.writestr(entry, content, compresslevel=9)
    return made
