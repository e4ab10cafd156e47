"""A library's offer: candidates/<name>/candidate.toml."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from bancada.catalogue.entry import Entry


class Source(BaseModel):
    """Where a candidate's sources are fetched from: an archive of a registry, proved by the hash of the archive."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    registry: Literal["pypi", "crate", "debian-source", "debian-binary"]
    package: str
    version: str
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    architecture: str | None = None


class GitSource(BaseModel):
    """Or a Git repository: one commit, proved by the hash of its files (bancada.sources.git_tree). `branch` is a branch
    or tag that has the commit; it is asked for where a server gives no commit by its id. `folder` is the part of the
    repository that is the library. `copies_links`: a link to a file of the same commit becomes a copy of that file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    registry: Literal["git"]
    address: str = Field(pattern=r"^[^\s-]\S*$")
    commit: str = Field(pattern=r"^([0-9a-f]{40}|[0-9a-f]{64})$")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    branch: str = Field(default="", pattern=r"^([A-Za-z0-9][A-Za-z0-9._/-]*)?$")
    folder: str = ""
    copies_links: bool = False

    @property
    def repository(self) -> str:
        """The name of the repository: the last part of its address."""
        return self.address.rstrip("/").removesuffix(".git").removesuffix("/").replace(":", "/").rpartition("/")[2]

    @model_validator(mode="after")
    def _names_a_repository(self) -> Self:
        if self.repository in ("", ".", ".."):
            raise ValueError(f"the address '{self.address}' names no repository")
        parts = PurePosixPath(self.folder).parts
        if ".." in parts or self.folder.startswith("/"):
            raise ValueError(f"the folder '{self.folder}' is not in the repository")
        return self


Architecture = Literal["armhf", "arm64"]


class Compiled(BaseModel):
    """A distribution's package that brings a library compiled, with its hash for each architecture
    (bancada.sources.prebuilt)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    package: str
    version: str
    sha256: dict[Architecture, Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]]


class Implementation(BaseModel):
    """One row of implementations in candidate.toml: every variant with every key size. With `cores` it is written for
    these cores alone, while other rows of the candidate may be for every core.

    bancada.primitives.rows checks that a row has what its primitive needs.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    primitive: str
    algorithm: str
    variant: tuple[str, ...]
    key_bits: tuple[int, ...]
    block_bytes: int = Field(default=0, ge=0)
    digest_bytes: int = Field(default=0, ge=0)
    nonce_bytes: int = Field(default=0, ge=0)
    tag_bytes: int = Field(default=0, ge=0)
    adapter: str
    sources: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    adapter_defines: tuple[str, ...] = ()
    monitor_sources: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    heap: bool = False
    operations: tuple[str, ...]
    cbc: Literal["caller", "library"] | None = None
    # The order in which the library keeps the bytes of keys and blocks, where its algorithm has several;
    # '' is the algorithm's first.
    byte_order: str = ""
    cores: tuple[str, ...] = ()
    notes: str = ""


def filled(text: str, variant: str, key_bits: int) -> str:
    """A text of an implementation's row with {variant}, {key_bits} and {key_bytes} filled in."""
    values = {"variant": variant, "key_bits": str(key_bits), "key_bytes": str(key_bits // 8)}
    for name, value in values.items():
        text = text.replace("{" + name + "}", value)
    return text


def names_of(row: Implementation) -> tuple[str, ...]:
    """The names of all implementations of a row: one for each variant and key size."""
    return tuple(filled(row.name, variant, key_bits) for variant in row.variant for key_bits in row.key_bits)


class Candidate(Entry):
    """One library's offer (candidates/<name>/candidate.toml). What is not `usable` is there to be compared with, and is
    measured only where an experiment or --candidate names it. With `arduino` the sources are an Arduino library,
    compiled as the IDE does (bancada.build.arduino), and `sources` of an implementation are additional files. With
    `needs_linux` its sources include headers of Linux, and no other target is planned with it. With `cores` it is
    written for these cores alone, in their assembly for example, and no target with another core is planned with it.
    `calibration` names the implementations with which `bancada calibrate` compares a board with its simulator."""

    version: str
    licence: str
    about: str
    source: Annotated[Source | GitSource, Field(discriminator="registry")] | None = None
    compiled: tuple[Compiled, ...] = ()
    root: str | None = None
    usable: bool = True
    arduino: bool = False
    needs_linux: bool = False
    cores: tuple[str, ...] = ()
    # Sources of the Arduino library that are not compiled: its demonstration program with a `main`, for example.
    leave_out: tuple[str, ...] = ()
    calibration: tuple[str, ...] = ()
    implementation: tuple[Implementation, ...]

    @property
    def is_from_git(self) -> bool:
        """Whether its sources come from a Git repository."""
        return isinstance(self.source, GitSource)

    @model_validator(mode="after")
    def _has_sources(self) -> Self:
        for row in self.implementation:
            if not (self.arduino or self.compiled or row.sources):
                raise ValueError(
                    f"the implementation '{row.name}' needs 'sources': what is compiled, for example [\"src/*.c\"]"
                )
        return self

    @model_validator(mode="after")
    def _names_each_implementation_once(self) -> Self:
        seen: set[str] = set()
        for row in self.implementation:
            for name in names_of(row):
                if name in seen:
                    raise ValueError(
                        f"two implementations are called '{name}', and the results of one would replace those of"
                        f" the other: put {{key_bits}} or {{variant}} into 'name' of the implementation '{row.name}',"
                        " or give it another name"
                    )
                seen.add(name)
        return self
