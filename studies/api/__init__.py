"""What the commands do, as functions and objects: what `import cardlab` gives, and `cli` prints.

Nothing here prints; who wants to see how far something is asks for `progress`, on stderr. What was
asked is checked here once (`asked`), refused as `InputError`.
"""
