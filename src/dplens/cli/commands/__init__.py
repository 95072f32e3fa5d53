"""The commands, one file for each or for a few that belong together.

May import everything else in ``cli`` and all packages below. ``../app.py`` lists them. Start with ``assess.py``; a new
command is a function here and a line there.
"""
