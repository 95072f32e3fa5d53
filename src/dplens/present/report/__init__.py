"""Reports: one page that holds everything, for people who were not there."""

from __future__ import annotations

from dplens.present.report.write import report_html, report_json, report_markdown, write_report

__all__ = ["report_html", "report_json", "report_markdown", "write_report"]
