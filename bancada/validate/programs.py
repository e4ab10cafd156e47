"""Programs whose cycles on silicon are published (cores/programs/<name>/program.toml): fetched, built, ready to be
profiled."""

from __future__ import annotations

import csv
import hashlib
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from bancada.catalogue.candidate import GitSource, Source
from bancada.catalogue.paths import cache_folder, room
from bancada.catalogue.toml_record import read_record
from bancada.catalogue.whole_file import write_whole
from bancada.compilers.compile import CompileError, compile_object, compiler_version, link_image
from bancada.costing.profile import InstructionSet
from bancada.model.errors import UserError, unknown_name
from bancada.sources.fetch import fetch

# A microcontroller has no operating system: another compiler, its own driver, and a machine to run on.
_BARE_COMPILER = ("arm-none-eabi-gcc", "gcc-arm-none-eabi libnewlib-arm-none-eabi")
_BARE_EMULATOR = "qemu-system-arm"

# Compiler, the package that brings it, its flags and the emulator, for each state of the core.
_STATES: dict[InstructionSet, tuple[str, str, tuple[str, ...], str]] = {
    "arm": ("arm-linux-gnueabihf-gcc", "gcc-arm-linux-gnueabihf", ("-march=armv7-a+neon-vfpv4", "-marm"), "qemu-arm"),
    "thumb": (
        "arm-linux-gnueabihf-gcc",
        "gcc-arm-linux-gnueabihf",
        ("-march=armv7-a+neon-vfpv4", "-mthumb"),
        "qemu-arm",
    ),
    "aarch64": ("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu", ("-march=armv8-a+crypto",), "qemu-aarch64"),
}
_GENERATORS = {"perl": "perl", "m4": "m4"}

# What a program is, for the bands: ciphers and hashes, media filters, numbers of many words (each in assembly), or C.
Kind = Literal["crypto-assembly", "media-assembly", "number-assembly", "compiled"]


class Call(BaseModel):
    """One function that is measured: the assembly that holds it, C statements that prepare it and C statements that
    call it.

    A program that is bare gets the number of bytes of a call as BYTES. `replace` changes text of the generator's
    scripts before they run; `output` is the name that a script is told to write where it makes a difference;
    `operation` is what a file of GMP is to become. `assembly` may be C where the package has it so.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    assembly: tuple[str, ...] = ()
    run: str
    repeats: int = Field(default=1, gt=0)
    prepare: str = ""
    operation: str = ""
    output: str = ""
    # Every C and assembly file of this folder, which is on the include path too.
    folder: str = ""
    # What the function is, if not what its program is.
    kind: Kind | None = None
    # For a program that is bare: what the compiler compiles it for ("cortex-m0").
    core: str = ""
    replace: dict[str, str] = {}
    defines: tuple[str, ...] = ()


class Program(BaseModel):
    """A source package and the functions of it whose cycles are published."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    folder: Path = Field(exclude=True)
    name: str
    title: str
    licence: str
    about: str
    state: InstructionSet
    source: Source | GitSource = Field(discriminator="registry")
    # What the repository has as submodules: their paths in it.
    submodule: dict[str, GitSource] = {}
    declarations: str
    include: tuple[str, ...] = ()
    # How an assembly file is made: a Perl script writes it (perlasm), m4 expands it, or it exists.
    generator: Literal["perl", "m4", "none"] = "none"
    flavour: str = ""
    flags: tuple[str, ...] = ()
    link_flags: tuple[str, ...] = ()
    # Files of the source that every call has.
    common: tuple[str, ...] = ()
    # What it links besides, beside its declarations: what the C library of the published builds was.
    library: tuple[str, ...] = ()
    cpu: str | None = None
    # Runs without an operating system (driver_bare.c).
    bare: bool = False
    kind: Kind
    call: tuple[Call, ...] = ()
    # A file beside program.toml with one call a row, for programs of many calls: name, and of `Call` what differs.
    calls: str = ""
    # What its rows have in common.
    core: str = ""
    prepare: str = ""
    run: str = ""

    @property
    def is_from_git(self) -> bool:
        """Whether git fetches it, and no registry."""
        return isinstance(self.source, GitSource)

    @property
    def source_name(self) -> str:
        """What its source is called in messages."""
        source = self.source
        return source.repository if isinstance(source, GitSource) else f"{source.package} {source.version}"

    @property
    def emulator(self) -> str:
        return _BARE_EMULATOR if self.bare else _STATES[self.state][3]


@cache
def programs() -> dict[str, Program]:
    """All programs, by name."""
    found: dict[str, Program] = {}
    for folder in room("cores"):
        for path in sorted(folder.glob("programs/*/program.toml")):
            program = read_record(path, Program, folder=path.parent)
            found[program.name] = program.model_copy(update={"call": (*program.call, *_calls_of_table(program))})
    return found


def _calls_of_table(program: Program) -> tuple[Call, ...]:
    if not program.calls:
        return ()
    with (program.folder / program.calls).open(newline="") as file:
        return tuple(
            Call.model_validate(
                {"core": program.core, "prepare": program.prepare, "run": program.run}
                | row
                | {"assembly": tuple(row.get("assembly", "").split())}
            )
            for row in csv.DictReader(file)
        )


def find_call(name: str) -> tuple[Program, Call]:
    """The program and the call that "<program>/<call>" names. UserError with the nearest name if there is none."""
    known = {f"{program.name}/{call.name}": (program, call) for program in programs().values() for call in program.call}
    if name not in known:
        raise unknown_name("program", name, known)
    return known[name]


def build(program: Program, call: Call, size_bytes: int) -> Path:
    """The ELF that calls the function, built if it does not exist. UserError says what is missing or does not build.

    A program on an operating system is told `size_bytes` when it runs; one that is bare is compiled for it.
    """
    compiler, package, state_flags, _ = _STATES[program.state]
    if program.bare:
        compiler, package = _BARE_COMPILER
        state_flags = ("-mthumb", f"-mcpu={call.core}")
    version = compiler_version(compiler, package)
    roots = {"": fetch(program.source, cache_folder())}
    roots |= {path: fetch(source, cache_folder()) for path, source in program.submodule.items()}
    files = (*program.common, *call.assembly, *_files_of(program, call, roots))
    # A configuration that the assembly includes is in the program's own folder.
    beside = (program.folder / program.declarations).resolve().parent
    included = (program.folder, beside, *(_place(roots, folder) for folder in program.include))
    if call.folder:
        included += (_place(roots, call.folder),)
    flags = ("-O2", "-g0", *state_flags, *program.flags, *(f"-I{folder}" for folder in included))
    flags += tuple(f"-D{define}" for define in call.defines)
    driver = program.folder.parent / ("driver_bare.c" if program.bare else "driver.c")
    driver_flags = (
        f'-DDECLARATIONS="{(program.folder / program.declarations).resolve()}"',
        f"-DPREPARE={call.prepare}",
        f"-DRUN={call.run}",
        *((f"-DBYTES={size_bytes}",) if program.bare else ()),
    )
    try:
        objects = [compile_object(compiler, version, (*flags, *driver_flags), driver)]
        objects += [compile_object(compiler, version, (*flags, "-Os"), beside / file) for file in program.library]
        for file in files:
            # The compiler tells what a file depends on only when it is preprocessed.
            preprocessed = ("-x", "assembler-with-cpp") if file.endswith(".s") else ()
            objects.append(
                compile_object(compiler, version, (*flags, *preprocessed), _generated(program, call, roots, file))
            )
        how = ("-nostartfiles",) if program.bare else ("-static",)
        script = driver.with_suffix(".ld") if program.bare else None
        return link_image(compiler, version, (*state_flags, *how, *program.link_flags), objects, script=script)
    except CompileError as error:
        raise UserError(f"{program.name}/{call.name} does not build: {error}") from error


def _place(roots: dict[str, Path], name: str) -> Path:
    """Where a file or folder of the repository is, or of one of its submodules."""
    for path in sorted(roots, key=len, reverse=True):
        if not path or name.startswith(f"{path}/"):
            return roots[path] / name[len(path) :].lstrip("/")
    raise AssertionError(name)


def _files_of(program: Program, call: Call, roots: dict[str, Path]) -> list[str]:
    """The sources of the call's folder, in the order of their names."""
    if not call.folder:
        return []
    found = sorted(path for path in _place(roots, call.folder).glob("*") if path.suffix in (".c", ".S", ".s"))
    if not found:
        raise UserError(
            f"{program.source_name} has no sources in {call.folder}, which {program.name}/{call.name} names."
        )
    return [f"{call.folder}/{path.name}" for path in found]


def _generated(program: Program, call: Call, roots: dict[str, Path], file: str) -> Path:
    """The assembly file, written by its generator into the cache under the hash of what it says."""
    path = _place(roots, file)
    if not path.is_file():
        raise UserError(f"{program.source_name} has no file {file}, which {program.name}/{call.name} names.")
    if program.generator == "none":
        return path
    tool = _GENERATORS[program.generator]
    if shutil.which(tool) is None:
        raise UserError(f"The program '{tool}' is not installed; install it with: apt-get install {tool}")
    with tempfile.TemporaryDirectory() as scratch:
        text = (
            _perl(program, call, path, Path(scratch))
            if program.generator == "perl"
            else _m4(program, call, roots[""], path, Path(scratch))
        )
    written = cache_folder() / "assembly" / f"{path.stem}-{hashlib.sha256(text.encode()).hexdigest()[:16]}.S"
    if not written.is_file():
        write_whole(written, text)
    return written


def _perl(program: Program, call: Call, path: Path, scratch: Path) -> str:
    script = path.read_text()
    for before, after in call.replace.items():
        script = script.replace(before, after)
    changed = scratch / path.name
    changed.write_text(script)
    # The scripts look for the translator of flavours beside themselves or where the package has it.
    shutil.copy(path.parents[2] / "perlasm" / "arm-xlate.pl", scratch)
    output = scratch / (call.output or f"{path.stem}.S")
    _run(["perl", str(changed), program.flavour, str(output)], scratch, f"{program.name}/{call.name}")
    return output.read_text()


def _m4(program: Program, call: Call, root: Path, path: Path, scratch: Path) -> str:
    # GMP's files include "../config.m4".
    shutil.copy(program.folder.parent / "config.m4", scratch)
    inner = scratch / "inner"
    inner.mkdir()
    bits = "64" if program.state == "aarch64" else "32"
    command = ["m4", f"-DROOT={root}", f"-DLIMB_BITS={bits}", f"-DDEFINITIONS={program.flavour}"]
    command += [f"-DOPERATION_{call.operation}"] if call.operation else []
    return _run([*command, str(path)], inner, f"{program.name}/{call.name}")


def _run(command: list[str], folder: Path, what: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or ["nothing"])[0]
        raise UserError(f"The assembly of {what} cannot be generated; {command[0]} says: {said}")
    return done.stdout
