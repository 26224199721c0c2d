"""Which tests wait for `python -m pytest -m whole`: all that is dear, for time to green.

A run without options plays a small form of each; tests/README.md has the table. As in .gitignore
the last line that matches decides, and one that begins with `!` takes back; a line is the beginning
of a test's name below tests/, where `*` stands for anything.
"""

from __future__ import annotations

import re
from functools import cache

import pytest

COLLECTED = pytest.StashKey[list[pytest.Item]]()
"""All tests that a run found, before it left any out."""

WHOLE = (
    # Followed by the referees: a few matches of each case stay.
    "*/test_referee.py::test_referee_agrees[more",
    "up/test_referee.py::test_referee_agrees_when_some_forget",
    "!up/test_referee.py::test_referee_agrees_when_some_forget[3]",
    "uno/test_referee.py::test_referee_agrees_when_some_forget",
    "!uno/test_referee.py::test_referee_agrees_when_some_forget[3]",
    "uno/test_referee.py::test_a_wild_draw_four_turned_up_goes_back",
    "*/test_referee.py::test_referee_agrees[few-",
    "!*/test_referee.py::test_referee_agrees[few-plain",
    "!*/test_referee.py::test_referee_agrees[few-*-3]",
    "!updown/test_referee.py::test_referee_agrees[few-",
    # Every option's value: the defaults stay.
    "contract/test_referees.py::test_the_referee_agrees[",
    "!contract/test_referees.py::test_the_referee_agrees[*-defaults]",
    "contract/test_games.py::TestDecisions::test_listed_moves_are_exactly_the_legal_ones[",
    "contract/test_games.py::TestReplay::test_ends_with_the_row_of_the_block[",
    "!contract/test_games.py::*-defaults]",
    # Matches of the long games; those of the short ones stay.
    "contract/test_games.py::TestDecisions::test_decisions_and_forced_moves_are_counted[uno]",
    "contract/test_games.py::TestReplay::test_in_words[up]",
    "contract/test_games.py::TestReplay::test_in_words[uno]",
    "contract/test_games.py::TestReplay::test_plays_the_rotation[up]",
    "contract/test_games.py::TestReplay::test_plays_the_rotation[uno]",
    "cli/test_app.py::test_play_tells_one_match[up]",
    "cli/test_app.py::test_play_tells_one_match[uno]",
    # Probabilities by play, at every size of table.
    "uno/test_rules_setup.py::TestC22Clockwise::test_every_round_begins_so",
    "uno/test_rules_setup.py::TestC23DrawForTheDeal::test_nobody_holds_more",
    "upordown/test_exact.py::*[3]",
    "upordown/test_exact.py::*[4]",
    "upordown/test_exact.py::*[5]",
    "upordown/test_oracles.py::test_seats_are_alike[",
    "!upordown/test_oracles.py::test_seats_are_alike[4]",
    "upordown/test_oracles.py::test_decisions_of_random_play[",
    "!upordown/test_oracles.py::test_decisions_of_random_play[4]",
    "upordown/test_rules_setup.py::TestC4StartPlayer::test_each_as_likely[",
    "!upordown/test_rules_setup.py::TestC4StartPlayer::test_each_as_likely[4]",
    "updown/test_rules_setup.py::TestR3Deal::test_every_card*[3]",
    "updown/test_rules_setup.py::TestR3Deal::test_every_card*[4]",
    "updown/test_rules_setup.py::TestC2Toss::test_face*[3]",
    "updown/test_rules_setup.py::TestC2Toss::test_face*[4]",
    "updown/test_oracles.py::TestUniformPlay::test_cards*[3]",
    "updown/test_oracles.py::TestExact::test_probabilities[3]",
    "updown/test_oracles.py::TestUniformPlay::test_cards*[4]",
    # Every policy under every table of options.
    "strategies/test_hidden_cards.py::test_what_is_hidden_does_not_decide",
    "!strategies/test_hidden_cards.py::test_what_is_hidden_does_not_decide[dnup-*-0",
    "!strategies/test_hidden_cards.py::test_what_is_hidden_does_not_decide[updown-*-0",
    "strategies/test_hidden_cards.py::*-search-",
    "strategies/test_unseen.py::*[",
    "!strategies/test_unseen.py::*[dnup-0]",
    "!strategies/test_unseen.py::*[updown-0]",
    # Kernels that little else needs: the search, stocks shuffled for seats, checked bounds.
    "strategies/test_search.py",
    "studies/test_controls.py::test_no_winner_differs",
    "!studies/test_controls.py::test_no_winner_differs[updown]",
    "contract/test_symmetry.py::test_an_advantage",
    "uno/test_exact.py::test_the_first_card",
    "uno/test_referee.py::test_referee_agrees_under_any_combination",
    "up/test_referee.py::test_referee_agrees_under_any_combination",
    "dnup/test_referee.py::test_referee_agrees_under_any_combination",
    "updown/test_rules_dials.py::TestH1HandCards::test_the_order_of_a_large_hand",
    "studies/test_run.py::TestCommands::test_run_prints_a_page*[updown-tournament]",
    "faults/test_user_policies.py::test_only_other",
    "!strategies/test_search.py::*[updown]",
    "uno/test_coupling.py",
    "studies/test_coupling.py",
    "modes/test_modes.py::test_rows_are_the_same",
    "contract/test_symmetry.py::test_seats_are_alike[heuristic",
    "!contract/test_symmetry.py::test_seats_are_alike[heuristic-updown",
    # Lanes: of Up two forms stay, which hundreds of line-ups and options have in common.
    "contract/test_lanes.py::test_rows",
    "uno/test_oracles.py::TestBlocks::test_rows_are_the_same[seats0",
    "faults/test_shared_memory.py",
    # Everything compiled, or played by programs one after another.
    "notebooks/",
    "cli/test_compiling.py::test_after_warmup",
    "cli/test_simulate.py::test_first_use_is_announced",
    "cli/test_own_policies.py::test_a_good_policy_passes",
    "cli/test_bench.py::test_policies_beside_random_play",
    "cli/test_bench.py::test_json_has_all_figures",
    "cli/test_play.py::test_table_of_every_game_in_colour",
    "!cli/test_play.py::test_table_of_every_game_in_colour[updown]",
    "cli/test_self_check.py::test_every_game_comes_out_the_same",
    "cli/test_self_check.py::test_a_difference_is_told",
    "uno/test_oracles.py::TestSeats::test_all_seats",
    "strategies/test_examples.py::test_the_example_passes",
    "!strategies/test_examples.py::test_the_example_passes_the_examination[updown]",
    "faults/test_user_policies.py::test_a_policy_that_loops",
    "cli/test_data_forms.py::test_check_tells",
    "cli/test_library.py::test_the_shell_is_offered_names",
    "!cli/test_library.py::test_the_shell_is_offered_names[simulate up --rule",
    "cli/test_play.py::test_no_color",
    "cli/test_readme.py::test_python_in_ten_lines",
    "cli/test_report.py::TestPlaces::test_address_of_this_machine",
    "faults/test_hostile_studies.py::test_names_are_labels",
    "faults/test_mutants.py::test_flipped_bits",
    "strategies/test_dnup_policies.py::test_all_policies_are_legal_under_house_rules",
    "uno/test_oracles.py::TestSeats::test_colours_are_alike",
    "up/test_oracles.py::TestDeal::test_the_deal_does_not_depend",
    # Clusters, and runs that are killed, interrupted or started twice.
    "studies/test_cluster.py",
    "!studies/test_cluster.py::test_errors",
    "!studies/test_cluster.py::test_luggage",
    "!studies/test_cluster.py::test_files_that_options",
    "!studies/test_cluster.py::test_a_task",
    "studies/test_faults.py::test_killed",
    "studies/test_faults.py::test_interrupted",
    "studies/test_faults.py::test_two_runs",
    "studies/test_faults.py::test_really_full_disk",
    "faults/test_mutants.py::test_tampered_directories",
    "faults/test_mutants.py::test_mutated_study_files",
    "faults/test_wrong_arguments.py::test_wrong_arguments",
    "faults/test_many_cells.py",
    # Statistics by simulation of many studies.
    "studies/test_coverage.py::test_changes[5000",
    "studies/test_coverage.py::test_populations[20",
    "studies/test_luck.py::test_intervals_hold",
    "studies/test_oracle.py::*[",
    "!studies/test_oracle.py::*[many]",
    "!studies/test_oracle.py::*[aborted]",
    "!studies/test_oracle.py::*[variants]",
    "!studies/test_oracle.py::*[population_rare]",
    "!studies/test_oracle.py::*[two_players]",
    "!studies/test_oracle.py::*[ten_rotated]",
    "!studies/test_oracle.py::*[all_aborted]",
    "!studies/test_oracle.py::*[one_deal]",
    "studies/test_properties.py::*[two_sweeps]",
    "studies/test_properties.py::*[population_rare]",
    "studies/test_properties.py::*[ten_rotated]",
    "report/test_sentences.py::*[sweep]",
    "report/test_sentences.py::*[duels]",
    "report/test_sentences.py::*[population]",
    "report/test_sentences.py::*[summary_aborted]",
    "report/test_sentences.py::*[factors]",
    "report/test_sentences.py::test_null_variants",
    "!report/test_sentences.py::test_null_variants*[0]",
    "studies/test_null_studies.py",
    "!studies/test_null_studies.py::test_a_planted",
    "studies/test_stopping.py::test_what_is_kept_depends",
    "studies/test_racing.py::test_among_equals",
    "studies/test_racing.py::test_the_best_is_kept",
    "!studies/test_racing.py::test_the_best_is_kept[shares0",
    # Pages of the documentation, command by command.
    "docs/test_docs.py::test_what_a_page_says_works",
    "cli/test_report.py::TestPlaces::test_report_of_an_address_to_an_address",
)


def _pattern(line: str) -> re.Pattern[str]:
    return re.compile(re.escape(line.removeprefix("!")).replace(r"\*", ".*"))


@cache
def _lines_about(file: str) -> list[tuple[str, re.Pattern[str]]]:
    """Return the lines that can match tests of a file, the last one first."""
    found = []
    for line in reversed(WHOLE):
        place, of_tests, _ = line.partition("::")
        if (_pattern(place).fullmatch if of_tests else _pattern(place).match)(file):
            found.append((line, _pattern(line)))
    return found


def deciding(node_id: str) -> str:
    """Return the line that decides on a test; an empty one if there is none."""
    name = node_id.removeprefix("tests/")
    about = _lines_about(name.partition("::")[0])
    return next((line for line, pattern in about if pattern.match(name)), "")


def is_named(node_id: str) -> bool:
    """Return whether the line that decides on a test takes it in."""
    line = deciding(node_id)
    return bool(line) and not line.startswith("!")


def is_whole(item: pytest.Item) -> bool:
    """Return whether a test waits for `-m whole`; those that wait for other reasons do not."""
    other = item.get_closest_marker("long") or item.get_closest_marker("speed")
    return is_named(item.nodeid) and not other
