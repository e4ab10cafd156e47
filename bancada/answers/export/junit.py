"""JUnit XML for continuous integration: one test case for each case, red unless it is `ok`.

`failed` is an error of the laboratory or the device. `not-offered` is skipped. Every other status except `ok` is a
failure of the candidate. The figures travel as properties. There is no `time`: a device's time is not the test's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from bancada.measure.read_metrics import Metrics
from bancada.model.result import Result
from bancada.model.status import Status

# XML 1.0, production 2: characters that no document may hold, however escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(results: Sequence[Result], metrics: Metrics) -> str:
    root = ElementTree.Element("testsuites", name="bancada")
    suites: dict[str, list[Result]] = {}
    for result in results:
        suites.setdefault(result.target, []).append(result)
    _count(root, results)
    for target, members in suites.items():
        suite = ElementTree.SubElement(root, "testsuite", name=_clean(target))
        _count(suite, members)
        for result in members:
            _add_case(suite, result, metrics)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _count(element: ElementTree.Element, results: Sequence[Result]) -> None:
    errors = sum(result.status == Status.FAILED for result in results)
    skipped = sum(result.status is Status.NOT_OFFERED for result in results)
    bad = sum(result.status is not Status.OK for result in results) - skipped
    element.set("tests", str(len(results)))
    element.set("failures", str(bad - errors))
    element.set("errors", str(errors))
    element.set("skipped", str(skipped))


def _add_case(suite: ElementTree.Element, result: Result, metrics: Metrics) -> None:
    classname = f"{result.target}.{result.candidate}"
    case = ElementTree.SubElement(suite, "testcase", classname=_clean(classname), name=_clean(result.case))
    figures: dict[str, object] = {"fidelity": result.fidelity}
    figures |= {figure.field: result.value(figure.field) for figure in metrics.figures}
    figures |= {metric.name: metric.value(result) for metric in metrics if not metric.figures}
    figures |= {
        "conformance_passed": result.conformance_passed,
        "conformance_total": result.conformance_total,
    }
    properties = ElementTree.SubElement(case, "properties")
    for name, value in figures.items():
        if value is not None:
            ElementTree.SubElement(properties, "property", name=name, value=_clean(str(value)))
    if result.status != Status.OK:
        reason = _clean(result.reason or "no reason was recorded")
        kind = {Status.FAILED: "error", Status.NOT_OFFERED: "skipped"}.get(result.status, "failure")
        outcome = ElementTree.SubElement(case, kind, type=str(result.status), message=reason)
        outcome.text = reason


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
