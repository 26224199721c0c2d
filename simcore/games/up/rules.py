"""Up: the rules. Marks in brackets, such as [R9], name the clauses of RULES.md."""

from __future__ import annotations

from typing import Any

from simcore.games.up.options import HAND_CARDS, TABLE_CARDS, USUAL_VALUES
from simcore.games.up.pack import CLEAR, HIGHEST, MINUS_TWO, PLACES, SETS_PER_WORD, pack_of
from simcore.language import *

deck = numbered(PLACES)

CUT, DECLARE, PLAY = decisions("CUT", "DECLARE", "PLAY")
ASIDE_DECISIONS = (DECLARE,)
"""Decisions that only some options add; they draw from a separate stream."""

KEEP, RETURN = 0, 1
"""`CUT` moves."""

DIRTY, DOUBLE = 1, 2
"""A `DECLARE` move is the sum of the announcements."""

OPEN = 256
TURN_UP = 512
"""A `PLAY` move is `TURN_UP` or a card: its kind is laid up to that card, from the hand or, with
`OPEN` added, from the open cards. Where a single card of a kind may be laid, the kind's first card
number stands for it."""

PASS_LEAD = -1

FOUR = 4

MOST_TO_LEAD = 5
"""The most "-2" that leave a cap when they lead [H8]."""

FIRST_OF_VALUES = sum(1 << SETS_PER_WORD * value for value in range(1, HIGHEST + 1))

MOST_HIDDEN = 6
MOST_CARDS = 200
MOST_ROUNDS = 1000
USUAL_POINTS = tuple(
    USUAL_VALUES[name] for name in ("minus_two_points", "clear_points", "dirty_one_points")
)
USUAL_CREDIT, USUAL_BLIND_CREDIT = USUAL_VALUES["out_credit"], USUAL_VALUES["blind_credit"]

OVERDUE_LAPS = 50
"""Plays per player after which a round is overdue; with four all-rounders one round in a thousand
takes more than 45."""


class State:
    """Game state: the cards on the table and in hands, and the course of the round."""

    stock = hidden(cards)  # cards not dealt
    pack = hidden(number, many=MOST_CARDS)  # the whole pack as it was shuffled, from place 0 on
    lying = hidden(cards, per=seat)  # the hidden cards of each seat
    top = hidden(number, per=seat, many=MOST_HIDDEN)  # in order; the last is next
    hand = own(cards)  # hand cards of each seat
    open_cards = shown(cards, per=seat)  # cards that lie open before each seat
    tower = shown(cards)  # the cards of the tower
    cleared = shown(cards)  # cards out of the game until the next round
    laid = shown(cardset)  # the cards of the last play
    known_hand = shown(cardset, per=seat)  # hand cards that everybody saw the seat take up
    cap = shown(number)  # highest value that the tower bears; 0: there is no tower
    equal = shown(number)  # equal number cards on top, counted under [H10] only
    cards_left = shown(number, per=seat)  # all cards of a seat: hand, open, hidden
    hidden_cards = shown(number, per=seat)  # hidden cards of a seat
    double = shown(number)  # whether each "-2" is a 2 in this round
    dirty = shown(number)  # whether each 1 counts 30
    dealer = shown(number)  # the seat that deals
    forehand = shown(number)  # the seat that leads first
    cut_kept = shown(number)  # 1 if the cutter kept a special card
    first_turn = shown(number)  # seats whose first turn is to come, as bits
    lost_turn = shown(number)  # seats that lose their next turn
    anew = shown(number)  # whether the seat on turn leads again in this turn
    plays = shown(number)  # plays of the round
    passes = shown(number)  # times the lead was passed in the round
    plays_at_pass = shown(number)  # plays when the lead was last passed
    blind_finish = shown(number)  # 1 if a "-2" turned up as the last card ended the round
    hand_moves = own(cardset)  # moves from the hand, as `count_play` found them
    open_moves = own(cardset)  # moves from the open cards, as `count_play` found them
    may_turn_up = own(number)  # 1 if turning a card up is a move
    redealt = hidden(number, per=seat)  # number of hand cards that a search deals anew


def prepare(o: Any) -> dict[str, Any]:
    """Return the pack [R1] [R2] [R34] [R35] [H3] [H4] and constants derived from other options."""
    sets = o.players + bool(o.extra_set)
    pack = pack_of(sets, o.players, o.minus_two_cards, o.clear_cards)
    usual_hand = HAND_CARDS - (o.minus_two_cards == 0) - (o.clear_cards == 0)
    dealt_hand = o.hand_cards if o.hand_cards is not None else usual_hand
    return {
        "order": [*pack.cards, *([0] * (MOST_CARDS - len(pack.cards)))],
        "in_play": set(pack.cards),
        "pack_size": len(pack.cards),
        "kind": pack.kinds,
        "of_kind": pack.of_kind,
        "borne": [set().union(*pack.of_kind[1 : (cap or HIGHEST) + 1]) for cap in range(MINUS_TWO)],
        "places": pack.places,
        "dealt_hand": dealt_hand,
        "other_hand": dealt_hand != usual_hand,
        "special_cards": o.minus_two_cards > 1 or o.clear_cards != 1,
    }


# ------------------------------------------------------------------------------------------ set-up


def start_match(s):
    """Draw the first dealer [C41]; note the clauses that apply from the start."""
    s.dealer = below(s, MATCH, o.players)
    s.first_seat = after(s.dealer, 1)
    note_if(s, "minus_two", not o.minus_two)
    note_if(s, "extra_set", o.extra_set)
    note_if(s, "scoring", o.scoring != "points")
    note_if(s, "hand_cards", o.other_hand)
    note_if(s, "table_cards", o.table_cards != TABLE_CARDS)
    note_if(s, "special_cards", o.special_cards)


@rare
def deal(s):
    """Pass the deal [C1], shuffle and cut; deal unless the cutter finds a special card [R3]."""
    if s.round_number > 1:
        if o.deal_passes:
            s.dealer = after(s.dealer, 1)
        else:
            note(s, "same_dealer")
    s.forehand = after(s.dealer, 1)
    s.first_turn = (1 << o.players) - 1
    s.lost_turn = s.anew = s.equal = s.cap = 0
    s.plays = s.passes = s.plays_at_pass = 0
    s.cut_kept = s.blind_finish = 0
    s.laid = set()
    for seat in seats():
        s.known_hand[seat] = set()
    s.dirty = 1 if o.dirty_one == "always" else 0
    s.double = 1 if o.double_two == "always" else 0
    bring(o.in_play, s.stock)
    shuffle(s)
    # Once the cut is completed, the bottom card of the lifted packet is the last [C2] [C42].
    bottom_kind = o.kind[s.pack[o.pack_size - 1]]
    if bottom_kind == CLEAR or bottom_kind == MINUS_TWO:
        ask(s, after(s.dealer, -1), CUT)
    else:
        deal_cards(s)


def shuffle(s):  # type: ignore[no-redef]  # not the word: the pack is numbers here
    """Insert each card in turn at a random place of the pack so far.

    The "inside-out" shuffle: Knuth, TAOCP vol. 2, 3.4.2, algorithm P, built up instead of in place.
    The "-2" cards and the extra set come last, so that packs with and without them differ only
    where one of these cards was inserted.
    """
    for size in range(o.pack_size):
        place = below(s, DEAL, size + 1)
        s.pack[size] = s.pack[place]
        s.pack[place] = o.order[size]


def legal_cut(s, seat):
    """Return the cutter's choices with a special card: keep it or put it back [C3]."""
    return {KEEP, RETURN}


@rare
def apply_cut(s, seat, answer):
    """Deal, with the special card kept or returned."""
    s.cut_kept = 1 if answer == KEEP else 0
    deal_cards(s)


def deal_cards(s):
    """Deal hidden, open and hand cards in turn [R3] [R4] [R5] [R6] [C38] [H1] [H2].

    Nobody learns which card the cutter kept [C6]; the rest of the pack lies aside [C39].
    """
    cutter = after(s.dealer, -1)
    open_place = o.table_cards * o.players
    hand_place = open_place + o.table_cards * o.players
    last_place = hand_place + (o.dealt_hand - 1) * o.players
    seat = s.forehand
    for place in range(o.players):
        for index in range(o.table_cards):
            s.top[seat][index] = s.pack[place + index * o.players]
            move(s.top[seat][index], s.stock, s.lying[seat])
            move(s.pack[open_place + place + index * o.players], s.stock, s.open_cards[seat])
        for index in range(o.dealt_hand - 1):
            move(s.pack[hand_place + place + index * o.players], s.stock, s.hand[seat])
        if s.cut_kept and seat == cutter:
            move(s.pack[o.pack_size - 1], s.stock, s.hand[seat])  # [C4] [C5]
        else:
            move(s.pack[last_place], s.stock, s.hand[seat])
            last_place += 1
        s.hidden_cards[seat] = o.table_cards
        s.cards_left[seat] = 2 * o.table_cards + o.dealt_hand
        seat = after(seat, 1)
    if o.dirty_one == "forehand" or o.double_two == "forehand":
        ask(s, s.forehand, DECLARE)
    else:
        begin_play(s)


def legal_declare(s, seat):
    """Return the announcements open to forehand [C36]: any allowed variants, or nothing."""
    if o.double_two != "forehand":
        return {0, DIRTY}
    if o.dirty_one != "forehand":
        return {0, DOUBLE}
    return {0, DIRTY, DOUBLE, DIRTY + DOUBLE}


def apply_declare(s, seat, announced):
    """Put the announced variants into force for the round [R32] [R33]."""
    if announced & DIRTY:
        s.dirty = 1
    if announced & DOUBLE:
        s.double = 1
    begin_play(s)


def begin_play(s):
    """Let forehand lead [R8]."""
    note_if(s, "double_two", s.double)
    ask(s, s.forehand, PLAY)


# -------------------------------------------------------------------------------- what may be laid


def kind_of(s, card):
    """Return the kind a card counts as [C37] [C46]."""
    kind = o.kind[card]
    return 2 if s.double and kind == MINUS_TWO else kind


def of_kind(s, kind):
    """Return all cards that count as a kind."""
    if s.double and kind == 2:
        return o.of_kind[2] | o.of_kind[MINUS_TWO]
    return o.of_kind[kind]


def highest_borne(s):
    """Return the highest value that the tower bears [R9]."""
    return s.cap if s.cap > 0 else HIGHEST


def most_minus_twos(s):
    """Return how many "-2" may be laid at most.

    As many as leave a cap, or a single one that makes the tower collapse [R18] [C19]; by a house
    rule any number [H7]. None may lead [C21], or by a house rule as many as on a tower of 11 [H8].
    """
    if s.double:
        return 0
    if s.cap == 0:
        return MOST_TO_LEAD if o.minus_two_lead else 0
    return MOST_CARDS if o.minus_two_collapse == "any" else max(1, (s.cap - 1) // 2)


def borne(s):
    """Return the set of number cards that may be laid on the tower [R9]; "-2" may be 2s."""
    if s.double and s.cap != 1:
        return o.borne[s.cap] | o.of_kind[MINUS_TWO]
    return o.borne[s.cap]


def moves_from(s, source: cardset):
    """Return the moves with cards of a source: the cards up to which their kind may be laid.

    Equal cards that the tower bears may go together [R9] [R11], and up to `most_minus_twos` "-2";
    clear cards and cards that are too heavy go one at a time [R21] [C14] [C27].
    """
    together = source & borne(s)
    moves = together | one_of_each(s, source - together)
    if not s.double:
        moves = moves | first_of(source & o.of_kind[MINUS_TWO], most_minus_twos(s))
    return moves


def one_of_each(s, source: cardset):
    """Return one card for each kind of a source; for 2s a "-2" if it counts as one."""
    firsts = kinds_among(s, source)
    if s.double and source & o.of_kind[MINUS_TWO]:
        return firsts - {SETS_PER_WORD * 2} | {SETS_PER_WORD * MINUS_TWO}
    return firsts


def kinds_among(s, source: cardset):
    """Return the first card number of each kind in a source, leaving out "-2" that are no 2s.

    The adjacent bits of each kind are folded into the first of them.
    """
    marks = bits(kinds(source))
    marks = marks | shr(marks, 1)
    firsts = cards_in((marks | shr(marks, 2)) & FIRST_OF_VALUES)
    if source & o.of_kind[CLEAR]:
        firsts = firsts | {CLEAR}
    if s.double and source & o.of_kind[MINUS_TWO]:
        firsts = firsts | {SETS_PER_WORD * 2}
    return firsts


def first_of(source: cardset, most):
    """Return the lowest cards of a set, at most `most`."""
    if len(source) <= most:
        return source
    return lower(source, nth(source, most))


def first_of_each(s, moves: cardset):
    """Return the first move of each kind, for a first turn of single cards [C8] [C47]."""
    firsts = set()
    for card in moves:
        if not firsts & of_kind(s, kind_of(s, card)):
            firsts = firsts | {card}
    return firsts


def is_first_turn(s, seat):
    """Tell whether a seat's first turn is still to come or in progress."""
    return s.first_turn >> seat & 1 != 0


def find_moves(s, seat):
    """Store the moves of a seat by the source of the cards.

    The sources are the hand, the open cards and, if these are gone, the hidden cards [R13] [C9]
    [R12] [C10]. Special and hidden cards are free choices [R14] [C13] [C26], also to lead after a
    clear card [C28]. A first turn is played from the hand [R10] [C7] [C17] [C48]; by a house rule
    the seat may lead again with an open card [H9].
    """
    first = is_first_turn(s, seat)
    later = not first or (o.restart_open and s.anew)
    s.hand_moves[seat] = moves_from(s, s.hand[seat])
    s.open_moves[seat] = set()
    s.may_turn_up[seat] = 0
    if later:
        s.open_moves[seat] = moves_from(s, s.open_cards[seat])
        s.may_turn_up[seat] = not s.open_cards[seat] and s.hidden_cards[seat] > 0
    if first and not o.multiples_in_first_lap:
        before = len(s.hand_moves[seat]) + len(s.open_moves[seat])
        s.hand_moves[seat] = first_of_each(s, s.hand_moves[seat])
        s.open_moves[seat] = first_of_each(s, s.open_moves[seat])
        dropped = before > len(s.hand_moves[seat]) + len(s.open_moves[seat])
        note_if(s, "first_turn_multiples", dropped)


def count_play(s, seat):
    """Store the moves, and return their number."""
    find_moves(s, seat)
    return len(s.hand_moves[seat]) + len(s.open_moves[seat]) + s.may_turn_up[seat]


def nth_play(s, seat, index):
    """Return a move by its index: hand cards first, then open cards, then turning a card up."""
    place = index - len(s.hand_moves[seat])
    if place == len(s.open_moves[seat]):
        return TURN_UP
    from_hand = place < 0
    card = nth(
        s.hand_moves[seat] if from_hand else s.open_moves[seat], index if from_hand else place
    )
    return card if from_hand else OPEN + card


def is_legal_play(s, seat, play):
    """Tell whether a number is a legal move."""
    if play == TURN_UP:
        return s.may_turn_up[seat] == 1
    if play >= OPEN:
        return play - OPEN in s.open_moves[seat]
    return play in s.hand_moves[seat]


# ------------------------------------------------------------------------------------------ a play


def apply_play(s, seat, play):
    """Lay cards, turn a card up, or pass the lead if no card may lead."""
    if play == PASS_LEAD:
        pass_lead(s, seat)
    elif play == TURN_UP:
        turn_up(s, seat)
    else:
        lay(s, seat, play % OPEN, play >= OPEN)


def turn_up(s, seat):
    """Play the next hidden card [R12] [C11] [C12]."""
    s.hidden_cards[seat] -= 1
    s.count.blind_plays += 1
    card = s.top[seat][s.hidden_cards[seat]]
    move(card, s.lying[seat], s.tower)
    resolve(s, seat, {card}, kind_of(s, card), True)


def lay(s, seat, card, from_open: bool):
    """Lay the cards of a move (`card` and its equals) from the open cards or the hand."""
    laid = cards_laid(s, s.open_cards[seat] if from_open else s.hand[seat], card)
    if from_open:
        note_if(s, "restart_open", o.restart_open and is_first_turn(s, seat))
        move(laid, s.open_cards[seat], s.tower)
    else:
        move(laid, s.hand[seat], s.tower)
    resolve(s, seat, laid, kind_of(s, card), False)


def cards_laid(s, source: cardset, card):
    """Return the cards of a move: its kind up to a card [R11], or one too heavy [C14] [C27]."""
    kind = kind_of(s, card)
    same = source & of_kind(s, kind)
    together = card in borne(s) or kind == MINUS_TWO
    return lower(same, (card if together else lowest(same)) + 1)


def resolve(s, seat, laid: cardset, kind, blind: bool):
    """Carry out the effect of cards laid on the tower.

    Either they stay and the turn passes, or the tower is cleared or collapses and the same seat
    leads again [R16] [R23] [C16].
    """
    size = len(laid)
    s.laid = laid
    s.known_hand[seat] = s.known_hand[seat] - laid
    s.cards_left[seat] -= size
    s.plays += 1
    note_if(s, "first_turn_multiples", is_first_turn(s, seat) and size > 1)  # [C8]
    if kind == CLEAR:  # [R21] [R22] [C25]
        s.count.clears += 1
        stays = clear_tower(s)
    elif kind == MINUS_TWO:
        stays = lay_minus_twos(s, seat, laid, blind)
    elif kind <= highest_borne(s):
        stays = lay_numbers(s, kind, size)
    else:
        stays = collapse(s, seat)  # [R15]
    finish_play(s, seat, stays)


def lay_numbers(s, kind, size):
    """Lay number cards that the tower bears; four equal cards on top clear it [H10]."""
    if o.four_clear:
        s.equal = size + (s.equal if kind == s.cap else 0)
        if s.equal >= FOUR:
            s.count.four_clears += 1
            note(s, "four_clear")
            return clear_tower(s)
    s.cap = kind
    return True


def lay_minus_twos(s, seat, laid: cardset, blind: bool):
    """Lower the cap by "-2" cards [R17] [C18], or let the tower collapse [R18] [C19]."""
    size, leads = len(laid), s.cap == 0
    if blind and not s.hand[seat] and s.hidden_cards[seat] == 0:
        return finish_blind(s, leads)
    if blind and leads and not o.minus_two_lead:  # it goes to the hand [R19] [C20] [C44]
        take_up(s, seat, laid)
        s.cap = 0
        return False
    lower_cap = (HIGHEST if leads else s.cap) - 2 * size
    if lower_cap >= 1:
        note_if(s, "minus_two_lead", leads)
        s.count.minus_twos += size
        s.equal = 0
        s.cap = lower_cap
        return True
    note_if(s, "minus_two_collapse", o.minus_two_collapse == "any" and not blind and size > 1)
    return collapse(s, seat)


def finish_blind(s, leads: bool):
    """End the round by a "-2" turned up as the very last card [R20] [C23] [C24] [C45]."""
    s.blind_finish = 1
    s.count.blind_minus_two_finishes += 1
    if o.minus_two_lead or not leads:
        s.count.minus_twos += 1
    note_if(s, "minus_two_lead", o.minus_two_lead and leads)
    s.cap = s.equal = 0
    return False


def clear_tower(s):
    """Take the tower out of the game [R21]."""
    move(s.tower, s.tower, s.cleared)
    s.cap = s.equal = 0
    return False


def collapse(s, seat):
    """Give a seat the tower with the cards just laid [R15] [C15]."""
    s.count.collapses += 1
    s.count.largest_pickup = max(s.count.largest_pickup, len(s.tower))
    take_up(s, seat, s.tower)
    s.cap = s.equal = 0
    return False


def take_up(s, seat, taken: cardset):
    """Take cards of the tower into the hand, in view of all."""
    s.known_hand[seat] = s.known_hand[seat] | taken
    s.cards_left[seat] += len(taken)
    move(taken, s.tower, s.hand[seat])


def finish_play(s, seat, stays: bool):
    """Pass the turn, let the same seat lead again, or end the round if it is out [R26] [C32]."""
    s.anew = 0 if stays else 1
    if s.cards_left[seat] == 0:
        s.count.plays += s.plays  # [C51]
        end_round(s)
        return
    if s.cards_left[seat] == 1:
        announce(s, seat)
    following = next_turn(s, seat) if stays else seat
    if s.plays >= o.play_cap:  # [C40]
        note(s, "play_cap")
        give_up_match(s)
    else:
        ask(s, following, PLAY)


def announce(s, seat):
    """Announce the last card, or forget to and lose the next turn [R24] [C29] [C30].

    A seat that sheds its last several cards at once has nothing to announce [R25] [C31].
    """
    forget = o.forget_last_card[seat]
    if forget > 0.0 and uniform(s, CHANCE) < forget:
        s.lost_turn = s.lost_turn | 1 << seat


def next_turn(s, seat):
    """Return the next seat clockwise that has not lost its turn [R9] [R24]."""
    s.anew = 0
    s.first_turn = s.first_turn & ~(1 << seat)
    following = after(seat, 1)
    while s.lost_turn >> following & 1:  # each seat loses one turn only [C30]
        s.lost_turn = s.lost_turn & ~(1 << following)
        note(s, "lost_turn")
        following = after(following, 1)
    return following


def pass_lead(s, seat):
    """Pass the lead to the next seat because no card may lead [C22].

    Once every seat has passed after its first turn, nobody can ever move again, and the match is
    aborted [C49].
    """
    if s.plays > s.plays_at_pass:
        s.plays_at_pass = s.plays
        s.passes = 0
    s.passes += 1
    if s.passes > 2 * o.players:
        give_up_match(s)
        return
    following = next_turn(s, seat)
    if s.plays >= o.play_cap:
        note(s, "play_cap")
        give_up_match(s)
    else:
        ask(s, following, PLAY)


def give_up_match(s):
    """End the match without a winner [C50]."""
    s.count.plays += s.plays
    abort(s)


# ---------------------------------------------------------------------------------------- the score


@rare
def score_round(s):
    """Score the round [C43] and end the match if it is over [R29] [R31] [C34] [C35]."""
    s.count.rounds += 1
    for seat in seats():
        if s.cards_left[seat] == 0:
            book_first_out(s, seat)
        elif o.scoring != "matches":
            s.scores[seat] += points_left(s, seat)
    note_leaders(s, o.scoring != "matches")  # [R28] [C52]
    most = s.scores[0]
    for seat in seats():
        most = max(most, s.scores[seat])
    over_limit = 0 < o.points_limit < most
    note_if(s, "limit", over_limit)
    if over_limit or s.round_number == o.rounds:
        end_match(s, s.leaders)
    elif s.round_number == MOST_ROUNDS:
        abort(s)


def book_first_out(s, seat):
    """Give the first seat out its credit [R27] [C24] [C33] [H6], or its matchstick [R30]."""
    if o.scoring == "matches":
        s.scores[seat] += 1
    elif o.scoring == "points":
        credit = o.blind_credit if s.blind_finish else o.out_credit
        usual = USUAL_BLIND_CREDIT if s.blind_finish else USUAL_CREDIT
        note_if(s, "credit", credit != usual)
        s.scores[seat] = max(0, s.scores[seat] - credit)


def points_left(s, seat):
    """Return the points of the cards a seat has left, hidden ones included [R26] [R30] [H5]."""
    left = s.hand[seat] | s.open_cards[seat] | s.lying[seat]
    minus_twos = len(left & o.of_kind[MINUS_TWO])
    note_if(s, "minus_two", minus_twos > 0 and not s.double)
    if o.scoring == "cards":
        return len(left)
    points = 0
    for kind in range(1, HIGHEST + 1):
        points += kind * len(left & o.of_kind[kind])
    if s.dirty:  # [R32]
        ones = len(left & o.of_kind[1])
        note_if(s, "dirty_one", ones > 0)
        note_if(s, "points", ones > 0 and o.dirty_one_points != USUAL_POINTS[2])
        points += ones * (o.dirty_one_points - 1)
    if s.double:  # [R33]
        points += 2 * minus_twos
    else:
        note_if(s, "points", minus_twos > 0 and o.minus_two_points != USUAL_POINTS[0])
        points += minus_twos * o.minus_two_points
    clears = len(left & o.of_kind[CLEAR])
    note_if(s, "points", clears > 0 and o.clear_points != USUAL_POINTS[1])
    return points + clears * o.clear_points


def finish_match(s):
    """Note the clauses that the match's counts show to have applied."""
    note_if(s, "minus_two", s.count.minus_twos > 0)


# ---------------------------------------------------------------------------------- what is unseen


def deal_unseen(s, seat):
    """Redeal the cards a seat has not seen, every possible deal with the same probability.

    The seat knows its hand, all cards that lie or have lain open, the cards it saw others take up,
    and how many cards lie where. All hidden cards, its own included, and the unknown hand cards of
    the others are drawn from the rest.
    """
    for other in seats():
        if other != seat:
            s.redealt[other] = len(s.hand[other] - s.known_hand[other])
            move(s.hand[other] - s.known_hand[other], s.hand[other], s.stock)
        move(s.lying[other], s.lying[other], s.stock)
    for other in seats():
        if other != seat:
            for _ in range(s.redealt[other]):
                move(pick(s), s.stock, s.hand[other])
        for index in range(s.hidden_cards[other]):
            s.top[other][index] = pick(s)
            move(s.top[other][index], s.stock, s.lying[other])


def pick(s):
    """Draw a random unseen card."""
    return nth(s.stock, below(s, ASIDE, len(s.stock)))


def is_overdue(s):
    """Tell whether a round has gone on for too long, or used up half its cap of plays.

    Several searches may let the tower collapse on the next seat again and again, each in the belief
    that the others will soon end the round as heuristics do.
    """
    return s.plays >= min(OVERDUE_LAPS * o.players, o.play_cap // 2)
