"""Balance reports: each section is a query on the frame, one chart and one sentence template."""

from studies.report.build import build
from studies.report.page import write_html, write_markdown

__all__ = ["build", "write_html", "write_markdown"]
