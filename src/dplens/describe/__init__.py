"""Releases, questions and data models as plain values, and back: what files, commands and reports are written in."""
