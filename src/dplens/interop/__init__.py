"""Objects of other libraries (dp-accounting, Opacus, OpenDP, arrays and frames) as mechanisms, and back where exact.

Other libraries are imported only inside the functions that need them. May import everything below ``interop`` in the
map except ``auditing``. Start with ``dp_events.py``.
"""
