"""The documentation as static pages that can be searched, with the report of the stored results beside them.

Usage: make_site.py FOLDER. FOLDER is made anew. Its first page is index.html; no page needs a network or a server.
Every Markdown file that Git tracks is a page. A link to another file of the repository gives that file; a link to a
folder gives the folder's README. Without stored results there is no report. The exit code is not 0 if a link leads
nowhere.
"""

from __future__ import annotations

import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
INDEX = "docs/index.md"
_LINK = re.compile(r"\[([^\]]+)\]\(([^)#:\s]+)(#[^)\s]*)?\)")
_REPORT = '\n<a href="../report/index.html">The report</a>: what was measured and stored before this site was made.\n'
_FIRST_PAGE = (
    '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=docs/index.html">'
    '<title>Bancada and Tatu</title><a href="docs/index.html">Bancada and Tatu</a>\n'
)


def make_site(folder: Path) -> int:
    """Makes the site in `folder` and gives Sphinx's exit code; 2 for a folder that holds something else."""
    if folder.exists():
        if not folder.is_dir() or (any(folder.iterdir()) and not (folder / "objects.inv").is_file()):
            print(f"make_site: {folder} is there and is no site; name another folder.", file=sys.stderr)
            return 2
        shutil.rmtree(folder)
    bancada = Path(sys.executable).with_name("bancada")
    with tempfile.TemporaryDirectory() as scratch:
        pages, report = Path(scratch, "pages"), Path(scratch, "report")
        drawn = subprocess.run([bancada, "report", "--output", report / "index.html"], check=False).returncode == 0
        if not drawn:
            print("make_site: the site is made without a report.")
        _copy_tracked(pages)
        for page in sorted(pages.rglob("*.md")):
            page.write_text(_folders_as_pages(page, pages), encoding="utf-8")
        with (pages / INDEX).open("a", encoding="utf-8") as index:
            index.write((_REPORT if drawn else "") + _contents(pages))
        shutil.copy(Path(__file__).with_name("conf.py"), pages / "conf.py")
        command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going", "-b", "html"]
        made = subprocess.run([*command, str(pages), str(folder)], check=False)
        if drawn and made.returncode == 0:
            shutil.copytree(report, folder / "report")
    if made.returncode == 0:
        (folder / "index.html").write_text(_FIRST_PAGE, encoding="utf-8")
        print(f"make_site: {folder / 'index.html'}")
    return made.returncode


def _copy_tracked(pages: Path) -> None:
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, tracked.split("\0")):
        if (ROOT / name).is_file():
            copy = pages / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy)


def _folders_as_pages(page: Path, pages: Path) -> str:
    """The page's text, in which a link to a folder leads to its README, or is plain words if there is none."""

    def link(match: re.Match[str]) -> str:
        words, target = match[1], match[2]
        if not (page.parent / target).is_dir():
            return match[0]
        readme = posixpath.join(target, "README.md")
        return f"[{words}]({readme})" if (page.parent / readme).is_file() else words

    return _LINK.sub(link, page.read_text(encoding="utf-8"))


def _contents(pages: Path) -> str:
    """The tree of contents: the index's own sections, then every page that the index does not name."""
    index = (pages / INDEX).read_text(encoding="utf-8")
    named = {"/" + INDEX.removesuffix(".md")}
    trees = []
    for section in re.split(r"^## ", index, flags=re.MULTILINE):
        heading = section.splitlines()[0].removeprefix("# ")
        entries = []
        for match in _LINK.finditer(section):
            name = "/" + posixpath.normpath(posixpath.join("docs", match[2])).removesuffix(".md")
            if match[2].endswith(".md") and name not in named:
                named.add(name)
                entries.append(name)
        trees.append(_tree("Begin" if heading == "Documentation" else heading, entries))
    every = ("/" + page.relative_to(pages).as_posix().removesuffix(".md") for page in sorted(pages.rglob("*.md")))
    trees.append(_tree("Each folder", [name for name in every if name not in named]))
    return "\n\n" + "\n\n".join(trees) + "\n"


def _tree(caption: str, entries: list[str]) -> str:
    return "\n".join(["```{toctree}", ":hidden:", f":caption: {caption}", "", *entries, "```"])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Usage: make_site.py FOLDER")
    sys.exit(make_site(Path(sys.argv[1])))
