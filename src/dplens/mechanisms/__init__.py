"""Mechanisms: frozen descriptions of what was released, and the curves they have."""
