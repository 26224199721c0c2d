"""Where games are found: built-in ones by name, users' by the path of a file.

What reads users' files, and with it the compiler, is imported where a file is named alone.
"""

from __future__ import annotations

import importlib

from simcore.errors import unknown
from simcore.game import Game, game_names


def get_game(name: str) -> Game:
    """Return a game by name, or by the path of a user's file.

    Rule files that change it follow after plus signs, as in `uno+pairs.py`.

    Raises
    ------
    InputError
        If there is no such game.
    """
    if not isinstance(name, str):
        raise unknown("game", repr(name), game_names())
    if "+" in name:  # which may also be part of a path
        from simcore.userfiles.rule_overrides import load_changed, parts_of

        first, *paths = parts_of(name)
        if paths:
            return load_changed(name, get_game(first), paths)
    if name.endswith(".py"):
        from simcore.userfiles.user_games import load_game

        return load_game(name)
    if name not in game_names():
        raise unknown("game", name, game_names())
    game = importlib.import_module(f"simcore.games.{name}.options").GAME
    assert isinstance(game, Game)
    return game
