"""How Sphinx makes the site of these pages: ``pagelet docs --site``, and the build of a wheel.

Everything it loads lies beside it, so that it reads and searches without a network, from a folder.
"""

project = "Pagelet"
html_title = "Pagelet"
author = "Pagelet"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["**.ipynb"]
myst_heading_anchors = 4
myst_enable_extensions = ["fieldlist"]
suppress_warnings = ["myst.header", "misc.highlighting_failure"]
highlight_language = "text"
nitpicky = True

html_theme = "furo"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_copy_source = False  # the site is the copy
html_show_sphinx = False
html_use_index = False
html_show_copyright = False
pygments_style = "friendly"
pygments_dark_style = "monokai"
