"""The analyst: tests on published noisy numbers, with power, p-values and intervals.

``tests`` holds one class per test, ``laws`` the laws of noisy numbers that they use, ``planning`` the design of studies
before data are collected. May import ``correlated`` and everything below it. Start with ``tests/base.py``.
"""
