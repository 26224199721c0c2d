"""Rules as plain Python: read (`program`), run as such (`plain`), and compiled.

`rewrite` passes the source of a function once, `units` puts functions, words and rounds together
as the text of one module, `numba_compiler` compiles it over the types of `numba_types`, `machine`
keeps and loads the machine code.
"""
