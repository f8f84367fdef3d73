"""Pinball: one game, or many at once."""

from __future__ import annotations

import os
from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt

from .. import _carom

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
# Of the plunger, m/s: each game has its own, so that no two are the same.
PLUNGER = (1.8, 2.2)
# A speed that is one in observations, m/s.
SPEED = 2.0


class _Games:
    """Some games, side by side."""

    def __init__(self, count: int, balls: int, frame: float, max_time: float, threads: int | None) -> None:
        if not 0.0 < frame <= 1.0:
            raise ValueError(f"frame is {frame}, but must be above 0 and at most 1 s")
        self.count, self.frame, self.max_time, self.balls = count, frame, max_time, balls
        self.threads = threads or os.cpu_count() or 1
        self.length, self.width, _ = _carom.Pinballs.size()
        self.games = _carom.Pinballs(balls, np.full(count, np.mean(PLUNGER)))
        self.keys = np.zeros((count, 2), dtype=bool)
        self.state = self.games.state()

    def reset(self, which: Bools, random: np.random.Generator) -> None:
        places = np.flatnonzero(which).astype(np.uintp)
        self.games.reset(places, random.uniform(*PLUNGER, len(places)))
        self.keys[which] = False
        self.state = self.games.state()

    def observation(self) -> npt.NDArray[np.float32]:
        ball = self.state["ball"]
        there = np.isfinite(ball[:, :1])
        scale = np.array([self.width, self.length, SPEED, SPEED])
        lost = self.state["lost"][:, None] / self.balls
        seen = np.concatenate([np.where(there, ball / scale, 0.0), there, self.keys, lost], axis=1)
        return seen.astype(np.float32)

    def step(self, actions: npt.ArrayLike, idle: Bools) -> tuple[Floats, Bools, Bools]:
        """Rewards, which games are over, and which were cut; those that are idle do nothing."""
        self.keys = np.ascontiguousarray(np.asarray(actions).reshape(self.count, 2) > 0)
        before = self.state["points"]
        self.games.step(self.keys, self.frame, self.threads)
        self.state = self.games.state()
        rewards = (self.state["points"] - before).astype(np.float64)
        over = self.state["over"] & ~idle
        cut = (self.state["time"] >= self.max_time - 1e-9) & ~over & ~idle
        return np.where(idle, 0.0, rewards), over, cut


def _spaces() -> tuple[gymnasium.spaces.Box, gymnasium.spaces.MultiBinary]:
    # Bumpers throw the ball at more than the speed that is one.
    low = np.array([-0.1, -0.2, -10, -10, 0, 0, 0, 0], dtype=np.float32)
    high = np.array([1.1, 1.1, 10, 10, 1, 1, 1, 1], dtype=np.float32)
    return gymnasium.spaces.Box(low, high, dtype=np.float32), gymnasium.spaces.MultiBinary(2)


class PinballEnv(gymnasium.Env[npt.NDArray[np.float32], npt.NDArray[np.int8]]):
    """One game. Each step is a `frame` of some time (s), with the keys of the flippers held or not.

    An action is two numbers, left and right: 1 holds the key. An observation is x and y of the ball as fractions of
    width and length of the table, its velocity (1 is 2 m/s), whether it is on the table, which keys are held, and the
    fraction of balls that are lost. The reward is the points of the step: 100 for a bumper, 50 for a target (500 more
    for every third hit), 25 for a rollover, 10 for a slingshot. A game ends with its last ball; it is cut off after
    `max_time` (s).
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}

    def __init__(self, *, balls: int = 3, frame: float = 0.05, max_time: float = 300.0) -> None:
        self._games = _Games(1, balls, frame, max_time, 1)
        self.observation_space, self.action_space = _spaces()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """A new game."""
        super().reset(seed=seed)
        self._games.reset(np.array([True]), self.np_random)
        return self._games.observation()[0], {}

    def step(
        self, action: npt.NDArray[np.int8]
    ) -> tuple[npt.NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """A frame."""
        rewards, over, cut = self._games.step(action, np.array([False]))
        state = self._games.state
        info = {"points": int(state["points"][0]), "time": float(state["time"][0]), "error": state["errors"][0]}
        return self._games.observation()[0], float(rewards[0]), bool(over[0]), bool(cut[0]), info


class PinballVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Many games at once, on all cores; see `PinballEnv`. A game that has ended begins anew at the next step."""

    def __init__(
        self,
        num_envs: int,
        *,
        balls: int = 3,
        frame: float = 0.05,
        max_time: float = 300.0,
        threads: int | None = None,
    ) -> None:
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP}
        self._games = _Games(num_envs, balls, frame, max_time, threads)
        self.single_observation_space, self.single_action_space = _spaces()
        batch = gymnasium.vector.utils.batch_space
        self.observation_space = batch(self.single_observation_space, num_envs)
        self.action_space = batch(self.single_action_space, num_envs)
        self._ended = np.zeros(num_envs, dtype=bool)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """New games."""
        super().reset(seed=seed if isinstance(seed, int) or seed is None else seed[0], options=options)
        self._games.reset(np.ones(self.num_envs, dtype=bool), self.np_random)
        self._ended[:] = False
        return self._games.observation(), {}

    def step(
        self, actions: npt.NDArray[np.int8]
    ) -> tuple[npt.NDArray[np.float32], Floats, Bools, Bools, dict[str, Any]]:
        """A frame of each game."""
        fresh = self._ended.copy()
        rewards, over, cut = self._games.step(actions, fresh)
        if fresh.any():
            self._games.reset(fresh, self.np_random)
        self._ended = over | cut
        state = self._games.state
        info = {"points": state["points"], "time": state["time"], "collisions": state["collisions"]}
        return self._games.observation(), rewards, over, cut, info
