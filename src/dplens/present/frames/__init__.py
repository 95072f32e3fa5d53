"""Tidy tables, one for each picture: every number that a picture or its table shows, and nothing drawn."""
