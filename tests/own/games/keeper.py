@policy(idea="low cards up to a rank", params=[Param("rank", 5, 0, 12, "lowest rank kept")])
def keeper(s, seat, moves, rank):
    low = {card for card in moves if card // 4 < rank}
    return lowest(low or moves)
