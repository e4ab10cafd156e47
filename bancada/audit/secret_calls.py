"""Which operations of a firmware have a secret, and calls of them with chosen secrets.

Their primitive says how.
"""

from __future__ import annotations

from bancada.model.errors import UserError
from bancada.monitor.monitor import Monitor
from bancada.plan.case import Firmware
from bancada.primitives import Secret, SecretCalls


def audited_operations(firmware: Firmware) -> tuple[str, ...]:
    """The operations of a firmware that have a secret. Verification and parsing have none."""
    secrets = firmware.primitive.secrets
    return secrets.operations(firmware) if secrets is not None else ()


def secrets_of(firmware: Firmware, operation: str) -> tuple[Secret, ...]:
    """What is secret:

    keys, plaintexts, hashed messages, nonces of signatures. Ciphertexts, tags, other nonces and digests are not.
    """
    primitive = firmware.primitive
    assert primitive.secrets is not None  # the caller has the operation from audited_operations
    return primitive.secrets.of(firmware, primitive.algorithm(firmware.algorithm), operation)


def secret_calls(monitor: Monitor, firmware: Firmware, operation: str) -> SecretCalls:
    """An operation on one device."""
    primitive = firmware.primitive
    assert primitive.secrets is not None
    return primitive.secrets.calls(monitor, firmware, primitive.algorithm(firmware.algorithm), operation)


def chosen_operations(firmware: Firmware, asked: tuple[str, ...]) -> tuple[str, ...]:
    """The operations with a secret that are asked for, or all. UserError for one that has no secret or does not
    exist."""
    known = audited_operations(firmware)
    if not known:
        raise UserError(
            f"{firmware.implementation} is a {firmware.primitive.name}, which has no audit of its own: audit the hash"
            " and the signature in it."
        )
    for name in asked:
        if name not in known:
            raise UserError(
                f"{firmware.implementation} has no operation '{name}' with a secret in it; it has {', '.join(known)}."
            )
    return asked or known
