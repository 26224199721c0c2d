"""Training: what is recorded, what may be learned from, and that a training can be repeated.

The recorder is compared with matches that are played as ordinary Python, in which the seat is
made to play the other move.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import cardlab
from simcore import recording
from simcore.batch import Cell, play
from simcore.catalogue import get_game
from simcore.compiler.seat_policy import Network, SeatPolicy
from simcore.errors import InputError
from simcore.match import Match
from simcore.recording import record
from simcore.userfiles.loading import load_user_file
from strategies import load_strategies, parse_lineup, parse_strategy, session
from strategies.learned import Weights
from studies.learn import fit, train
from studies.learn.features import features_of
from studies.run.tuning import Bench

TRICKS = str(Path(__file__).parents[1] / "own" / "games" / "tricks.py")
SEED = 5


def cell_of(lineup: str = "middle") -> Cell:
    game = get_game(TRICKS)
    seats = parse_lineup(game, lineup)
    return Cell(game, game.resolve({}), tuple(seats[k % len(seats)] for k in range(2)), SEED)


@pytest.fixture
def learner(tmp_path: Path) -> SeatPolicy:
    file = tmp_path / "seen.py"
    file.write_text(
        "from simcore.language import *\n"
        "def hand(s, seat):\n    return s.hand[seat]\n"
        "def half(s, seat, move):\n    return move / 2\n"
    )
    space = vars(load_user_file("features", file).module)
    network = Network(2, {"MOVE": (space["hand"], space["half"])})
    return SeatPolicy("recorded", network=network, base=cell_of().seats[0].seat_policy({}))


def with_few_matches(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(train, "MOST_ROWS", 4_000)
    patch.setattr(train, "TRIAL", 400)
    patch.setattr(train, "STRENGTH", 400)


def trained(folder: Path, **more) -> cardlab.Trained:
    folder.mkdir(exist_ok=True)
    given = {"base": "middle", "steps": 2, "seed": SEED, "threads": 1}
    return cardlab.train(TRICKS, out=folder / "clever.py", **(given | more))


@pytest.fixture(scope="module")
def carried_out(tmp_path_factory: pytest.TempPathFactory) -> tuple[cardlab.Trained, train.Training]:
    made, carry_out = [], train.train

    def noted(*given, **named):
        made.append(carry_out(*given, **named))
        return made[-1]

    with pytest.MonkeyPatch.context() as patch:
        with_few_matches(patch)
        patch.setattr(train, "train", noted)
        return trained(tmp_path_factory.mktemp("trained")), made[-1]


@pytest.fixture
def clever(carried_out) -> cardlab.Trained:
    return carried_out[0]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    with_few_matches(monkeypatch)


@pytest.fixture
def fitted_here(small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Train with few matches, and fit in this process, where NumPy has one thread as there."""
    monkeypatch.setattr(fit, "_elsewhere", fit.fit)


class TestRecorder:
    def test_the_threads_and_pieces_do_not_matter(self, learner, monkeypatch):
        whole = record(cell_of(), 3, 200, learner=learner, seats=(0, 1))
        monkeypatch.setattr(recording, "PIECE", 7)
        parts = record(cell_of(), 3, 200, learner=learner, seats=(0, 1), threads=2)
        assert len(whole.match) > 150
        assert all(np.array_equal(a, b) for a, b in zip(whole, parts, strict=True))

    def test_the_move_that_was_chosen_leads_to_what_came_of_the_match(self, learner):
        records = record(cell_of(), 0, 100, learner=learner, seats=(0, 1))
        block = play(cell_of(), 0, 100)
        winners = block.winners[records.match]
        won = (winners >> records.seat & 1) / np.bitwise_count(winners)
        assert records.is_chosen[:, 0].all()
        assert np.array_equal(records.share[:, 0], won)
        assert not records.is_chosen[:, 1:].any()

    def test_other_moves_lead_where_a_plain_match_leads(self, learner):
        records = record(cell_of(), 0, 30, learner=learner, seats=(0, 1))
        assert (records.tried > 2).any()
        for row in range(len(records.match)):
            for k in range(records.tried[row]):
                share = self.played_plainly(records, row, int(records.move[row, k]))
                assert share == records.share[row, k]

    def played_plainly(self, records, row: int, move: int) -> float:
        """Return the seat's share if it plays a move where its hand is the one recorded."""
        cell, seat = cell_of(), int(records.seat[row])
        match = Match(cell, int(records.match[row]))
        policy = cell.seats[0].seat_policy(cell.options)

        def choose(s, _s, moves):
            if s.seat == seat and s.hand[seat].word == records.state[row, 0]:
                return move
            return match.plain.choice(policy, s, moves)

        match.choose = choose
        for _ in match.events(copies=False):
            pass
        winners = match.s.winners
        return (winners >> seat & 1) / winners.bit_count()

    def test_features_are_those_of_the_position(self, learner):
        records = record(cell_of(), 0, 50, learner=learner, seats=(0,))
        assert set(records.seat) == {0}
        half = np.ascontiguousarray(records.features[:, :, 0]).view(np.float64)
        tried = np.arange(records.move.shape[1]) < records.tried[:, None]
        assert np.array_equal(half[tried], records.move[tried] / 2)
        in_hand = records.state[:, :1] >> records.move & 1
        assert in_hand[tried].all()


class TestFeatures:
    def test_all_that_is_made_is_what_a_seat_sees(self, tmp_path):
        found = features_of(cell_of(), tmp_path, {})
        names = {one.name for one in found["MOVE"]}
        assert {"hand", "move_"} <= names
        assert "size_hand_of_1" in names
        assert "hand_of_1" not in names

    @pytest.mark.parametrize("reads", ["s.hand[after(seat, 1)]", "s.aside"])
    def test_one_that_reads_hidden_cards_is_refused(self, tmp_path, reads):
        file = tmp_path / "decoy.py"
        file.write_text(
            "from simcore.language import *\n@feature\n"
            f"def decoy(s, seat, move):\n    return len({reads} & {{move}})\n"
        )
        decoy = load_user_file("features", file).module.decoy
        with pytest.raises(InputError, match=r"decoy.py, line 4, in decoy: .* a policy reads s\."):
            features_of(cell_of(), tmp_path, {"from decoy import decoy": decoy})

    def test_one_that_fails_is_refused_if_marked(self, tmp_path):
        file = tmp_path / "fails.py"
        file.write_text(
            "from simcore.language import *\n@feature\n"
            "def fails(s, seat, move):\n    return move // 0\n"
        )
        fails = load_user_file("features", file).module.fails
        with pytest.raises(InputError, match=r"fails.py, line 4, in fails"):
            features_of(cell_of(), tmp_path, {"from fails import fails": fails})


class TestTraining:
    def test_it_is_better_and_its_file_says_so(self, clever):
        assert clever.strength[0]["low"] > 0.5
        assert clever.record["steps"][0]["kept"]
        policies = load_strategies(clever.file)
        game = get_game(TRICKS)
        learned, base = (parse_strategy(game, name, policies) for name in ("clever", "middle"))
        shares = Bench(game, game.resolve({}), (base,), SEED, 1).shares(learned, 1 << 40, 400)
        assert shares.mean() == clever.strength[0]["estimate"]
        assert not Path(clever.file).with_suffix(".train").exists()

    @pytest.mark.usefixtures("small")
    def test_of_a_game_played_together_there_is_no_even_share(
        self, carried_out, tmp_path, monkeypatch
    ):
        assert carried_out[0].tables.columns == ["table", "even", "won"]
        monkeypatch.setattr(train, "train", lambda *_, **__: carried_out[1])
        given = {"base": "fullest", "steps": 1, "threads": 1}
        found = cardlab.train("docs/games/orchard.py", out=tmp_path / "picker.py", **given)
        assert found.tables.columns == ["table", "won"]
        assert "even" not in str(found)
        assert "the share of the matches that the table wins" in " ".join(str(found).split())

    def test_it_plays_alike_as_ordinary_python(self, clever):
        policies = load_strategies(clever.file)
        game = get_game(TRICKS)
        seats = tuple(parse_strategy(game, name, policies) for name in ("clever", "middle"))
        cell = Cell(game, game.resolve({}), seats, SEED)
        block = play(cell, 0, 30)
        assert len(set(block.winners.tolist())) > 1
        for number in range(30):
            match = Match(cell, number)
            for _ in match.events(copies=False):
                pass
            row = match.row()
            assert row["winners"] == block.winners[number]
            assert [row["score_0"], row["score_1"]] == block.scores[:, number].tolist()

    @pytest.mark.usefixtures("fitted_here")
    def test_killed_and_continued_on_more_threads_it_gives_the_same_file(
        self, clever, tmp_path, monkeypatch
    ):
        take = train.Training.take

        def killed(self, earlier=None):
            if len(self.steps) == 1 and earlier is None:
                raise KeyboardInterrupt
            return take(self, earlier)

        with monkeypatch.context() as patch:
            patch.setattr(train.Training, "take", killed)
            with pytest.raises(KeyboardInterrupt):
                trained(tmp_path, threads=2)
        kept = json.loads((tmp_path / "clever.train" / "steps.json").read_text())
        assert len(kept["steps"]) == 1
        with pytest.raises(InputError, match="holds a training with other arguments"):
            trained(tmp_path, seed=SEED + 1)
        again = trained(tmp_path, threads=2).file
        assert Path(again).read_bytes() == Path(clever.file).read_bytes()

    @pytest.mark.usefixtures("fitted_here")
    def test_a_network_fitted_to_the_wrong_results_is_not_kept(self, tmp_path, monkeypatch):
        right = train.results_of
        monkeypatch.setattr(train, "results_of", lambda *given: -right(*given))
        found = trained(tmp_path, steps=1)
        (step,) = found.record["steps"]
        assert step["explained"]["MOVE"] > 0  # it fits what it was given
        assert step["gain"][2] < 0
        assert not step["kept"]
        assert found.strength[0]["estimate"] == 0.5  # the file plays like the base policy

    @pytest.mark.usefixtures("fitted_here")
    def test_against_one_policy_it_becomes_a_specialist_for_it(self, tmp_path):
        found = trained(tmp_path, steps=1, against=["highest_first"])
        assert found.record["beside"] == "highest_first"
        assert [at["seats"] for at in found.strength] == [1]

    @pytest.mark.usefixtures("fitted_here")
    def test_what_was_fitted_is_what_plays_and_another_with_another_seed(self, clever, tmp_path):
        cell = cell_of()
        task = train.Task(cell.game, cell.options, cell.seats[0], (), SEED + 1, 1)
        training = train.train(task, tmp_path, steps=1)
        fitted = training.steps[0].networks["MOVE"]
        assert round(fitted.explained, 4) != clever.record["steps"][0]["explained"]["MOVE"]
        rows, features = training.pool[0]["MOVE"], training.features["MOVE"]
        inputs = fit.Inputs(training._job("MOVE", features, rows, 0))
        assert inputs.codes == fitted.codes
        seats = (training.best,) * 2
        played = record(
            Cell(cell.game, cell.options, seats, SEED), 0, 300, learner=training.learner, seats=(0,)
        )
        played = played.take(played.legal == played.tried)
        seen = fit.packed(played, training._shapes(features), training.words)
        of_state, of_move = np.split(fitted.weights.inputs, [inputs.counts[0]])
        count, tries = seen.is_base.shape
        x = inputs.of(1, seen.features.reshape(count * tries, -1))
        x = np.column_stack([x, seen.is_base.reshape(-1, 1)])
        sums = (x @ of_move).reshape(count, tries, -1)
        sums += (inputs.of(0, seen.state) @ of_state + fitted.weights.bias)[:, None]
        worth = np.maximum(sums[:, :, :-1], 0) @ fitted.weights.output + sums[:, :, -1]
        worth[np.arange(tries)[None] >= seen.tried[:, None]] = -np.inf
        assert count > 100
        assert np.allclose(worth.max(1), worth[:, 0], atol=1e-6)  # the one chosen is the best
        assert (played.move[:, 0] != played.base).mean() > 0.05


class TestRefusals:
    @pytest.mark.parametrize(
        ("given", "said"),
        [
            ({"out": "Clever.py"}, "out 'Clever.py' is refused; allowed: a file NAME.py"),
            ({"out": "middle.py"}, "has a policy 'middle' already"),
            ({"base": "search"}, "base 'search' is refused; allowed: a policy that asks no other"),
            ({"base": "midle"}, "unknown policy 'midle'"),
            ({"steps": 0}, "steps 0 is refused; allowed: a whole number 1…1000"),
            ({"minutes": -1}, "minutes -1 is refused"),
            ({"against": ["middle,middle"]}, "allowed: at most 1 strategies"),
            ({"out": "no/such.py"}, "there is no folder 'no'"),
        ],
    )
    def test_wrong_arguments_are_told_in_a_line(self, given, said, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        with pytest.raises(InputError) as refused:
            cardlab.train(TRICKS, **given)
        assert said in str(refused.value)
        assert "\n" not in str(refused.value)
        assert list(tmp_path.iterdir()) == []

    def test_a_file_that_is_there_is_not_written_over(self, tmp_path):
        (tmp_path / "clever.py").write_text("mine")
        with pytest.raises(InputError, match="exists already"):
            cardlab.train(TRICKS, out=tmp_path / "clever.py")

    @pytest.mark.parametrize(
        ("features", "weights", "said"),
        [
            ("[(move_, 'one of', 0)]", "{}", "feature .* of MOVE is refused"),
            ("[(move_, 'sets', 0, 5)]", "{}", "feature .* of MOVE is refused"),
            ("[(move_, 'one of', 0, 5)]", "{'MOVE': '1 1 1 00'}", "weights of MOVE are refused"),
            ("[(move_, 'one of', 0, 5)]", "{'PLAY': ''}", "unknown decision 'PLAY'"),
        ],
    )
    def test_a_policy_file_that_does_not_fit_is_told_in_a_line(
        self, tmp_path, features, weights, said
    ):
        file = tmp_path / "wrong.py"
        file.write_text(
            "from cardlab import learned\ndef move_(s, seat, move):\n    return move\n"
            "learned('tricks.py', name='wrong', idea='x', base='middle', players=2, "
            f"features={{'MOVE': {features}}}, weights={weights})\n"
        )
        with pytest.raises(InputError, match=said):
            load_strategies(file, session())


def test_weights_are_read_as_they_are_written():
    rng = np.random.default_rng(1)
    made = Weights(rng.normal(size=(7, 33)), rng.normal(size=33), rng.normal(size=32))
    once = Weights.read(made.text(), 7)
    assert np.abs(once.inputs - made.inputs).max() < 1e-4
    again = Weights.read(once.text(), 7)
    assert np.array_equal(once.output, again.output)


def test_a_point_of_the_margin_is_worth_the_slope_of_the_share(learner):
    records = record(cell_of(), 0, 400, learner=learner, seats=(0, 1))
    point = fit.worth_of_a_point(records)
    slope = np.polyfit(records.margin[:, 0], records.share[:, 0], 1)[0]
    assert point == pytest.approx(slope)


def test_rows_are_packed_without_loss(learner):
    records = record(cell_of(), 0, 100, learner=learner, seats=(0, 1))
    shapes = [fit.Shape("cards", 0, 0, False, 8), fit.Shape("real", 0, 0, True, 8)]
    parts = [fit.packed(records.take(half), shapes, 1) for half in (slice(40), slice(40, None))]
    rows = fit.joined(parts)
    assert np.array_equal(rows.state.view(np.int64), records.state)
    half = np.ascontiguousarray(records.features[:, :, 0]).view(np.float64)
    assert np.array_equal(rows.features.view(np.float32)[:, :, 0], half)
    assert np.array_equal(rows.is_base, records.move == records.base[:, None])
    far = records._replace(state=np.full_like(records.state, 1 << 40))
    assert (fit.packed(far, [fit.Shape("whole", 0, 0, False, 8)], 1).state == fit.LARGEST).all()


def test_the_decay_that_explains_more_is_taken(learner, monkeypatch):
    records = record(cell_of(), 0, 2_000, learner=learner, seats=(0, 1))
    shapes = [fit.Shape("cards", 0, 0, False, 8), fit.Shape("real", 0, 0, True, 8)]
    rows = fit.packed(records, shapes, 1)
    job = fit.Job(shapes, 1, [0, 1], rows, fit.results_of(rows, 1.0, 2), (SEED,))
    explained = []
    for decays in [(0.0,), (30.0,), (0.0, 30.0), (30.0, 0.0)]:
        monkeypatch.setattr(fit, "DECAYS", decays)
        explained.append(fit.fit(job).explained)
    assert explained[0] != explained[1]
    assert explained[2] == explained[3] == max(explained[:2])
