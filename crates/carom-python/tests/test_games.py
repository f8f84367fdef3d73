"""Pool, its Gymnasium environments, and plots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import carom
import numpy as np
import pytest
from carom import billiards


def test_breaks_do_not_depend_on_threads() -> None:
    racks = billiards.racks(6, seed=3)
    one, two = (billiards.play(racks, speed=8.0, threads=threads) for threads in (1, 2))
    np.testing.assert_array_equal(one.digest, two.digest)
    np.testing.assert_array_equal(one.places, two.places)
    assert len(set(one.digest.tolist())) == 6 and (one.events > 50).all()
    # No ball leaves the table but into a pocket.
    assert (np.isfinite(one.places[:, :, 0]) ^ one.pocketed).all()
    assert np.nanmax(np.abs(one.places[:, :, 1])) < 1.4


def test_a_straight_shot_falls_and_bad_ones_are_refused() -> None:
    places = np.full((1, 2, 2), np.nan)
    # From the middle of the table into a corner, through the other ball.
    corner = np.array([1.27 / 2, 2.54 / 2])
    along = corner / np.linalg.norm(corner)
    places[0] = [[0, 0], along * 0.8]
    outcome = billiards.play(places, speed=2.0, direction=np.arctan2(along[1], along[0]))
    assert outcome.pocketed[0, 1]
    bad = billiards.play(np.repeat(places, 2, axis=0), speed=[2.0, -1.0], side=[0.9, 0.0])
    assert all(bad.errors) and not bad.pocketed.any()
    with pytest.raises(ValueError, match="nine_foot"):
        billiards.racks(1, table="round")  # type: ignore[arg-type]


def test_the_environment_is_one() -> None:
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    from carom.gym import PoolEnv

    check_env(PoolEnv(), skip_render_check=True)


def test_many_tables_at_once() -> None:
    pytest.importorskip("gymnasium")
    from carom.gym import PoolEnv, PoolVectorEnv

    def total(seed: int) -> tuple[float, list[float]]:
        tables = PoolVectorEnv(8, max_shots=3)
        tables.reset(seed=seed)
        random, sums = np.random.default_rng(seed), 0.0
        for _ in range(5):
            seen, rewards, done, cut, _ = tables.step(random.uniform(-1, 1, (8, 4)))
            sums += float(rewards.sum())
        assert seen in tables.observation_space
        return sums, seen.reshape(-1).tolist()

    assert total(1) == total(1) != total(2)
    one = PoolEnv(max_shots=2)
    one.reset(seed=4)
    ends = [one.step(np.array([0.5, 1.0, 0, 0], dtype=np.float32))[3] for _ in range(2)]
    assert ends == [False, True]


def test_pinball_is_an_environment() -> None:
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    from carom.gym import PinballEnv

    check_env(PinballEnv(), skip_render_check=True)
    one = PinballEnv(balls=1)
    one.reset(seed=2)
    idle, points, steps = np.zeros(2, dtype=np.int8), 0.0, 0
    over = cut = False
    while not (over or cut):
        seen, reward, over, cut, info = one.step(idle)
        points, steps = points + reward, steps + 1
        assert seen in one.observation_space and steps < 6000
    # Without flippers the only ball goes down the drain, and the rewards are its points.
    assert over and not cut and info["error"] is None and info["points"] == points


def test_many_games_of_pinball_at_once() -> None:
    pytest.importorskip("gymnasium")
    from carom.gym import PinballVectorEnv

    def play(seed: int, threads: int) -> tuple[list[float], list[int], int]:
        games = PinballVectorEnv(6, balls=1, threads=threads)
        games.reset(seed=seed)
        random, rewards, ends = np.random.default_rng(seed), np.zeros(6), 0
        fresh = np.zeros(6, dtype=bool)
        for _ in range(400):
            seen, reward, over, cut, _ = games.step(random.integers(0, 2, (6, 2), dtype=np.int8))
            assert seen in games.observation_space and (reward[fresh] == 0).all()
            # A game that has ended begins anew: a ball on the plunger, nothing lost.
            assert (seen[fresh, 4] == 1).all() and (seen[fresh, 7] == 0).all()
            rewards, fresh = rewards + reward, over | cut
            ends += int(fresh.sum())
        return rewards.tolist(), games._games.state["digest"].tolist(), ends

    one = play(1, 1)
    assert one == play(1, 3) and one[0] != play(2, 1)[0]
    assert one[2] > 0 and sum(one[0]) > 0
    with pytest.raises(ValueError, match="frame is 0"):
        PinballVectorEnv(2, frame=0)


def test_plots(scenes: Path, tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import carom.plot

    simulation = carom.load(scenes / "break.toml").simulate()
    table = simulation.record(until=1)
    carom.plot.state(simulation, velocities=True).figure.savefig(tmp_path / "state.png")
    axes = carom.plot.histogram(table, "approach_speed", bins=20)
    assert axes.get_xlabel() == "approach_speed (m/s)"
    found = carom.sweep(scenes / "break.toml", {"bodies.cue.velocity.1": [4.0, 8.0]}, repeat=2)
    axes: Any = carom.plot.sweep(found, "bodies.cue.velocity.1", "collisions")
    assert axes.get_ylabel() == "collisions" and (tmp_path / "state.png").stat().st_size > 1000
