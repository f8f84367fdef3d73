"""Running, asking, changing and keeping simulations."""

from __future__ import annotations

import _thread
import copy
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import carom
import numpy as np
import pytest


def two_balls(**more: Any) -> dict[str, Any]:
    ball = {"shape": "ball", "radius": 0.5, "mass": 1}
    bodies = [{**ball, "position": [0, 0], "velocity": [1, 0]}, {**ball, "position": [3, 0]}]
    return {"version": 1, "dimension": 2, "run": {"until": 10}, "bodies": bodies, **more}


def gas(count: int = 400, **more: Any) -> carom.Simulation:
    world = carom.World(dimension=2, periodic=[50.0, 50.0], **more)
    side = int(np.ceil(np.sqrt(count)))
    grid = np.stack(np.meshgrid(np.arange(side), np.arange(side)), -1).reshape(-1, 2)[:count]
    random = np.random.default_rng(1)
    world.add_balls((grid + 0.5) * 50.0 / side, radius=0.4, mass=1, velocities=random.normal(size=(count, 2)))
    return world.simulate()


def test_ends() -> None:
    assert carom.Simulation(two_balls()).run() == "time"
    assert carom.Simulation(two_balls()).run(until=10, collisions=1) == "collisions"
    assert carom.Simulation(two_balls()).run(collisions=0) == "collisions"
    assert carom.Simulation(two_balls()).run(events=1) == "events"
    assert carom.Simulation(two_balls()).run(events=0) == "events"
    assert carom.Simulation(two_balls()).run(events=1, kinds="entered") == "time"
    assert carom.Simulation(two_balls(run={"until": 9, "max_collisions": 1})).run() == "collisions"
    simulation = carom.Simulation(two_balls())
    assert simulation.run(condition=lambda now: now.collisions > 0) == "condition"
    assert simulation.time == 2.0
    assert simulation.run(until=10) == "time"
    slow = carom.Simulation(two_balls(), set={"bodies.1.velocity": [0, 0]})
    assert slow.run(rest=1e-3) == "rest"
    with pytest.raises(carom.RunError, match="cannot run until 1 s: the clock stands at 10 s"):
        simulation.run(until=1)
    with pytest.raises(carom.RunError):
        simulation.run(until=float("nan"))
    for ends in {"collisions": -1}, {"events": -2}:
        with pytest.raises(ValueError, match="must be zero or above"):
            simulation.run(until=20, **ends)


def test_rest_in_pieces_is_rest_in_one_go() -> None:
    world = carom.World(dimension=2, gravity=[0, -9.81])
    world.material("clay", restitution=0.5, friction=0.5)
    world.add(shape="wall", point=[0, 0], normal=[0, 1], material="clay")
    world.add_balls([[0, 1.0], [2, 1.5], [4, 2.0]], radius=0.1, mass=1, material="clay")
    whole = world.simulate()
    pieces = whole.copy()
    assert whole.run(until=30, rest=1e-3) == "rest"
    assert pieces.run(until=30, rest=1e-3, on_event=lambda event: None) == "rest"
    assert whole.time == pieces.time and whole.digest == pieces.digest


def test_collisions_are_counted_across_pieces() -> None:
    simulation, other = gas(), gas()
    assert simulation.run(until=100, collisions=777) == "collisions"
    seen: list[carom.Event] = []
    assert other.run(until=100, collisions=777, on_event=seen.append, kinds="collision") == "collisions"
    assert simulation.collisions == other.collisions == len(seen) == 777
    assert simulation.digest == other.digest


def test_events_are_counted_by_kind_across_pieces(scenes: Path) -> None:
    scene = carom.load(scenes / "table_roll.toml")
    every = scene.simulate().record()
    count = len(every) // 2
    simulation, other = scene.simulate(), scene.simulate()
    assert simulation.run(events=count) == "events"
    seen: list[carom.Event] = []
    assert other.run(events=count, on_event=seen.append) == "events"
    assert [event.time for event in seen] == every["time"][:count].tolist()
    assert simulation.time == other.time == seen[-1].time and simulation.digest == other.digest
    transitions = every.select(every["kind"] == "transition")
    third = scene.simulate()
    assert third.run(events=2, kinds="transition") == "events" and third.time == transitions["time"][1]
    assert len(scene.simulate().record(events=count)) == count


def test_events_one_by_one_and_as_a_table() -> None:
    one = gas()
    events = list(one.events(until=5, kinds="collision"))
    other = gas()
    table = other.record(until=5)
    assert len(events) == len(table) == one.collisions > 50
    assert one.digest == other.digest
    assert [event.time for event in events] == table["time"].tolist()
    np.testing.assert_array_equal([event.impulse for event in events], table["impulse"])
    np.testing.assert_array_equal([event.velocities_after[1] for event in events], table["b_velocity_after"])
    assert set(table["kind"]) == {"collision"} and set(table["mode"]) == {"frictionless"}
    assert table.units["impulse"] == "kg·m/s"
    # The impulse is what the momentum of a changes by.
    change = table["a_velocity_after"] - table["a_velocity_before"]
    np.testing.assert_allclose(table["impulse"], change, atol=1e-12)


def test_the_clock_stands_at_each_event() -> None:
    simulation = gas()
    for event in simulation.events(until=0.2, kinds="collision"):
        assert simulation.time == event.time


def test_all_kinds_of_events(scenes: Path) -> None:
    kinds = set()
    for name in "gate", "table_roll":
        table = carom.load(scenes / f"{name}.toml").simulate().record()
        kinds |= set(table["kind"])
        assert np.isnan(table["energy_lost"][table["kind"] != "collision"]).all()
    assert {"collision", "entered", "left", "transition"} <= kinds


def test_subscribers_and_edits_while_it_runs() -> None:
    simulation = carom.Simulation(two_balls())
    seen: list[str] = []

    def push(event: carom.Event) -> None:
        seen.append(event.kind)
        if event.kind == "collision" and len(seen) == 1:
            simulation.set_velocity(1, [5.0, 0.0])

    stop = simulation.subscribe(push)
    simulation.run(until=5)
    assert seen == ["collision", "edited"]
    assert simulation.body(1)["velocity"] == [5.0, 0.0] and simulation.positions[1, 0] == 18.0
    stop()
    simulation.set_velocity(1, [0.0, 0.0])
    simulation.run(until=6)
    assert len(seen) == 2
    other = carom.Simulation(two_balls())
    assert other.run(on_event=lambda event: True) == "event" and other.time == 2.0


def test_an_exception_in_a_callback_ends_the_run_and_it_goes_on() -> None:
    simulation = carom.Simulation(two_balls())

    def fail(event: carom.Event) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        simulation.run(on_event=fail)
    assert simulation.time == 2.0 and simulation.run() == "time"


def test_edits() -> None:
    simulation = carom.Simulation(two_balls(materials={"steel": {"restitution": 0.5}}))
    new = simulation.insert(shape="ball", radius=0.5, mass=2, position=[9, 0], material="steel", name="third")
    assert new == 2 and simulation.find("third") == 2 and simulation.body("third")["material"] == "steel"
    simulation.set_gravity([0, -1])
    simulation.set_load(2, force=[4, 0])
    simulation.set_position(0, [0, 5])
    simulation.run(until=1)
    assert simulation.body(2)["velocity"] == pytest.approx([2, -1])
    simulation.set_load(2)
    simulation.set_fields(gravity=[0, 0], drag={"linear": 0.5})
    before = simulation.audit()["now"]["translational"]
    simulation.run(until=2)
    assert simulation.audit()["now"]["translational"] < before
    simulation.change_material("steel", restitution=0.25)
    simulation.set_material(0, "steel")
    simulation.remove("third")
    assert simulation.ids.tolist() == [0, 1] and len(simulation.positions) == 2
    assert abs(simulation.audit()["energy_residual"]) < 1e-6
    with pytest.raises(carom.EditError, match="overlap"):
        simulation.insert(shape="ball", radius=1, mass=1, position=simulation.positions[0])
    with pytest.raises(carom.SceneError, match="radius"):
        simulation.insert(shape="ball", radius=-1, mass=1, position=[50, 50])
    with pytest.raises(KeyError, match="no body 7"):
        simulation.set_velocity(7, [0, 0])
    with pytest.raises(KeyError, match="no body 2"):
        simulation.body(2)


def test_groups_and_motions_while_it_runs() -> None:
    bodies = two_balls()["bodies"]
    bodies[0]["groups"] = ["red"]
    bodies[1]["groups"] = ["blue"]
    wall = {"shape": "wall", "point": [20, 0], "normal": [-1, 0], "name": "wall"}
    simulation = carom.Simulation(two_balls(bodies=[*bodies, wall]))
    simulation.set_groups(0, ["red"], ["red"])
    simulation.run(until=4)
    assert simulation.collisions == 0
    simulation.set_motion("wall", {"velocity": [-2, 0]})
    simulation.run(until=12)
    assert simulation.body(0)["velocity"][0] < 0


def test_queries(scenes: Path) -> None:
    simulation = carom.Simulation(two_balls())
    hit = simulation.ray([1, 0], [1, 0])
    assert hit is not None and (hit.body, hit.distance, hit.normal) == (1, 1.5, [-1.0, 0.0])
    assert [hit.body for hit in simulation.ray_through([-5, 0], [1, 0], 100)] == [0, 1]
    assert simulation.ray([0, 5], [0, 1]) is None
    assert simulation.nearest([3, 2], 1) == [(1, 1.5)]
    assert simulation.in_ball([1.5, 0], 1.1) == [0, 1] and simulation.in_box([2, -1], [4, 1]) == [1]
    with pytest.raises(carom.QueryError, match="direction"):
        simulation.ray([0, 0], [0, 0])
    with pytest.raises(carom.RunError, match="only simulations by forces"):
        simulation.touching()
    by_forces = carom.Simulation(two_balls(forces={"spring_time": 0.1}), method="forces")
    assert by_forces.touching() == []
    by_forces.run(until=2.05)
    ((a, b, depth),) = by_forces.touching()
    gap = by_forces.positions[1, 0] - by_forces.positions[0, 0]
    assert (a, b) == (0, 1) and depth == pytest.approx(1.0 - gap)
    zone = {"shape": "ball", "radius": 1, "position": [6, 0], "motion": "static", "sensor": True, "name": "zone"}
    sensing = carom.Simulation(two_balls(bodies=[*two_balls()["bodies"], zone]))
    assert sensing.inside("zone") == []
    sensing.run(until=5.5)
    assert sensing.inside("zone") == [1]
    assert sensing.ray([9, 0], [-1, 0], sensors=False).body == 1  # type: ignore[union-attr]
    with pytest.raises(ValueError, match="origin has 3 numbers"):
        simulation.ray([0, 0, 0], [1, 0, 0])


@pytest.mark.parametrize("method", ["events", "forces"])
def test_snapshots_pickle_and_go_on_to_the_bit(method: str) -> None:
    scene = two_balls(forces={"spring_time": 1e-2})
    simulation = carom.Simulation(scene, method=method)
    simulation.run(until=1.95)
    others = [
        pickle.loads(pickle.dumps(simulation)),
        copy.deepcopy(simulation),
        carom.Simulation.restore(simulation.snapshot()),
    ]
    simulation.run(until=2.1)
    for other in others:
        other.run(until=2.1)
        assert other.digest == simulation.digest
    with pytest.raises(carom.RunError):
        carom.Simulation.restore(b"nothing")


def test_queries_and_edits_in_space() -> None:
    world = carom.World(dimension=3)
    world.add(shape="ball", radius=0.5, mass=1, position=[0, 0, 0], velocity=[1, 0, 0])
    world.add(shape="box", size=[1, 2, 3], position=[4, 0, 0], mass=6, name="crate")
    simulation = world.simulate()
    hit = simulation.ray([0, 0, 0], [1, 0, 0], sensors=False)
    assert hit is not None and (hit.body, hit.distance) == (0, 0.0)
    hits = simulation.ray_through([-2, 0, 0], [1, 0, 0])
    assert [(hit.body, hit.distance) for hit in hits] == [(0, 1.5), (1, 5.5)]
    assert simulation.in_box([3, -1, -1], [5, 1, 1]) == [1] and simulation.nearest([2, 0, 0], 2)[0] == (0, 1.5)
    half = np.sqrt(0.5)
    simulation.set_position("crate", [4, 0, 0], [half, 0, 0, half])  # a quarter turn about z
    assert simulation.ray_through([-2, 0, 0], [1, 0, 0])[1].distance == pytest.approx(5.0)
    simulation.set_velocity("crate", angular_velocity=[0, 0, 2])
    new = simulation.insert(shape="capsule", **{"from": [0, 5, 0], "to": [0, 7, 0]}, radius=0.25, density=3)
    simulation.set_load(new, torque=[0, 0, 1])
    simulation.run(until=1)
    assert simulation.angular_velocities[1].tolist() == pytest.approx([0, 0, 2])
    assert simulation.body(new)["angular_velocity"][2] > 0


def test_snapshots_in_space(scenes: Path) -> None:
    simulation = carom.load(scenes / "gas_3d.toml").simulate()
    simulation.run(until=0.01)
    assert carom.Simulation.restore(simulation.snapshot()).dimension == 3
    assert simulation.orientations.shape == (len(simulation.free), 4)
    assert simulation.angular_velocities.shape == (len(simulation.free), 3)


def test_observables_and_averages() -> None:
    simulation = gas()
    seen = simulation.observables()
    velocities = simulation.velocities
    assert seen["mean_speed"] == pytest.approx(np.linalg.norm(velocities, axis=1).mean())
    found = simulation.observe(until=20, since=2, samples=50, radial=(2.0, 20), msd_lags=3)
    mean, error = found["temperature"]
    assert abs(mean - seen["temperature"]) < 1e-9 and error < 1e-9
    fraction = 400 * np.pi * 0.4**2 / 2500
    expected = (1 + fraction**2 / 8) / (1 - fraction) ** 2  # Henderson's equation of state
    z, dz = found["compressibility"]
    assert abs(z - expected) < 5 * dz + 0.005 * expected
    assert len(found["radial"]) == 20 and len(found["mean_squared_displacement"]) == 3
    assert found["collisions"] > 1000


def test_ctrl_c_ends_a_run_between_two_events() -> None:
    simulation = gas(2000)
    threading.Timer(0.5, _thread.interrupt_main, args=(signal.SIGINT,)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        simulation.run(until=1e5)
    assert time.monotonic() - start < 5
    there = simulation.time
    assert 0 < there < 1e5 and abs(simulation.audit()["energy_residual"]) < 1e-6
    assert simulation.run(until=there + 0.01) == "time"


def test_ctrl_c_where_nothing_happens_by_forces() -> None:
    code = (
        "import carom; s = carom.Simulation({'version': 1, 'dimension': 2, 'run': {'until': 1e6}, 'method': 'forces',"
        "'forces': {'spring_time': 1e-3}, 'bodies': [{'shape': 'ball', 'radius': 1, 'mass': 1, 'position': [0, 0], 'velocity': [1, 0]},"
        "{'shape': 'ball', 'radius': 1, 'mass': 1, 'position': [1e9, 0]}]}); print('go', flush=True); s.run()"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None and child.stdout.readline() == b"go\n"
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=10)
    assert b"KeyboardInterrupt" in errors


def test_the_lock_is_released_and_a_token_ends_a_run() -> None:
    simulation, token = gas(2000), carom.Cancel()
    ends: list[str] = []
    thread = threading.Thread(target=lambda: ends.append(simulation.run(until=1e5, cancel=token)))
    thread.start()
    counted, start = 0, time.monotonic()
    while time.monotonic() - start < 0.3:
        counted += 1
    token.cancel()
    thread.join(timeout=10)
    assert ends == ["cancelled"] and token.is_cancelled and counted > 1000


def test_pictures() -> None:
    simulation = carom.Simulation(two_balls())
    assert "<svg" in simulation._repr_html_() and "energy residual" in simulation._repr_html_()
    page = carom.Scene(two_balls())._repr_html_()
    assert "<animate" in page and "2</td>" in page
    assert "<th" in simulation.record()._repr_html_()
    assert "<table" in carom.sweep(two_balls(), {"run.until": [1, 2]})._repr_html_()


def test_pictures_of_whatever_there_is(scenes: Path) -> None:
    floor = {"shape": "wall", "point": [0, -1], "normal": [0, 1]}
    box = {"shape": "box", "size": [1, 1], "position": [0, 3], "mass": 1, "angular_velocity": 2}
    fixed = {"shape": "ball", "radius": 0.25, "position": [4, 0], "motion": "static"}
    scene = {**two_balls(), "gravity": [0, -9.81], "run": {"until": 0.5}}
    page = carom.Scene({**scene, "bodies": [*two_balls()["bodies"], floor, box, fixed]})._repr_html_()
    # The floor, the box, which moves, and the ball that does not; of the others one falls, and one moves along as well.
    assert page.count("<path") == 3 and page.count('attributeName="d"') == 1
    assert page.count("<circle") == 2 and page.count("<animate") == 4
    # One that cannot go on is shown as far as it goes.
    away = {"shape": "ball", "radius": 0.25, "mass": 2, "position": [0, 0], "velocity": [1, 0], "material": "bumper"}
    sides = [{"shape": "wall", "point": [-x, 0], "normal": [x, 0], "material": "bumper"} for x in (1, -1)]
    fast = two_balls(bodies=[*sides, away], materials={"bumper": {"restitution": 1e40}})
    assert "ends" in carom.Scene(fast)._repr_html_()
    for name in "dice", "pinball", "pile", "tumbling_book":
        assert "<svg" in carom.load(scenes / f"{name}.toml")._repr_html_(), name


def test_budgets() -> None:
    simulation = carom.Simulation(two_balls(), set={"bodies.1.velocity": [2, 0]})
    simulation.run()
    audit = simulation.audit()
    assert audit["initial"]["total"] == 2.0 and audit["momentum"] == [2.0, 0.0]
    assert audit["angular_momentum"]["residual"] == [0.0]
    assert audit["losses"]["between_balls"]["restitution"] == 0.0


def test_restitution_by_speed_and_a_thermostat() -> None:
    """Restitution as a function of the speed, and random kicks, by the keys of the scene language."""
    world = carom.World(dimension=2, seed=4)
    world.material("ice", restitution={"viscoelastic": 0.9, "speed": 2})
    ball = {"shape": "ball", "radius": 0.5, "mass": 1, "material": "ice"}
    world.add(**ball, position=[0, 0], velocity=[2, 0])
    world.add(**ball, position=[3, 0])
    simulation = world.simulate()
    simulation.run(until=2)
    (slow, fast) = simulation.velocities[:, 0]
    assert abs(fast - slow - 1.8) < 1e-12
    heated = carom.World(dimension=2, seed=4, thermostat={"strength": 0.1, "interval": 0.05})
    heated.add_balls([[4 * x, 4 * y] for x in range(5) for y in range(5)], radius=0.5, mass=1)
    runs = [heated.simulate() for _ in range(2)]
    for run in runs:
        run.run(until=1)
    assert np.array_equal(runs[0].velocities, runs[1].velocities)
    assert np.abs(runs[0].velocities).max() > 0
    assert np.abs(runs[0].velocities.sum(axis=0)).max() < 1e-12
