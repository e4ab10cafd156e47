"""Content-addressed compiling and linking: the same sources, flags and compiler are never compiled twice.

An object is remembered with the hash of every file that the compiler read for it (from its dependency output), so that
a changed header is noticed. Linked images are named by the hash of their objects, flags and system's libraries.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import tempfile
import threading
from collections import defaultdict
from functools import cache
from pathlib import Path

from bancada.catalogue.paths import cache_folder
from bancada.compilers.calling import COMPILE_LIMIT_S, ENDED, called
from bancada.compilers.system_libraries import look_again as look_again_at_libraries
from bancada.compilers.system_libraries import system_libraries
from bancada.model.errors import UserError

_FIRST_ERROR_CHARACTERS = 300
_ERROR_SIGNS = ("error:", "Error:", "undefined reference", "multiple definition", "overflowed", "will not fit")

# What the compiler says when it is this machine that fails, not the source.
_MACHINE_FAULTS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG)


class CompileError(Exception):
    """The compiler or linker refused; the message is its first error."""


_locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
_locks_guard = threading.Lock()


def look_again() -> None:
    """Asks the compilers again which libraries they link. A campaign asks once; the next one asks again."""
    look_again_at_libraries()


def _lock(key: str) -> threading.Lock:
    with _locks_guard:
        return _locks[key]


def file_sha256(path: Path | str) -> str:
    """Hash of a file's bytes; read again only when its size or time stamp changed."""
    status = os.stat(path)
    return _sha256_of(str(path), status.st_mtime_ns, status.st_size)


@cache
def _sha256_of(path: str, written_ns: int, size_bytes: int) -> str:
    """The hash of a file that was last written then and has that size."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


@cache
def compiler_version(compiler: str, package: str) -> str:
    """First line of `compiler --version`; UserError naming the package if it is not installed or does not work."""
    if shutil.which(compiler) is None:
        raise UserError(f"The compiler '{compiler}' is not installed; install it with: apt-get install {package}")
    done = called([compiler, "--version"])
    lines = done.stdout.splitlines()
    if done.returncode != 0 or not lines:
        said = (done.stderr.splitlines() or ["it said nothing"])[-1].strip()
        raise UserError(
            f"The compiler '{compiler}' does not work: '{compiler} --version' ended with exit code {done.returncode}"
            f" ({said}); install it again with: apt-get install --reinstall {package}"
        )
    return lines[0].strip()


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _run(command: list[str]) -> None:
    done = called(command, COMPILE_LIMIT_S)
    if done.returncode == ENDED:
        raise CompileError(done.stderr)
    if done.returncode != 0:
        for number in _MACHINE_FAULTS:
            if os.strerror(number) in done.stderr:
                raise OSError(number, os.strerror(number), str(cache_folder()))
        lines = done.stderr.splitlines()
        telling = [line for line in lines if any(sign in line for sign in _ERROR_SIGNS) and "collect2" not in line]
        message = (telling or lines or ["no message"])[0].strip()
        raise CompileError(message[:_FIRST_ERROR_CHARACTERS])


def _dependencies(text: str) -> list[str]:
    """File names in a make rule as the compiler writes it."""
    rule = text.replace("\\\n", " ").split(":", 1)[1]
    return rule.replace("\\ ", "\0").split()


def compile_object(compiler: str, version: str, flags: tuple[str, ...], source: Path) -> Path:
    """The object file for one source. Raises CompileError with the compiler's first error."""
    folder = cache_folder() / "objects"
    key = _digest(version, compiler, *flags, str(source))
    record = folder / f"{key}.json"
    with _lock(key):
        if record.is_file():
            known = json.loads(record.read_text())
            try:
                fresh = all(file_sha256(path) == sha256 for path, sha256 in known["dependencies"].items())
            except FileNotFoundError:
                fresh = False
            if fresh and (folder / known["object"]).is_file():
                return folder / str(known["object"])
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            made = Path(scratch) / "made.o"
            rule = Path(scratch) / "made.d"
            _run([compiler, *flags, "-MD", "-MF", str(rule), "-c", str(source), "-o", str(made)])
            dependencies = {
                str(Path(name.replace("\0", " ")).resolve()): file_sha256(Path(name.replace("\0", " ")).resolve())
                for name in _dependencies(rule.read_text())
            }
            object_path = folder / f"{hashlib.sha256(made.read_bytes()).hexdigest()}.o"
            os.replace(made, object_path)
            written = Path(scratch) / "record.json"
            written.write_text(json.dumps({"dependencies": dependencies, "object": object_path.name}))
            os.replace(written, record)
        return object_path


def archive(compiler: str, version: str, objects: list[Path]) -> Path:
    """The archive of these objects, by the archiver that belongs to the compiler: the linker takes what is needed of
    it."""
    folder = cache_folder() / "archives"
    made_of = _digest(version, compiler, *(path.name for path in objects))
    path = folder / f"{made_of}.a"
    with _lock(made_of):
        if not path.is_file():
            folder.mkdir(parents=True, exist_ok=True)
            asked = called([compiler, "-print-prog-name=ar"])
            with tempfile.TemporaryDirectory(dir=folder) as scratch:
                made = Path(scratch) / "made.a"
                _run([asked.stdout.strip(), "rcsD", str(made), *(str(one) for one in objects)])
                os.replace(made, path)
        return path


def without_constructors(compiler: str, version: str, made: Path) -> Path:
    """The object file without the lists of what is called before and after main (System V ABI, "Initialization and
    Termination Functions"; .ctors and .dtors on an AVR): the linker then drops global C++ objects that nothing uses."""
    folder = cache_folder() / "objects"
    path = folder / f"{_digest(version, compiler, made.name)}.no-constructors.o"
    with _lock(path.name):
        if not path.is_file():
            asked = called([compiler, "-print-prog-name=objcopy"])
            lists = (".ctors*", ".dtors*", ".init_array*", ".fini_array*")
            with tempfile.TemporaryDirectory(dir=folder) as scratch:
                copy = Path(scratch) / "made.o"
                _run([asked.stdout.strip(), *(f"--remove-section={name}" for name in lists), str(made), str(copy)])
                os.replace(copy, path)
        return path


def link_image(
    compiler: str,
    version: str,
    flags: tuple[str, ...],
    objects: list[Path],
    libraries: tuple[str, ...] = (),
    script: Path | None = None,
) -> Path:
    """The ELF linked from these objects, as the linker script says if there is one. Raises CompileError with the
    linker's first error."""
    folder = cache_folder() / "images"
    layout = (file_sha256(script),) if script else ()
    key = _digest(
        version,
        compiler,
        *flags,
        *(path.name for path in objects),
        *libraries,
        *layout,
        system_libraries(compiler, flags),
    )
    image = folder / f"{key}.elf"
    with _lock(key):
        if image.is_file():
            return image
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            made = Path(scratch) / "made.elf"
            with_script = ("-T", str(script)) if script else ()
            _run([compiler, *flags, *with_script, *(str(path) for path in objects), *libraries, "-o", str(made)])
            os.replace(made, image)
        return image
