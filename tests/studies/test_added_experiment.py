"""An experiment in a folder of BANCADA_PATH: its findings and its page section are in the report, with no edit."""

from __future__ import annotations

from pathlib import Path

import pytest

from bancada.answers.report.page import draw_report
from bancada.commands.assemble import assemble
from bancada.measure.laboratory import open_laboratory
from bancada.measure.read_metrics import read_metrics
from bancada.model.errors import UserError
from bancada.model.finding import Verdict
from bancada.store.store import Store
from bancada.studies.found import study_of
from tests.example_results import result

pytestmark = pytest.mark.quick

_EXPERIMENT = """
name = "{name}"
title = "Experiment {name}"
question = "Does the report know an experiment that nobody told it of?"
study = "A test's."
citation = "None."
targets = ["uno"]
candidates = ["tatu"]
algorithms = ["aes"]
operations = ["encrypt"]
key_bits = [128]
optimisations = ["-Os"]
samples = 16
"""
_FINDINGS = """
not_measured = "Nothing was measured."

[[finding]]
claim = "The claim of {name}"
published = "fewer than {limit}"
figures = "slowest"
ours = "at most {{cycles:,}} cycles"
thresholds = {{ limit = {limit} }}
holds = "cycles < limit"
why = "The limit of {name} is {limit}."
"""
# Both experiments have files of these names, and one of the folders has a dash.
_FIGURES = """
def slowest(evidence):
    cycles = [result.cycles_median for result in evidence.results]
    return {"cycles": max(cycles)} if cycles else None
"""
_SECTIONS = """
from bancada.answers.report.input import ExtraSection

def sections(evidence):
    return (ExtraSection("The section of {name}", tuple(f"{name}: {{one.operation}}" for one in evidence.results)),)
"""
_STUDY = """
from pathlib import Path

from bancada.studies.claim import read_claims
from bancada.studies.study import Study

from . import figures
from .sections import sections

STUDY = Study(read_claims(Path(__file__).with_name("findings.toml"), figures), sections=sections)
"""


def _add(root: Path, name: str, limit: int = 1) -> Path:
    folder = root / "experiments" / name
    folder.mkdir(parents=True)
    (folder / "experiment.toml").write_text(_EXPERIMENT.format(name=name))
    (folder / "findings.toml").write_text(_FINDINGS.format(name=name, limit=limit))
    (folder / "figures.py").write_text(_FIGURES)
    (folder / "sections.py").write_text(_SECTIONS.format(name=name))
    (folder / "study.py").write_text(_STUDY)
    return folder


def _refused(name: str) -> str:
    with pytest.raises(UserError) as refused:
        study_of(open_laboratory().experiment(name))
    return str(refused.value)


def test_findings_and_sections_of_two_added_experiments_are_in_the_report(added_root: Path, tmp_path: Path) -> None:
    store = Store(tmp_path / "results.sqlite")
    for name, limit, cycles in (
        ("my-study", 2000, {"encrypt": 1200, "decrypt": 1500}),
        ("other", 500, {"encrypt": 600}),
    ):
        _add(added_root, name, limit)
        for place, (operation, value) in enumerate(cycles.items()):
            store.put(name, place, f"{name} {place}", result(value, operation=operation))
    content = assemble(open_laboratory(), store, read_metrics())
    judged = {section.name: section.findings[0].verdict for section in content.experiments}
    assert judged == {"my-study": Verdict.HOLDS, "other": Verdict.DOES_NOT_HOLD}
    page = draw_report(content, read_metrics())
    for name, ours, last in (
        ("my-study", "at most 1,500 cycles", "decrypt"),
        ("other", "at most 600 cycles", "encrypt"),
    ):
        for shown in (f"The claim of {name}", ours, f"The section of {name}", f"<p>{name}: {last}</p>"):
            assert shown in page


def test_an_experiment_without_a_study_has_no_findings(added_root: Path) -> None:
    folder = _add(added_root, "cases-alone")
    (folder / "study.py").unlink()
    assert study_of(open_laboratory().experiment("cases-alone")).claims == ()


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("study.py", "import nothing_of_this_name\n", "study.py does not load: ModuleNotFoundError"),
        ("study.py", "STUDY = 1\n", "study.py: there is no object STUDY of the class bancada.studies.study.Study"),
        ("study.py", "def broken(:\n", "study.py does not load: SyntaxError"),
        ("figures.py", "", "figures.py has no function slowest"),
        ("findings.toml", "not_measured = 1\n", "findings.toml: key 'not_measured'"),
        ("findings.toml", _FINDINGS.format(name="x", limit=1).replace("cycles < limit", "open('x')"), "is not allowed"),
        (
            "findings.toml",
            _FINDINGS.format(name="x", limit=1).replace("cycles < limit", "cycles <"),
            "is not an expression",
        ),
        ("findings.toml", _FINDINGS.format(name="x", limit=1).replace("\nholds =", "\nhold ="), "key 'finding.0.hold'"),
    ],
)
def test_a_study_that_is_wrong_is_one_sentence_with_the_file(added_root: Path, file: str, text: str, said: str) -> None:
    folder = _add(added_root, "wrong")
    (folder / file).write_text(text)
    message = _refused("wrong")
    assert said in message and str(folder / file) in message and "\n" not in message


def test_a_study_that_was_mended_loads(added_root: Path) -> None:
    folder = _add(added_root, "mended")
    (folder / "study.py").write_text("raise RuntimeError('out of order')\n")
    assert "RuntimeError: out of order" in _refused("mended")
    (folder / "study.py").write_text(_STUDY)
    assert len(study_of(open_laboratory().experiment("mended")).claims) == 1


def test_an_expression_that_needs_a_figure_that_is_missing_is_one_sentence(added_root: Path, tmp_path: Path) -> None:
    folder = _add(added_root, "wrong")
    text = _FINDINGS.format(name="wrong", limit=1)
    store = Store(tmp_path / "results.sqlite")
    store.put("wrong", 0, "key", result(1))
    for changed in (text.replace("cycles < limit", "cicles < limit"), text.replace("{cycles:,}", "{cicles}")):
        (folder / "findings.toml").write_text(changed)
        with pytest.raises(UserError, match=r"The claim of wrong.*cicles"):
            assemble(open_laboratory(), store, read_metrics())
