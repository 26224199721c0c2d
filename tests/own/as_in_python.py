"""Functions that compiled rules got wrong once, read by test_language.py as part of a game."""
# ruff: noqa: A001, F403, F405, PLC2401, RET503, RET504, ANN, N
# fmt: off

from simcore.language import *

FAR = {70}
HUGE = [2**70, 1]
PREFIX = [5, 6, 7]


def bump(s):
    s.last += 1
    return s.last


def reset(s, value):
    s.last = value
    return value


def drawn(s):
    s.last += 1
    return {below(s, CHANCE, 8), s.last & 15}


def nothing(s):
    s.last += 1


def sometimes(card):
    if card:
        return 1


def bad_o(o):
    return o


def max(a, b):
    return a - b


def popcount(a):
    return a + 1000


def word_of(größe):
    ß = größe * 2
    return ß


def more(s):
    return bump(s) > 2


def case_an_argument_is_evaluated_once(s, seat, card):
    x = abs(below(s, CHANCE, 100) - 50)
    return x


def case_an_index_is_drawn_once(s, seat, card):
    x = 0
    s.sums[seat][below(s, CHANCE, 2)] += 1
    return x


def case_an_index_is_counted_once(s, seat, card):
    x = 0
    s.sums[bump(s) % players][0] += 1
    return x


def case_a_number_that_is_drawn_or_another(s, seat, card):
    x = below(s, CHANCE, 3) or 100
    x += bump(s) and 100
    return x


def case_the_middle_of_a_comparison(s, seat, card):
    x = 2 < bump(s) < 5
    x += 0 <= s.last < bump(s) < s.last + 3
    return x


def case_the_index_before_the_value(s, seat, card):
    x = 0
    s.last = 0
    s.sums[seat][s.last] += bump(s)
    return x


def case_what_was_there_before_the_value(s, seat, card):
    x = 0
    s.sums[seat][0] += reset(s, 3) + s.last
    s.last += bump(s)
    return x


def case_the_value_before_the_index(s, seat, card):
    x = 0
    s.last = 0
    s.sums[seat][bump(s) & 1] = bump(s)
    return x


def case_targets_from_left_to_right(s, seat, card):
    x = 0
    s.last = 0
    s.last, s.sums[seat][s.last] = 1, 7
    return x


def case_targets_one_after_another(s, seat, card):
    x = 0
    s.last = s.sums[seat][s.last & 1] = bump(s) & 1
    return x


def case_a_target_that_is_drawn(s, seat, card):
    x = 0
    s.sums[seat][bump(s) & 1], s.last = s.last, 5
    return x


def case_a_field_before_it_is_changed(s, seat, card):
    x = s.last + bump(s) + s.last * 100
    return x


def case_a_field_in_a_comparison(s, seat, card):
    x = s.last < bump(s) and s.last == bump(s) - 1
    return x


def case_a_field_in_a_call(s, seat, card):
    x = after(s.last & 1, bump(s) & 1)
    return x


def case_sets_that_are_drawn(s, seat, card):
    x = len({below(s, CHANCE, 16), below(s, CHANCE, 16), s.last & 15, bump(s) & 15})
    return x


def case_a_drawn_card_in_a_place(s, seat, card):
    x = below(s, CHANCE, 16) in s.hand[seat]
    return x


def case_sets_by_a_condition(s, seat, card):
    x = 0
    a = s.hand[seat] if below(s, CHANCE, 2) else drawn(s)
    x = len(a)
    return x


def case_a_set_after_a_number(s, seat, card):
    x = bump(s) * 100 + len(drawn(s))
    return x


def case_a_set_before_a_number(s, seat, card):
    x = len(drawn(s)) * 100 + s.last + bump(s)
    return x


def case_a_set_or_another(s, seat, card):
    x = len((s.hand[seat] - s.hand[seat]) or drawn(s))
    return x


def case_a_set_that_is_not_made(s, seat, card):
    x = len(s.laid or drawn(s)) + s.last
    return x


def case_a_card_drawn_within_an_expression(s, seat, card):
    x = rank(draw(s.stock, s.laid)) if len(s.laid) == 3 else 0
    return x


def case_the_last_of_several_cards(s, seat, card):
    x = draw(s.stock, s.hand[seat], 2) if len(s.laid) == 2 else 0
    return x


def case_none_of_several_cards(s, seat, card):
    x = draw(s.stock, s.hand[seat], card & 0)
    return x


def case_a_comprehension_that_draws(s, seat, card):
    x = len({below(s, CHANCE, 16) for c in s.hand[seat] if bump(s) & 1})
    return x


def case_any_that_draws(s, seat, card):
    x = any(below(s, CHANCE, 2) for c in s.hand[seat])
    x += all(bump(s) % 3 for c in s.laid)
    return x


def case_comprehensions_within_others(s, seat, card):
    x = sum(len({d for d in s.hand[seat] if d > c}) for c in s.laid)
    return x


def case_the_same_name_within(s, seat, card):
    x = sum(sum(c for c in s.laid if c > 2) + c for c in s.hand[seat])
    return x


def case_a_set_name_in_a_comprehension(s, seat, card):
    x = 0
    c = s.laid
    x = sum(c for c in s.hand[seat]) + len(c)
    return x


def case_the_best_by_a_function_that_draws(s, seat, card):
    x = 0
    if s.hand[seat]:
        x = min(s.hand[seat], key=lambda c: below(s, CHANCE, 9) + c)
    return x


def case_names_that_are_made_elsewhere(s, seat, card):
    x = 0
    best_ = first_ = most_ = worth_ = got_ = those0_ = t1_ = 2
    x = sum(c + best_ for c in s.laid) + first_ + most_ + worth_ + got_ + those0_ + t1_
    return x


def case_names_of_words_of_sets(s, seat, card):
    x = 0
    hand = s.hand[seat]
    hand__0 = hand__1 = 5
    x = len(hand) + hand__0 + hand__1
    return x


def case_letters_outside_of_ascii(s, seat, card):
    x = 0
    größe = card
    größe += word_of(größe)
    x = größe
    return x


def case_helpers_that_are_named_as_words(s, seat, card):
    x = max(card, 3) + popcount(2) + len(s.laid)
    return x


def case_a_loop_that_counts_down(s, seat, card):
    x = 0
    for k in range(card, -2, -1 - (card & 1)):
        x = x * 3 + k & 1023
    return x


def case_a_loop_with_bounds_that_change(s, seat, card):
    x = 0
    for k in range(s.last & 3, 3 + (bump(s) & 3)):
        x += k + bump(s)
    return x


def case_a_test_that_draws_and_a_loop(s, seat, card):
    x = 0
    while below(s, CHANCE, 4) and x < 9:
        x += 1
        if x == 4:
            continue
    return x


def case_one_of_some_that_are_drawn(s, seat, card):
    x = bump(s) in (bump(s), s.last, below(s, CHANCE, 3))
    return x


def case_truth_of_what_is_drawn(s, seat, card):
    x = not (seat or more(s)) or bump(s) == 3
    y = more(s) and more(s)
    x += y
    return x


def case_values_by_conditions_within_others(s, seat, card):
    x = (bump(s) if more(s) else below(s, CHANCE, 3) or 7) + (s.last if card else bump(s))
    return x


def case_shifts(s, seat, card):
    x = (card - 3 >> 70) + (-5 >> (card + 60)) + (1 << 63 >> 63) + (3 << 62 >> 60)
    return x


def case_suits_and_ranks_beyond_the_deck(s, seat, card):
    x = len(of_suit(card)) + len(of_rank(card * 3)) * 100 + len(of_suit(card - 4))
    return x + len(higher(s.hand[seat], card - 9)) + len(lower(s.laid, card - 9))


def case_whole_numbers_of_floats(s, seat, card):
    x = int(card / 3) + int(0 - card * 1.5) + abs(card - 9) + (card - 5) // 3 + (card - 5) % 3
    return x


def case_a_loop_that_goes_down(s, seat, card):
    x = 0
    step = 0 - 1 - (card & 1)
    for k in range(card, -3, step):
        x = x * 3 + k & 1023
    return x


def case_sums_of_floats(s, seat, card):
    x = sum(0.1 for c in s.laid) * 1000 + min(rank(c) / 7 for c in s.laid)
    return int(x * 1000000.0)


def two_values(s):
    return bump(s), drawn(s)


def case_values_that_nobody_takes(s, seat, card):
    two_values(s)
    drawn(s)
    x, those = two_values(s)
    return x * 16 + len(those)
