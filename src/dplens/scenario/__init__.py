"""Scenario files in YAML, TOML or JSON, which describe a release, its attackers and its limits.

``source`` reads values with their lines, ``check`` validates them against the ``schema`` made from the registered
classes, and ``written`` turns an assessment back into a file. May import ``assessment`` and everything below it. Start
with ``scenario``.
"""
