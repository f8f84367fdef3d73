"""Pool: one table, or many at once."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt

from .. import _carom, billiards
from ..billiards import Game, TableName

Floats = npt.NDArray[np.float64]
# Of the cue, m/s.
SPEEDS = (0.5, 8.0)
# How far from the centre the tip strikes at most, in radii: beyond 0.5 it slips off.
OFFSET = 0.3


class _Tables:
    """Some tables, side by side."""

    def __init__(self, count: int, game: Game, table: TableName, max_shots: int, threads: int | None) -> None:
        self.count, self.game, self.table, self.max_shots, self.threads = count, game, table, max_shots, threads
        self.length, self.width, self.radius = _carom.table_size(table)
        self.balls = 10 if game == "nine_ball" else 16
        self.places = np.full((count, self.balls, 2), np.nan)
        self.shots = np.zeros(count, dtype=np.int64)
        self.head = np.array([0.0, -0.25 * self.length])

    def reset(self, which: npt.NDArray[np.bool_], random: np.random.Generator) -> None:
        seed = int(random.integers(2**62))
        new = billiards.racks(int(which.sum()), game=self.game, table=self.table, seed=seed)
        self.places[which] = new
        self.shots[which] = 0

    def observation(self) -> npt.NDArray[np.float32]:
        there = np.isfinite(self.places[:, :, :1])
        scaled = self.places / np.array([0.5 * self.width, 0.5 * self.length])
        return np.concatenate([np.where(there, scaled, 0.0), there], axis=2).astype(np.float32)

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[Floats, npt.NDArray[np.bool_], npt.NDArray[np.bool_], billiards.Outcome]:
        given = np.clip(np.asarray(actions, dtype=np.float64).reshape(self.count, 4), -1.0, 1.0)
        low, high = SPEEDS
        outcome = billiards.play(
            self.places,
            direction=np.pi * given[:, 0],
            speed=low + (high - low) * 0.5 * (given[:, 1] + 1.0),
            side=OFFSET * given[:, 2],
            height=OFFSET * given[:, 3],
            table=self.table,
            threads=self.threads,
        )
        refused = np.array([error is not None for error in outcome.errors])
        self.places[~refused] = outcome.places[~refused]
        self.shots += 1
        scratched = outcome.pocketed[:, 0]
        rewards = outcome.pocketed[:, 1:].sum(axis=1) - scratched.astype(np.float64)
        for place in np.flatnonzero(scratched):
            self._spot(int(place))
        done = ~np.isfinite(self.places[:, 1:, 0]).any(axis=1)
        return rewards.astype(np.float64), done, (self.shots >= self.max_shots) & ~done, outcome

    def _spot(self, number: int) -> None:
        """Puts the cue ball back, on the head spot or beside it where that is taken."""
        others = self.places[number, 1:]
        others = others[np.isfinite(others[:, 0])]
        for shift in np.linspace(0.0, 0.4 * self.width, 64):
            for x in (shift, -shift):
                place = self.head + [x, 0.0]
                if not len(others) or np.linalg.norm(others - place, axis=1).min() > 2.001 * self.radius:
                    self.places[number, 0] = place
                    return


def _spaces(balls: int) -> tuple[gymnasium.spaces.Box, gymnasium.spaces.Box]:
    low = np.tile(np.array([-2.0, -2.0, 0.0], dtype=np.float32), (balls, 1))
    high = np.tile(np.array([2.0, 2.0, 1.0], dtype=np.float32), (balls, 1))
    return (
        gymnasium.spaces.Box(low, high, dtype=np.float32),
        gymnasium.spaces.Box(-1.0, 1.0, (4,), dtype=np.float32),
    )


class PoolEnv(gymnasium.Env[npt.NDArray[np.float32], npt.NDArray[np.float32]]):
    """One table. Each step is a shot, played until everything rests.

    An action is four numbers from -1 to 1: direction (times π), speed (0.5 to 8 m/s), and where the tip strikes, to the
    side and above the centre. An observation has a row for each ball, the cue ball first: x and y as fractions of half
    the table, and whether it is on the table. The reward is one for each ball that falls, and minus one for the cue
    ball, which is then put back. It ends when no other ball is left.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}

    def __init__(
        self, game: Game = "nine_ball", *, table: TableName = "nine_foot", max_shots: int = 100
    ) -> None:
        self._tables = _Tables(1, game, table, max_shots, 1)
        self.observation_space, self.action_space = _spaces(self._tables.balls)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """A new rack."""
        super().reset(seed=seed)
        self._tables.reset(np.array([True]), self.np_random)
        return self._tables.observation()[0], {}

    def step(
        self, action: npt.NDArray[np.float32]
    ) -> tuple[npt.NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """A shot."""
        rewards, done, cut, outcome = self._tables.step(action)
        info = {"duration": float(outcome.duration[0]), "events": int(outcome.events[0]), "error": outcome.errors[0]}
        return self._tables.observation()[0], float(rewards[0]), bool(done[0]), bool(cut[0]), info


class PoolVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Many tables at once, on all cores; see `PoolEnv`. A table that has ended gets a new rack at the next step."""

    def __init__(
        self,
        num_envs: int,
        game: Game = "nine_ball",
        *,
        table: TableName = "nine_foot",
        max_shots: int = 100,
        threads: int | None = None,
    ) -> None:
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP}
        self._tables = _Tables(num_envs, game, table, max_shots, threads)
        self.single_observation_space, self.single_action_space = _spaces(self._tables.balls)
        batch = gymnasium.vector.utils.batch_space
        self.observation_space = batch(self.single_observation_space, num_envs)
        self.action_space = batch(self.single_action_space, num_envs)
        self._ended = np.zeros(num_envs, dtype=bool)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """New racks on all tables."""
        super().reset(seed=seed if isinstance(seed, int) or seed is None else seed[0], options=options)
        self._tables.reset(np.ones(self.num_envs, dtype=bool), self.np_random)
        self._ended[:] = False
        return self._tables.observation(), {}

    def step(
        self, actions: npt.NDArray[np.float32]
    ) -> tuple[
        npt.NDArray[np.float32], Floats, npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
    ]:
        """A shot on each table."""
        fresh = self._ended.copy()
        before = self._tables.places.copy()
        rewards, done, cut, outcome = self._tables.step(actions)
        if fresh.any():
            # Tables that had ended are not played on: they get their racks.
            self._tables.places[fresh] = before[fresh]
            self._tables.reset(fresh, self.np_random)
            rewards[fresh], done[fresh], cut[fresh] = 0.0, False, False
        self._ended = done | cut
        info = {"duration": outcome.duration, "events": outcome.events}
        return self._tables.observation(), rewards, done, cut, info
