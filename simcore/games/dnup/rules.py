"""dnup: the rules. Marks in brackets, such as [R9], name the clauses of RULES.md.

A turn has two decisions: `ACTION`, what to do, and `PICK`, with which cards, if there is a choice
[C26]. Then the action is carried out and the turn passes on.
"""

from __future__ import annotations

from simcore.games.dnup.charts import *
from simcore.games.dnup.deck import DECK_SIZE, MOST_PLAYERS, load_deck
from simcore.language import *

deck = numbered(DECK_SIZE)

ACTION, PICK = decisions("ACTION", "PICK")

PLAY, TURN, ADD, TAKE = 0, VALUES * DECK_SIZE, 400, 800
"""Actions A, D, B and C. A move that plays, adds to or takes a set is one of these numbers
+ 9 · (size − 1) + value − 1; that identifies the set because no two sets on the table have the same
size [C9]. A `PICK` move is the rank of a subset, from 0."""

LAST_ACTION = TAKE + VALUES * DECK_SIZE

NOBODY = NOWHERE = -1
BYTE = 8

PLACES = MOST_PLAYERS
"""The most places. A *place* is where a set may lie: the seat's number, or with two players
2 · seat + area − 1 [R17] [R18]."""

USUAL_FIRST_OUT, USUAL_SECOND_OUT = 2, 1


class State:
    """Game state. Cards are numbers of the sorted deck; only `hand`, `flipped` are secret [C25]."""

    stock = hidden(cards)  # cards not dealt
    hand = own(cards)  # hand cards of each seat
    lying = shown(cards, many=PLACES)  # the set at each place
    discards = shown(cards)  # cards out of the round
    flipped = hidden(cardset)  # the cards that show their higher value; a seat sees its own
    shape = shown(number, many=PLACES)  # the shape of the set at each place; 0: none
    known = shown(cardset, per=seat)  # hand cards that everybody saw the seat take
    chart = own(number)  # chart of the hand of the seat on turn
    place = shown(number)  # the place of the current action
    pending = shown(number)  # the action whose cards are being picked
    turns = shown(number)  # actions of the round
    dealer = shown(number)  # the seat that deals
    first_out = shown(number, start=NOBODY)  # the seat that went out first of three or more
    last_out = shown(number, start=NOBODY)  # the seat that ended the round by going out
    last_winner = shown(number)  # the seat that was out first in the last round [H6]


def prepare(o):
    """Return the deck [R2] [R16] [C1] [C2] and constants derived from the options."""
    printed = load_deck(str(o.deck))
    pairs = [(card.low, card.high) for card in printed]
    in_play = [number for number, card in enumerate(printed) if card.players <= o.players]
    hand_size, extra = divmod(len(in_play), o.players)
    alike = [
        sum(1 << other for other in in_play if pairs[other] == pairs[number])
        for number in range(DECK_SIZE)
    ]
    values = range(VALUES + 1)
    return {
        "in_play": sum(1 << number for number in in_play),
        "deck_size": len(in_play),
        "deck_changed": o.deck != "a",
        "star": next(number for number, card in enumerate(printed) if card.star),
        "low": [sum(1 << n for n, pair in enumerate(pairs) if pair[0] == v) for v in values],
        "high": [sum(1 << n for n, pair in enumerate(pairs) if pair[1] == v) for v in values],
        "alike": alike,
        "has_alike": any(bits_alike & (bits_alike - 1) for bits_alike in alike),
        "hand_sizes": [hand_size + (step < extra) for step in range(MOST_PLAYERS)],
        "places": 4 if o.players == 2 else o.players,
        "goal": o.rounds_to_win if o.players == 2 else o.markers_to_win,
        "first_markers": o.first_out_markers or 0,
        "second_markers": USUAL_SECOND_OUT if o.players == 2 else o.second_out_markers,
        "winner_wins": o.win_on_playing is not False,
    }


# ------------------------------------------------------------------------------------ the deal


def start_match(s):
    """Draw the first dealer if hands are uneven, so that it matters [C4]."""
    if o.deck_size % o.players != 0:
        s.dealer = below(s, MATCH, o.players)
    note_if(s, "deck", o.deck_changed)
    note_if(s, "no_turning", not o.turn_hand)  # [H4]


@rare
def deal(s):
    """Shuffle and deal all cards, each a random way up [R3] [C3]; the hands may be uneven [C4]."""
    for place in range(o.places):
        s.shape[place] = 0
    for seat in seats():
        s.known[seat] = set()
    s.turns = 0
    s.first_out = s.last_out = NOBODY
    s.count.rounds += 1
    if s.round_number > 1:
        s.dealer = after(s.dealer, 1)
    bring(cards_in(o.in_play), s.stock)
    s.flipped = cards_in(shr(word(s, DEAL), 1) & o.in_play)
    for step in range(o.players - 1):
        seat = (s.dealer + 1 + step) % o.players
        draw(s.stock, s.hand[seat], o.hand_sizes[step])
    move(s.stock, s.stock, s.hand[s.dealer])  # the rest is a random hand as well
    begin_round(s)


def begin_round(s):
    """Let the star card's holder begin [R5] [C5], with two players in area 2 [R19]."""
    first = 0
    for seat in seats():
        if o.star in s.hand[seat]:
            first = seat
    if o.round_start == "winner" and s.round_number > 1:  # [H6]
        note_if(s, "winner_started", first != s.last_winner)
        first = s.last_winner
    if s.round_number == 1:
        s.first_seat = first
    begin_turn(s, 2 * first + 1 if o.players == 2 else first)


# ------------------------------------------------------------------------------------ the table


def owner(place):
    """Return the seat that a place belongs to."""
    return place // 2 if o.players == 2 else place


def place_after(place):
    """Return the next place clockwise."""
    return place + 1 if place + 1 < o.places else 0


def own_other_set(s):
    """Return the shape of the set in the seat's other area with two players, otherwise 0 [C21]."""
    return s.shape[s.place ^ 1] if o.players == 2 else 0


def sets_laid(s):
    """Return the shapes of all sets on the table, as a chart."""
    laid = 0
    for place in range(o.places):
        laid |= s.shape[place]
    return laid


def sets_of(s, seat):
    """Return the shapes of a seat's sets, as a chart."""
    if o.players == 2:
        return s.shape[2 * seat] | s.shape[2 * seat + 1]
    return s.shape[seat]


def place_of_size(s, size):
    """Return the place of the set of a size, or `NOWHERE`; there is at most one [C9]."""
    place_found = NOWHERE
    for place in range(o.places):
        if len(s.lying[place]) == size:
            place_found = place
    return place_found


def held(s, seat, value):
    """Return the hand cards that show a value: the hand's largest set of that value [R1] [R4]."""
    low, high = cards_in(o.low[value]), cards_in(o.high[value])
    return s.hand[seat] & ((low - s.flipped) | (high & s.flipped))


def chart_of_hand(s, seat):
    """Return the chart of a hand."""
    hand, flipped = bits(s.hand[seat]), bits(s.flipped)
    return chart_of(hand & ~flipped, hand & flipped)


def chart_turned(s, seat):
    """Return the chart of a hand as it would be after turning it."""
    hand, flipped = bits(s.hand[seat]), bits(s.flipped)
    return chart_of(hand & flipped, hand & ~flipped)


def different_values_turned(s, seat):
    """Return the number of different values on the other side of a hand."""
    hand, flipped = bits(s.hand[seat]), bits(s.flipped)
    up, down = hand & flipped, hand & ~flipped
    return sum((up & o.low[value] | down & o.high[value]) != 0 for value in range(1, VALUES + 1))


def cards_between(value, other):
    """Return the cards with these two values, as bits."""
    return o.low[min(value, other)] & o.high[max(value, other)]


def values_taken(s, shape_index):
    """Return the chart of the cards of a set as they will show once taken [R8] [H2]."""
    taken, flipped = bits(s.lying[place_of_size(s, size_of(shape_index))]), bits(s.flipped)
    if not o.turn_on_taking:
        return chart_of(taken & ~flipped, taken & flipped)
    return chart_of(taken & flipped, taken & ~flipped)


# ------------------------------------------------------------------------------------ the action


def is_legal_action(s, seat, action):
    """Tell whether an action is legal for the seat on turn, by the charts."""
    if rarely(has_large_sets(s, s.chart[seat])):
        return is_legal_by_looking(s, seat, action)
    if action == TURN:
        return o.turn_hand != 0
    plays, adds, takes = actions(s, s.chart[seat])
    sets = plays if action < ADD else adds if action < TAKE else takes
    shape_index = action - (PLAY if action < ADD else ADD if action < TAKE else TAKE)
    return 0 <= shape_index < LARGE_ROW and sets >> shape_index & 1 != 0


def is_legal_by_looking(s, seat, action):
    """Tell whether an action is legal for the seat on turn [R7], whoever else is out [C12]."""
    if action == TURN:
        return o.turn_hand != 0  # [R12] [H4]
    if PLAY <= action < TURN:
        value, size = value_of(action), size_of(action)
        return len(held(s, seat, value)) >= size and may_lie(s, value, size)  # [R9]
    if action < ADD:
        return False
    shape_index = action - (TAKE if action >= TAKE else ADD)
    value, size = value_of(shape_index), size_of(shape_index)
    place = place_of_size(s, size)
    if place == NOWHERE or owner(place) == seat:  # [C21]
        return False
    if s.shape[place] != shape_of(value, size):
        return False
    if action >= TAKE:
        return o.take_up != 0  # [R11] [H3]
    return len(held(s, seat, value)) > 0 and may_lie(s, value, size + 1)  # [R10] [C11]


def may_lie(s, value, size):
    """Tell whether a set may be laid: a set of its size must be lower [C8] [C20] or equal [H5]."""
    rival = place_of_size(s, size)
    if rival == NOWHERE:
        return True
    least = value_of(lowest_bit(s.shape[rival]))
    return value >= least if o.equal_beats else value > least


def actions(s, hand):
    """Return three charts: the sets that a hand may play, add to and take, if no set is large.

    Together with turning the hand, these are the actions that `is_legal_action` allows.
    """
    laid = sets_laid(s)
    others = laid ^ own_other_set(s)
    # In each row: the bits up to that of the set on the table, or below it if equals beat [H5].
    beaten = (laid if o.equal_beats else laid << 1) - row_starts(laid)
    plays = hand & ~beaten
    adds = others & in_all_rows(hand & ROW) & ~(beaten >> VALUES)
    takes = others if o.take_up else 0
    return plays, adds, takes


def count_action(s, seat):
    """Return the number of legal actions. Nobody may pass [C7], except by a house rule [H4]."""
    if rarely(has_large_sets(s, s.chart[seat])):
        return count_by_looking(s, seat)
    plays, adds, takes = actions(s, s.chart[seat])
    return popcount(plays) + o.turn_hand + popcount(adds) + popcount(takes)


def nth_action(s, seat, index):
    """Return a legal action by its index, in the order A, D, B, C [C27]."""
    if rarely(has_large_sets(s, s.chart[seat])):
        return nth_by_looking(s, seat, index)
    sets, adds, takes = actions(s, s.chart[seat])
    kind = PLAY
    if index >= popcount(sets):
        index -= popcount(sets) + o.turn_hand
        if index < 0:
            return TURN
        sets, kind = adds, ADD
        if index >= popcount(adds):
            index -= popcount(adds)
            sets, kind = takes, TAKE
    return kind + nth_bit(sets, index)


def has_large_sets(s, hand):
    """Tell whether seven or more cards share a value, so that charts are not enough."""
    return (hand | sets_laid(s)) >> LARGE_ROW != 0


@rare
def count_by_looking(s, seat):
    """Return the number of legal actions by examining each."""
    count = 0
    for action in range(LAST_ACTION):
        if is_legal_by_looking(s, seat, action):
            count += 1
    return count


@rare
def nth_by_looking(s, seat, index):
    """Return a legal action by its index, examining each."""
    chosen, count = PASS, 0
    for action in range(LAST_ACTION):
        if is_legal_by_looking(s, seat, action):
            if count == index:
                chosen = action
            count += 1
    return chosen


def apply_action(s, seat, action):
    """Ask for the cards with which the action is carried out."""
    s.pending = action
    ask(s, seat, PICK)


# ------------------------------------------------------------------------------------ the cards


def cards_needed(action):
    """Return the value and the number of the cards that leave the hand in an action A or B."""
    if action < TURN:
        return value_of(action), size_of(action)
    return value_of(action - ADD), 1


def lays_cards(action):
    """Tell whether an action is A or B."""
    return PLAY <= action < TURN or ADD <= action < TAKE


def count_pick(s, seat):
    """Return the number of subsets to choose from; 0 if all cards are alike [C26]."""
    if not lays_cards(s.pending):
        return 0
    value, count = cards_needed(s.pending)
    candidates = held(s, seat, value)
    if len(candidates) == count or (o.has_alike and are_alike(candidates)):
        return 0
    return CHOOSE[len(candidates)][count]


def nth_pick(s, seat, index):
    """Return a pick, which is the rank of a subset."""
    return index


def is_legal_pick(s, seat, pick):
    """Tell whether a pick is the rank of a subset."""
    return 0 <= pick < count_pick(s, seat)


def are_alike(candidates: cardset):
    """Tell whether all cards have the same two values."""
    return not candidates - cards_in(o.alike[nth(candidates, 0)])


def apply_pick(s, seat, pick):
    """Carry out the chosen action [R7] with the picked cards, and end the turn."""
    action = s.pending
    leaving, taker, emptied = NOWHERE, seat, False
    if action == PASS:
        s.count.passes += 1  # [H4]
    elif action == TURN:
        s.count.turns_over += 1
        s.flipped ^= s.hand[seat]  # [R12]
    elif action >= TAKE:
        s.count.sets_taken += 1
        leaving = place_of_size(s, size_of(action - TAKE))  # [R11]
    else:
        leaving = lay_cards(s, seat, action, max(pick, 0))
        emptied = len(s.hand[seat]) == 0  # [C14]
        if leaving != NOWHERE:
            s.count.sets_beaten += 1
            taker = owner(leaving)  # [R9] [R10]
    if leaving != NOWHERE:
        leave_table(s, leaving, taker)
    if emptied and len(s.hand[seat]) > 0:  # The seat's other set has come back [C20].
        note(s, "set_returned")
        emptied = o.winner_wins  # [C23]
    end_turn(s, seat, emptied)


def lay_cards(s, seat, action, pick):
    """Play a set [R9] or add a card to a set [R10]; return the place of the beaten set, if any."""
    value, count = cards_needed(action)
    place = s.place
    if action < TURN:
        s.count.sets_played += 1
    else:
        s.count.cards_added += 1
        place = place_of_size(s, size_of(action - ADD))
    laid = cards_in(subset(bits(held(s, seat, value)), count, pick))
    size = len(s.lying[place]) + count
    rival = place_of_size(s, size)  # After growth only this size can meet another set [C11].
    move(laid, s.hand[seat], s.lying[place])
    s.known[seat] -= laid
    s.shape[place] = shape_of(value, size)
    s.count.largest_set = max(s.count.largest_set, size)
    if rival != NOWHERE:
        note_if(s, "equal_beaten", s.shape[rival] == s.shape[place])  # [H5]
    return rival


def leave_table(s, place, taker):
    """Move a set into a hand, turned [R8] or not [H2]; there is no hand limit [C13].

    A beaten set of a seat that is out is discarded [C10].
    """
    beaten = s.lying[place]
    if place == s.first_out and taker == place:
        discard(s, place)
    else:
        if o.turn_on_taking:
            s.flipped ^= beaten
        note_if(s, "kept_side", not o.turn_on_taking)
        s.known[taker] |= beaten
        move(beaten, s.lying[place], s.hand[taker])
        s.shape[place] = 0


def discard(s, place):
    """Discard the set at a place, if any, including cards added by others [C6]."""
    move(s.lying[place], s.lying[place], s.discards)
    s.shape[place] = 0


# ------------------------------------------------------------------------------ the end of a turn


def end_turn(s, seat, is_out):
    """Count an action, and pass the turn unless the round or match has ended."""
    s.turns += 1
    s.count.turns += 1
    if rarely(is_out):
        go_out(s, seat)
    elif rarely(s.turns >= o.turn_cap):
        reach_cap(s)
    else:
        next_turn(s)


def next_turn(s):
    """Pass the turn to the next seat still in [R5] [C19], or the next area [R17] [C22]."""
    place = place_after(s.place)
    if place == s.first_out:  # All others have had a turn [R13] [C15].
        discard(s, place)
        place = place_after(place)
    discard(s, place)  # [R6]
    begin_turn(s, place)
    note_if(s, "no_taking", not o.take_up and sets_laid(s) != own_other_set(s))  # [H3]


def begin_turn(s, place):
    """Ask the owner of a place for an action; compute the chart of its hand once for the turn."""
    seat = owner(place)
    s.place = place
    s.chart[seat] = chart_of_hand(s, seat)
    ask(s, seat, ACTION)


@rare
def go_out(s, seat):
    """Take a seat that has played its last cards out of the round.

    With three or more players the first out gets its markers [H1] and the round goes on [R13],
    unless that wins the match at once [R15] [C17]. Otherwise the round is over [R14] [R20].
    """
    if s.first_out == NOBODY:
        s.last_winner = seat
    if o.players == 2 or s.first_out != NOBODY:
        s.last_out = seat
        end_round(s)
        return
    s.first_out = seat
    s.scores[seat] += o.first_markers
    note_if(s, "other_markers", o.first_markers != USUAL_FIRST_OUT)
    if s.scores[seat] >= o.goal:
        note(s, "goal")
        end_match(s, 1 << seat)
    elif s.turns >= o.turn_cap:
        reach_cap(s)
    else:
        next_turn(s)


@rare
def reach_cap(s):
    """End the match without a winner at the cap [C28]; the round gives no markers [C29]."""
    note(s, "turn_cap")
    if s.first_out != NOBODY:
        s.scores[s.first_out] -= o.first_markers
    abort(s)


@rare
def score_round(s):
    """Score markers for the second seat out [R14] [C16] [H1], or a round won [R20] [C24]."""
    winner = s.last_out
    s.scores[winner] += o.second_markers
    note_if(s, "other_markers", o.second_markers != USUAL_SECOND_OUT)
    note_leaders(s, False)  # [C30]
    if s.scores[winner] >= o.goal:  # [R15] [R21]
        note(s, "goal")
        end_match(s, 1 << winner)


def finish_match(s):
    """Note the last change of the lead, as a match may be won within a round [C30]."""
    if s.winners != 0 and s.winners != s.leaders:
        note_lead_change(s, s.round_number)


# ------------------------------------------------------------------------------------ the unseen


def unseen(s, seat):
    """Return the cards of other seats that a seat has not seen [C25]."""
    seen = s.hand[seat] | s.discards
    for place in range(o.places):
        seen |= s.lying[place]
    for other in seats():
        seen |= s.known[other]
    return cards_in(o.in_play) - seen


def known_of_others(s, seat):
    """Return the known hand cards of other seats, split by lower and higher value up."""
    known = 0
    for other in seats():
        if other != seat:
            known |= bits(s.known[other])
    return known & ~bits(s.flipped), known & bits(s.flipped)


def deal_unseen(s, seat):
    """Redeal the cards of other seats that a seat has not seen, each a random way up."""
    sizes = 0
    for other in seats():
        if other != seat:
            sizes |= len(s.hand[other] - s.known[other]) << BYTE * other
            move(s.hand[other] - s.known[other], s.hand[other], s.stock)
    for other in seats():
        for _ in range((sizes >> BYTE * other) & (1 << BYTE) - 1):
            drawn = nth(s.stock, below(s, ASIDE, len(s.stock)))
            move(drawn, s.stock, s.hand[other])
            s.flipped = s.flipped - {drawn}
            if below(s, ASIDE, 2) == 1:
                s.flipped |= {drawn}
