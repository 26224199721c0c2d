"""How the documentation is built: `sphinx-build -nW docs build/docs`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from studies.version import VERSION

project = "cardlab"
author = "cardlab contributors"
release = VERSION
version = VERSION

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinxcontrib.programoutput",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "cardlab"
html_show_sourcelink = False

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_google_docstring = False
# Help texts are those of the program beside this Python, as wide as the page, without colours.
programs = str(Path(sys.executable).parent)
os.environ.update(
    COLUMNS="92", NO_COLOR="1", PATH=os.pathsep.join([programs, os.environ.get("PATH", "")])
)

# Types are written as people say them ("list of str"), not as links.
nitpick_ignore_regex = [(r"py:.*", r".*")]

# No pages outside are asked, so that the check says the same wherever it runs.
linkcheck_ignore = [r"https?://.*"]
