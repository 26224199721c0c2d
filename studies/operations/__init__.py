"""One function an operation: what `import cardlab` names, and what the commands print.

What was asked is checked here once (`asked`) and refused as `InputError`. Nothing here prints; a
caller who wants to see how far something is asks for `progress`, on stderr.
"""
