"""Reproductions of the five papers behind dplens, with a list of their errors and a gallery of all figures.

Each paper has a module of functions that return a ``Figure``; Li's simulations have one of their own. They use public
names only (``import dplens as dl``); only ``draw`` and ``gallery`` import from ``present``. The texts are in
``figures.json`` and ``errata.json``, printed tables in ``printed.json``. Start with ``catalogue``, which lists the
figures, and ``records``, which says what a figure holds.
"""
