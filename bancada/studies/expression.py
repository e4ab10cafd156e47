"""Expressions in the files of findings: comparisons and arithmetic on named figures. Nothing else of Python is
allowed."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {"abs": abs, "len": len, "max": max, "min": min}
_GRAMMAR = "numbers, names, + - * /, comparisons, and, or, not, [index], abs, len, max and min"


@dataclass(frozen=True)
class Expression:
    """An expression whose grammar was checked. `names` are those that it needs."""

    text: str
    tree: ast.expr
    names: frozenset[str]

    def value(self, figures: Mapping[str, Any]) -> Any:
        """The expression with these figures. KeyError with the name of a figure that is missing."""
        return _value(self.tree, figures)


def expression(text: str) -> Expression:
    """The expression in `text`. ValueError, as the second half of a sentence, for text that is not an expression."""
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"'{text}' is not an expression: {error.msg}") from error
    names = frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id not in _FUNCTIONS)
    _check(tree, text)
    return Expression(text, tree, names)


def _check(node: ast.expr, text: str) -> None:
    parts: list[ast.expr]
    match node:
        case ast.Name() | ast.Constant(value=bool() | int() | float()):
            parts = []
        case ast.BoolOp():
            parts = node.values
        case ast.UnaryOp() if type(node.op) in _OPERATORS:
            parts = [node.operand]
        case ast.BinOp() if type(node.op) in _OPERATORS:
            parts = [node.left, node.right]
        case ast.Compare() if all(type(op) in _OPERATORS for op in node.ops):
            parts = [node.left, *node.comparators]
        case ast.Subscript():
            parts = [node.value, node.slice]
        case ast.Call(func=ast.Name(id=name), keywords=[]) if name in _FUNCTIONS:
            parts = node.args
        case _:
            raise ValueError(f"'{text}' is not allowed: an expression has {_GRAMMAR}")
    for part in parts:
        _check(part, text)


def _value(node: ast.expr, figures: Mapping[str, Any]) -> Any:
    """The value of a tree that `_check` passed."""
    value: Any
    match node:
        case ast.Constant():
            value = node.value
        case ast.Name():
            value = figures[node.id]
        case ast.BoolOp():
            decides = isinstance(node.op, ast.Or)
            value = decides is any(bool(_value(one, figures)) is decides for one in node.values)
        case ast.UnaryOp():
            value = _OPERATORS[type(node.op)](_value(node.operand, figures))
        case ast.BinOp():
            value = _OPERATORS[type(node.op)](_value(node.left, figures), _value(node.right, figures))
        case ast.Compare():
            values = [_value(one, figures) for one in (node.left, *node.comparators)]
            pairs = zip(node.ops, values, values[1:], strict=False)
            value = all(_OPERATORS[type(op)](left, right) for op, left, right in pairs)
        case ast.Subscript():
            value = _value(node.value, figures)[_value(node.slice, figures)]
        case ast.Call(func=ast.Name(id=name)):
            value = _FUNCTIONS[name](*(_value(one, figures) for one in node.args))
        case _:
            raise AssertionError(f"{ast.dump(node)} is refused when the expression is read")
    return value
