"""Results in a notebook: a short ``repr``, light HTML, metrics and data frames.

``outline.py`` says what there is to show of a result, and ``html.py`` writes it; a file for each room that has results
holds their outlines. May import results, ``present.words`` and ``present.rounding``. Start with ``outline.py``.
"""
