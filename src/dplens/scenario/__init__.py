"""Scenario files: one declarative description for command line, reports and studio."""
