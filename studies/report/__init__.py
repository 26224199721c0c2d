"""Balance reports: one page that answers what a study asked, in HTML or Markdown.

`build` puts what was measured into sections (sentences, figures, tables); `render` writes them.
Sentences are made from the numbers and say so when the numbers cannot tell; every number in a
report is in its machine-readable block too, and `recipes` shows how to compute it from the Parquet
files again.
"""

from studies.report.build import build
from studies.report.render import write_html, write_index, write_markdown

__all__ = ["build", "write_html", "write_index", "write_markdown"]
