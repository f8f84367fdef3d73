"""Collisions at their exact time.

Balls and rigid bodies, the walls they strike and the fields they fly in: build a `World`, or load a `Scene`; run a
`Simulation` of it until a time, a number of collisions, rest or any condition; read states as NumPy arrays and events as
tables; `sweep` over parameters on whatever executor there is. SI units throughout.

>>> world = World(dimension=2, gravity=[0, -9.81])
>>> floor = world.add(shape="wall", point=[0, 0], normal=[0, 1])
>>> ball = world.add(shape="ball", radius=0.1, mass=1, position=[0, 1.1])
>>> simulation = world.simulate()
>>> simulation.run(until=10.0)
'time'
>>> simulation.collisions
11
"""

from ._carom import (
    Cancel,
    CaromError,
    DataError,
    EditError,
    Event,
    QueryError,
    RunError,
    SceneError,
    __version__,
    schema,
)
from ._folder import RunFolder
from ._scene import Balls, Scene, World
from ._simulation import Hit, Simulation
from ._sweep import RayExecutor, SweepResult, sweep
from ._table import Table

load = Scene.load

__all__ = [
    "Balls",
    "Cancel",
    "CaromError",
    "DataError",
    "EditError",
    "Event",
    "Hit",
    "QueryError",
    "RayExecutor",
    "RunError",
    "RunFolder",
    "Scene",
    "SceneError",
    "Simulation",
    "SweepResult",
    "Table",
    "World",
    "__version__",
    "load",
    "schema",
    "sweep",
]
