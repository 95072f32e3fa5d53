"""Mechanisms and privacy notions side by side. Start with ``compare.py``."""
