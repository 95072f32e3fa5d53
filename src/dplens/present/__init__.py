"""Results for readers: sentences, risk cards, charts and reports.

Numbers come from lower packages; here they are rounded, worded, tabulated and drawn. May import everything except
``cli`` and ``papers``; nothing below imports it, since ``presenters`` registers itself with the result types. Start
with ``words/say.py`` for sentences, ``frames/base.py`` for the tables behind charts, ``report/write.py`` for reports.
"""
