"""Builders of documents, one module for each kind of result.

A builder is a function under ``@presents(Kind, "document")`` that takes a result, the names of its pictures and a
language, and returns a `~dplens.present.report.document.Document`. Every module here is imported before the first
report, so that a new kind of result is one file. Start with ``assessment``.
"""
