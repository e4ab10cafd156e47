"""The key that signs programs, in the site's folder `ca/firmware`, and which leaf of it has signed what.

A leaf of LMS may sign one message only (SP 800-208, section 8.1). The leaf is that of the device type and the version,
so each version of a program has a leaf of its own. Before a leaf signs, the hash of what it signs is on the disk for
good; another message for this leaf is refused. The same message gets the same signature again, bit by bit. So a crash
costs nothing, whenever it comes.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import tempfile
from dataclasses import dataclass
from pathlib import Path

from sensorlink.laboratory import UserError
from sensorlink.update import lms
from sensorlink.update.device_types import DEVICE_TYPES

_KEY, _LEAVES, _SIGNED = "key.json", "leaves.bin", "signed"

LARGEST_VERSION = lms.LEAVES // len(DEVICE_TYPES) - 1


@dataclass(frozen=True)
class SigningKey:
    """The key, and the folder that it is in."""

    folder: Path
    secret: lms.SecretKey
    leaves: tuple[bytes, ...]
    root: bytes

    def sign(self, leaf: int, message: bytes) -> lms.Signature:
        """UserError if the leaf has signed another message."""
        digest = hashlib.sha256(message).hexdigest()
        if _reserved(self.folder / _SIGNED, leaf, digest) != digest:
            raise UserError(
                "Another program was signed with this version for this device type before. Give this one a higher "
                "version: a key that signs two programs with one version gives itself away."
            )
        # Made of the secret seed, so that nobody can know it before, and the same each time.
        randomizer = hashlib.sha256(b"randomizer" + self.secret.seed + leaf.to_bytes(4, "big") + message).digest()
        return lms.sign(self.secret, self.leaves, leaf, randomizer, message)


def leaf_of(device_type: int, version: int) -> int:
    """The leaf for a version of the program of a device type."""
    return len(DEVICE_TYPES) * version + device_type - 1


def folder_of(site: Path) -> Path:
    """Where a site's key is. UserError if the site has no authority."""
    if not (site / "ca").is_dir():
        raise UserError(
            f"There is no folder {site / 'ca'}. Programs are signed where 'bancada link provision' made the site."
        )
    return site / "ca" / "firmware"


def make_key(folder: Path) -> SigningKey:
    """A new key in a new folder, which is there as a whole or not at all."""
    secret = lms.SecretKey(secrets.token_bytes(lms.IDENTIFIER_BYTES), secrets.token_bytes(lms.SEED_BYTES))
    leaves = lms.leaf_nodes(secret)
    root = lms.root_of(secret, leaves)
    fields = {"identifier": secret.identifier.hex(), "seed": secret.seed.hex(), "root": root.hex()}
    try:
        partial = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))  # its owner's only
        (partial / _SIGNED).mkdir(mode=0o700)
        _write(partial / _LEAVES, b"".join(leaves))
        _write(partial / _KEY, (json.dumps(fields, indent=2) + "\n").encode())
        _sync(partial)
        partial.rename(folder)
        _sync(folder.parent)
    except OSError as error:
        raise UserError(f"The signing key cannot be written to {folder}: {error.strerror}.") from error
    return SigningKey(folder, secret, leaves, root)


def read_key(folder: Path) -> SigningKey:
    """The key in a folder. UserError if there is none, or it is damaged."""
    if not (folder / _KEY).is_file():
        raise UserError(f"There is no signing key in {folder} yet. 'bancada link bootloader' makes it.")
    try:
        fields = json.loads((folder / _KEY).read_text())
        secret = lms.SecretKey(bytes.fromhex(fields["identifier"]), bytes.fromhex(fields["seed"]))
        nodes = (folder / _LEAVES).read_bytes()
        root = bytes.fromhex(fields["root"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"The signing key in {folder} cannot be read ({error}).") from error
    leaves = tuple(nodes[at : at + lms.HASH_BYTES] for at in range(0, len(nodes), lms.HASH_BYTES))
    if len(leaves) != lms.LEAVES or lms.root_of(secret, leaves) != root or not (folder / _SIGNED).is_dir():
        raise UserError(f"The signing key in {folder} is damaged. Take it from your copy of the folder 'ca'.")
    return SigningKey(folder, secret, leaves, root)


def _reserved(folder: Path, leaf: int, digest: str) -> str:
    """What the leaf has signed or will sign: `digest`, unless there is something else already."""
    path = folder / f"{leaf:04d}"
    partial = folder / f".{leaf:04d}.{os.getpid()}"
    try:
        if not path.exists():
            _write(partial, digest.encode())
            try:
                os.link(partial, path)  # whole or not at all, and only one of two that sign at once
            except FileExistsError:
                pass
            finally:
                partial.unlink()
        _sync(folder)
        return path.read_text()
    except OSError as error:
        raise UserError(f"What is signed cannot be recorded in {folder}: {error.strerror}.") from error


def _write(path: Path, contents: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(contents)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
