"""Finds what an experiment has beyond its cases: study.py in its folder."""

from __future__ import annotations

from bancada.catalogue.experiment import Experiment
from bancada.catalogue.plugins import load_neighbour
from bancada.model.errors import UserError
from bancada.studies.study import Study

_FILE, _OBJECT = "study.py", "STUDY"


def study_of(experiment: Experiment) -> Study:
    """The study in the experiment's folder. Without study.py it is a study without claims and sections.

    UserError, with the file, if it does not load, or if STUDY is not a Study.
    """
    path = experiment.folder / _FILE
    if not path.is_file():
        return Study()
    study = getattr(load_neighbour(path), _OBJECT, None)
    if not isinstance(study, Study):
        raise UserError(f"{path}: there is no object {_OBJECT} of the class bancada.studies.study.Study.")
    return study
