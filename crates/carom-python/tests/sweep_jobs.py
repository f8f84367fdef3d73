"""What sweeps in the tests observe: in a module of its own, so that other processes find it."""

from __future__ import annotations

import os
import time
from typing import Any

import carom


def bounces() -> dict[str, Any]:
    """A ball that is dropped onto a floor."""
    return {
        "version": 1,
        "dimension": 2,
        "gravity": [0, -9.81],
        "run": {"until": 3.0},
        "variables": {"height": 1.0},
        "materials": {"m": {"restitution": 0.9}},
        "bodies": [
            {"shape": "wall", "point": [0, 0], "normal": [0, 1], "material": "m"},
            {"shape": "ball", "radius": 0.1, "mass": 1, "position": [0, "$height + 0.1"], "material": "m"},
        ],
    }


def gas() -> dict[str, Any]:
    """Some balls at random."""
    return {
        "version": 1,
        "dimension": 2,
        "periodic": [10, 10],
        "run": {"until": 1.0},
        "generate": [{"kind": "random", "name": "b", "count": 30, "radius": 0.3, "mass": 1, "velocity": {"speed": 1}}],
    }


def count(simulation: carom.Simulation) -> dict[str, float]:
    return {"collisions": simulation.collisions, "x": float(simulation.positions[0, 0])}


def slowly(simulation: carom.Simulation) -> dict[str, float]:
    time.sleep(0.3)
    return {"collisions": simulation.collisions, "worker": float(os.getpid())}


def dies_once(simulation: carom.Simulation) -> float:
    """Kills its process at the first point, the first time."""
    flag = os.environ["CAROM_TEST_FLAG"]
    if simulation.array("positions")[0, 1] < 0.7 and not os.path.exists(flag):
        open(flag, "w").close()
        os._exit(1)
    return simulation.collisions
