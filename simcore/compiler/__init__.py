"""Rules as plain Python: read (`program`), run as such (`plain`), and compiled.

`translate` turns rules into functions over numbers (`core`), and sets of cards into machine words.
`module` prints them as one Python module a game, `numba_code` compiles that with Numba, and
`machine` keeps and loads the machine code.
"""
