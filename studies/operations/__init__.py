"""One function per operation: `import cardlab` exports them, and the commands print their results.

Arguments are checked here, once (`arguments`), and refused with `InputError`. Nothing here prints;
`progress=True` shows progress on stderr.
"""
