"""Sphinx configuration."""

from importlib.metadata import version as installed_version

project = "dplens"
author = "The dplens authors"
copyright = author
release = version = installed_version("dplens")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "show-inheritance": False}
# The public names are exported lazily from private modules; show them as users write them.
add_module_names = False
python_display_short_literal_types = True

html_theme = "furo"
html_title = "dplens"
