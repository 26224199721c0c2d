"""Figures of a report, all drawn by matplotlib.

`charts` draws rows of the frame; `figure` has the style, and writes a figure as SVG or PNG.
"""
