"""One function per operation: `import cardlab` exports them, and the commands print their results.

Arguments are checked here, once (`arguments`). What is invalid, missing or damaged raises
`InputError`; its message names the argument or file, the value, and what is allowed. Nothing here
prints; `progress=True` shows progress on stderr.
"""
