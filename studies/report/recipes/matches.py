"""Snippets on one table: seats, length, pace, endings, drama."""

POSITION = """\
clockwise = (table["first_seat"].to_numpy().astype(int)[:, None] + np.arange(players)) % players
shares = np.take_along_axis(win_shares(table["winners"], players), clockwise, axis=1)
# Simultaneous: each of the positions at a higher level (Šidák).
decided = table["winners"].to_numpy() > 0
answer, low, high = share_of_decided(shares[:, position], decided, level ** (1 / players))
"""

RANK = """\
clockwise = (table["first_seat"].to_numpy().astype(int)[:, None] + np.arange(players)) % players
ahead = (behind[:, None, :] < behind[:, :, None]).sum(axis=2)
equal = (behind[:, None, :] == behind[:, :, None]).sum(axis=2)
ranks = np.take_along_axis(ahead + (equal + 1) / 2, clockwise, axis=1)
whole = decided.reshape(-1, rotations).all(axis=1).repeat(rotations)  # deals that were played out
answer, low, high = mean_of(ranks[whole, position], level ** (1 / players))
"""

ABORTED = """\
answer, low, high = share_of(table["aborted"])
"""

SHARED = """\
answer, low, high = share_of(bits(table["winners"], players).sum(axis=1) > 1)
"""

MOVES = """\
moves = table["decisions"].to_numpy().astype(int) + table["forced"].to_numpy()
answer, low, high = quantile_of(moves, percent / 100, len(table) // rotations)
"""

LENGTH = """\
answer, low, high = quantile_of(table[metric].to_numpy(), percent / 100, len(table) // rotations)
"""

FORCED = """\
forced = table["forced"].to_numpy().astype(int)
answer, low, high = ratio_of(forced, forced + table["decisions"].to_numpy())
"""

METRIC = """\
answer, low, high = mean_of(table[metric])
"""

METRIC_OF_WON = """\
won = table["winners"].to_numpy() > 0
answer, low, high = ratio_of(table[metric].to_numpy() * won, won)
"""

LED_THROUGHOUT = """\
won = table["winners"].to_numpy() > 0
answer, low, high = share_of_decided(table["lead_changes"].to_numpy() == 0, won)
"""

CAME_FROM_BEHIND = """\
won = table["winners"].to_numpy() > 0
answer, low, high = share_of_decided(table["comeback"].to_numpy() > 0, won)
"""

COMEBACK = """\
won = table["winners"].to_numpy() > 0
deals = won.reshape(-1, rotations).any(axis=1).sum()
answer, low, high = quantile_of(table["comeback"].to_numpy()[won], percent / 100, deals)
"""

SETTLED = """\
won = table["winners"].to_numpy() > 0
length = np.ceil(table[metric].to_numpy() / steps)  # rounds or tricks; of turns a lap has `steps`
answer, low, high = share_of_decided(table["last_lead_change"].to_numpy() <= part * length, won)
"""

CLOSE = """\
answer, low, high = share_of_decided(margin <= 0.1 * span, decided)
"""

RUNAWAY = """\
answer, low, high = share_of_decided((margin >= 0.5 * span) & (span > 0), decided)
"""

MARGIN = """\
deals = decided.reshape(-1, rotations).any(axis=1).sum()
answer, low, high = quantile_of(margin[decided], percent / 100, deals)
"""
