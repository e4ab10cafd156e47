"""The strings of a Python program as messages: each expression in one is a named placeholder."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator


def template(node: ast.AST, names: dict[str, str] | None = None) -> str | None:
    """The text of a string, with a named placeholder for each expression in it."""
    names = {} if names is None else names
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = []
        for part in node.values:
            if isinstance(part, ast.Constant):
                parts.append(str(part.value))
            elif isinstance(part, ast.FormattedValue):
                parts.append("{" + _unique(ast.unparse(part.value), names) + "}")
        return "".join(parts)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = template(node.left, names), template(node.right, names)
        return None if left is None or right is None else left + right
    return None


def _unique(expression: str, names: dict[str, str]) -> str:
    """The placeholder of an expression: two expressions of one message have two."""
    if expression not in names:
        name = name_of(expression)
        names[expression] = name if name not in names.values() else f"{name}_{len(names)}"
    return names[expression]


def name_of(expression: str) -> str:
    return re.sub(r"\W+", "_", expression).strip("_")[:24].strip("_") or "it"


def _docstrings(tree: ast.AST) -> set[int]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr):
                found.add(id(first.value))
    return found


def outermost_strings(tree: ast.AST) -> Iterator[ast.AST]:
    """Every string that is not a part of another one, nor a docstring."""
    docstrings = _docstrings(tree)
    inner: set[int] = set()
    for node in ast.walk(tree):
        if id(node) in inner:
            continue
        if isinstance(node, ast.Constant | ast.JoinedStr | ast.BinOp) and template(node) is not None:
            inner |= {id(part) for part in ast.walk(node)} - {id(node)}
            nested = [part for part in ast.walk(node) if isinstance(part, ast.FormattedValue)]
            for part in nested:
                yield from outermost_strings(part.value)
            if id(node) not in docstrings:
                yield node
