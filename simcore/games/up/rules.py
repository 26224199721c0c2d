"""Up: the rules of RULES.md, whose clauses are named by their marks."""

from __future__ import annotations

from typing import Any

from simcore.games.up.options import HAND_CARDS, TABLE_CARDS, USUAL_VALUES
from simcore.games.up.pack import CLEAR, HIGHEST, MINUS_TWO, PLACES, SETS_PER_WORD, pack_of
from simcore.language import *

deck = numbered(PLACES)

CUT, DECLARE, PLAY = decisions("CUT", "DECLARE", "PLAY")
ASIDE_DECISIONS = (DECLARE,)
"""Decisions that some options add: they draw from a stream of their own."""

KEEP, RETURN = 0, 1
"""`CUT` moves."""

DIRTY, DOUBLE = 1, 2
"""A `DECLARE` move is the sum of what is announced."""

OPEN = 256
TURN_UP = 512
"""A `PLAY` move is the card up to which its kind is laid, from the hand, or `OPEN` and
it, from the open cards; or `TURN_UP`. Of a kind of which one card may be laid, the first of all
stands for it."""

PASS_LEAD = -1

FOUR = 4

MOST_TO_LEAD = 5
"""So many "-2" at most leave a cap when they lead [H8]."""

FIRST_OF_VALUES = sum(1 << SETS_PER_WORD * value for value in range(1, HIGHEST + 1))

MOST_HIDDEN = 6
MOST_CARDS = 200
MOST_ROUNDS = 1000
USUAL_POINTS = tuple(
    USUAL_VALUES[name] for name in ("minus_two_points", "clear_points", "dirty_one_points")
)
USUAL_CREDIT, USUAL_BLIND_CREDIT = USUAL_VALUES["out_credit"], USUAL_VALUES["blind_credit"]

OVERDUE_LAPS = 50
"""Plays for each player after which a round should be over; one of four all-rounders in a thousand
takes more than 45."""


class State:
    """What there is on the table and in hands."""

    stock = hidden(cards)  # cards not dealt
    pack = hidden(number, many=MOST_CARDS)  # the whole pack as it was shuffled, from place 0 on
    lying = hidden(cards, per=seat)  # the hidden cards of each seat
    top = hidden(number, per=seat, many=MOST_HIDDEN)  # in order; the last is next
    hand = own(cards)  # hand cards of each seat
    open_cards = shown(cards, per=seat)  # cards that lie open before each seat
    tower = shown(cards)  # the cards of the tower
    cleared = shown(cards)  # cards out of the round
    laid = shown(cardset)  # the cards of the last play
    known_hand = shown(cardset, per=seat)  # hand cards that all have seen a seat take up
    cap = shown(number)  # highest value that the tower bears; 0: there is no tower
    equal = shown(number)  # number cards of one value on top, as far as [H10] asks
    cards_left = shown(number, per=seat)  # cards of a seat in all: hand, open, hidden
    hidden_cards = shown(number, per=seat)  # hidden cards of a seat
    double = shown(number)  # whether each "-2" is a 2 in this round
    dirty = shown(number)  # whether each 1 counts 30
    dealer = shown(number)  # the seat that deals
    forehand = shown(number)  # the seat that leads first
    cut_kept = shown(number)  # 1 if the cutter kept a special card
    first_turn = shown(number)  # seats whose first turn is to come, as bits
    lost_turn = shown(number)  # seats that lose their next turn
    anew = shown(number)  # whether who is on turn leads anew in this turn
    plays = shown(number)  # plays of the round
    passes = shown(number)  # times that the lead was passed in the round
    plays_at_pass = shown(number)  # plays when the lead was last passed
    blind_finish = shown(number)  # 1 if a "-2" turned up as the last card ended the round
    hand_moves = own(cardset)  # moves from the hand, as `count_play` found them
    open_moves = own(cardset)  # moves from the open cards, as `count_play` found them
    may_turn_up = own(number)  # 1 if turning a card up is a move
    redealt = hidden(number, per=seat)  # hand cards that a search deals anew


def prepare(o: Any) -> dict[str, Any]:
    """Return the pack [R1] [R2] [R34] [R35] [H3] [H4], and what follows from other options."""
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
    """Draw the first dealer [C41]; note the options that come into play by being set."""
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
    """Pass the deal [C1], shuffle and cut; deal unless the cutter found a special card [R3]."""
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
    for one in seats():
        s.known_hand[one] = set()
    s.dirty = 1 if o.dirty_one == "always" else 0
    s.double = 1 if o.double_two == "always" else 0
    bring(o.in_play, s.stock)
    shuffle(s)
    # Once the cut is completed, the bottom card of the lifted packet is the last [C2] [C42].
    found = o.kind[s.pack[o.pack_size - 1]]
    if found == CLEAR or found == MINUS_TWO:
        ask(s, after(s.dealer, -1), CUT)
    else:
        deal_cards(s)


def shuffle(s):  # type: ignore[no-redef]  # not the word: the pack is numbers here
    """Put each card in turn at a random place of those so far.

    The "inside-out" shuffle: Knuth, TAOCP vol. 2, 3.4.2, algorithm P, built up instead of in place.
    With "-2" cards and the extra set last, packs with and without them differ only where one of
    them was put.
    """
    for size in range(o.pack_size):
        place = below(s, DEAL, size + 1)
        s.pack[size] = s.pack[place]
        s.pack[place] = o.order[size]


def legal_cut(s, seat):
    """Return what the cutter may do with a special card: keep it or put it back [C3]."""
    return {KEEP, RETURN}


@rare
def apply_cut(s, seat, way):
    """Deal, with the card kept or not."""
    s.cut_kept = 1 if way == KEEP else 0
    deal_cards(s)


def deal_cards(s):
    """Deal hidden, open and hand cards in turn [R3] [R4] [R5] [R6] [C38] [H1] [H2].

    Which card the cutter kept is told nobody [C6]; what is left of the pack lies aside [C39].
    """
    cutter = after(s.dealer, -1)
    open_place = o.table_cards * o.players
    hand_place = open_place + o.table_cards * o.players
    last_place = hand_place + (o.dealt_hand - 1) * o.players
    one = s.forehand
    for place in range(o.players):
        for each in range(o.table_cards):
            s.top[one][each] = s.pack[place + each * o.players]
            move(s.top[one][each], s.stock, s.lying[one])
            move(s.pack[open_place + place + each * o.players], s.stock, s.open_cards[one])
        for each in range(o.dealt_hand - 1):
            move(s.pack[hand_place + place + each * o.players], s.stock, s.hand[one])
        if s.cut_kept and one == cutter:
            move(s.pack[o.pack_size - 1], s.stock, s.hand[one])  # [C4] [C5]
        else:
            move(s.pack[last_place], s.stock, s.hand[one])
            last_place += 1
        s.hidden_cards[one] = o.table_cards
        s.cards_left[one] = 2 * o.table_cards + o.dealt_hand
        one = after(one, 1)
    if o.dirty_one == "forehand" or o.double_two == "forehand":
        ask(s, s.forehand, DECLARE)
    else:
        begin_play(s)


def legal_declare(s, seat):
    """Return what forehand may announce [C36]: any of the variants that may be, or nothing."""
    if o.double_two != "forehand":
        return {0, DIRTY}
    if o.dirty_one != "forehand":
        return {0, DOUBLE}
    return {0, DIRTY, DOUBLE, DIRTY + DOUBLE}


def apply_declare(s, seat, way):
    """Let what was announced be in force for the round [R32] [R33]."""
    if way & DIRTY:
        s.dirty = 1
    if way & DOUBLE:
        s.double = 1
    begin_play(s)


def begin_play(s):
    """Let forehand lead [R8]."""
    note_if(s, "double_two", s.double)
    ask(s, s.forehand, PLAY)


# -------------------------------------------------------------------------------- what may be laid


def kind_of(s, card):
    """Return the kind that a card counts as [C37] [C46]."""
    kind = o.kind[card]
    return 2 if s.double and kind == MINUS_TWO else kind


def of_kind(s, kind):
    """Return all cards that count as of a kind."""
    if s.double and kind == 2:
        return o.of_kind[2] | o.of_kind[MINUS_TWO]
    return o.of_kind[kind]


def highest_borne(s):
    """Return the highest value that the tower bears [R9]."""
    return s.cap if s.cap > 0 else HIGHEST


def most_minus_twos(s):
    """Return how many "-2" may be laid.

    As many as leave a cap, or a single one that makes the tower collapse [R18] [C19], or, if so
    agreed, any number [H7]; none may lead [C21] unless as on a tower of 11 [H8].
    """
    if s.double:
        return 0
    if s.cap == 0:
        return MOST_TO_LEAD if o.minus_two_lead else 0
    return MOST_CARDS if o.minus_two_collapse == "any" else max(1, (s.cap - 1) // 2)


def borne(s):
    """Return the number cards that the tower bears [R9], with "-2" where each is a 2."""
    if s.double and s.cap != 1:
        return o.borne[s.cap] | o.of_kind[MINUS_TWO]
    return o.borne[s.cap]


def moves_from(s, mine: cardset):
    """Return the cards of a source up to which a seat may lay.

    All equal cards that the tower bears may go together [R9] [R11], as many "-2" as
    `most_minus_twos` says; of clear cards and of heavier values one at a time [R21] [C14] [C27].
    """
    together = mine & borne(s)
    moves = together | one_of_each(s, mine - together)
    if not s.double:
        moves = moves | first_of(mine & o.of_kind[MINUS_TWO], most_minus_twos(s))
    return moves


def one_of_each(s, mine: cardset):
    """Return the cards that stand for kinds; a "-2" where one may be laid as a 2."""
    found = kinds_among(s, mine)
    if s.double and mine & o.of_kind[MINUS_TWO]:
        return found - {SETS_PER_WORD * 2} | {SETS_PER_WORD * MINUS_TWO}
    return found


def kinds_among(s, mine: cardset):
    """Return the first card of each kind that there is, but for "-2" that are no 2s."""
    found = set()
    for kind in range(MINUS_TWO):
        if mine & of_kind(s, kind):
            found = found | {SETS_PER_WORD * kind}
    return found


@fast(of=kinds_among)
def kinds_among_by_bits(s, mine: cardset):
    """Bring the bits of a kind, which stand beside each other, together in the first of them."""
    there = bits(kinds(mine))
    there = there | shr(there, 1)
    found = cards_in((there | shr(there, 2)) & FIRST_OF_VALUES)
    if mine & o.of_kind[CLEAR]:
        found = found | {CLEAR}
    if s.double and mine & o.of_kind[MINUS_TWO]:
        found = found | {SETS_PER_WORD * 2}
    return found


def first_of(mine: cardset, most):
    """Return the lowest cards of a set, so many at most."""
    if len(mine) <= most:
        return mine
    return lower(mine, nth(mine, most))


def first_of_each(s, moves: cardset):
    """Return the first move of every kind, in a first turn of single cards [C8] [C47]."""
    found = set()
    for card in moves:
        if not found & of_kind(s, kind_of(s, card)):
            found = found | {card}
    return found


def is_first_turn(s, seat):
    """Tell whether a seat's first turn is to come, or is under way."""
    return s.first_turn >> seat & 1 != 0


def find_moves(s, seat):
    """Note the moves of a seat by where the cards come from.

    From the hand, the open cards or, if these are gone, the hidden ones [R13] [C9] [R12] [C10];
    special and hidden cards are free choices [R14] [C13] [C26], also to lead after a clear card
    [C28]. A first turn is played from the hand [R10] [C7] [C17] [C48], unless it may be led anew
    otherwise [H9].
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
    """Find the moves, and return how many there are."""
    find_moves(s, seat)
    return len(s.hand_moves[seat]) + len(s.open_moves[seat]) + s.may_turn_up[seat]


def nth_play(s, seat, index):
    """Return a move by its place: from the hand, from the open cards, turning a hidden card up."""
    place = index - len(s.hand_moves[seat])
    if place == len(s.open_moves[seat]):
        return TURN_UP
    from_hand = place < 0
    card = nth(
        s.hand_moves[seat] if from_hand else s.open_moves[seat], index if from_hand else place
    )
    return card if from_hand else OPEN + card


def is_legal_play(s, seat, way):
    """Tell whether a number is a move."""
    if way == TURN_UP:
        return s.may_turn_up[seat] == 1
    if way >= OPEN:
        return way - OPEN in s.open_moves[seat]
    return way in s.hand_moves[seat]


# ------------------------------------------------------------------------------------------ a play


def apply_play(s, seat, way):
    """Lay cards or turn one up, or pass the lead for want of one that may lead."""
    if way == PASS_LEAD:
        pass_lead(s, seat)
    elif way == TURN_UP:
        turn_up(s, seat)
    else:
        lay(s, seat, way % OPEN, way >= OPEN)


def turn_up(s, seat):
    """Play the next hidden card [R12] [C11] [C12]."""
    s.hidden_cards[seat] -= 1
    s.count.blind_plays += 1
    card = s.top[seat][s.hidden_cards[seat]]
    move(card, s.lying[seat], s.tower)
    resolve(s, seat, {card}, kind_of(s, card), True)


def lay(s, seat, card, from_open: bool):
    """Lay cards of the hand or open ones."""
    laid = cards_laid(s, s.open_cards[seat] if from_open else s.hand[seat], card)
    if from_open:
        note_if(s, "restart_open", o.restart_open and is_first_turn(s, seat))
        move(laid, s.open_cards[seat], s.tower)
    else:
        move(laid, s.hand[seat], s.tower)
    resolve(s, seat, laid, kind_of(s, card), False)


def cards_laid(s, mine: cardset, card):
    """Return what a move lays: all of a kind up to a card [R11], or one too heavy [C14] [C27]."""
    kind = kind_of(s, card)
    same = mine & of_kind(s, kind)
    together = card in borne(s) or kind == MINUS_TWO
    return lower(same, (card if together else lowest(same)) + 1)


def resolve(s, seat, laid: cardset, kind, blind: bool):
    """Let cards that were laid on the tower take effect.

    They stay, and the turn passes; or the tower is cleared away or collapses, and the same seat
    leads anew [R16] [R23] [C16].
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
    """Lay number cards that the tower bears; four on top clear it away [H10]."""
    if o.four_clear:
        s.equal = size + (s.equal if kind == s.cap else 0)
        if s.equal >= FOUR:
            s.count.four_clears += 1
            note(s, "four_clear")
            return clear_tower(s)
    s.cap = kind
    return True


def lay_minus_twos(s, seat, laid: cardset, blind: bool):
    """Let "-2" cards lower the cap [R17] [C18], or make the tower collapse [R18] [C19]."""
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
    """Take the whole tower out of the game [R21]."""
    move(s.tower, s.tower, s.cleared)
    s.cap = s.equal = 0
    return False


def collapse(s, seat):
    """Let a seat take the whole tower up, with the cards just laid [R15] [C15]."""
    s.count.collapses += 1
    s.count.largest_pickup = max(s.count.largest_pickup, len(s.tower))
    take_up(s, seat, s.tower)
    s.cap = s.equal = 0
    return False


def take_up(s, seat, taken: cardset):
    """Take cards of the tower into the hand, as all see."""
    s.known_hand[seat] = s.known_hand[seat] | taken
    s.cards_left[seat] += len(taken)
    move(taken, s.tower, s.hand[seat])


def finish_play(s, seat, stays: bool):
    """See who is next: nobody if the seat is out [R26] [C32], or the same seat, leading anew."""
    s.anew = 0 if stays else 1
    if s.cards_left[seat] == 0:
        s.count.plays += s.plays  # [C51]
        end_round(s)
        return
    if s.cards_left[seat] == 1:
        announce(s, seat)
    who = next_turn(s, seat) if stays else seat
    if s.plays >= o.play_cap:  # [C40]
        note(s, "play_cap")
        give_up_match(s)
    else:
        ask(s, who, PLAY)


def announce(s, seat):
    """Announce the last card, or forget to and lose the next turn [R24] [C29] [C30].

    Who had several and has none left need not have announced anything [R25] [C31].
    """
    forget = o.forget_last_card[seat]
    if forget > 0.0 and uniform(s, CHANCE) < forget:
        s.lost_turn = s.lost_turn | 1 << seat


def next_turn(s, seat):
    """Return the next seat clockwise that has not lost its turn [R9] [R24]."""
    s.anew = 0
    s.first_turn = s.first_turn & ~(1 << seat)
    who = after(seat, 1)
    while s.lost_turn >> who & 1:  # each loses one [C30]
        s.lost_turn = s.lost_turn & ~(1 << who)
        note(s, "lost_turn")
        who = after(who, 1)
    return who


def pass_lead(s, seat):
    """Pass the lead to the next seat, for want of a card that may lead [C22].

    Once every seat has passed with its first turn behind it, nobody can ever move again and the
    match is aborted [C49].
    """
    if s.plays > s.plays_at_pass:
        s.plays_at_pass = s.plays
        s.passes = 0
    s.passes += 1
    if s.passes > 2 * o.players:
        give_up_match(s)
        return
    who = next_turn(s, seat)
    if s.plays >= o.play_cap:
        note(s, "play_cap")
        give_up_match(s)
    else:
        ask(s, who, PLAY)


def give_up_match(s):
    """End the match without a winner [C50]."""
    s.count.plays += s.plays
    abort(s)


# ---------------------------------------------------------------------------------------- the score


@rare
def score_round(s):
    """Book the round just ended [C43] and see whether the match is over [R29] [R31] [C34] [C35]."""
    s.count.rounds += 1
    for one in seats():
        if s.cards_left[one] == 0:
            book_first_out(s, one)
        elif o.scoring != "matches":
            s.scores[one] += points_left(s, one)
    note_leaders(s, o.scoring != "matches")  # [R28] [C52]
    most = s.scores[0]
    for one in seats():
        most = max(most, s.scores[one])
    over_limit = 0 < o.points_limit < most
    note_if(s, "limit", over_limit)
    if over_limit or s.round_number == o.rounds:
        end_match(s, s.leaders)
    elif s.round_number == MOST_ROUNDS:
        abort(s)


def book_first_out(s, seat):
    """Give the first out the credit [R27] [C24] [C33] [H6], or the match [R30]."""
    if o.scoring == "matches":
        s.scores[seat] += 1
    elif o.scoring == "points":
        credit = o.blind_credit if s.blind_finish else o.out_credit
        usual = USUAL_BLIND_CREDIT if s.blind_finish else USUAL_CREDIT
        note_if(s, "credit", credit != usual)
        s.scores[seat] = max(0, s.scores[seat] - credit)


def points_left(s, seat):
    """Return the points of all cards a seat has left, hidden ones included [R26] [R30] [H5]."""
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
    """Note what came into play over the whole match."""
    note_if(s, "minus_two", s.count.minus_twos > 0)


# ---------------------------------------------------------------------------------- what is unseen


def deal_unseen(s, seat):
    """Deal anew what a seat has not seen, each such deal with the same probability.

    It knows its own hand, all cards that lie or lay open, those that it saw others take up, and how
    many cards lie where. The hidden cards, its own too, and the unknown hand cards of the others
    are drawn from all the rest.
    """
    for one in seats():
        if one != seat:
            s.redealt[one] = len(s.hand[one] - s.known_hand[one])
            move(s.hand[one] - s.known_hand[one], s.hand[one], s.stock)
        move(s.lying[one], s.lying[one], s.stock)
    for one in seats():
        if one != seat:
            for _ in range(s.redealt[one]):
                move(pick(s), s.stock, s.hand[one])
        for each in range(s.hidden_cards[one]):
            s.top[one][each] = pick(s)
            move(s.top[one][each], s.stock, s.lying[one])


def pick(s):
    """Draw one of the cards that are out of sight."""
    return nth(s.stock, below(s, ASIDE, len(s.stock)))


def is_overdue(s):
    """Tell whether a round goes on as if nobody would end it, or half its cap of plays is gone.

    Each of several searches may have the tower collapse on the next seat again and again, in the
    belief that the others will end the round as heuristics do.
    """
    return s.plays >= min(OVERDUE_LAPS * o.players, o.play_cap // 2)
