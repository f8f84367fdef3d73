"""Threads: what several may share, with Python's lock and in a Python that has none."""

from __future__ import annotations

import sys
import sysconfig
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import carom
import numpy as np
import pytest
from carom import billiards

THREADS = 8


def gas(count: int = 900) -> carom.Scene:
    world = carom.World(dimension=2, periodic=[60.0, 60.0], run={"until": 2.0})
    x, y = np.meshgrid(np.arange(30.0), np.arange(30.0))
    places = 2.0 * np.column_stack([x.ravel(), y.ravel()])[:count] + 1.0
    world.add_balls(places, radius=0.5, mass=1, velocities=np.random.default_rng(1).normal(size=places.shape))
    return world.scene()


def together(work: Callable[[int], Any]) -> list[Any]:
    """What some threads make of their numbers, all let go at one instant."""
    start = threading.Barrier(THREADS)

    def one(number: int) -> Any:
        start.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(one, range(THREADS)))


def test_a_python_without_the_lock_stays_without_it() -> None:
    """An extension that does not say that it can do without has the lock put back in when it is imported."""
    without = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
    has_lock = getattr(sys, "_is_gil_enabled", lambda: True)()
    assert has_lock is not without


def test_many_threads_start_simulations_of_one_scene() -> None:
    scene = gas()
    whole = scene.simulate()
    whole.run()

    def run(number: int) -> str:
        simulation = scene.simulate()
        for until in np.linspace(0.0, 2.0, 2 + number)[1:]:
            simulation.run(until=float(until))
        return simulation.digest

    assert set(together(run)) == {whole.digest}


def test_many_threads_read_scenes_and_tables() -> None:
    # Nobody has compiled this one yet: whoever comes first does.
    scene = gas()
    scene.__setstate__(scene.__getstate__())
    table = gas().simulate().record()

    def read(number: int) -> tuple[Any, ...]:
        frame = table.select(table["time"] > 0.1 * number)
        return len(scene), scene.dimension, scene.until, len(frame) > 0, table["kind"][0], len(table.array)

    assert set(together(read)) == {(900, 2, 2.0, True, "collision", len(table))}


def test_a_simulation_goes_from_thread_to_thread() -> None:
    simulation, other = gas().simulate(), gas().simulate()
    for step in range(1, 5):
        thread = threading.Thread(target=simulation.run, args=(0.5 * step,))
        thread.start()
        thread.join()
    other.run()
    assert simulation.digest == other.digest


def test_one_simulation_is_for_one_thread_at_a_time() -> None:
    """Whoever comes second is told so; nothing is changed by that, whatever is asked."""
    scene = gas()
    simulation, token = scene.simulate(), carom.Cancel()
    ends: list[str] = []
    thread = threading.Thread(target=lambda: ends.append(simulation.run(until=1e6, cancel=token)))
    thread.start()
    time.sleep(0.1)
    asked: list[Callable[[], object]] = [
        lambda: simulation.positions,
        lambda: simulation.time,
        lambda: simulation.audit(),
        lambda: simulation.snapshot(),
        lambda: simulation.set_velocity(0, [9.0, 9.0]),
        lambda: simulation.ray([0, 0], [1, 0]),
        lambda: next(simulation.events()),
    ]
    for ask in asked:
        with pytest.raises(RuntimeError, match="borrowed"):
            ask()
    token.cancel()
    thread.join(timeout=10)
    assert ends == ["cancelled"]
    again = scene.simulate()
    again.run(until=1e6, collisions=simulation.collisions)
    assert again.collisions == simulation.collisions and abs(simulation.audit()["energy_residual"]) < 1e-6


def test_events_and_edits_in_many_threads() -> None:
    def kicked(number: int) -> tuple[int, str]:
        simulation = scene.simulate()
        stop = simulation.subscribe(lambda event: None, kinds="collision")
        for event in simulation.events(until=0.5, kinds="collision"):
            if event.a is not None:
                simulation.set_velocity(event.a, [1.0, 0.0])
        stop()
        simulation.run(until=0.6, on_event=lambda event: None)
        return simulation.collisions, simulation.digest

    scene = gas(200)
    assert len(set(together(kicked))) == 1


def test_pool_and_sweeps_in_many_threads() -> None:
    racks = billiards.racks(2, seed=3)
    alone = billiards.play(racks, speed=8.0, threads=1).digest.tolist()
    assert together(lambda _: billiards.play(racks, speed=8.0, threads=2).digest.tolist()) == [alone] * THREADS
    scene = gas(100)

    def swept(_: int) -> list[float]:
        found = carom.sweep(scene, {"run.until": [0.5, 1.0]}, observe=lambda now: now.collisions, workers=2)
        values: list[float] = found.table["observed"].tolist()
        return values

    assert len({tuple(row) for row in together(swept)}) == 1
