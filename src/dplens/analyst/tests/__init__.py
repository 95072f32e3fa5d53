"""The analyst's tests, about one class per file.

May import ``analyst.laws`` and everything below ``analyst``. Start with ``base.py``; ``mean.py`` is the simplest test.
"""
