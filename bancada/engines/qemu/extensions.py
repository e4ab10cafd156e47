"""Instructions that an emulated processor has and the device lacks: vendors leave out some extensions of a core."""

from __future__ import annotations

from bancada.costing.decode import Instruction, decode
from bancada.costing.profile import Profile

# Arm ARM (DDI 0487), "Cryptographic Extension"; PMULL of 64 bits belongs to it, PMULL of 8 bits does not.
_CRYPTOGRAPHY = frozenset(
    [
        "aese",
        "aesd",
        "aesmc",
        "aesimc",
        "sha1c",
        "sha1m",
        "sha1p",
        "sha1h",
        "sha1su0",
        "sha1su1",
        "sha256h",
        "sha256h2",
        "sha256su0",
        "sha256su1",
    ]
)


def missing_instruction(profile: Profile, missing: tuple[str, ...]) -> Instruction | None:
    """The first instruction of a profile that belongs to a `missing` extension (the target's [emulator] table)."""
    if "cryptography" not in missing:
        return None
    executed = (profile.blocks[edge.after] for edge in profile.edges)
    return next(
        (instruction for block in executed for instruction in decode(block) if _is_cryptography(instruction)), None
    )


def _is_cryptography(instruction: Instruction) -> bool:
    is_long = instruction.mnemonic.startswith("pmull") and ".1q" in instruction.text
    return is_long or instruction.mnemonic.split(".")[0] in _CRYPTOGRAPHY
