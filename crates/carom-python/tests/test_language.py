"""All laws, shapes and fields of the scene language, by both methods: none is missing here, and each does something."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import carom
import numpy as np
import pytest

from conftest import ROOT

SCHEMA = json.loads(carom.schema())
OCTAHEDRON = [[2, 0, 0], [-2, 0, 0], [0, 2, 0], [0, -2, 0], [0, 0, 2], [0, 0, -2]]
# What a ball strikes that comes along the x axis, from x = −3 m; the round ones that are hollow have it inside.
SHAPES: dict[str, tuple[int, dict[str, Any]]] = {
    "ball": (2, {"radius": 1, "position": [0, 0], "motion": "static"}),
    "wall": (3, {"point": [1, 0, 0], "normal": [-1, 0, 0]}),
    "hollow": (3, {"radius": 4, "position": [0, 0, 0]}),
    "box": (2, {"size": [1, 1], "position": [0, 0], "motion": "static"}),
    "capsule": (3, {"from": [0, -1, 0], "to": [0, 1, 0], "radius": 0.3, "motion": "static"}),
    "compound": (
        2,
        {
            "parts": [
                {"shape": "box", "size": [1, 1], "position": [0, 0]},
                {"shape": "ball", "radius": 0.25, "position": [0.75, 0]},
            ],
            "mass": 2,
        },
    ),
    "segment": (2, {"from": [0, -1], "to": [0, 1]}),
    "arc": (2, {"centre": [0, 0], "radius": 1, "start": 1.5707963, "sweep": 3.1415926}),
    "polygon": (2, {"corners": [[-1, -1], [1, -1], [1, 1], [-1, 1]], "mass": 3}),
    "triangle": (3, {"corners": [[0, -2, -2], [0, 2, -2], [0, 0, 3]]}),
    "cylinder": (3, {"position": [0, 0, 0], "axis": [0, 0, 1], "length": 2, "radius": 1, "mass": 2}),
    "tube": (3, {"position": [0, 0, 0], "axis": [0, 0, 1], "radius": 4}),
    "polyhedron": (3, {"corners": OCTAHEDRON, "mass": 2}),
    "mesh": (3, {"file": str(ROOT / "scenes/octahedron.obj")}),
}
AIR = {"linear": 0.2}
# By the names of the schema; what wind does is seen in the drag.
FIELDS: dict[str, dict[str, Any]] = {
    "drag": {"drag": AIR},
    "drag_of_a_medium": {"drag": {"density": 1.2, "viscosity": 1.8e-5, "coefficient": 0.5}},
    "steady_wind": {"drag": AIR, "wind": {"velocity": [0, 1, 0]}},
    "gust": {"drag": AIR, "wind": {"velocity": [0, 1, 0], "start": 0.1, "end": 0.3}},
    "shear": {"drag": AIR, "wind": {"point": [0, 0, 0], "normal": [0, 0, 1], "gradient": [0, 1, 0]}},
    "vortex": {"drag": AIR, "wind": {"centre": [0, 0, 0], "axis": [0, 0, 1], "circulation": 3}},
    "lift": {"lift": {"coefficient": 0.1}},
    "rotational_drag": {"rotational_drag": {"coefficient": 0.01}},
    "rotational_drag_of_a_medium": {"rotational_drag": {"viscosity": 1.0}},
    "uniform_field": {"uniform": {"acceleration": [0, 0, 1]}},
    "central_field": {"central": {"centre": [0, 3, 0], "strength": 2}},
    "spring": {"springs": {"centre": [0, 3, 0], "stiffness": 2}},
}


def references(part: object) -> set[str]:
    """The forms that a part of the schema names."""
    if isinstance(part, dict):
        own = {part["$ref"].removeprefix("#/$defs/")} if "$ref" in part else set()
        return own.union(*(references(value) for value in part.values()))
    return set().union(*(references(value) for value in part)) if isinstance(part, list) else set()


def thrown(dimension: int, **more: Any) -> dict[str, Any]:
    """A ball that comes along the x axis, a little aside, and turns."""
    place = [-3.0, 0.1, 0.05][:dimension]
    turn = 3.0 if dimension == 2 else [1.0, 2.0, 3.0]
    ball = {"shape": "ball", "name": "thrown", "radius": 0.2, "mass": 1, "position": place, "angular_velocity": turn}
    return {**ball, "velocity": [6.0, 0.0, 0.0][:dimension], "material": "m", **more}


def scene(dimension: int, *bodies: dict[str, Any], **more: Any) -> dict[str, Any]:
    material = {"restitution": 0.8, "friction": 0.3, "spring_time": 1e-2}
    common = {"version": 1, "dimension": dimension, "run": {"until": 2}, "materials": {"m": material}}
    return {**common, "bodies": list(bodies), **more}


def run(what: dict[str, Any], method: str, folder: Path) -> carom.Simulation:
    """Runs a scene, and asks the command for the same, where there is one."""
    simulation = carom.Simulation(what, method=method)
    simulation.run()
    command = os.environ.get("CAROM")
    if command:
        path = folder / "scene.json"
        path.write_text(json.dumps(what), encoding="utf-8")
        done = subprocess.run([command, "run", path, "--method", method, "--json"], capture_output=True, check=True)
        assert json.loads(done.stdout)["digest"] == simulation.digest
    return simulation


@pytest.mark.parametrize("method", ["events", "forces"])
@pytest.mark.parametrize("shape", list(SHAPES))
def test_shapes(shape: str, method: str, tmp_path: Path) -> None:
    dimension, keys = SHAPES[shape]
    target = {"shape": shape, "material": "m", **keys}
    simulation = run(scene(dimension, target, thrown(dimension)), method, tmp_path)
    assert simulation.collisions >= 1
    ours = simulation.body("thrown")
    assert simulation.method == method and ours["velocity"] != thrown(dimension)["velocity"]
    # 18 J. A step by forces that goes around an edge does so within its order; the others are exact to rounding.
    assert abs(simulation.audit()["energy_residual"]) < (1e-12 if method == "events" else 1e-4)


def test_no_shape_is_missing() -> None:
    forms = references(SCHEMA["properties"]["bodies"]["items"])
    shapes = {SCHEMA["$defs"][form]["properties"]["shape"]["const"] for form in forms if form in SCHEMA["$defs"]
              and "const" in SCHEMA["$defs"][form]["properties"].get("shape", {})}
    assert shapes == set(SHAPES), "each shape needs an example here"


@pytest.mark.parametrize("law", SCHEMA["$defs"]["material"]["properties"]["law"]["enum"])
def test_laws(law: str, tmp_path: Path) -> None:
    wall = {"shape": "wall", "point": [0, 0], "normal": [-1, 0], "material": "m"}
    material = {"law": law, "restitution": 0.6, "friction": 0.3}
    ball = thrown(2, velocity=[2.0, 1.0], radius=0.1, angular_velocity=-20)
    simulation = run(scene(2, wall, ball, materials={"m": material}), "events", tmp_path)
    # 2 m/s by 0.6; what friction does to spin and slip is the law's.
    assert simulation.collisions == 1 and simulation.velocities[0, 0] == pytest.approx(-1.2)
    assert simulation.angular_velocities[0] != -20.0 and simulation.audit()["lost_in_collisions"] > 0


@pytest.mark.parametrize("method", ["events", "forces"])
@pytest.mark.parametrize("field", list(FIELDS))
def test_fields(field: str, method: str, tmp_path: Path) -> None:
    def states(fields: dict[str, Any]) -> list[Any]:
        # Nothing is touched, from which a step could follow.
        forces = {"step": 1e-3}
        simulation = run(scene(3, thrown(3), fields=fields, forces=forces, run={"until": 0.5}), method, tmp_path)
        parts = (simulation.positions, simulation.velocities, simulation.angular_velocities)
        return [part.ravel() for part in parts]

    # Wind alone does nothing: it is looked at beside still air.
    still = {"drag": AIR} if "wind" in FIELDS[field] else {}
    moved = np.concatenate(states(FIELDS[field])) - np.concatenate(states(still))
    assert np.abs(moved).max() > 1e-6


def test_no_field_is_missing() -> None:
    keys = SCHEMA["$defs"]["fields"]["properties"]
    forms = references({key: value for key, value in keys.items() if key not in ("method", "tolerance", "step")})
    forms = {form for form in forms if form != "formula" and not form.endswith("region")}
    assert forms == set(FIELDS), "each field needs an example here"


def test_errors_are_those_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    command = os.environ.get("CAROM")
    if not command:
        pytest.skip("the environment variable CAROM does not name the command")
    folder = ROOT / "crates/carom-scene/tests/bad"
    monkeypatch.chdir(folder)
    bad = sorted(path.name for path in folder.iterdir() if path.suffix in (".toml", ".json"))
    differ = []
    for name in bad:
        done = subprocess.run([command, "check", name], capture_output=True, text=True)
        with pytest.raises(carom.CaromError) as caught:
            carom.load(name).simulate()
        if done.returncode != 2 or str(caught.value) != done.stderr.rstrip():
            differ.append((name, str(caught.value), done.stderr))
    assert len(bad) > 90 and not differ
