"""The documentation holds together: its links lead somewhere, its index has every page, its lines can be read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"

# Folders that a tool makes, anywhere, and those that make writes at the root.
MADE = {"node_modules", "target"}
MADE_AT_ROOT = {"build", "dist", "report"}

LONGEST_LINE = 120

# Each room and each folder of data says what it is.
WITH_README = (
    "action",
    "harness",
    "engines",
    "targets",
    "cores",
    "candidates",
    "tests",
    "website",
    "tatu",
    "link",
    "bancada",
    "experiments",
)

# A program writes this page, and its sentences list what it found.
MADE_BY_A_PROGRAM = {DOCS / "reference" / "survey.md"}

_LINK = re.compile(r"\]\(([^()\s]*)\)")
KINDS = ("tutorials", "how-to", "reference", "explanation", "diary")
_MENTION = re.compile(rf"(?<![\w/.])docs/(?:(?:{'|'.join(KINDS)})/[\w/-]+|[\w-]+)\.md")
_ONE_WORD = re.compile(r"^\s*(?:[-*>]\s+)?\S+$")
_CODE = re.compile(r"`[^`]*`")


def is_ours(path: Path) -> bool:
    """False for what a tool has made."""
    parts = path.relative_to(ROOT).parts
    return parts[0] not in MADE_AT_ROOT and not any(part in MADE or part.startswith(".") for part in parts)


def pages() -> list[Path]:
    """Every Markdown file of the repository."""
    return [path for path in sorted(ROOT.rglob("*.md")) if is_ours(path)]


def prose(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not in a code block, with their numbers from 1."""
    fence = ""
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1] == fence:
            fence = ""
        elif not fence:
            yield number, line


def anchors(text: str) -> set[str]:
    """The anchors of a page, as GitHub makes them of its headings, and those that it names itself."""
    found: set[str] = set()
    for _, line in prose(text):
        found |= set(re.findall(r'<a id="([^"]+)"', line))
        heading = re.match(r"#+\s+(.*)", line)
        if heading:
            plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
            slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
            repeated = sum(1 for known in found if re.fullmatch(re.escape(slug) + r"(-\d+)?", known))
            found.add(f"{slug}-{repeated}" if slug in found else slug)
    return found


def links(text: str) -> Iterator[tuple[int, str]]:
    """The targets of the links of a page that stay in the repository, with their lines."""
    for number, line in prose(text):
        for target in _LINK.findall(_CODE.sub("", line)):
            if "://" not in target and not target.startswith("mailto:"):
                yield number, target


def broken(page: Path, text: str) -> list[str]:
    """The links of a page that lead nowhere."""
    found = []
    for number, target in links(text):
        name, _, anchor = target.partition("#")
        at = page.parent / name
        there = not name or at.exists()
        if not there or (anchor and anchor not in anchors(at.read_text("utf-8") if name else text)):
            found.append(f"{page}:{number}: {target}")
    return found


def too_long(page: Path, text: str) -> list[str]:
    """The lines of prose that are longer than they may be. A table's row and a single word cannot be broken."""
    return [
        f"{page}:{number}: {len(line)} characters"
        for number, line in prose(text)
        if len(line) > LONGEST_LINE
        and not line.lstrip().startswith(("|", "<!--"))
        and not line.startswith("    ")
        and not _ONE_WORD.match(line)
    ]


def test_every_link_leads_to_something() -> None:
    assert [link for page in pages() for link in broken(page, page.read_text("utf-8"))] == []


def test_a_link_that_leads_nowhere_is_found() -> None:
    page = DOCS / "index.md"
    assert broken(page, "see [this](no-such-page.md)\n") == [f"{page}:1: no-such-page.md"]
    assert broken(page, "# One thing\n\n[here](#one-thing) and [there](#another)\n") == [f"{page}:3: #another"]
    assert broken(page, "```\n[code](no-such-page.md)\n```\n`[code](no-such-page.md)`\n") == []


def test_every_page_that_is_mentioned_is_there() -> None:
    """Comments and messages name pages of docs/ by their path from the repository's root."""
    suffixes = {".c", ".cpp", ".css", ".h", ".inc", ".js", ".py", ".rs", ".S", ".sh", ".toml"}
    lost = [
        f"{path}: {mention}"
        for path in sorted(ROOT.rglob("*"))
        if path.suffix in suffixes and is_ours(path)
        for mention in _MENTION.findall(path.read_text("utf-8"))
        if not (ROOT / mention).exists()
    ]
    assert lost == []


def test_every_page_is_in_the_index() -> None:
    index = DOCS / "index.md"
    listed = {(DOCS / target).resolve() for _, target in links(index.read_text("utf-8"))}
    assert [str(page) for page in sorted(DOCS.rglob("*.md")) if page != index and page not in listed] == []


def test_the_pages_lie_in_a_folder_of_their_kind() -> None:
    assert {path.name for path in DOCS.iterdir() if path.is_dir()} == set(KINDS)
    assert all(list((DOCS / kind).glob("*.md")) for kind in KINDS)


def test_every_folder_says_what_it_is() -> None:
    rooms = [path.parent for path in (ROOT / "bancada").glob("*/__init__.py")]
    folders = [*rooms, *(ROOT / name for name in WITH_README)]
    assert [str(folder) for folder in sorted(folders) if not (folder / "README.md").is_file()] == []


def test_no_line_of_prose_is_too_long() -> None:
    wrapped = [page for page in pages() if page not in MADE_BY_A_PROGRAM]
    assert [line for page in wrapped for line in too_long(page, page.read_text("utf-8"))] == []


def test_a_line_that_is_too_long_is_found() -> None:
    long = "word " * 30
    page = Path("page.md")
    assert too_long(page, f"short\n{long}\n") == ["page.md:2: 150 characters"]
    assert too_long(page, f"| {long} |\n```\n{long}\n```\n{'x' * 200}\n") == []


def _shape(page: Path) -> dict[str, list[str]]:
    """What a translation has in common with its original: commands, links, the names in tables, and headings."""
    text = page.read_text("utf-8")
    commands = [
        line.split("#")[0].strip()
        for block in re.findall(r"```\n(.*?)```", text, re.DOTALL)
        for line in block.splitlines()
    ]
    # A translation leads to translated pages where there are some.
    targets = [target.replace(".pt-BR.md", ".md") for _, target in links(text) if not target.startswith("README")]
    names = [line.split("|")[1].strip() for _, line in prose(text) if line.startswith("| `")]
    headings = [line.split()[0] for _, line in prose(text) if line.startswith("#")]
    return {"commands": commands, "links": targets, "names": names, "headings": headings}


def test_the_translation_of_the_readme_has_all_of_it() -> None:
    original, translation = _shape(ROOT / "README.md"), _shape(ROOT / "README.pt-BR.md")
    assert len(original["commands"]) > 10
    assert translation == original


def test_a_translated_page_has_the_blocks_links_and_headings_of_its_original() -> None:
    translations = sorted((ROOT / "docs").rglob("*.pt-BR.md"))
    assert translations
    block = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
    for page in translations:
        original = page.with_name(page.name.replace(".pt-BR.md", ".md"))
        assert block.findall(page.read_text("utf-8")) == block.findall(original.read_text("utf-8")), page
        shapes = [_shape(one) | {"commands": []} for one in (page, original)]  # blocks were compared above
        assert shapes[0] == shapes[1], page
