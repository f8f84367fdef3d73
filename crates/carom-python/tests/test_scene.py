"""Scenes and worlds: the same reader, the same words as the command."""

from __future__ import annotations

import pickle
from pathlib import Path

import carom
import numpy as np
import pytest


def ball(x: float, **more: object) -> dict[str, object]:
    return {"shape": "ball", "radius": 0.5, "mass": 1, "position": [x, 0.0], **more}


def test_the_break_from_a_file_has_the_digest_of_the_command(scenes: Path) -> None:
    simulation = carom.load(scenes / "break.toml").simulate()
    assert simulation.run() == "time"
    golden = (scenes.parent / "crates/carom-cli/tests/command.rs").read_text()
    assert f'"{simulation.digest}"' in golden
    assert simulation.time == 5.0


def test_file_text_and_mapping_are_the_same_scene(scenes: Path) -> None:
    text = (scenes / "two_discs.toml").read_text()
    digests = set()
    for source in (scenes / "two_discs.toml", str(scenes / "two_discs.toml"), text):
        simulation = carom.Simulation(source)
        simulation.run()
        digests.add(simulation.digest)
    assert len(digests) == 1
    as_dict = {"version": 1, "dimension": 2, "run": {"until": 5}, "bodies": [ball(0, velocity=[1, 0]), ball(3)]}
    simulation = carom.Simulation(as_dict)
    simulation.run()
    assert simulation.collisions == 1


def test_all_sample_scenes_start(scenes: Path) -> None:
    for path in sorted(scenes.glob("*.toml")):
        scene = carom.load(path)
        simulation = scene.simulate()
        simulation.run(until=0.01, collisions=100)
        assert simulation.positions.shape == (len(simulation.free), scene.dimension), path.name


def test_set_replaces_values() -> None:
    scene = {"version": 1, "dimension": 2, "run": {"until": 5}, "bodies": [ball(0, name="cue"), ball(3)]}
    simulation = carom.Simulation(scene, set={"bodies.cue.velocity": [2, 0], "run.until": 1.5})
    simulation.run()
    assert (simulation.time, simulation.collisions) == (1.5, 1)


def test_errors_have_the_text_of_the_command() -> None:
    with pytest.raises(carom.SceneError, match=r"(?s)radius.*scene\.json:\d+:\d+"):
        carom.Scene({"version": 1, "dimension": 2, "run": {"until": 1}, "bodies": [ball(0) | {"radius": -1}]})
    with pytest.raises(carom.SceneError, match="there is no file `nowhere.toml`"):
        carom.load("nowhere.toml")
    with pytest.raises(carom.SceneError, match="--set"):
        carom.Scene({"version": 1, "dimension": 2, "run": {"until": 1}, "bodies": [ball(0)]}, set={"run.untl": 3})
    assert issubclass(carom.SceneError, carom.CaromError)


def test_a_file_with_errors_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text("version = 1\ndimension = 4\n")
    with pytest.raises(carom.SceneError, match=r"(?s)dimension.*bad\.toml:2"):
        carom.load(path)


def test_a_world_of_arrays() -> None:
    world = carom.World(dimension=3)
    world.material("glass", restitution=0.9)
    fixed = world.add(shape="wall", point=[0, 0, -10], normal=[0, 0, 1])
    places = np.stack(np.meshgrid(*[np.arange(10.0)] * 3), -1).reshape(-1, 3) * 3
    balls = world.add_balls(
        places,
        radius=np.linspace(0.5, 1.0, 1000),
        density=2.0,
        velocities=np.ones((1000, 3)),
        angular_velocities=np.full((1000, 3), 2.0),
        material="glass",
    )
    simulation = world.simulate()
    ids = simulation.ids_of(balls)
    assert fixed == 0 and ids.tolist() == list(range(1, 1001)) == simulation.free.tolist()
    np.testing.assert_array_equal(simulation.positions, places)
    np.testing.assert_array_equal(simulation.angular_velocities, 2.0)
    np.testing.assert_allclose(simulation.masses, 2 * 4 / 3 * np.pi * simulation.radii**3, rtol=1e-15)
    assert simulation.body(5)["material"] == "glass"


def test_arrays_alone_and_their_errors() -> None:
    world = carom.World(dimension=2)
    world.add_balls([[0, 0], [1, 0], [0.15, 0]], radius=0.1, mass=1)
    with pytest.raises(carom.RunError, match="overlap"):
        world.simulate()
    world = carom.World(dimension=2)
    world.add_balls([[0, 0], [1, 0]], radius=[0.1, -0.1], mass=1)
    with pytest.raises(carom.SceneError, match="row 1 of the arrays: radius"):
        world.simulate()
    world = carom.World(dimension=2)
    world.add_balls([[0, 0, 0]], radius=1, mass=1)
    with pytest.raises(ValueError, match="2 columns"):
        world.simulate()
    with pytest.raises(ValueError, match="either a mass or a density"):
        world.add_balls([[0, 0]], radius=1)


def test_groups_of_arrays_let_balls_pass() -> None:
    for meets, collisions in (["walls"], 0), (["red"], 1):
        world = carom.World(dimension=2)
        world.add(shape="wall", point=[0, -9], normal=[0, 1], groups=["walls"])
        both = dict(radius=0.5, mass=1, groups=["red"], collides_with=meets)
        world.add_balls([[0, 0]], velocities=[[1, 0]], **both)
        world.add_balls([[3, 0]], **both)
        simulation = world.simulate()
        simulation.run(until=5)
        assert simulation.collisions == collisions


def test_containers_rules_pairs_fields_and_both_methods() -> None:
    for method in "events", "forces":
        world = carom.World(dimension=2, seed=3, gravity=[0, -1], fields={"drag": {"linear": 0.01}})
        world.material("a", restitution=0.9, spring_time=1e-3)
        world.material("b", restitution=0.5, spring_time=1e-3)
        world.pair("a", "b", restitution=0.7)
        world.container(shape="circle", position=[0, 0], radius=3, material="b")
        world.generate(
            kind="random", name="gas", count=20, radius=0.1, mass=1, material="a", velocity={"speed": 1},
            region={"centre": [0, 0], "radius": 2.5},
        )
        simulation = world.simulate(method=method)
        assert simulation.method == method
        simulation.run(until=0.5)
        assert len(simulation.free) == 20 and simulation.time == 0.5
        assert abs(simulation.audit()["energy_residual"]) < 1e-6
        assert (simulation.stepping is None) == (method == "events")


def test_joints() -> None:
    """A pendulum of one metre: a quarter of its period, for small angles, is π/2 √(l/g)."""
    world = carom.World(dimension=2, gravity=[0, -9.81])
    world.add(shape="ball", name="bob", radius=0.01, mass=1, position=[0.001, -1])
    world.joint(kind="distance", between=["bob"], point=[0, 0])
    simulation = world.simulate()
    simulation.run(until=float(np.pi / 2 * np.sqrt(1 / 9.81)))
    assert abs(simulation.positions[0, 0]) < 1e-6
    assert np.hypot(*simulation.positions[0]) == pytest.approx(np.hypot(0.001, 1), abs=1e-6)


def test_infinite_numbers_and_words() -> None:
    scene = {"version": 1, "dimension": 2, "run": {"until": 1}}
    scene["bodies"] = [ball(0, inertia=float("inf")), ball(3, mass="2 * pi")]
    simulation = carom.Simulation(scene)
    assert simulation.array("inertias")[0] == np.inf and simulation.masses[1] == 2 * np.pi


def test_scenes_pickle() -> None:
    world = carom.World(dimension=2, run={"until": 4})
    world.add_balls([[0, 0], [3, 0]], radius=0.5, mass=1, velocities=[[1, 0], [0, 0]])
    scene = world.scene(set={"run.until": 6})
    other = pickle.loads(pickle.dumps(scene))
    assert (len(other), other.until) == (2, 6.0)
    assert other.simulate().digest == scene.simulate().digest


def test_a_scene_can_be_started_often() -> None:
    scene = carom.Scene({"version": 1, "dimension": 2, "run": {"until": 5}, "bodies": [ball(0)]})
    assert len(scene.simulate().free) == len(scene.simulate().free) == 1


def test_a_world_that_does_not_say_until_when() -> None:
    world = carom.World(dimension=2)
    world.add(**ball(0))
    with pytest.raises(ValueError, match="until when"):
        world.simulate().run()
    assert world.scene().until is None


def test_rules_of_a_scene_hold(scenes: Path) -> None:
    """`[[when]]`: after 4 s, in mid-flight, gravity becomes that of Mars."""
    simulation = carom.load(scenes / "earth_to_mars.toml").simulate()

    def acceleration(time: float) -> float:
        speeds = []
        for until in (time, time + 0.01):
            simulation.run(until=until)
            speeds.append(float(simulation.velocities[0, 1]))
        return (speeds[1] - speeds[0]) / 0.01

    assert acceleration(0.1) == pytest.approx(-9.81, rel=1e-9)
    assert acceleration(4.01) == pytest.approx(-3.71, rel=1e-9)
