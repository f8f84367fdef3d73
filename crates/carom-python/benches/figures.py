"""The figures of docs/python.md: `python crates/carom-python/benches/figures.py`, with the package installed.

Each is the best of several, as the machine may be shared; the load is printed beside. What runs on one thread is measured
in processor time, which a busy machine disturbs less.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import carom
import numpy as np
from carom import billiards


def best(times: int, work: Callable[[], Any], clock: Callable[[], float] = time.perf_counter) -> float:
    """The shortest of some times, s."""
    taken = []
    for _ in range(times):
        start = clock()
        work()
        taken.append(clock() - start)
    return min(taken)


def children() -> float:
    """Processor time of all child processes that have ended, s."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def million() -> None:
    """A world of a million discs from arrays."""
    x, y = np.meshgrid(np.arange(1000.0), np.arange(1000.0))
    places = np.column_stack([x.ravel(), y.ravel()]) + 0.5
    velocities = np.random.default_rng(1).normal(size=places.shape)

    def build() -> carom.World:
        world = carom.World(dimension=2, periodic=[1000.0, 1000.0])
        world.add_balls(places, radius=0.3, mass=1, velocities=velocities)
        return world

    print(f"a world of 10⁶ discs from arrays: {best(3, lambda: build().scene()):.2f} s")
    print(f"the same, and started as a simulation: {best(2, lambda: build().simulate()):.2f} s")


def gas() -> carom.World:
    """4,000 discs in a periodic box."""
    x, y = np.meshgrid(np.arange(80.0), np.arange(50.0))
    places = 1.25 * np.column_stack([x.ravel(), y.ravel()]) + 0.6
    world = carom.World(dimension=2, periodic=[100.0, 62.5])
    world.add_balls(places, radius=0.5, mass=1, velocities=np.random.default_rng(1).normal(size=places.shape))
    return world


def table() -> None:
    """What a table of events costs beside the same run without one."""
    start = gas().simulate()
    start.run(until=1.0)
    plain, kept, frame = [], [], []
    rows = 0
    for _ in range(5):
        # In turns, so that both see the same machine.
        one, two = start.copy(), start.copy()
        plain.append(best(1, lambda: one.run(until=60.0), time.process_time))
        begin = time.process_time()
        events = two.record(until=60.0)
        kept.append(time.process_time() - begin)
        rows = len(events)
        frame.append(best(1, events.to_pandas, time.process_time))
    cost = max(min(kept) - min(plain), 1e-9)
    print(f"{rows} events: the run {min(plain):.3f} s, with a table {min(kept):.3f} s: {rows / cost / 1e6:.1f} million rows/s")
    print(f"as a pandas data frame: {rows / min(frame) / 1e6:.1f} million rows/s")


def overhead(command: Path) -> None:
    """A scene from reading it to its end, from Python and by the command."""
    root = Path(__file__).resolve().parents[3]
    scene, until = root / "scenes/gas_of_discs.toml", "run.until=400"
    native, ours = [], []
    for _ in range(5):
        before = children()
        done = subprocess.run([command, "run", scene, "--set", until, "--json"], capture_output=True, check=True)
        native.append(children() - before)
        start = time.process_time()
        simulation = carom.Simulation(scene, set={"run.until": 400})
        simulation.run()
        ours.append(time.process_time() - start)
        assert simulation.digest == json.loads(done.stdout)["digest"]
    print(f"a gas, {simulation.collisions} collisions: command {min(native):.3f} s, Python {min(ours):.3f} s")


def breaks(count: int = 10_000) -> None:
    """Eight-ball breaks, until all sixteen balls rest, on all cores."""
    racks = billiards.racks(count, seed=1)
    start, start_cpu = time.perf_counter(), time.process_time()
    outcome = billiards.play(racks, speed=8.0)
    taken, used = time.perf_counter() - start, time.process_time() - start_cpu
    assert not any(outcome.errors)
    cores = os.cpu_count() or 1
    each = used / count
    print(f"{count} eight-ball breaks on {cores} cores: {taken:.1f} s of wall time, {60 * count / taken:.0f} a minute;")
    print(
        f"    {1e3 * each:.2f} ms of processor time each: {60 * cores / each:.0f} a minute on {cores} free cores,"
        f" {1 / each:.0f} shots a second and core; {outcome.events.mean():.0f} events each"
    )


def environments() -> None:
    """Gymnasium environments: shots and frames per second of processor time."""
    from carom.gym import PinballVectorEnv, PoolVectorEnv

    random = np.random.default_rng(1)
    pool = PoolVectorEnv(256)
    pool.reset(seed=1)
    steps = 4
    start = time.process_time()
    for _ in range(steps):
        pool.step(random.uniform(-1, 1, (256, 4)))
    used = time.process_time() - start
    print(f"PoolVectorEnv: {256 * steps / used:.0f} shots per second of processor time")
    pinball = PinballVectorEnv(64)
    pinball.reset(seed=1)
    frames = 400
    start = time.process_time()
    for _ in range(frames):
        pinball.step(random.integers(0, 2, (64, 2), dtype=np.int8))
    used = time.process_time() - start
    print(f"PinballVectorEnv: {64 * frames / used:.0f} frames of 50 ms per second of processor time")


if __name__ == "__main__":
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    million()
    table()
    breaks()
    environments()
    if len(sys.argv) > 1:
        overhead(Path(sys.argv[1]))
