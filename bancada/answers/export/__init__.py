"""Results as text, for other programs and for papers.

A format is one file with one function, `render(results) -> str`. One that must know the metrics, or the targets and
candidates, also has the arguments `metrics` or `laboratory`. Those of this package are `jsonl`, `csv`, `markdown`,
`latex`, `junit`, `survey` and `bibtex`. A file `export/NAME.py` in a folder of BANCADA_PATH adds the format NAME.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from bancada.catalogue.paths import room
from bancada.measure.read_metrics import Metrics
from bancada.model.errors import UserError, unknown_name
from bancada.model.result import Result
from bancada.plan.laboratory import Laboratory


def formats() -> list[str]:
    """The names that `export` takes, ours and the user's."""
    return sorted({*_ours(), *_added()})


def export(results: Sequence[Result], format: str, metrics: Metrics, laboratory: Laboratory) -> str:
    """The results in the named format, in the order given. UserError for an unknown format, or one that does not
    load."""
    added = _added()
    if format in added:
        module = _load(format, added[format])
    elif format in _ours():
        module = importlib.import_module(f"{__name__}.{format}")
    else:
        raise unknown_name("export format", format, formats())
    render = getattr(module, "render", None)
    if not callable(render):
        raise UserError(f"{module.__file__} adds the export format '{format}', but has no function render(results).")
    offered = {"metrics": metrics, "laboratory": laboratory}
    wanted = inspect.signature(render).parameters
    return str(render(results, **{name: thing for name, thing in offered.items() if name in wanted}))


def _ours() -> set[str]:
    return {module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")}


def _added() -> dict[str, Path]:
    files = [path for folder in room("export") for path in sorted(folder.glob("*.py"))]
    return {path.stem: path for path in files if not path.stem.startswith("_")}


def _load(format: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"bancada_export_{format}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise UserError(f"{path} adds the export format '{format}', but does not load: {error}") from error
    return module
