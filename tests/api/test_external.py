"""Rows that were not played here: spreadsheets, other programs, a study's own rows as a file."""

from __future__ import annotations

import csv
import io
import sys
import zipfile

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import cardlab
from simcore.errors import InputError
from studies.cli.app import run_app
from studies.foreign.files import read_rows, typed
from studies.render import to_csv

KEYS = ["variant", "kind", "who", "number", "against"]


def only_row(answer, **named):
    (row,) = answer.frame.filter(**named).iter_rows(named=True)
    return row


class TestOwnRows:
    """The same numbers as from a study directory when its own rows are handed over."""

    @pytest.mark.parametrize("ending", ["csv", "parquet"])
    def test_rows_with_all_their_columns(self, duel, tmp_path, ending, capfd):
        path = tmp_path / f"rows.{ending}"
        rows = duel.rows().collect()
        if ending == "csv":
            path.write_text(to_csv(rows), "utf-8")
        else:
            rows.write_parquet(path)
        answer = duel.compare().frame
        if ending == "parquet":
            assert_frame_equal(cardlab.compare(path).frame, answer)
        else:
            assert run_app(["compare", str(path), "--csv"]) == 0
            assert capfd.readouterr().out == to_csv(answer)

    def test_a_row_a_match_and_seat(self, duel, tmp_path):
        path = tmp_path / "seats.csv"
        duel.seats().collect().write_csv(path)
        answer = cardlab.compare(
            path,
            deal="match",
            variant="variant",
            policy="policy",
            seat="position",
            winner="won",
            measure="score",
        )
        columns = ["estimate", "low", "high", "p", "baseline", "deals"]
        numbers = ("win_rate", "score", "another_winner", "aborted")
        wanted = duel.compare().frame.filter(
            pl.col("number").is_in(numbers), pl.col("kind").is_in(["level", "change", "after"])
        )
        joined = wanted.join(answer.frame, on=KEYS, how="left", nulls_equal=True)
        assert joined.height == wanted.height > 20
        for name in columns:
            assert_frame_equal(
                joined.select(name), joined.select(pl.col(f"{name}_right").alias(name))
            )

    def test_a_row_a_match(self, duel):
        rows = duel.rows().collect()
        seats = pl.col("winner_seats").cast(pl.List(pl.String)).list.join(";")
        # Seats as they stand: rotation r has the line-up turned by r.
        turned = [
            pl.when(pl.col("rotation") % 2 == seat % 2)
            .then(pl.lit("greedy"))
            .otherwise(pl.lit("shedder"))
            .alias(f"who_{seat}")
            for seat in range(4)
        ]
        frame = rows.with_columns(seats.alias("winner"), *turned)
        answer = cardlab.compare(
            frame, deal="match", variant="variant", policy="who_{seat}", measure="plays"
        )
        expected = duel.compare()
        for named in (
            {"kind": "change", "who": "policy greedy", "number": "win_rate", "against": ""},
            {"kind": "change", "who": "", "number": "plays"},
            {"kind": "level", "variant": "dirty", "number": "another_winner"},
        ):
            row, expected_row = only_row(answer, **named), only_row(expected, **named)
            for name in ("estimate", "low", "high"):
                assert row[name] == pytest.approx(expected_row[name])


def games(count, seed=1, **columns):
    """Return a row a match of two people, who sit as it happens."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 2, count)
    people = np.array(["Ada", "Ben"])
    return pl.DataFrame(
        {
            "night": np.arange(count) // 2,
            "white": people[first],
            "black": people[1 - first],
            "won": people[(rng.random(count) < 0.3).astype(int)],
            "minutes": rng.integers(20, 60, count),
            **columns,
        }
    )


class TestElsewhere:
    def test_a_spreadsheet_of_matches(self):
        frame = games(200)
        answer = cardlab.compare(
            frame, deal="night", policy="white,black", winner="won", measure="minutes"
        )
        ada = only_row(answer, kind="level", who="policy Ada", number="win_rate")
        assert ada["estimate"] == pytest.approx((frame["won"] == "Ada").mean())
        assert ada["matches"] == 200
        assert ada["low"] < ada["estimate"] < ada["high"]
        first = only_row(answer, kind="level", who="position 0", number="win_rate")
        assert first["estimate"] == pytest.approx((frame["won"] == frame["white"]).mean())
        minutes = only_row(answer, kind="level", number="minutes")
        assert minutes["estimate"] == pytest.approx(frame["minutes"].mean())
        assert "Ada" in repr(answer)

    def test_numbers_are_seats_whatever_people_are_called(self):
        first = ["0"] * 10 + ["1"] * 30
        second = ["1" if name == "0" else "0" for name in first]
        frame = pl.DataFrame({"first": first, "second": second, "won": [0] * 40})
        answer = cardlab.compare(frame, policy="first,second", winner="won")
        rate = only_row(answer, kind="level", who="policy 1", number="win_rate")
        assert rate["estimate"] == 0.75

    def test_shared_deals_pair_and_others_do_not(self):
        usual = games(300, seed=1).with_columns(rules=pl.lit("book"))
        house = usual.with_columns(
            rules=pl.lit("house"),
            won=pl.when(pl.int_range(pl.len()) % 10 == 0).then(pl.lit("Ben")).otherwise("won"),
            minutes=pl.col("minutes") + 4 + pl.int_range(pl.len()) % 3,
        )
        columns = {
            "variant": "rules",
            "policy": "white,black",
            "winner": "won",
            "baseline": "book",
            "measure": "minutes",
        }
        both = pl.concat([usual, house])
        paired = cardlab.compare(both, deal="night", **columns)
        moved = (usual["won"] != house["won"]).mean()
        assert only_row(paired, number="another_winner")["estimate"] == pytest.approx(moved)
        longer = only_row(paired, kind="change", number="minutes")
        assert longer["estimate"] == pytest.approx(5)
        assert 0 < longer["high"] - longer["low"] < 0.5
        apart = cardlab.compare(both, **columns)
        assert apart.frame.filter(number="another_winner").is_empty()
        wide = only_row(apart, kind="change", number="minutes")
        assert wide["estimate"] == pytest.approx(5)
        error = np.sqrt(2 * usual["minutes"].var() / 300)
        assert wide["high"] - wide["low"] == pytest.approx(2 * 1.96 * error, rel=0.1)
        assert "independent samples" in repr(apart)

    def test_variants_may_have_deals_of_their_own(self):
        usual = games(40).with_columns(rules=pl.lit("book"))
        more = games(60, seed=1).with_columns(rules=pl.lit("house"))
        answer = cardlab.compare(
            pl.concat([usual, more]),
            deal="night",
            variant="rules",
            policy="white,black",
            winner="won",
        )
        assert set(answer.frame.filter(kind="change")["matches"]) == {40}
        assert "20 matches on deals that the baseline does not have are left out" in repr(answer)

    def test_policies_may_sit_anywhere(self):
        rng = np.random.default_rng(5)
        rows = []
        for match in range(300):
            seats = rng.permutation(["a", "b", "c"])
            winner = rng.choice(3, p=[0.5, 0.3, 0.2])  # the first seat is good
            rows += [
                {"deal": match, "seat": seat, "policy": name, "winner": seat == winner}
                for seat, name in enumerate(seats)
            ]
        frame = pl.DataFrame(rows)
        answer = cardlab.compare(frame)
        for column, word in (("policy", "policy"), ("seat", "position")):
            for name, rate in frame.group_by(column).agg(pl.col("winner").mean()).iter_rows():
                row = only_row(answer, kind="level", who=f"{word} {name}", number="win_rate")
                assert row["estimate"] == pytest.approx(rate)
                assert row["matches"] == 300

    def test_nobody_and_several_may_win(self):
        frame = pl.DataFrame(
            {"p_0": ["x"] * 4, "p_1": ["y"] * 4, "winner": ["x", "x; y", None, "1"]}
        )
        answer = cardlab.compare(frame, policy="p_{seat}")
        assert only_row(answer, kind="level", number="aborted")["estimate"] == 0.25
        rate = only_row(answer, kind="level", who="policy x", number="win_rate")
        assert rate["estimate"] == pytest.approx(1.5 / 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"winner": "wn"},
            "winner 'wn' is no column of the rows; did you mean 'won'? known: night",
        ),
        ({"winner": "won", "policy": "white"}, "policy 'white' is one column"),
        ({"winner": "won", "policy": "white,blck"}, "policy 'blck' is no column"),
        ({"winner": "black", "policy": "white,won"}, "winner 'black' holds"),
        (
            {"winner": "minutes", "policy": "white,black"},
            "winner 'minutes' holds ",
        ),
        ({"winner": "won", "policy": "white,black", "measure": "white"}, "measure 'white' holds '"),
        ({"winner": "won", "policy": "p_{seat}"}, "policy 'p_0' is no column"),
        (
            {"winner": "won", "policy": "white,black", "variant": "night", "baseline": "x"},
            "baseline 'x' is no value of variant 'night'",
        ),
        (
            {"winner": "won", "policy": "white", "seat": "black"},
            "deal is missing: rows a match and seat need a number that its rows share",
        ),
    ],
    ids=str,
)
def test_what_cannot_be_understood_is_named(arguments, message):
    frame = games(20)
    with pytest.raises(cardlab.InputError) as refusal:
        cardlab.compare(frame, **arguments)
    assert str(refusal.value).startswith(message)


def test_what_is_no_table_is_refused(tmp_path):
    with pytest.raises(
        cardlab.InputError, match="5 cannot be compared; allowed: a study directory"
    ):
        cardlab.compare(5)
    with pytest.raises(cardlab.InputError, match="there are no rows"):
        cardlab.compare(games(0), winner="won", policy="white,black")
    (tmp_path / "a.parquet").write_text("nothing")
    with pytest.raises(cardlab.InputError, match=r"a\.parquet' cannot be read"):
        cardlab.compare(tmp_path / "a.parquet")
    with pytest.raises(cardlab.InputError, match=r"b\.csv' cannot be read"):
        cardlab.compare(tmp_path / "b.csv")


EVENING = """\ufeffSpiel-Nr;Regel;Spieler 1;Spieler 2;Spieler 3;Sieger;Dauer (min)
1;normal;Ä;B;C;Ä;31,5
1;Haus;Ä;B;C;Ä;36,0
2;normal;B;C;Ä;Ä;28,5
2;Haus;B;C;Ä;B;41,0
3;normal;C;Ä;B;C / B;33,0
3;Haus;C;Ä;B;;40,5
4;normal;Ä;B;;B;1.022,0
4;Haus;Ä;B;;Ä;1.025,0
"""
CLUB = """play,date,player,seat,win,minutes,rules
1,2024-01-02,P6,1,1,43,house
1,2024-01-02,P7,2,0,43,house
1,2024-01-02,P8,3,0,43,house
2,2024-01-03,P8,1,1,31,book
2,2024-01-03,P6,2,0,31,book
3,2024-01-04,P7,1,0,30,book
3,2024-01-04,P8,2,1,30,book
4,2024-01-05,P8,1,0,40,house
4,2024-01-05,P7,2,1,40,house
5,2024-01-06,P6,1,1,41,house
5,2024-01-06,P7,2,0,41,house
6,2024-01-06,P6,1,1,33,book
6,2024-01-06,P7,2,0,33,book
"""
SHEET = "date,game,Ann,Bob,Cem\n1 May,Hearts,23,101,145\n8 May,Hearts,88,12,\n9 May,Hearts,7,,7\n"


@pytest.fixture
def compared(tmp_path):
    def ask(text, encoding="utf-8", ending="csv", **columns):
        path = tmp_path / f"rows.{ending}"
        path.write_text(text, encoding)
        return cardlab.compare(path, **columns)

    return ask


class TestAsPeopleHaveThem:
    """Files that nobody prepared: names, marks and gaps as they come."""

    @pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
    def test_semicolons_decimal_commas_and_gaps(self, compared, encoding):
        text = EVENING if encoding == "utf-8" else EVENING.lstrip("\ufeff")
        answer = compared(text, encoding)
        longer = only_row(answer, kind="change")
        assert longer["number"] == "Dauer (min)"
        assert longer["estimate"] == pytest.approx((4.5 + 12.5 + 7.5 + 3) / 4)
        assert longer["deals"] == 4
        third = only_row(answer, who="position 2")
        assert (third["matches"], third["count"]) == (5, 2)
        assert only_row(answer, who="policy Ä")["matches"] == 7
        assert "Plays with the same Spiel-Nr are compared as one deal" in repr(answer)

    def test_a_row_a_play_and_person(self, compared):
        answer = compared(CLUB)
        longer = only_row(answer, kind="change", number="minutes")
        assert longer["variant"] == "house"
        assert longer["estimate"] == pytest.approx(40.5 - 31.75 + 0.5, abs=2)
        assert only_row(answer, who="position 0")["count"] == 4
        assert "The baseline is book" in repr(answer)

    def test_a_column_for_each_person(self, compared):
        with pytest.raises(cardlab.InputError, match=r"Ann, Bob, Cem hold people's scores.*--best"):
            compared(SHEET)
        low = compared(SHEET, best="lowest")
        assert only_row(low, who="policy Ann")["estimate"] == pytest.approx(1.5 / 3)
        assert only_row(low, who="policy Bob")["matches"] == 2
        assert only_row(low, who="policy Cem")["estimate"] == pytest.approx(0.5 / 2)
        high = compared(SHEET, best="highest")
        assert only_row(high, who="policy Ann")["estimate"] == pytest.approx(1.5 / 3)
        assert only_row(high, who="policy Cem")["estimate"] == pytest.approx(1.5 / 2)

    def test_only_who_won_and_how_long(self, compared):
        text = ",winner,turns\n" + "".join(
            f"{k},{'bot' if k % 3 else 'person'},{k}\n" for k in range(30)
        )
        answer = compared(text)
        assert only_row(answer, who="policy bot")["count"] == 20
        assert only_row(answer, number="turns")["estimate"] == pytest.approx(14.5)

    def test_numbers_alone_tell_whether_a_rule_takes_longer(self, compared):
        text = "rules,minutes\n" + "".join(f"book,{30 + k}\nhouse,{36 + k}\n" for k in range(9))
        longer = only_row(compared(text), kind="change")
        assert longer["estimate"] == pytest.approx(6)
        assert longer["low"] < 6 < longer["high"]

    def test_a_report_of_rows_is_refused_with_what_works(self):
        with pytest.raises(cardlab.InputError, match=r"cardlab compare 'my club\.csv'"):
            cardlab.report("my club.csv")


# ---- files of the forms that other people's programs write


ORDER = ["Ann", "Bo", "Cy", "Di"]


def of_two(value):
    """Return a row a match of two engines, who take turns at white; the first wins two of three."""
    names = ["2.0", "1.8"]
    rows = [(k, *names[:: 1 if k % 2 else -1], k) for k in range(60)]
    return "Round,White,Black,Result,PlyCount\n" + "\n".join(
        f"{k},{white},{black},{value(white == '2.0', k)},{50 + ply}"
        for k, white, black, ply in rows
    )


def result(is_white, k):
    won = (1, 1, 0.5)[k % 3]
    return {1: "1-0", 0: "0-1", 0.5: "1/2-1/2"}[won if is_white else 1 - won]


class TestOtherForms:
    @pytest.mark.parametrize("halves", ["1/2-1/2", "½-½", "0.5-0.5"])
    def test_results_of_two_sides(self, compared, halves):
        answer = compared(of_two(result).replace("1/2-1/2", halves))
        best = only_row(answer, kind="level", who="policy 2.0", number="win_rate")
        assert best["estimate"] == pytest.approx(2.5 / 3)
        assert only_row(answer, kind="level", number="PlyCount")["estimate"] == pytest.approx(79.5)
        assert repr(answer).startswith("Rows of")
        assert "read as: who played = White, Black; " in repr(answer).replace("\n", " ")

    def test_headers_of_pgn_are_the_same_rows(self, compared):
        names, *rows = (line.split(",") for line in of_two(result).splitlines())
        games = [
            "\n".join(f'[{name} "{value}"]' for name, value in zip(names, row, strict=True))
            + f"\n\n1. e4 e5 {{a comment}} {row[3]}\n"
            for row in rows
        ]
        answer = compared("\n".join(games), ending="pgn")
        assert_frame_equal(answer.frame, compared(of_two(result)).frame)

    def test_policy_by_position_is_of_who_sat_there(self, compared):
        """2.0 always wins with white, and never loses; the sums of positions are not its own."""
        text = of_two(lambda is_white, k: ("1-0" if k % 3 else "0-1") if is_white else "0-1")
        answer = compared(text)
        named = {"kind": "seating", "number": "win_rate", "who": "policy 2.0"}
        white, black = (only_row(answer, **named, against=f"position {at}") for at in (0, 1))
        assert white["estimate"] == pytest.approx(2 / 3)
        assert (black["estimate"], black["matches"]) == (1, 30)

    def test_all_places_are_used(self, compared):
        """Whoever is second beats the third and the fourth: of 40 plays all places tell."""
        rng = np.random.default_rng(3)
        text = "match_id,date,player,rank\n"
        for play in range(40):
            scores = rng.normal([0, 0, 0, -1.5])  # nobody wins more, Di is often last
            scores[rng.integers(3)] += 2.5
            for name, place in zip(ORDER, (-scores).argsort().argsort() + 1, strict=True):
                text += f"{play},2026-03-01T19:00:00Z,{name},{place}\n"
        answer = compared(text)
        rates = {name: only_row(answer, kind="person", who=f"policy {name}") for name in ORDER}
        assert rates["Di"]["p_holm"] < 0.001
        won = answer.frame.filter(kind="person")["count"].sum()
        assert won == 40
        assert rates["Di"]["high"] < 0.25

    def test_totals_of_wins_losses_and_draws(self, compared):
        text = "engine,opponent,wins,losses,draws\na,b,30,10,0\nb,c,20,20,4\nc,a,12,16,2\n"
        answer = compared(text)
        rows = {name: only_row(answer, kind="person", who=f"policy {name}") for name in "abc"}
        assert [rows[name]["matches"] for name in "abc"] == [70, 84, 74]
        assert rows["a"]["count"] == 30 + 16 + 2
        assert rows["a"]["low"] > 0.5 > rows["b"]["estimate"]

    def test_a_log_of_one_person_who_sat_first_or_not(self, compared):
        rng = np.random.default_rng(1)
        text = "draft_id,game_time,on_play,num_mulligans,num_turns,opp_rank,won\n"
        wins = 0
        for game in range(300):
            first = bool(rng.random() < 0.5)
            won = bool(rng.random() < (0.7 if first else 0.6))
            wins += won == first
            text += f"d{game // 6},2026-05-01 20:00:07,{first},{game % 3},{game % 9},gold,{won}\n"
        answer = compared(text)
        first = only_row(answer, who="position 0")
        assert (first["matches"], first["estimate"]) == (300, pytest.approx(wins / 300))
        me = only_row(answer, kind="person", who="policy this player")
        assert 0.6 < me["estimate"] < 0.7
        assert me["low"] > 0.5
        assert only_row(answer, number="num_turns")["estimate"] == pytest.approx(4, abs=0.1)
        assert not answer.frame["who"].str.contains("mulligans|turns|rank").any()

    def test_teams_win_together(self, compared):
        pairs = [(a, b) for a in range(4) for b in range(a)]
        text = "game,team1_p1,team1_p2,team2_p1,team2_p2,team1_score,team2_score\n"
        for game in range(120):
            first = pairs[game % 6]
            second = [at for at in range(4) if at not in first]
            names = [ORDER[at] for at in (*first, *second)]
            points = (7, 3) if (0 in first) == (game % 10 < 8) else (3, 7)  # Ann's team, of ten 8
            text += f"{game},{','.join(names)},{points[0]},{points[1]}\n"
        with pytest.raises(cardlab.InputError, match="team1_score, team2_score hold scores"):
            compared(text)
        answer = compared(text, best="highest")
        ann = only_row(answer, kind="person", who="policy Ann")
        assert (ann["matches"], ann["count"]) == (120, 96)
        assert ann["baseline"] == 0.5
        assert ann["low"] > 0.5

    def test_who_never_won_keeps_the_seats_of_the_others_and_has_a_row(self, compared):
        """N always sits first and never wins; the second seat wins more, whoever sits there."""
        rng = np.random.default_rng(8)
        text = "play,player,seat,win\n"
        for play in range(200):
            others = [str(name) for name in rng.permutation(list("BCDEF"))[:3]]
            table = ["N", "A", *others[:2]] if play % 2 else list(rng.permutation(["A", *others]))
            worth = np.array([0 if table[0] == "N" else 1, 3, 1, 1.0])
            won = rng.choice(4, p=worth / worth.sum())
            text += "".join(f"{play},{n},{at + 1},{int(at == won)}\n" for at, n in enumerate(table))
        answer = compared(text)
        never = only_row(answer, who="policy N")
        assert (never["estimate"], never["count"], never["matches"]) == (0, 0, 100)
        for name in "ABCDEF":
            row = only_row(answer, who=f"policy {name}")
            assert row["low"] < row["baseline"] < row["high"], name
        assert only_row(answer, who="position 1")["p_holm"] < 0.001

    def test_what_is_called_like_a_number_is_never_a_person(self, compared):
        text = "game,turns,mulligans,round,wins\n" + "".join(f"{k},{k},3,4,1\n" for k in range(9))
        answer = compared(text)
        assert set(answer.frame["who"]) == {""}
        assert set(answer.frame["number"]) == {"turns", "mulligans"}

    def test_the_best_of_no_scores_is_refused(self, compared):
        with pytest.raises(cardlab.InputError, match="best 'lowest' needs scores"):
            compared("game,num_turns\n1,5\n2,7\n", best="lowest")

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("play,player,win,score\n1,A,1,10\n1,B,0,x\n", "'score' holds 'x' in row 2"),
            ("play,player,win\n1,A,1\n1,B,maybe\n", "'win' holds 'maybe' in row 2"),
            ("a,b\nx,y\n", "winner is missing: the column that tells who won"),
            (
                "play,player,seat,win\n1,A,1,1\n1,B,1,0\n",
                "'seat' holds a seat twice in one match (row 2",
            ),
            ("white,black,result\na,b,1-0\nb,a\n", "row 2 of "),
            ("white,black,result\na,b,1-0\nb,a,\n", "winner 'result' holds '' in row 2"),
            ("white,black,white\na,b,c\n", "column 'white' is there twice"),
            ("play,player,seat,win\n1,A,0,1\n1,B,-1,0\n", "seat 'seat' holds '-1' in row 2"),
            ("play,player,win\n1,A,1\n1,B,nan\n", "winner 'win' holds 'nan' in row 2"),
            ("rules,minutes\nbook,30\nhouse,nan\n", "measure 'minutes' holds 'nan' in row 2"),
            ("match,player,rank\n1,A,1\n1,B,0\n", "place 'rank' holds '0' in row 2"),
            ("engine,opponent,wins,losses\na,b,3,-1\n", "losses 'losses' holds '-1' in row 1"),
            ("engine,opponent,wins,losses\na,b,1e99,1\n", "wins 'wins' holds '1e99' in row 1"),
        ],
    )
    def test_what_does_not_fit_is_refused_with_its_row(self, compared, text, message):
        with pytest.raises(cardlab.InputError) as refusal:
            compared(text)
        assert message in str(refusal.value)
        assert "\n" not in str(refusal.value)


def formulas(text):
    """Return the cells of a CSV that a spreadsheet would run."""
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    return [cell for cell in cells if cell[:1] in tuple("=+-@") and not is_number(cell)]


def is_number(text):
    try:
        return float(text) is not None
    except ValueError:
        return False


def test_cells_that_a_spreadsheet_would_run_come_back_as_they_were(tmp_path, capfd):
    names = ["=1+1", "+Ada", "-Ben", "@Cyd", '=HYPERLINK("x"; "y")', "Dan", "'Eve"]
    rows = pl.DataFrame(
        {
            "play": range(1, 29),
            "player 1": (names * 4),
            "player 2": (names[1:] + names[:1]) * 4,
            "winner": (names * 4)[:14] + (names[1:] + names[:1]) * 2,
            "minutes": [30.5 + k for k in range(28)],
        }
    )
    path = tmp_path / "club.csv"
    path.write_text(to_csv(rows), "utf-8")
    assert not formulas(path.read_text("utf-8"))
    assert_frame_equal(typed(read_rows(path)), rows)
    assert run_app(["compare", str(path), "--csv"]) == 0
    output = capfd.readouterr().out
    assert "policy =1+1" in output
    assert not formulas(output)


def test_a_workbook_needs_a_reader(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "fastexcel", None)
    (tmp_path / "club.xlsx").write_bytes(b"")
    with pytest.raises(InputError, match=r"after pip install 'cardlab\[excel\]', or .* \.csv$"):
        cardlab.compare(tmp_path / "club.xlsx")


def workbook(path, *sheets):
    """Write a workbook with sheets of rows."""
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"

    def cell(value):
        if isinstance(value, str):
            return f'<c t="inlineStr"><is><t>{value}</t></is></c>'
        return f"<c><v>{value}</v></c>" if value is not None else "<c/>"

    numbers = range(1, len(sheets) + 1)
    names = "".join(f'<sheet name="S{n}" sheetId="{n}" r:id="r{n}"/>' for n in numbers)
    links = "".join(
        f'<Relationship Id="r{n}" Type="{office}/worksheet" Target="worksheets/sheet{n}.xml"/>'
        for n in numbers
    )
    parts = "".join(
        f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{kind}.worksheet+xml"/>'
        for n in numbers
    )
    files = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
        f"{parts}</Types>",
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r" '
        f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>{names}</sheets>'
        "</workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">{links}'
        "</Relationships>",
    }
    for number, rows in zip(numbers, sheets, strict=True):
        lines = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
        files[f"xl/worksheets/sheet{number}.xml"] = (
            f'<worksheet xmlns="{main}"><sheetData>{lines}</sheetData></worksheet>'
        )
    with zipfile.ZipFile(path, "w") as file:
        for name, text in files.items():
            file.writestr(name, head + text)


PLAYS = [
    ["play", "rules", "player 1", "player 2", "winner", "minutes"],
    *(
        [k, "book" if k % 3 else "house", *(("Ada", "Ben")[:: 1 if k % 2 else -1]), "Ada", 30.5 + k]
        for k in range(1, 25)
    ),
]


def test_a_workbook_is_read_as_the_same_sheet_as_csv(tmp_path):
    pytest.importorskip("fastexcel")
    workbook(tmp_path / "club.xlsx", [["a title"]], PLAYS)
    text = "\n".join(",".join(map(str, row)) for row in PLAYS)
    (tmp_path / "club.csv").write_text(text, "utf-8")
    frames = [cardlab.compare(tmp_path / f"club.{kind}").frame for kind in ("xlsx", "csv")]
    assert_frame_equal(*frames)


@pytest.mark.parametrize("content", ["", "hello", "half"])
def test_what_is_no_workbook_is_refused(tmp_path, content):
    pytest.importorskip("fastexcel")
    path = tmp_path / "club.xlsx"
    workbook(path, PLAYS)
    path.write_bytes(path.read_bytes()[:700] if content == "half" else content.encode())
    with pytest.raises(InputError, match=r"it is no whole workbook; allowed: .*\.csv"):
        cardlab.compare(path)


def test_a_workbook_without_rows_is_refused(tmp_path):
    pytest.importorskip("fastexcel")
    workbook(tmp_path / "club.xlsx", [], [["play", "winner"]])
    with pytest.raises(InputError, match="there are no rows"):
        cardlab.compare(tmp_path / "club.xlsx")
