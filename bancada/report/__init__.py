"""The report: one self-contained HTML page, drawn from records. No network, no storage, nothing run."""

from bancada.report.input import ExperimentSection, ExtraSection, ReportInput, Series, SourcedFact, TargetFacts, XYPlot
from bancada.report.page import draw_report

__all__ = ["ExperimentSection", "ExtraSection", "ReportInput", "Series", "SourcedFact", "TargetFacts", "XYPlot", "draw_report"]
