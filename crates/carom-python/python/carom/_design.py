"""Where a sweep looks: grids, points at random, and points where something changes."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Point = dict[str, Any]
Design = Literal["grid", "random", "adaptive"]
Floats = npt.NDArray[np.float64]


def grid(parameters: Mapping[str, Sequence[Any]]) -> list[Point]:
    """All combinations, the last parameter fastest.

    >>> grid({"a": [1, 2], "b": ["x", "y"]})[1]
    {'a': 1, 'b': 'y'}
    """
    values = [list(np.asarray(v).tolist()) if isinstance(v, np.ndarray) else list(v) for v in parameters.values()]
    return [dict(zip(parameters, combination)) for combination in itertools.product(*values)]


def bounds(parameters: Mapping[str, Sequence[Any]]) -> tuple[Floats, Floats]:
    """The lowest and the highest value of each parameter."""
    for name, pair in parameters.items():
        if len(pair) != 2 or not float(pair[0]) < float(pair[1]):
            raise ValueError(f"{name} is {pair!r}, but must be a pair, the lowest and the highest value")
    return (
        np.array([float(pair[0]) for pair in parameters.values()]),
        np.array([float(pair[1]) for pair in parameters.values()]),
    )


def scattered(parameters: Mapping[str, Sequence[Any]], points: int, seed: int) -> list[Point]:
    """So many points at random, uniformly between the bounds; the same for the same seed."""
    low, high = bounds(parameters)
    random = np.random.default_rng(np.random.SeedSequence([seed, 0x5EED]))
    places = low + (high - low) * random.random((points, len(low)))
    return [dict(zip(parameters, row)) for row in places.tolist()]


def first_round(parameters: Mapping[str, Sequence[Any]], points: int, seed: int) -> list[Point]:
    """Where an adaptive sweep begins: in one dimension at equal distances, ends included; else at random."""
    if len(parameters) == 1:
        low, high = bounds(parameters)
        name = next(iter(parameters))
        return [{name: value} for value in np.linspace(low[0], high[0], points).tolist()]
    return scattered(parameters, points, seed)


def next_round(
    parameters: Mapping[str, Sequence[Any]], seen: Sequence[Point], values: Sequence[float], points: int, seed: int
) -> list[Point]:
    """Where to look next: in the middle of where the values change most, for the distance between the points.

    >>> next_round({"x": (0, 1)}, [{"x": 0}, {"x": 0.5}, {"x": 1}], [0, 0, 1], 1, 0)
    [{'x': 0.75}]
    """
    low, high = bounds(parameters)
    known = (np.array([[float(p[name]) for name in parameters] for p in seen]) - low) / (high - low)
    found = np.array(values, dtype=np.float64)
    good = np.isfinite(found)
    # Points that failed have been looked at, but say nothing of how much changes.
    span = np.ptp(found[good]) if good.any() else 0.0
    scaled = np.where(good, (found - (found[good].min() if good.any() else 0.0)) / (span or 1.0), 0.5)
    if len(parameters) == 1:
        order = np.argsort(known[:, 0], kind="stable")
        x, y = known[order, 0], scaled[order]
        chosen: list[float] = []
        for _ in range(points):
            loss = np.hypot(np.diff(x), np.diff(y)) * (np.diff(x) > 1e-12)
            place = int(np.argmax(loss))
            middle = 0.5 * (x[place] + x[place + 1])
            chosen.append(float(middle))
            x = np.insert(x, place + 1, middle)
            y = np.insert(y, place + 1, 0.5 * (y[place] + y[place + 1]))
        name = next(iter(parameters))
        return [{name: float(low[0] + (high[0] - low[0]) * value)} for value in chosen]
    random = np.random.default_rng(np.random.SeedSequence([seed, len(seen), 0xADA7]))
    picked: list[Floats] = []
    for _ in range(points):
        candidates = random.random((512, len(low)))
        every = np.concatenate([known, *[place[None] for place in picked]])
        distance = np.linalg.norm(candidates[:, None] - every[None], axis=2).min(axis=1)
        near = np.argsort(np.linalg.norm(candidates[:, None] - known[None], axis=2), axis=1)
        near = near[:, : 2 * len(low)]
        change = np.ptp(scaled[near], axis=1)
        picked.append(candidates[int(np.argmax(distance * (0.05 + change)))])
    return [dict(zip(parameters, row)) for row in (low + (high - low) * np.array(picked)).tolist()]
