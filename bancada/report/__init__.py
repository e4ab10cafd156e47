"""The report: one self-contained HTML page, drawn from records. No network, no storage, nothing run."""

from bancada.report.input import ExperimentSection, ExtraSection, ReportInput, SourcedFact, TargetFacts
from bancada.report.page import draw_report

__all__ = ["ExperimentSection", "ExtraSection", "ReportInput", "SourcedFact", "TargetFacts", "draw_report"]
