"""Vectors where nothing is compiled: NumPy arrays of eight numbers; see `vectors`."""

from __future__ import annotations

import numpy as np

LANES = 8


def vector(numbers):
    """Return the vector of a tuple of eight int64."""
    return np.array(numbers, np.int64)


def spread(number):
    """Return the vector of eight times the same int64."""
    return np.full(LANES, number, np.int64)


def store_eight(numbers, first, values):
    """Put a vector of int64 into an array of whole numbers, from the place `first` on."""
    numbers.reshape(-1)[first : first + LANES] = values


def eight_at(rows, row, column):
    """Return the vector of eight numbers of a row of an array, from `column` on.

    Of rows that are one number each, those of eight rows from `row` on.
    """
    if rows.ndim > 1:
        return _copied(rows[row, column : column + LANES])
    return _copied(rows[row : row + LANES])


def _copied(numbers):
    return numbers.astype(np.int64 if numbers.dtype == np.uint8 else numbers.dtype)


def put_eight(rows, row, column, numbers):
    """Write a vector, or eight times a number, to the places of which `eight_at` reads."""
    if rows.ndim > 1:
        rows[row, column : column + LANES] = numbers
    else:
        rows[row : row + LANES] = numbers


def one_at(rows, row, column):
    """Return the same, but of rows that are one number each, the one at `row`."""
    return _copied(rows[row, column : column + LANES] if rows.ndim > 1 else rows[row])


def put_one(rows, row, column, numbers):
    """Write to the places of which `one_at` reads."""
    if rows.ndim > 1:
        rows[row, column : column + LANES] = numbers
    else:
        rows[row] = numbers


def choose(which, one, other):
    """Return in each lane the number of `one` where `which` is true, else that of `other`."""
    return np.where(which, one, other)[()]


def largest(one, other):
    """Return in each lane the greater of two numbers."""
    return np.maximum(one, other)


def divided(numbers, divisor, inverse):
    """Return float64, no tiny ones, divided by a plain number, of which `inverse` is 1 / it."""
    del inverse
    return numbers / divisor


def wholes(floats):
    """Return a vector of float64 without their fractions, as int64."""
    return np.asarray(floats).astype(np.int64)[()]


def reals(numbers):
    """Return a vector of int64 as float64."""
    return np.asarray(numbers).astype(np.float64)[()]


def truncated(floats):
    """Return a vector of float64 without their fractions."""
    return np.trunc(floats)


def floored(floats):
    """Return the greatest whole numbers that are not above a vector of float64."""
    return np.floor(floats)


def lane(numbers, index):
    """Return the number of a vector in the lane `index`, 0…7."""
    return numbers[index]


def rotated(words, places):
    """Return each word rotated to the right, by any number of places."""
    words = np.asarray(words).astype(np.uint64)
    right = np.asarray(places & 63).astype(np.uint64)
    left = np.asarray(-places & 63).astype(np.uint64)
    return ((words >> right) | (words << left)).astype(np.int64)[()]


def greatest(numbers):
    """Return the greatest of the eight numbers."""
    return numbers.max()


def some(which):
    """Tell whether any of eight truth values, or the one, is true."""
    return bool(np.any(which))


def may_need(which):
    """Tell whether a single match needs something; lanes, where some will, take it as true."""
    return np.ndim(which) > 0 or bool(which)
