"""Up or down?: the rules. Marks in brackets, such as [R9], name the clauses of RULES.md."""

from __future__ import annotations

from typing import Any

from simcore.games.upordown.colours import CYCLIC, HIGHEST_CARD, load_colours
from simcore.games.upordown.options import (
    CARDS_IN_PLAY,
    CIRCLE_CARDS,
    HAND_CARDS,
    MOST_COLUMNS,
)
from simcore.language import *

deck = numbered(HIGHEST_CARD + 1)  # [R1]; card 0 is none

CARD, TAKE, PLACE, DRAW = decisions("CARD", "TAKE", "PLACE", "DRAW")
LOWER_SIDE, UPPER_SIDE = 0, 1
"""`TAKE` moves."""

FACE_UP, FACE_DOWN = 0, 1
"""`DRAW` moves, and the piles."""

PLACES = 8
NEW_COLUMN = PLACES * MOST_COLUMNS
GIVE_UP = NEW_COLUMN + 1
GIVE_UPS = frozenset(range(GIVE_UP, GIVE_UP + MOST_COLUMNS))
"""`PLACE` moves: `PLACES` × column + 7 appends the card, `NEW_COLUMN` begins a column with it,
`GIVE_UP` + column gives the column up for it."""

ASCENDING, DESCENDING = 1, -1


class State:
    """Game state: the circle, the piles, and everybody's hand and columns."""

    stock = hidden(cards)  # cards not dealt: those of the piles
    order = hidden(number, many=HIGHEST_CARD + 2)  # the piles from 1 on, face up first, tops last
    hand = own(cards)  # hand cards of each seat
    circle = shown(cards)  # the cards of the circle
    taken = shown(cards)  # the card taken, until it is placed
    column = shown(cards, per=seat, many=MOST_COLUMNS)  # the columns of each seat
    discards = shown(cards, per=seat)  # cards of columns given up
    direction = shown(number, per=seat, many=MOST_COLUMNS)  # 0 until a second card settles it
    most = shown(number, per=seat, many=MOST_COLUMNS)  # cards of the most frequent colour
    columns_used = shown(number, per=seat)  # columns begun by a seat
    laid_card = shown(number)  # the card just laid into the circle; 0: none
    taken_card = shown(number)  # the card to be placed; 0: none
    face_up_card = shown(number)  # the card that lies face up on its pile; 0: none
    pile_cards = shown(number, many=2)  # cards left in the piles FACE_UP and FACE_DOWN
    turns_left = shown(number)  # turns until the match ends
    laps = shown(number)  # laps of all seats so far
    laid = shown(cardset)  # cards that are or were in the circle
    drawn_openly = shown(cardset, per=seat)  # hand cards that everybody saw the seat draw
    unseen_count = hidden(number, per=seat)  # in `deal_unseen`: cards to deal to each seat
    coins = memory(number)  # unused random bits, for uniform random play
    half = memory(number)  # 32 random bits left from this turn's card, for uniform random play


def prepare(o: Any) -> dict[str, Any]:
    """Return the sizes of the piles [R2] [R5] [C2] [H3] and the colours [R1] [C1]."""
    card_count = o.highest_card or CARDS_IN_PLAY[o.players]
    draw_cards = card_count - o.players * o.hand_cards - o.circle
    names = load_colours(o.colours)
    colours = list(dict.fromkeys(names))
    return {
        "card_count": card_count,
        "in_play": set(range(1, card_count + 1)),
        "draw_cards": draw_cards,
        "face_up_cards": draw_cards // 2,
        "colour": [0, *(colours.index(name) for name in names)],
        "of_colour": [
            {card for card, name in enumerate(names, 1) if name == colour} for colour in colours
        ],
        "other_colours": o.colours != CYCLIC,
        "other_cards": o.highest_card is not None,
    }


# ------------------------------------------------------------------------------------------- set-up


def start_match(s):
    """Draw the start player [R5] [C4]."""
    s.first_seat = below(s, MATCH, o.players)


@rare
def deal(s):
    """Shuffle; deal the hands [R3] [H1], the circle [R4] [H2] and the two piles [R5]."""
    bring(o.in_play, s.stock)
    shuffle(s)
    place = o.draw_cards + 1
    for seat in seats():
        for _ in range(o.hand_cards):
            move(s.order[place], s.stock, s.hand[seat])
            place += 1
    for _ in range(o.circle):
        move(s.order[place], s.stock, s.circle)
        place += 1
    s.laid = s.circle
    s.pile_cards[FACE_UP] = o.face_up_cards
    s.pile_cards[FACE_DOWN] = o.draw_cards - o.face_up_cards  # [C2]
    s.face_up_card = top_card(s)
    s.turns_left = o.card_count - o.circle
    note_clauses_of_options(s)
    ask(s, s.first_seat, CARD)


def shuffle(s):  # type: ignore[no-redef]  # not the word: the pack is numbers here
    """Insert each card in turn at a random place of the order so far; 64 bits serve two cards.

    The "inside-out" shuffle: Knuth, TAOCP vol. 2, 3.4.2, algorithm P, built up instead of in place.
    """
    for card in range(1, o.card_count, 2):
        both = word(s, DEAL)
        put_in(s, card, shr(both, 32))
        put_in(s, card + 1, both & 0xFFFFFFFF)
    if o.card_count & 1:
        put_in(s, o.card_count, shr(word(s, DEAL), 32))


def put_in(s, card, half):
    """Insert the next card at a random place, by 32 random bits."""
    place = below_from(s, DEAL, half, card) + 1
    s.order[card] = s.order[place]
    s.order[place] = card


def note_clauses_of_options(s):
    """Note the clauses that apply from the start."""
    note_if(s, "colours", o.other_colours)
    note_if(s, "open_pile", not o.open_pile)
    note_if(s, "hand_cards", o.hand_cards != HAND_CARDS)
    note_if(s, "circle", o.circle != CIRCLE_CARDS)
    note_if(s, "highest_card", o.other_cards)
    note_if(s, "give_up", o.give_up == "forced")
    note_if(s, "scoring", o.scoring != "colour_times_length")


# ------------------------------------------------------------------------- lay a card, take another


def legal_card(s, seat):
    """Return the cards that may be laid: every hand card has a place in the circle [R6]."""
    return s.hand[seat]


def apply_card(s, seat, card):
    """Lay a hand card into the circle [R6]; ask which neighbour to take."""
    move(card, s.hand[seat], s.circle)
    s.laid = s.laid | {card}
    s.drawn_openly[seat] = s.drawn_openly[seat] - {card}
    s.laid_card = card
    ask(s, seat, TAKE)


def legal_take(s, seat):
    """Return the two sides of the card just laid; one neighbour must be taken [R8] [C6]."""
    return {LOWER_SIDE, UPPER_SIDE}


def neighbour(s, side):
    """Return the neighbour of the laid card on a side; the circle is a ring [R7] [C5]."""
    others = s.circle - {s.laid_card}
    below, above = beside(others, s.laid_card)
    return nth(others, below if side == LOWER_SIDE else above)


def beside(ring: cardset, card):
    """Return the places in a ring of a card's two neighbours [R7] [C5]."""
    below = len(lower(ring, card))
    return (below - 1 if below > 0 else o.circle - 1), (below if below < o.circle else 0)


def apply_take(s, seat, side):
    """Take the neighbour on a side of the card just laid [R8]; ask where to place it."""
    s.taken_card = neighbour(s, side)
    move(s.taken_card, s.circle, s.taken)
    s.laid_card = 0
    ask(s, seat, PLACE)


# ----------------------------------------------------------------------------------- place the card


def legal_place(s, seat):
    """Return the places for the card taken.

    Any column that it fits [R9] [R12], a new column if there is room [R10] [C7], or the place of a
    column given up [R13] [C10] [C12], under an option only as a last resort [H6].
    """
    moves = set()
    if s.columns_used[seat] < o.columns:
        moves = {NEW_COLUMN}
    for place in range(o.columns):
        if place < s.columns_used[seat] and fits(s, seat, place, s.taken_card):
            moves = moves | {appended_to(place)}
    if o.give_up == "free" or not moves:
        moves = moves | lower(GIVE_UPS, GIVE_UP + s.columns_used[seat])
    return moves


def appended_to(place):
    """Return the move that appends the card to a column."""
    return PLACES * place + PLACES - 1


def fits(s, seat, place, card):
    """Tell whether a card may be put into a column.

    After the last card, in the column's direction [R12] [C9]; by options at both ends, or anywhere
    [H4].
    """
    if o.insert == "anywhere":
        return True
    above = card > highest(s.column[seat][place])
    below_all = card < lowest(s.column[seat][place])
    if o.insert == "both_ends":
        return above or below_all
    direction = s.direction[seat][place]
    return (above and direction != DESCENDING) or (below_all and direction != ASCENDING)


def apply_place(s, seat, choice):
    """Append the card, start a column with it, or give up a column for it; then draw."""
    card = s.taken_card
    place = s.columns_used[seat]  # the lowest empty place [C7]
    if choice == NEW_COLUMN:
        s.columns_used[seat] += 1
    elif choice > NEW_COLUMN:
        place = choice - GIVE_UP  # the place just freed [R14] [C11]
        give_up(s, seat, place)
    else:
        place = choice // PLACES
        settle_direction(s, seat, place, card)
    before = points(s, seat, place)
    move(card, s.taken, s.column[seat][place])
    same = len(s.column[seat][place] & o.of_colour[o.colour[card]])
    s.most[seat][place] = max(s.most[seat][place], same)  # [C15]
    s.scores[seat] += points(s, seat, place) - before
    s.taken_card = 0
    if s.pile_cards[FACE_UP] > 0 and s.pile_cards[FACE_DOWN] > 0:
        ask(s, seat, DRAW)
        return
    if s.pile_cards[FACE_UP] > 0:  # no decision [C13]
        draw_card(s, seat, FACE_UP)
    elif s.pile_cards[FACE_DOWN] > 0:
        draw_card(s, seat, FACE_DOWN)
    end_turn(s, seat)


def settle_direction(s, seat, place, card):
    """Set a column's direction by its second card [R11] [C8]; note a card put between others."""
    column = s.column[seat][place]
    if s.direction[seat][place] == 0:
        s.direction[seat][place] = ASCENDING if card > lowest(column) else DESCENDING
    elif o.insert != "end":  # [H4] [C24]
        is_ascending = s.direction[seat][place] == ASCENDING
        note_if(s, "insert", card < highest(column) if is_ascending else card > lowest(column))


def give_up(s, seat, place):
    """Discard the cards of a column [R13]; each scores as a discard [R19] [C17] [H5]."""
    column = s.column[seat][place]
    s.count.columns_given_up += 1
    s.scores[seat] += len(column) * o.discard_points - points(s, seat, place)
    move(column, s.column[seat][place], s.discards[seat])
    s.direction[seat][place] = 0
    s.most[seat][place] = 0


def points(s, seat, place):
    """Return the points of a column [R18] [H7]: usually its most frequent colour × its length."""
    most, length = s.most[seat][place], len(s.column[seat][place])
    if o.scoring == "length":
        return length
    return most * most if o.scoring == "colour" else most * length


# ---------------------------------------------------------------------------------- draw, and go on


def legal_draw(s, seat):
    """Return the piles: the top card of either may be drawn [R15]."""
    return {FACE_UP, FACE_DOWN}


def apply_draw(s, seat, pile):
    """Draw a card, which ends the turn."""
    draw_card(s, seat, pile)
    end_turn(s, seat)


def draw_card(s, seat, pile):
    """Draw the top card of a pile into the hand [R15]; all see a face-up card [C21]."""
    top = s.pile_cards[pile]
    card = s.order[top if pile == FACE_UP else top + o.face_up_cards]
    s.pile_cards[pile] = top - 1
    move(card, s.stock, s.hand[seat])
    if o.open_pile:
        openly = {card} if pile == FACE_UP else set()
        s.drawn_openly[seat] = s.drawn_openly[seat] | openly
        s.face_up_card = top_card(s)


def top_card(s):
    """Return the top card of the face-up pile [C3]; 0 if there is none."""
    return s.order[s.pile_cards[FACE_UP]] if o.open_pile else 0


def end_turn(s, seat):
    """Pass the turn clockwise [R16], until no hand card is left [R17] [C14]."""
    s.turns_left -= 1
    if after(seat, 1) == s.first_seat or s.turns_left == 0:
        note_lap(s)
    if s.turns_left > 0:
        ask(s, after(seat, 1), CARD)
    else:
        end_round(s)


def note_lap(s):
    """Update the leaders after a lap [C23]; if all are level, the leaders stay [C20]."""
    s.laps += 1
    leaders, best = best_seats(s, False), 0
    for seat in seats():
        if leaders >> seat & 1:
            best = s.scores[seat]
    for seat in seats():
        s.deficits[seat] = max(s.deficits[seat], best - s.scores[seat])
    if leaders != s.leaders and leaders != all_seats():
        if s.leaders != 0:
            s.count.lead_changes += 1
        note_lead_change(s, s.laps)
        s.leaders = leaders


# ---------------------------------------------------------------------------------- the match's end


def score_round(s):
    """End the match: the most points win [R20] [C16], several seats if they tie [C19]."""
    winners = best_seats(s, False)
    if winners != s.leaders:  # all are level
        note_lead_change(s, s.laps)
    end_match(s, winners)


def finish_match(s):
    """Count the turns and the columns [C22]."""
    s.count.turns = o.card_count - o.circle - s.turns_left
    for seat in seats():
        s.count.cards_discarded += len(s.discards[seat])
        note_if(s, "columns", s.columns_used[seat] == o.columns)
        for place in range(s.columns_used[seat]):
            s.count.longest_column = max(s.count.longest_column, len(s.column[seat][place]))
            s.count.best_column = max(s.count.best_column, points(s, seat, place))
    note_if(s, "discard_points", s.count.cards_discarded > 0 and o.discard_points != 1)


# ------------------------------------------------------------------------------ uniform random play


def random_card(s, seat, moves):
    """Draw a card, and keep half of the 64 random bits for placing the card taken."""
    if s.coins[seat] == 0:  # before the first card, to keep the order of draws
        s.coins[seat] = new_coins(s, seat)
    both = word(s, SEAT(seat))
    s.half[seat] = both & 0xFFFFFFFF | s.turns_left << 32
    return nth(moves, below_from(s, SEAT(seat), shr(both, 32), len(moves)))


def random_take(s, seat, moves):
    """Toss a coin."""
    return toss(s, seat)


def random_place(s, seat, moves):
    """Draw a place, with the bits kept from this turn's card if it was drawn at random."""
    half = s.half[seat]
    s.half[seat] = 0
    if half >> 32 != s.turns_left:
        half = shr(word(s, SEAT(seat)), 32)
    return nth(moves, below_from(s, SEAT(seat), half & 0xFFFFFFFF, len(moves)))


def random_draw(s, seat, moves):
    """Toss a coin."""
    return toss(s, seat)


def toss(s, seat):
    """Return the next stored random bit."""
    if shr(s.coins[seat], 1) == 0:
        s.coins[seat] = new_coins(s, seat)
    coin = s.coins[seat] & 1
    s.coins[seat] = shr(s.coins[seat], 1)
    return coin


def new_coins(s, seat):
    """Draw 63 random bits; a 1 above them marks how many are left."""
    return word(s, SEAT(seat)) | 1 << 63


# ----------------------------------------------------------------------------------- what is unseen


def deal_unseen(s, seat):
    """Redeal the unseen cards: both piles, and the hands except cards drawn openly [C21].

    Every possible deal has the same probability.
    """
    unknown = s.stock - {s.face_up_card} if s.face_up_card else s.stock
    for other in seats():
        if other != seat:
            unknown_cards = s.hand[other] - s.drawn_openly[other]
            unknown = unknown | unknown_cards
            s.unseen_count[other] = len(unknown_cards)
            move(unknown_cards, s.hand[other], s.stock)
    for other in seats():
        if other != seat:
            for _ in range(s.unseen_count[other]):
                card = pick(s, unknown)
                unknown = unknown - {card}
                move(card, s.stock, s.hand[other])
    for pile in range(2):
        begin = 0 if pile == FACE_UP else o.face_up_cards
        for place in range(begin + 1, begin + s.pile_cards[pile] + 1):
            if pile == FACE_UP and place == s.pile_cards[pile] and s.face_up_card:
                s.order[place] = s.face_up_card
            else:
                card = pick(s, unknown)
                unknown = unknown - {card}
                s.order[place] = card


def pick(s, cards: cardset):
    """Draw one of some cards from the search's random stream."""
    return nth(cards, below(s, ASIDE, len(cards)))
