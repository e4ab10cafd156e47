"""What a candidate declares public: a dependence on a secret that tells only what the caller is told anyway, such as
the verdict on a tag.

In candidates/<name>/audit.toml, with why:

    [[public]]
    function = "mycipher_open"
    operations = ["decrypt"]
    times = 1
    why = "whether the tag held, which the caller is told"

Only branches can be declared there. `times` limits how often a function's branches may be executed in one call: a
comparison that ends at the first difference runs its branch once for each byte, and stays a leak.

Where assembly serves a target, the audit on the host sees other code. What the assembly does that this code does not,
the candidate declares too: loads from addresses that depend on a secret, on cores whose RAM has no cache.

    [[look-up]]
    function = "mycipher_encrypt"
    implementations = ["mycipher/tables"]
    operations = ["encrypt"]
    cores = ["cortex-m0plus"]
    why = "a table in RAM"

A value that is public although it was made of secrets is named in the C itself: `made_public_by` is the macro of two
arguments, address and length, that the C calls if somebody defines it. The audit on the host does.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from bancada.catalogue.toml_record import read_record

_FILE = "audit.toml"


class Public(BaseModel):
    """One declared branch."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    function: str
    operations: tuple[str, ...]
    times: int = Field(ge=1)
    why: str


class LookUp(BaseModel):
    """A function in assembly whose loads have addresses that depend on a secret."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    function: str
    implementations: tuple[str, ...]
    operations: tuple[str, ...]
    cores: tuple[str, ...]
    why: str


class _Declarations(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    public: tuple[Public, ...] = ()
    look_up: tuple[LookUp, ...] = Field(default=(), alias="look-up")
    made_public_by: str | None = None


def declarations(candidate_folder: Path) -> bytes:
    """The file itself; empty if the candidate declares nothing."""
    path = candidate_folder / _FILE
    return path.read_bytes() if path.is_file() else b""


def declared_public(candidate_folder: Path, operation: str) -> dict[str, Public]:
    """By function, what the candidate declares of this operation. UserError if its file is not right."""
    path = candidate_folder / _FILE
    if not path.is_file():
        return {}
    found = read_record(path, _Declarations)
    return {public.function: public for public in found.public if operation in public.operations}


def declared_look_ups(candidate_folder: Path, implementation: str, core: str, operation: str) -> tuple[LookUp, ...]:
    """What the candidate declares of its assembly for this core. UserError if its file is not right."""
    path = candidate_folder / _FILE
    if not path.is_file():
        return ()
    return tuple(
        each
        for each in read_record(path, _Declarations).look_up
        if operation in each.operations and core in each.cores and implementation in each.implementations
    )


def made_public_by(candidate_folder: Path) -> str | None:
    """The macro with which the candidate's C says that a value made of secrets is public; None if it has none.

    UserError if its file is not right.
    """
    path = candidate_folder / _FILE
    return read_record(path, _Declarations).made_public_by if path.is_file() else None
