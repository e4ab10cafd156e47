"""Compiles what the export writes (`make test-latex`): the planted table, and each study's tables of your store.

It needs a LaTeX with booktabs and longtable, which `./setup.sh latex` installs.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from bancada.answers.paper.latex import latex_table
from tests.answers.paper.documents import TABLE
from tests.answers.paper.latex_checker import problems

_DOCUMENT = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage[margin=1.5cm,landscape]{geometry}
\usepackage{booktabs,longtable,textcomp}
\begin{document}
%s
\end{document}
"""
_ASKED = ("published", "findings", "tables")


def _compiled(name: str, text: str, folder: Path) -> bool:
    (folder / f"{name}.tex").write_text(_DOCUMENT % text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", f"{name}.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    errors = [line for line in done.stdout.splitlines() if line.startswith("!")]
    said = problems(text)
    print(f"{name}: {'compiled' if done.returncode == 0 else errors[:1]}; checker: {said[:1] or 'no problem'}")
    return done.returncode == 0 and not said


def main(experiments: list[str]) -> int:
    """0 if all compile, and the checker of the tests agrees."""
    good = True
    with tempfile.TemporaryDirectory(prefix="bancada-latex-") as name:
        folder = Path(name)
        good &= _compiled("planted", latex_table(TABLE), folder)
        for experiment in experiments:
            for what in _ASKED:
                words = ["bancada", "export", "--format", "latex", "--experiment", experiment, "--what", what]
                text = subprocess.run(
                    [str(Path(sys.executable).with_name(words[0])), *words[1:]],
                    capture_output=True,
                    text=True,
                    check=True,
                ).stdout
                good &= _compiled(f"{experiment}-{what}", text, folder)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
