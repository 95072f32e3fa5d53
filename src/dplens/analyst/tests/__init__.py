"""The tests of the analyst, one class per file. Start with ``base.py``; ``mean.py`` is the simplest test."""
