"""Gymnasium environments: pool and pinball, one table or many at once.

    >>> import carom.gym
    >>> table = carom.gym.PoolEnv(game="nine_ball")
    >>> observation, _ = table.reset(seed=1)
    >>> observation.shape
    (10, 3)
    >>> games = carom.gym.PinballVectorEnv(4)
    >>> observation, _ = games.reset(seed=1)
    >>> observation.shape
    (4, 8)
"""

from ._pinball import PinballEnv, PinballVectorEnv
from ._pool import PoolEnv, PoolVectorEnv

__all__ = ["PinballEnv", "PinballVectorEnv", "PoolEnv", "PoolVectorEnv"]
