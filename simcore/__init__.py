"""Compiled rules of the games: deal, moves, apply, score. Knows no policy, file or statistics."""
