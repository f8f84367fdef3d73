"""The figures of docs/python.md, as one table: `crates/carom-python/benches/figures.sh` installs what it needs and runs it.

Alone: `python crates/carom-python/benches/figures.py --command target/release/carom`, with the package installed. What is
left out by its options is left out of the table. Wall time is what is judged, on a machine that does nothing else;
processor time stands beside it, which other work disturbs less.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import carom
import numpy as np
from carom import billiards

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Figure:
    """A row of the table."""

    what: str
    goal: str
    found: str
    met: bool | None = None
    """Whether the goal is met; `None` where there is none."""


def seconds(work: Callable[[], Any]) -> tuple[float, float]:
    """Wall time and processor time of some work, s."""
    wall, used = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - used


def best(times: int, work: Callable[[], Any]) -> tuple[float, float]:
    """The shortest wall time and the shortest processor time of several, s."""
    taken = [seconds(work) for _ in range(times)]
    return min(wall for wall, _ in taken), min(used for _, used in taken)


def overhead(command: Path, name: str, until: float, pairs: int = 9) -> Figure:
    """A scene from its start to its end, from Python and by `carom bench`, in turns."""
    text = re.sub(r"(?m)^until = \S+", f"until = {until}", (ROOT / f"scenes/{name}.toml").read_text(encoding="utf-8"))
    native, ours = [], []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        scene = carom.load(path)
        for _ in range(pairs):
            done = subprocess.run(
                [command, "bench", path, "--repeat", "1", "--json"], capture_output=True, check=True
            )
            found = json.loads(done.stdout)
            native.append(1e-9 * found["ns_per_collision"] * found["collisions"])
            start = time.perf_counter()
            simulation = scene.simulate()
            simulation.run()
            ours.append(time.perf_counter() - start)
            assert simulation.digest == found["digest"], "Python and the command differ"
    more = statistics.median(ours) / statistics.median(native) - 1
    each = sorted(python / rust - 1 for python, rust in zip(ours, native))
    return Figure(
        f"`{name}`, {simulation.collisions:,} collisions, from Python beside `carom bench`",
        "2 % more",
        f"{100 * more:+.1f} % ({statistics.median(ours):.3f} s beside {statistics.median(native):.3f} s, medians of"
        f" {pairs} in turns; pairs from {100 * each[0]:+.1f} to {100 * each[-1]:+.1f} %), the same digest",
        more < 0.02,
    )


def million() -> list[Figure]:
    """A world of a million discs from arrays."""
    x, y = np.meshgrid(np.arange(1000.0), np.arange(1000.0))
    places = np.column_stack([x.ravel(), y.ravel()]) + 0.5
    velocities = np.random.default_rng(1).normal(size=places.shape)

    def build() -> carom.World:
        world = carom.World(dimension=2, periodic=[1000.0, 1000.0])
        world.add_balls(places, radius=0.3, mass=1, velocities=velocities)
        return world

    wall, used = best(3, lambda: build().scene())
    started, started_used = best(3, lambda: build().simulate())
    return [
        Figure("a world of 10⁶ discs from NumPy arrays", "2 s", f"{wall:.2f} s ({used:.2f} s of processor time)", wall < 2),
        Figure(
            "the same, started as a simulation, all first contacts predicted",
            "",
            f"{started:.2f} s ({started_used:.2f} s of processor time)",
        ),
    ]


def table() -> list[Figure]:
    """What a table of events costs beside the same run without one."""
    x, y = np.meshgrid(np.arange(80.0), np.arange(50.0))
    places = 1.25 * np.column_stack([x.ravel(), y.ravel()]) + 0.6
    world = carom.World(dimension=2, periodic=[100.0, 62.5])
    world.add_balls(places, radius=0.5, mass=1, velocities=np.random.default_rng(1).normal(size=places.shape))
    start = world.simulate()
    start.run(until=1.0)
    plain, kept, frame, arrow = [], [], [], []
    for _ in range(7):
        # In turns, so that both see the same machine.
        one, two = start.copy(), start.copy()
        plain.append(seconds(lambda: one.run(until=60.0))[0])
        begin = time.perf_counter()
        events = two.record(until=60.0)
        kept.append(time.perf_counter() - begin)
        frame.append(seconds(events.to_pandas)[0])
        arrow.append(seconds(events.to_arrow)[0])
    rows, run, recorded = len(events), statistics.median(plain), statistics.median(kept)
    rate = rows / max(recorded - run, 1e-9)
    return [
        Figure(
            f"{rows:,} events as a table of {len(events.flat())} columns, beside the same run without one",
            "5 million rows/s",
            f"{1e-6 * rate:.1f} million rows/s ({recorded:.3f} s beside {run:.3f} s, medians of 7 in turns)",
            rate > 5e6,
        ),
        Figure(
            "that table as a pandas data frame, and as an Arrow table",
            "",
            f"{1e3 * min(frame):.1f} ms (no copies) and {1e3 * min(arrow):.1f} ms",
        ),
    ]


def breaks(count: int) -> tuple[Figure, float, float]:
    """Eight-ball breaks, until all sixteen balls rest, on all cores; with the processor time of one, s, and its events."""
    racks = billiards.racks(count, seed=1)
    played: list[billiards.Outcome] = []
    wall, used = seconds(lambda: played.append(billiards.play(racks, speed=8.0)))
    outcome = played[0]
    assert not any(outcome.errors)
    events = float(outcome.events.mean())
    figure = Figure(
        f"{count:,} eight-ball breaks until all 16 balls rest, on {os.cpu_count()} cores",
        "10,000 a minute",
        f"{60 * count / wall:,.0f} a minute ({wall:.1f} s; {1e3 * used / count:.2f} ms of processor time and"
        f" {events:.0f} events each)",
        60 * count / wall > 10_000,
    )
    return figure, used / count, events


def pooltool(python: Path, each: float) -> Figure:
    """The same breaks by pooltool, in its own environment."""
    script = ROOT / "peers/pooltool/break.py"
    done = subprocess.run([python, script, "20", "8", "9", "eight"], capture_output=True, text=True, check=True)
    head, events, times = done.stdout.strip().splitlines()
    used = re.search(r"([\d.]+) ms of processor time", times)
    assert used is not None, times
    theirs = 1e-3 * float(used.group(1))
    return Figure(
        f"beside it, {head.split(':')[0]}",
        "",
        f"{120 / theirs:,.0f} a minute on two cores ({1e3 * theirs:.0f} ms of processor time and {events.split()[0]} events"
        f" each, {1 / theirs:.1f} shots a second and core): carom plays {theirs / each:.0f} times as many",
    )


def environments() -> list[Figure]:
    """Gymnasium environments: shots and frames per second."""
    from carom.gym import PinballVectorEnv, PoolVectorEnv

    random = np.random.default_rng(1)
    pool, pinball = PoolVectorEnv(256), PinballVectorEnv(64)
    pool.reset(seed=1)
    pinball.reset(seed=1)
    shots, frames = 8, 400

    def shoot() -> None:
        for _ in range(shots):
            pool.step(random.uniform(-1, 1, (256, 4)))

    def flip() -> None:
        for _ in range(frames):
            pinball.step(random.integers(0, 2, (64, 2), dtype=np.int8))

    wall, used = seconds(shoot)
    games, games_used = seconds(flip)
    return [
        Figure(
            "`PoolVectorEnv(256)`, random nine-ball shots",
            "",
            f"{256 * shots / wall:,.0f} shots a second; {256 * shots / used:,.0f} per second of processor time",
        ),
        Figure(
            "`PinballVectorEnv(64)`, random keys",
            "",
            f"{64 * frames / games:,.0f} frames of 50 ms a second; {64 * frames / games_used:,.0f} per second of processor time",
        ),
    ]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--command", type=Path, help="the command `carom` of the release profile")
    options.add_argument("--pooltool", type=Path, help="a Python that has pooltool-billiards")
    options.add_argument("--installed", nargs=2, type=float, help="wall and processor time of `pip install .`, s")
    options.add_argument("--breaks", type=int, default=10_000)
    given = options.parse_args()
    load = os.getloadavg()[0]
    figures: list[Figure] = []
    if given.command is not None:
        figures.append(overhead(given.command, "gas_of_discs", 3000.0))
        figures.append(overhead(given.command, "gas_3d", 60.0))
    figures += million()
    figures += table()
    played, each, _ = breaks(given.breaks)
    figures.append(played)
    if given.pooltool is not None:
        figures.append(pooltool(given.pooltool, each))
    figures += environments()
    if given.installed is not None:
        wall, used = given.installed
        found = f"{wall:.0f} s ({used:.0f} s of processor time)"
        figures.append(Figure("`pip install .` from a clean clone, NumPy included", "3 minutes", found, wall < 180))
    python = f"{platform.python_implementation()} {platform.python_version()}"
    print(f"carom {carom.__version__}, {python}, {os.cpu_count()} cores, load {load:.1f} at the start\n")
    print("| | goal | found | |\n|---|---|---|---|")
    for figure in figures:
        judged = {True: "met", False: "**missed**", None: ""}[figure.met]
        print(f"| {figure.what} | {figure.goal} | {figure.found} | {judged} |")


if __name__ == "__main__":
    main()
