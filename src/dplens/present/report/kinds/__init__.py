"""Builders of documents: of assessments, and of every other result from its outline.

A builder is registered under ``@presents(Kind, "document")``: it takes a result, the names of its pictures and a
language, and returns a `~dplens.present.report.document.Document`. Results other than assessments share one, `Pages` in
``result``, to which kinds of results add what is special about them under ``@presents(Kind, "pages")``. Every module
here is imported before the first report, so that a new kind of result is one file. Start with ``assessment``, then
``result``.
"""
