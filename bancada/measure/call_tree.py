"""Who called whom in what `bancada measure` measured: as text, as folded stacks, as a flame graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from bancada.model.measurement import CallNode

_INDENT = "  "

# The flame graph, in pixels of its own coordinates.
_WIDTH = 1000.0
_ROW = 20
_TEXT_OFFSET = 14
_CHARACTER = 6.6
_MARGIN = 4.0
# Alternating, so that neighbours are told apart; each has a contrast of more than 4.5 with the text.
_COLOURS = ("#f2c572", "#e9a86b", "#dcd07c", "#efb8a0")


@dataclass(frozen=True)
class _Branch:
    node: CallNode
    total: int
    children: tuple[_Branch, ...]


def _branches(nodes: Sequence[CallNode]) -> tuple[_Branch, ...]:
    """The trees, the most expensive first. Children come behind their parents, so that the last node has none."""
    below: list[list[_Branch]] = [[] for _ in nodes]
    roots: list[_Branch] = []
    for place in range(len(nodes) - 1, -1, -1):
        node = nodes[place]
        children = tuple(sorted(below[place], key=lambda branch: (-branch.total, branch.node.function)))
        branch = _Branch(node, node.cycles + sum(child.total for child in children), children)
        (roots if node.parent is None else below[node.parent]).append(branch)
    return tuple(sorted(roots, key=lambda branch: (-branch.total, branch.node.function)))


def tree_lines(nodes: Sequence[CallNode]) -> list[str]:
    """A line for each function under its caller, the most expensive first: cycles with what it calls, its own cycles,
    number of calls."""
    lines = []
    for depth, branch in _walked(_branches(nodes)):
        node = branch.node
        times = "call" if node.calls == 1 else "calls"
        lines.append(
            f"{branch.total:>12,} {node.cycles:>12,}  {_INDENT * depth}{node.function}, {node.calls:,} {times}"
        )
    return lines


def folded(nodes: Sequence[CallNode]) -> str:
    """Folded stacks, which flame graph programs read: `caller;callee own-cycles`, a line for each way."""
    lines = []
    names: list[str] = []
    for node in nodes:
        name = node.function.replace(";", ",").replace("\n", " ")
        names.append(name if node.parent is None else f"{names[node.parent]};{name}")
        if node.cycles:
            lines.append(f"{names[-1]} {node.cycles}\n")
    return "".join(lines)


def flame_graph(nodes: Sequence[CallNode], title: str) -> str:
    """The flame graph as an SVG file: a box for each way to a function, as wide as its cycles with what it calls, above
    its caller. A box says its figures when it is pointed at."""
    roots = _branches(nodes)
    whole = sum(root.total for root in roots) or 1
    depth = max((level for level, _ in _walked(roots)), default=0) + 1
    height = _ROW * (depth + 1) + 2 * _MARGIN
    boxes: list[str] = []

    # By hand and not by recursion: what was measured may call itself deeper than Python does.
    waiting = [(root, 0, left) for root, left in _placed(roots, 0.0, whole)]
    while waiting:
        branch, level, left = waiting.pop()
        width = branch.total / whole * _WIDTH
        top = height - _MARGIN - _ROW * (level + 1)
        name = branch.node.function
        share = branch.total / whole * 100
        figures = (
            f"{branch.total:,} cycles ({share:.1f} %), its own {branch.node.cycles:,}, {branch.node.calls:,} calls"
        )
        said = f"{name}: {figures}"
        room = int((width - 2 * _MARGIN) / _CHARACTER)
        text = name if len(name) <= room else f"{name[: room - 1]}…" if room > 3 else ""
        label = f'<text x="{left + _MARGIN:.1f}" y="{top + _TEXT_OFFSET:.1f}">{escape(text)}</text>' if text else ""
        colour = _COLOURS[sum(name.encode()) % len(_COLOURS)]
        boxes.append(
            f'<g><title>{escape(said)}</title><rect x="{left:.1f}" y="{top:.1f}" width="{max(width - 0.5, 0.2):.1f}"'
            f' height="{_ROW - 1}" fill="{colour}"/>{label}</g>\n'
        )
        waiting += [(child, level + 1, at) for child, at in _placed(branch.children, left, whole)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH:g} {height:g}" font-family="monospace"'
        f' font-size="11" role="img" aria-label="{escape(title)}">\n'
        f'<rect width="100%" height="100%" fill="#ffffff"/>\n<text x="{_MARGIN:g}" y="{_TEXT_OFFSET}">{escape(title)}'
        f"</text>\n{''.join(boxes)}</svg>\n"
    )


def _placed(branches: Sequence[_Branch], left: float, whole: int) -> list[tuple[_Branch, float]]:
    """Each branch with where its box begins, the first at `left`."""
    found = []
    for branch in branches:
        found.append((branch, left))
        left += branch.total / whole * _WIDTH
    return found


def _walked(branches: Sequence[_Branch]) -> list[tuple[int, _Branch]]:
    """Each branch with its depth, a parent before its children."""
    found: list[tuple[int, _Branch]] = []
    waiting = [(0, branch) for branch in reversed(branches)]
    while waiting:
        depth, branch = waiting.pop()
        found.append((depth, branch))
        waiting += [(depth + 1, child) for child in reversed(branch.children)]
    return found
