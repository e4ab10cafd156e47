"""How a Linux program is loaded: where its code is in its file, and where its shared libraries are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.segments import InterpSegment

from bancada.compilers.calling import called
from bancada.model.errors import UserError

_EXECUTABLE = 1  # PF_X (System V ABI, "Program Header")


@dataclass(frozen=True)
class Loading:
    """`code_begin` is the first address of the code in the file if the program can be loaded anywhere, `image_end` the
    end of the program in its file. `root` is the folder whose `lib` has the dynamic loader; None for a program that
    needs none, or the loader of this machine."""

    code_begin: int | None
    image_end: int
    root: Path | None


def loading(elf: Path, compiler: str) -> Loading:
    """How the program is loaded; the loader of another machine is the one that its cross compiler has.

    UserError if it needs shared libraries that are not on this machine.
    """
    with elf.open("rb") as file:
        program = ELFFile(file)
        loaded = [segment for segment in program.iter_segments() if segment["p_type"] == "PT_LOAD"]
        code = min((s["p_vaddr"] for s in loaded if s["p_flags"] & _EXECUTABLE), default=0)
        end = max((s["p_vaddr"] + s["p_memsz"] for s in loaded), default=0)
        names = (s.get_interp_name() for s in program.iter_segments() if isinstance(s, InterpSegment))
        loader = next(names, None)
        is_movable = program["e_type"] == "ET_DYN"
    return Loading(code if is_movable else None, end, _root(elf, loader, compiler))


def _root(elf: Path, loader: str | None, compiler: str) -> Path | None:
    if loader is None or Path(loader).is_file():
        return None
    try:
        asked = called([compiler, f"-print-file-name={Path(loader).name}"])
        found = Path(asked.stdout.strip()).resolve()
    except OSError:
        found = Path(loader)
    root = found.parents[len(Path(loader).parts) - 2] if found.is_absolute() and found.is_file() else None
    if root is None or not (root / loader.lstrip("/")).is_file():
        raise UserError(
            f"{elf.name} needs shared libraries; {loader} is neither on this machine nor beside the libraries of"
            f" {compiler}: link it with -static."
        )
    return root
