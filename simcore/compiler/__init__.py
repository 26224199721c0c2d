"""Rules as plain Python: read (`program`), run as such (`plain`), and compiled.

`lower` turns sets of cards into machine words; `module` prints what comes out as one Python module
a game, `numba_code` compiles it with Numba, and `machine` keeps and loads the machine code.
"""
