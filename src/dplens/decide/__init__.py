"""Decisions: parameters from requirements, one guarantee from another, mechanisms side by side."""
