"""Reports as HTML, PDF, Markdown and JSON for readers who do not run dplens.

A builder in ``kinds`` makes a result into a ``document``, which knows no format; ``html``, ``pdf``, ``markdown`` and
``as_json`` print any document and know no result, with pictures from ``drawings``. ``tables``, ``numbers``
and ``figures`` hold what documents of assessments show. Start with ``document``, then ``kinds/assessment``; ``write``
chooses the format.
"""

from __future__ import annotations

from dplens.present.report.write import report_html, report_json, report_markdown, report_pdf, write_report

__all__ = ["report_html", "report_json", "report_markdown", "report_pdf", "write_report"]
