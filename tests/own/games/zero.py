from cardlab import Param, policy
from simcore.language import highest, lowest
from simcore.games.uno.state import COLOUR


@policy("guess.py", idea="the lowest", params=[Param("high", 0, 0, 1, "takes the highest")])
def zero(s, seat, moves, high):
    return highest(moves) if high > 0.5 else lowest(moves)


@policy("updown", idea="lowest of UP & DOWN")
def lowest_updown(s, seat, moves):
    return lowest(moves)
