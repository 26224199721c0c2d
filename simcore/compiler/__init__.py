"""Rules as plain Python: read (`program`), run as such (`plain`), and compiled.

`lower` turns sets of cards into machine words; `lanes` makes code for one match and masked code for
many of it, in the words of `machine`; `driver` plays blocks of any game.
"""
