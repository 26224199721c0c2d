"""Rules as plain Python: read (`program`), run as such (`plain`), and compiled.

`lower` turns sets of cards into machine words; `emit` writes what comes out in LLVM's language, and
`machine` makes machine code of it; `driver` plays blocks of any game.
"""
