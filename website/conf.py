"""Sphinx's configuration of the site. `make_site.py` copies it beside the pages."""

project = "Bancada and Tatu"
html_title = project
extensions = ["myst_parser"]
html_theme = "furo"
root_doc = "docs/index"
include_patterns = ["*.md", "**/*.md"]
# Each heading has an address of its own, to be cited.
myst_heading_anchors = 4
# A sketch of a call in a header is not a whole program of C.
suppress_warnings = ["misc.highlighting_failure"]
html_copy_source = False
html_show_copyright = False
html_static_path = ["website/static"]
html_css_files = ["site.css"]
