"""JUnit XML for continuous integration: one test case for each case, red unless it is `ok`.

`failed` is an error (the laboratory or the device went wrong); the other ways not to be `ok` are failures of
the candidate. The figures travel as properties. There is no `time`: a device's time is not the test's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from bancada.ranking import ram_bytes
from bancada.records import Result, Status

# XML 1.0, production 2: characters that no document may hold, however escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(results: Sequence[Result]) -> str:
    root = ElementTree.Element("testsuites", name="bancada")
    suites: dict[str, list[Result]] = {}
    for result in results:
        suites.setdefault(result.target, []).append(result)
    _count(root, results)
    for target, members in suites.items():
        suite = ElementTree.SubElement(root, "testsuite", name=_clean(target))
        _count(suite, members)
        for result in members:
            _add_case(suite, result)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _count(element: ElementTree.Element, results: Sequence[Result]) -> None:
    errors = sum(result.status == Status.FAILED for result in results)
    bad = sum(result.status != Status.OK for result in results)
    element.set("tests", str(len(results)))
    element.set("failures", str(bad - errors))
    element.set("errors", str(errors))


def _add_case(suite: ElementTree.Element, result: Result) -> None:
    classname = f"{result.target}.{result.candidate}"
    case = ElementTree.SubElement(suite, "testcase", classname=_clean(classname), name=_clean(result.case))
    figures = {
        "fidelity": result.fidelity,
        "cycles_median": result.cycles_median,
        "time_us": result.time_us,
        "flash_bytes": result.flash_bytes,
        "ram_bytes": ram_bytes(result),
        "energy_uj": result.energy_uj,
        "conformance_passed": result.conformance_passed,
        "conformance_total": result.conformance_total,
    }
    properties = ElementTree.SubElement(case, "properties")
    for name, value in figures.items():
        if value is not None:
            ElementTree.SubElement(properties, "property", name=name, value=_clean(str(value)))
    if result.status != Status.OK:
        reason = _clean(result.reason or "no reason was recorded")
        kind = "error" if result.status == Status.FAILED else "failure"
        outcome = ElementTree.SubElement(case, kind, type=str(result.status), message=reason)
        outcome.text = reason


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
