"""Pool: racks, shots and breaks, thousands at once.

The table stands with its long side along y, its centre in the origin; ball 0 is the cue ball. Cloth, cushions, jaws and
pockets are those of `docs/billiards.md`. SI units.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from . import _carom

Floats = npt.NDArray[np.float64]
Game = Literal["eight_ball", "nine_ball"]
TableName = Literal["nine_foot", "seven_foot"]


@dataclass(frozen=True)
class Outcome:
    """What came of shots: a row for each."""

    places: Floats
    """Where the balls rest, m: (n, balls, 2); NaN where one is not on the table."""
    pocketed: npt.NDArray[np.bool_]
    """Which balls fell into a pocket: (n, balls)."""
    duration: Floats
    """Until everything rested, s; NaN where the shot was refused."""
    events: npt.NDArray[np.int64]
    """How many there were."""
    digest: npt.NDArray[np.uint64]
    """A hash of all events and states: the same shot has the same on every machine."""
    errors: list[str | None]
    """Why a shot was refused."""


def racks(
    count: int, *, game: Game = "eight_ball", table: TableName = "nine_foot", gap: float = 1e-3, seed: int = 0
) -> Floats:
    """Balls before the break, m: (count, balls, 2). Each rack has gaps of its own, of up to `gap` radii.

    >>> racks(2, game="nine_ball").shape
    (2, 10, 2)
    """
    seeds = np.random.SeedSequence(seed).generate_state(count, np.uint64) >> np.uint64(1)
    return _carom.racks(game, table, gap, seeds)


def play(
    places: npt.ArrayLike,
    *,
    speed: npt.ArrayLike,
    direction: npt.ArrayLike = np.pi / 2,
    elevation: npt.ArrayLike = 0.0,
    side: npt.ArrayLike = 0.0,
    height: npt.ArrayLike = 0.0,
    table: TableName = "nine_foot",
    threads: int | None = None,
) -> Outcome:
    """Plays shots until everything rests.

    `places` (m) has the shape (n, balls, 2), NaN where a ball is not on the table. `speed` (of the cue, m/s),
    `direction` (seen from above, rad; π/2 is along the table), `elevation` (rad), `side` and `height` (where the tip
    strikes, in radii) are one number or n. What comes of it does not depend on the number of `threads`.

    >>> outcome = play(racks(4), speed=8.0)
    >>> outcome.places.shape, bool((outcome.duration > 1).all())
    ((4, 16, 2), True)
    """
    balls = np.ascontiguousarray(places, dtype=np.float64)
    if balls.ndim != 3:
        raise ValueError(f"places have the shape {balls.shape}, but must have three axes: shots, balls, x and y")
    strikes = np.empty((len(balls), 5))
    for column, values in enumerate((speed, direction, elevation, side, height)):
        strikes[:, column] = values
    found = _carom.play_shots(table, balls, strikes, threads or os.cpu_count() or 1)
    ends: Floats = found["places"]
    good = np.array([error is None for error in found["errors"]], dtype=bool)
    there = np.isfinite(balls[:, :, 0])
    gone = there & ~np.isfinite(ends[:, :, 0]) & good[:, None]
    return Outcome(ends, gone, found["duration"], found["events"], found["digest"], found["errors"])
