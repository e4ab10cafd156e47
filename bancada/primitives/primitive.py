"""What the laboratory needs to know of a primitive and of its algorithms.

Each primitive is one folder that says all of this.
"""

from __future__ import annotations

import hashlib
import random
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from bancada.catalogue.candidate import Source
from bancada.catalogue.experiment import Experiment
from bancada.model.errors import UserError
from bancada.monitor.monitor import Facts, Monitor

# The group of the checks that a library's own IVs are fresh and unpredictable (SP 800-38A, appendix C).
SP800_38A = "SP 800-38A"


@dataclass(frozen=True)
class Check:
    """One thing to verify on the device: its name, and what gives (expected, got). `group` names a sub-question."""

    name: str
    run: Callable[[], tuple[str, str]]
    group: str | None = None


class FirmwareView(Protocol):
    """What a primitive needs to know of the firmware that it talks to (bancada.plan.case.Firmware)."""

    @property
    def implementation(self) -> str: ...
    @property
    def algorithm(self) -> str: ...
    @property
    def variant(self) -> str: ...
    @property
    def key_bits(self) -> int: ...
    @property
    def block_bytes(self) -> int: ...
    @property
    def digest_bytes(self) -> int: ...
    @property
    def nonce_bytes(self) -> int: ...
    @property
    def tag_bytes(self) -> int: ...
    @property
    def operations(self) -> tuple[str, ...]: ...
    @property
    def cbc(self) -> str | None: ...
    @property
    def byte_order(self) -> str: ...


class CaseView(Protocol):
    """What a primitive needs to know of a case that it calls (bancada.plan.case.Case)."""

    @property
    def operation(self) -> str: ...
    @property
    def size_bytes(self) -> int: ...
    @property
    def associated_bytes(self) -> int: ...


class Client(Protocol):
    """A primitive's calls on one device."""

    def checks(self, full: bool) -> Iterator[Check]:
        """Every conformance check that this firmware must pass."""

    def prepare(self, case: CaseView, source: random.Random) -> None:
        """Random keys and input for one timed call, and all that must precede it."""

    def call(self, case: CaseView) -> int:
        """The timed call; cycles on the device's own timer, the cost of an empty region included."""

    def context_bytes(self, operation: str) -> int:
        """Size of the context that the caller must keep for the operation."""


@dataclass(frozen=True)
class Secret:
    """Secret bytes of a buffer:

    its number for the monitor, and the name of the static variable in operations.c that it is.
    """

    buffer: int
    symbol: str
    offset: int
    length: int


class SecretCalls(Protocol):
    """An operation on one device, called with other secrets each time and everything else the same."""

    def prepare(self, source: random.Random) -> None:
        """Writes secrets from `source`, and sets the key where the operation needs one."""

    def call(self) -> None:
        """The call that is audited. DeviceError if the implementation says that it failed."""


@dataclass(frozen=True)
class Secrets:
    """What an audit follows.

    `operations` gives those of a firmware that have a secret; `of` the secrets of one of them.

    Of the arguments, the last is the operation, and the last but one the algorithm, of the primitive's
    `algorithm_kind`.
    """

    operations: Callable[[FirmwareView], tuple[str, ...]]
    of: Callable[[FirmwareView, Any, str], tuple[Secret, ...]]
    calls: Callable[[Monitor, FirmwareView, Any, str], SecretCalls]


@dataclass(frozen=True)
class Library:
    """Sources of a registry that a primitive's own programs need beside the candidate's:

    patterns below the unpacked source.
    """

    source: Source
    sources: tuple[str, ...]
    include: tuple[str, ...]


@dataclass(frozen=True)
class Template:
    """What `bancada new candidate` writes. The texts are format strings.

    `adapter`, `header` and `source` are a candidate with a source file of its own. `library_adapter` stands before a
    library that is there already; the comments `c_calls` and `cpp_calls` say in it where the library's functions or
    classes go.
    """

    operations: tuple[str, ...]
    context_type: str
    adapter: str
    header: str
    source: str
    library_adapter: str
    c_calls: Mapping[str, str]
    cpp_calls: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Algorithm(ABC):
    """One algorithm of a primitive.

    Each primitive has a class of its own below this one, with vectors and a second implementation.

    `key_bits` are the key sizes for which there are vectors, the one of a new candidate first; (0,) where there is no
    key. `sizes` are the fields of candidate.toml that a new candidate begins with. `byte_orders` gives, for each order
    in which bytes are in use, the function that turns bytes of the first order into it (and back).
    """

    name: str
    title: str
    key_bits: tuple[int, ...] = (0,)
    sizes: Mapping[str, int] = field(default_factory=dict)
    byte_orders: Mapping[str, Callable[[bytes], bytes]] = field(default_factory=dict)

    @abstractmethod
    def has_vectors(self, key_bits: int) -> bool:
        """Whether there is a vector for this size of key."""


def plain_name(name: str) -> str:
    """A name as it may be written in a folder's: `sha3-256` and `sha3_256` are one."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower())


@dataclass(frozen=True, kw_only=True)
class Primitive:
    """One primitive. Two are the same if their names are: this is what a case carries from machine to machine.

    In its folder are contract.h, operations.c and size.c. `operations` and `buffers` number what operations.c offers,
    `images` the programs of size.c, of which the first is the baseline, and `chains` the steps between repeated calls;
    the compiler is told all these numbers.
    """

    name: str
    title: str = field(compare=False)
    # Where it stands among the others in a list, smallest first.
    order: int = field(compare=False)
    operations: Mapping[str, int] = field(compare=False)
    buffers: Mapping[str, int] = field(compare=False)
    images: Mapping[str, int] = field(compare=False)
    chains: Mapping[str, int] = field(compare=False, default_factory=dict)
    # What an experiment can ask for. An implementation may list these, and those that set a key.
    measured: tuple[str, ...] = field(compare=False)
    # What every implementation has, and the fields of candidate.toml that it gives.
    required: tuple[str, ...] = field(compare=False)
    required_fields: tuple[str, ...] = field(compare=False)
    setting_key: frozenset[str] = field(compare=False, default=frozenset())
    # Operations, and images, that a library which only encrypts does not have.
    decrypting: frozenset[str] = field(compare=False, default=frozenset())
    decrypting_images: frozenset[str] = field(compare=False, default=frozenset())
    # An operation that every implementation with another one has too.
    implied: Mapping[str, str] = field(compare=False, default_factory=dict)
    # Whether a missing operation or key size is a row of an experiment that says so.
    shows_gaps: bool = field(compare=False, default=False)
    # The (message bytes, associated bytes) with which an experiment measures an operation of a firmware.
    parameters: Callable[[Experiment, FirmwareView, str], list[tuple[int, int]]] = field(compare=False)
    # Whether a timed call is several calls of the device, one for each piece of the input, whose costs add up.
    is_in_pieces: Callable[[FirmwareView], bool] = field(compare=False, default=lambda firmware: False)
    # Of the arguments, the last but one is the algorithm, of `algorithm_kind`; the last says whether the firmware
    # decrypts.
    client: Callable[[Monitor, Facts, FirmwareView, Any, bool], Client] = field(compare=False)
    algorithm_kind: type[Algorithm] = field(compare=False)
    secrets: Secrets | None = field(compare=False, default=None)
    library: Library | None = field(compare=False, default=None)
    template: Template | None = field(compare=False, default=None)
    # What discovery finds: the folder, and the algorithms by name.
    folder: Path = field(compare=False, default=Path())
    algorithms: Mapping[str, Algorithm] = field(compare=False, default_factory=dict)
    # The folders outside the laboratory that have a part in it: what is in them is part of a result's key.
    added_folders: tuple[Path, ...] = field(compare=False, default=())

    @property
    def operations_source(self) -> Path:
        """The C source of the firmware's operations."""
        return self.folder / "operations.c"

    @property
    def size_source(self) -> Path:
        """The C source of the images whose size is a metric."""
        return self.folder / "size.c"

    @property
    def contract(self) -> str:
        """The contract header as messages name it."""
        return "/".join((*self.folder.parts[-3:], "contract.h"))

    @property
    def compiler_flags(self) -> tuple[str, ...]:
        """The numbers of operations, buffers, chains and images, for the C sources of this folder."""
        numbered = {
            "OPERATION": self.operations,
            "BUFFER": self.buffers,
            "CHAIN": self.chains,
            "IMAGE": self.images,
        }
        return tuple(
            f"-DBANCADA_{kind}_{name.upper().replace('-', '_')}={number}"
            for kind, numbers in numbered.items()
            for name, number in numbers.items()
        )

    def added_code(self, algorithm: str) -> str:
        """Hash of the files outside the laboratory that have a part in an algorithm of this; '' if there are none."""
        digest, count = hashlib.sha256(), 0
        for folder in self.added_folders:
            for path in sorted(folder.rglob("*")):
                place = path.relative_to(folder).parts
                is_algorithm = place[0] == "algorithms" and len(place) > 1
                if is_algorithm and plain_name(place[1]) != plain_name(algorithm):
                    continue
                if path.is_file() and "__pycache__" not in place:
                    content = path.read_bytes()
                    digest.update(f"{'/'.join(place)} {len(content)}\n".encode() + content)
                    count += 1
        return digest.hexdigest() if count else ""

    def algorithm(self, name: str) -> Algorithm:
        """The algorithm of that name. UserError if there is none."""
        if name not in self.algorithms:
            raise UserError(f"{self._unknown(name)}.")
        return self.algorithms[name]

    def _unknown(self, name: str, key_bits: int = 0) -> str:
        with_key = f" with a {key_bits}-bit key" if key_bits else ""
        known = ", ".join(sorted(self.algorithms)) or "none"
        return (
            f"there are no vectors for the {self.name} '{name}'{with_key}, so nothing is measured; known: {known} "
            f"(add yours as a folder primitives/{self.folder.name}/algorithms/<name> of BANCADA_PATH)"
        )

    def why_unjudged(self, algorithm: str, key_bits: int) -> str | None:
        """Why nothing can be said about an implementation's correctness; None if there are vectors for it."""
        known = self.algorithms.get(algorithm)
        if known is None or key_bits not in known.key_bits or not known.has_vectors(key_bits):
            return self._unknown(algorithm, key_bits)
        return None

    def open(self, monitor: Monitor, facts: Facts, firmware: FirmwareView, with_decrypt: bool) -> Client:
        """The calls of a firmware on its device. UserError if its algorithm is unknown."""
        return self.client(monitor, facts, firmware, self.algorithm(firmware.algorithm), with_decrypt)
