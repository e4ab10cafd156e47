"""Why a proof cannot be made. Each says what was found and where, for the person who reads it."""

from __future__ import annotations

from bancada.model.errors import UserError


class CannotProve(UserError):
    """The function does something that this method cannot follow."""


class TimeUsedUp(CannotProve):
    """Following the program takes longer than what was allowed: more time may be enough."""


class MissingFunction(CannotProve):
    """The program does not have the function."""


class SecretTime(CannotProve):
    """The time or the way through the program depends on a secret."""


class ContractBroken(CannotProve):
    """The function reads or writes what its contract does not declare, or does not restore what it must."""
