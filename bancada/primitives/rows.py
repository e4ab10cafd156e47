"""Holds an implementation's row of candidate.toml against what its primitive asks for."""

from __future__ import annotations

from collections.abc import Mapping

from bancada.catalogue.candidate import Candidate, Implementation
from bancada.model.errors import UserError, unknown_name
from bancada.primitives.primitive import Primitive


def primitive_of(candidate: Candidate, row: Implementation, primitives: Mapping[str, Primitive]) -> Primitive:
    """The primitive of an implementation.

    UserError if there is none of that name, or the row lacks what it must give.
    """
    where = f"{candidate.folder / 'candidate.toml'}: implementation '{row.name}'"
    if row.primitive not in primitives:
        raise UserError(f"{where}: {unknown_name('primitive', row.primitive, primitives)}")
    primitive = primitives[row.primitive]
    known = {*primitive.measured, *primitive.setting_key}
    for name in row.operations:
        if name not in known:
            raise UserError(f"{where}: {unknown_name(f'operation of a {primitive.name}', name, known)}")
    if not set(primitive.required) <= set(row.operations):
        raise UserError(
            f"{where}: a {primitive.name} has at least the operations {', '.join(sorted(primitive.required))}."
        )
    for field in primitive.required_fields:
        if not getattr(row, field):
            raise UserError(f"{where}: a {primitive.name} needs '{field}'.")
    if row.byte_order:
        _need_byte_order(where, row, primitive)
    return primitive


def _need_byte_order(where: str, row: Implementation, primitive: Primitive) -> None:
    algorithm = primitive.algorithms.get(row.algorithm)
    known = tuple(algorithm.byte_orders) if algorithm is not None else ()
    if not known:
        raise UserError(f"{where}: '{row.algorithm}' has one byte order only; leave 'byte_order' out.")
    if row.byte_order not in known:
        raise UserError(f"{where}: {unknown_name(f'byte order of {row.algorithm}', row.byte_order, known)}")


def operations_of(row: Implementation, primitive: Primitive) -> tuple[str, ...]:
    """The operations that a row lists, and those that they imply."""
    implied = (primitive.implied[name] for name in row.operations if name in primitive.implied)
    return tuple(dict.fromkeys((*row.operations, *implied)))
