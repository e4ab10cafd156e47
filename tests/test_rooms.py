"""The house of the laboratory (ARCHITECTURE.md): folders are the steps of a case, and imports go down only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import bancada

pytestmark = pytest.mark.quick

PACKAGE = Path(bancada.__file__).parent

# From the bottom up: a room uses those before it in this list, and itself. There are no exceptions.
ROOMS = (
    "model",
    "language",
    "entropy",
    "costing",
    "monitor",
    "catalogue",
    "sources",
    "compilers",
    "formulas",
    "primitives",
    "plan",
    "build",
    "engines",
    "measure",
    "store",
    "campaign",
    "answers",
    "studies",
    "audit",
    "validate",
    "calibrate",
    "prove",
    "commands",
)


def imports_of(text: str) -> Iterator[str]:
    """Every module of the laboratory that a source imports, at its top or inside a function."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module and node.module.startswith("bancada"):
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.startswith("bancada"))


def module_of(path: Path) -> str:
    """The dotted name of a file of the package."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def upward(room: str, text: str) -> list[str]:
    """The imports of a source in `room` that reach a room above it."""
    return [
        name
        for name in imports_of(text)
        if len(parts := name.split(".")) > 1 and parts[1] in ROOMS and ROOMS.index(parts[1]) > ROOMS.index(room)
    ]


def test_every_folder_is_a_room() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name not in ("__pycache__", "schema")}
    assert folders == set(ROOMS)


def test_no_module_lies_outside_the_rooms() -> None:
    assert {path.name for path in PACKAGE.glob("*.py")} == {"__init__.py", "__main__.py"}


def test_imports_go_down_only() -> None:
    found = {}
    for path in PACKAGE.rglob("*.py"):
        room = path.relative_to(PACKAGE).parts[0]
        if room in ROOMS and (above := upward(room, path.read_text(encoding="utf-8"))):
            found[module_of(path)] = above
    assert not found


def test_an_import_that_goes_up_is_found() -> None:
    assert upward("model", "from bancada.plan.plan import plan\n") == ["bancada.plan.plan", "bancada.plan.plan.plan"]
    assert upward("plan", "def late() -> None:\n    import bancada.measure.run\n") == ["bancada.measure.run"]
    assert upward("plan", "from bancada.model.case import Case\n") == []


def _circles(graph: dict[str, set[str]]) -> list[tuple[str, ...]]:
    """Groups of modules each of which imports every other, directly or not (Tarjan, 1972)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[tuple[str, ...]] = []

    def visit(node: str) -> None:
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in sorted(graph[node]):
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            at = stack.index(node)
            if len(group := tuple(sorted(stack[at:]))) > 1:
                found.append(group)
            del stack[at:]

    for node in sorted(graph):
        if node not in number:
            visit(node)
    return found


def test_no_modules_import_each_other_in_a_circle() -> None:
    modules = {module_of(path): path for path in PACKAGE.rglob("*.py")}
    graph = {
        name: {other for other in imports_of(path.read_text(encoding="utf-8")) if other in modules and other != name}
        for name, path in modules.items()
    }
    # A package's __init__ is run by whoever imports a module of it, and so is no import of its own.
    assert not _circles(graph)


def test_a_circle_is_found() -> None:
    assert _circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [("a", "b", "c")]
