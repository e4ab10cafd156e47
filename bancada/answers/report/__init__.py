"""The report: one self-contained HTML page, drawn from records. No network, no storage, nothing run."""
