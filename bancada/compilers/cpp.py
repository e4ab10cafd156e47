"""Whether a compiler of C has its compiler of C++ beside it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from bancada.compilers.calling import called
from bancada.compilers.compile import CompileError


@cache
def need_cpp(compiler: str) -> None:
    """CompileError that names the package, if the compiler of C has none of C++ beside it (gcc answers with a path if
    it has)."""
    asked = called([compiler, "-print-prog-name=cc1plus"])
    if not Path(asked.stdout.strip()).is_absolute():
        package = compiler.removesuffix("-gcc")
        raise CompileError(
            f"the adapter is C++ and there is no compiler for it; install it with: apt-get install g++-{package}"
        )
