"""Reports as HTML, Markdown and JSON for readers who do not run dplens.

Puts sentences from ``present.words``, charts and tables into templates. Start with ``write``, then ``content``.
"""

from __future__ import annotations

from dplens.present.report.write import report_html, report_json, report_markdown, write_report

__all__ = ["report_html", "report_json", "report_markdown", "write_report"]
