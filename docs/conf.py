"""Sphinx configuration."""

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

project = "dplens"
author = "The dplens authors"
copyright = author
release = version = installed_version("dplens")

sys.path.insert(0, str(Path(__file__).parent / "_ext"))
extensions = ["myst_parser", "sphinx.ext.autodoc", "offline_math", "catalogue", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
myst_update_mathjax = False
html_math_renderer = "mathml"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True}  # bases are private, and an option that is named counts as set
# The public names are exported lazily from private modules; show them as users write them.
add_module_names = False
python_display_short_literal_types = True

html_theme = "furo"
html_title = "dplens"
html_static_path = ["_static"]
html_css_files = ["site.css"]

# The gallery of the papers, where `make docs` has written it; sphinx alone builds the documents without it.
html_extra_path = ["gallery"] if (Path(__file__).parent / "gallery").is_dir() else []
exclude_patterns.append("gallery")
