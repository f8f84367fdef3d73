"""Simulations: running, asking, changing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _carom
from ._carom import Cancel, Event
from ._ends import Ends
from ._kinds import ALL_UNITS, CHANGES, KINDS, MODES, Kind, mask_of
from ._scene import Balls, Scene, Source, _plain
from ._table import Table

Floats = npt.NDArray[np.float64]
Ids = npt.NDArray[np.uint32]
Vector = Sequence[float] | npt.NDArray[Any]

@dataclass(frozen=True)
class Hit:
    """Where a ray hits a body."""

    body: int
    """Its id."""
    distance: float
    """From the ray's origin, m; zero where that is inside the body."""
    point: list[float]
    """m."""
    normal: list[float]
    """Unit vector out of the body."""


class Simulation:
    """A simulation of a scene: balls, rigid bodies or both, by impulses at exact times or by forces.

    `scene` is whatever `Scene` takes; `method` is `events` or `forces` where it is to be another than the scene's.
    Bodies have numbers, in the order of the scene. Arrays have a row for each *free* body, in the order of `free`.

    >>> import carom
    >>> world = carom.World(dimension=2)
    >>> left = world.add(shape="ball", radius=0.5, mass=1, position=[0, 0], velocity=[1, 0])
    >>> right = world.add(shape="ball", radius=0.5, mass=1, position=[3, 0])
    >>> simulation = Simulation(world)
    >>> simulation.run(until=10, collisions=1)
    'collisions'
    >>> simulation.time, simulation.velocities.tolist()
    (2.0, [[0.0, 0.0], [1.0, 0.0]])
    """

    def __init__(
        self, scene: Source, *, method: str | None = None, set: Mapping[str, object] | None = None
    ) -> None:
        owned = not isinstance(scene, Scene)
        scene = Scene(scene, set=set) if owned or set else scene
        assert isinstance(scene, Scene)
        core = scene._compiled()
        self._begin(
            scene.title,
            Ends(scene.until if scene.until is not None else float("nan"), scene.max_collisions, scene.rest),
            [(first, batch.positions.shape[0]) for first, batch in zip(scene._firsts, scene._batches)],
        )
        # A scene of our own is not needed any more: its bodies become the simulation's, without a copy.
        self._core = _carom.Run.start(core, method, owned)

    def _begin(self, title: str, ends: Ends, batches: list[tuple[int, int]]) -> None:
        self.title = title
        self._ends = ends
        self._batches = batches
        self._subscribers: list[tuple[int, Callable[[Event], object]]] = []

    # Running.

    def run(
        self,
        until: float | None = None,
        *,
        collisions: int | None = None,
        events: int | None = None,
        rest: float | None = None,
        condition: Callable[[Simulation], bool] | None = None,
        on_event: Callable[[Event], object] | None = None,
        kinds: Iterable[Kind] | Kind | None = None,
        cancel: Cancel | None = None,
    ) -> str:
        """Runs until a world time (s), or until another end, and says which.

        Without any arguments it runs as the scene says. Other ends are a number of `collisions` or of `events` of some
        `kinds` (all where none are named) from now on, `rest` (no body faster than so many m/s), and a `condition`, which
        is asked after each collision, transition and release. `on_event` is called for each event of the `kinds`, at
        its time: the simulation can be asked and changed there; where it returns `True` the run ends.

        Answers `time`, `collisions`, `events`, `rest`, `condition`, `event` or `cancelled`. Python's other threads run
        meanwhile; Ctrl-C ends the run between two events, and it can go on from there.

        >>> import carom
        >>> simulation = carom.Simulation(_two_balls())
        >>> simulation.run(until=10, condition=lambda now: now.velocities[1, 0] > 0)
        'condition'
        >>> simulation.time
        2.0
        """
        ends = self._wanted(until, collisions, events, rest, condition is not None)
        mask = mask_of(CHANGES) if condition is not None else 0
        named = mask_of(kinds)
        told = 0 if on_event is None else named
        left, fresh = ends, True
        while True:
            stop = mask | told
            for wanted, _ in self._subscribers:
                stop |= wanted
            end, seen, counted = self._core.run(
                left.until, left.collisions, left.events, left.rest, named, stop, fresh, None, cancel
            )
            fresh = False
            left = left.less(counted)
            wants_end = False
            for event in seen:
                bit = 1 << KINDS.index(event.kind)
                for wanted, callback in tuple(self._subscribers):
                    if wanted & bit:
                        wants_end |= callback(event) is True
                if on_event is not None and told & bit:
                    wants_end |= on_event(event) is True
            if condition is not None and any(1 << KINDS.index(event.kind) & mask for event in seen):
                if condition(self):
                    return "condition"
            if end != "event":
                return end
            if wants_end:
                return "event"

    def _wanted(
        self, until: float | None, collisions: int | None, events: int | None, rest: float | None, other: bool
    ) -> Ends:
        if until is not None:
            ends = Ends(float(until), collisions, rest, events)
        elif collisions is None and events is None and rest is None and not other:
            # As the scene says; it counts from the very start.
            ends = self._ends.stated().less((self.collisions, 0))
        else:
            ends = Ends(self._ends.stated().until, collisions, rest, events)
        return ends.checked()

    def events(
        self,
        until: float | None = None,
        *,
        collisions: int | None = None,
        rest: float | None = None,
        kinds: Iterable[Kind] | Kind | None = None,
        cancel: Cancel | None = None,
    ) -> Iterator[Event]:
        """Runs from event to event. At each the clock stands at its time, and the simulation can be asked and changed.

        >>> import carom
        >>> simulation = carom.Simulation(_two_balls())
        >>> [(event.kind, event.time, event.a, event.b) for event in simulation.events(until=10)]
        [('collision', 2.0, 0, 1)]
        """
        left = self._wanted(until, collisions, None, rest, False)
        mask, fresh = mask_of(kinds), True
        while True:
            end, seen, counted = self._core.run(
                left.until, left.collisions, None, left.rest, 0, mask, fresh, None, cancel
            )
            fresh = False
            left = left.less(counted)
            yield from seen
            if end != "event":
                return

    def record(
        self,
        until: float | None = None,
        *,
        collisions: int | None = None,
        events: int | None = None,
        rest: float | None = None,
        kinds: Iterable[Kind] | Kind | None = None,
        cancel: Cancel | None = None,
    ) -> Table:
        """Runs, and answers all events of the `kinds` named (or all) as one table, without any Python in between.

        The ends are those of `run`; `events` is the number of rows.

        >>> import carom
        >>> table = carom.Simulation(_two_balls()).record(until=10)
        >>> len(table), table["time"].tolist(), table["impulse"].tolist()
        (1, [2.0], [[-1.0, 0.0]])
        """
        ends = self._wanted(until, collisions, events, rest, False)
        mask = mask_of(kinds)
        kept = _carom.EventTable(self.dimension, mask)
        self._core.run(ends.until, ends.collisions, ends.events, ends.rest, mask, 0, True, kept, cancel)
        return Table(kept.take(), words={"kind": KINDS, "mode": MODES}, units=ALL_UNITS)

    def subscribe(
        self, callback: Callable[[Event], object], kinds: Iterable[Kind] | Kind | None = None
    ) -> Callable[[], None]:
        """Calls back for each event of the `kinds` named (or all) in every later `run`; answers a function that ends
        that. A callback that returns `True` ends the run."""
        entry = (mask_of(kinds), callback)
        self._subscribers.append(entry)

        def unsubscribe() -> None:
            if entry in self._subscribers:
                self._subscribers.remove(entry)

        return unsubscribe

    def observe(
        self,
        until: float | None = None,
        *,
        since: float | None = None,
        samples: int = 100,
        radial: tuple[float, int] | None = None,
        msd_lags: int | None = None,
    ) -> dict[str, Any]:
        """Runs until a world time (s), and averages from `since` on: means with their standard errors.

        `temperature` (kT, J), `mean_speed` (m/s), `collision_rate` (1/s), `mean_free_path` (m) and, in a periodic box,
        `compressibility` and `pressure` (Pa, in 2-D N/m); with `radial=(cutoff, bins)` the radial distribution, rows of
        distance (m), g and its error; with `msd_lags` the mean squared displacement, rows of time (s), m² and error.
        """
        ends = self._wanted(until, None, None, None, True)
        start = self.time if since is None else since
        return self._core.observe(ends.until, start, samples, radial, msd_lags)

    # Asking.

    @property
    def time(self) -> float:
        """The clock: world time, s."""
        return self._core.time

    @property
    def collisions(self) -> int:
        """How many collisions there have been; by forces, how many contacts have ended."""
        return self._core.collisions

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return self._core.dimension

    @property
    def method(self) -> str:
        """`events` or `forces`."""
        return self._core.method

    @property
    def digest(self) -> str:
        """A hash of everything that has happened and of all states now: the same bits, the same hash."""
        return self._core.digest

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing will ever move again; by forces it is never said."""
        return self._core.is_at_rest

    @property
    def warnings(self) -> list[str]:
        """What whoever reads the results should know."""
        return self._core.warnings

    @property
    def stepping(self) -> dict[str, Any] | None:
        """By forces, how it is stepped: integrator, step (s), steps, engine, threads."""
        return self._core.stepping()

    @property
    def ids(self) -> Ids:
        """The numbers of all bodies."""
        return self._core.ids()

    @property
    def free(self) -> Ids:
        """The numbers of the free bodies: the rows of all arrays."""
        return self._core.free()

    def ids_of(self, balls: Balls) -> Ids:
        """The numbers of balls that were added as arrays."""
        first, count = self._batches[balls.index]
        return np.arange(first, first + count, dtype=np.uint32)

    def find(self, name: str) -> int:
        """The number of the first body of that name."""
        found = self._core.find(name)
        if found is None:
            raise KeyError(f"there is no body {name!r}")
        return found

    def name(self, body: int) -> str:
        """The name of a body."""
        return self._core.name(body)

    def body(self, body: int | str) -> dict[str, Any]:
        """All about a body as it is now: name, shape, material, motion, radius, mass, position (m), orientation, velocity
        (m/s), angular velocity (rad/s)."""
        return self._core.body(self._id(body))

    def _id(self, body: int | str) -> int:
        return self.find(body) if isinstance(body, str) else int(body)

    def array(
        self,
        what: Literal[
            "positions",
            "unwrapped",
            "velocities",
            "angular_velocities",
            "orientations",
            "radii",
            "masses",
            "inertias",
        ],
        ids: npt.ArrayLike | None = None,
    ) -> Floats:
        """Numbers of some bodies, or of all that are free. `unwrapped` are positions as if there were no periodic box."""
        chosen = None if ids is None else np.ascontiguousarray(ids, dtype=np.uint32).reshape(-1)
        return self._core.array(what, chosen)

    @property
    def positions(self) -> Floats:
        """Of the free bodies, m: (n, d)."""
        return self.array("positions")

    @property
    def velocities(self) -> Floats:
        """Of the free bodies, m/s: (n, d)."""
        return self.array("velocities")

    @property
    def angular_velocities(self) -> Floats:
        """Of the free bodies, rad/s: (n,) in 2-D, (n, 3) in 3-D."""
        return self.array("angular_velocities")

    @property
    def orientations(self) -> Floats:
        """Of the free bodies: angles (rad) of shape (n,) in 2-D, quaternions (w, x, y, z) of shape (n, 4) in 3-D."""
        return self.array("orientations")

    @property
    def radii(self) -> Floats:
        """Of the free bodies, m; NaN for those that are no balls."""
        return self.array("radii")

    @property
    def masses(self) -> Floats:
        """Of the free bodies, kg."""
        return self.array("masses")

    def audit(self) -> dict[str, Any]:
        """The budgets of energy (J), momentum (kg·m/s) and angular momentum (kg·m²/s) as they stand.

        >>> import carom
        >>> simulation = carom.Simulation(_two_balls())
        >>> simulation.audit()["now"]["total"]
        0.5
        """
        return self._core.audit()

    def observables(self) -> dict[str, Any]:
        """What can be said of all free bodies together: `centre_of_mass` (m), `velocity_of_centre`, `mean_speed` (m/s),
        `temperature` (kT, J), `fastest`."""
        masses, velocities = self.masses, self.velocities
        if len(masses) == 0:
            return {"centre_of_mass": None, "velocity_of_centre": None, "mean_speed": None, "temperature": None}
        total = masses.sum()
        common = masses @ velocities / total
        speeds = np.linalg.norm(velocities, axis=1)
        freedom = self.dimension * (len(masses) - 1)
        energy = float((masses[:, None] * (velocities - common) ** 2).sum())
        fastest = int(np.argmax(speeds))
        return {
            "centre_of_mass": (masses @ self.positions / total).tolist(),
            "velocity_of_centre": common.tolist(),
            "mean_speed": float(speeds.mean()),
            "temperature": energy / freedom if freedom else None,
            "fastest": {"body": int(self.free[fastest]), "speed": float(speeds[fastest])},
        }

    def ray(
        self, origin: Vector, direction: Vector, length: float = np.inf, *, sensors: bool = True
    ) -> Hit | None:
        """The first body that a ray hits within a length (m).

        >>> import carom
        >>> simulation = carom.Simulation(_two_balls())
        >>> simulation.ray([1, 0], [1, 0]).distance
        1.5
        """
        found = self._core.ray(_floats(origin), _floats(direction), length, False, sensors)
        return Hit(*found[0]) if found else None

    def ray_through(
        self, origin: Vector, direction: Vector, length: float = np.inf, *, sensors: bool = True
    ) -> list[Hit]:
        """All bodies that a ray hits within a length (m), in order of distance."""
        found = self._core.ray(_floats(origin), _floats(direction), length, True, sensors)
        return [Hit(*hit) for hit in found]

    def in_ball(self, centre: Vector, radius: float) -> list[int]:
        """All bodies that a ball (m) would touch or overlap."""
        return self._core.in_ball(_floats(centre), radius)

    def in_box(self, low: Vector, high: Vector) -> list[int]:
        """All bodies in a box along the axes (m)."""
        return self._core.in_box(_floats(low), _floats(high))

    def nearest(self, place: Vector, number: int = 1) -> list[tuple[int, float]]:
        """The bodies whose surfaces are nearest to a point, and how far away they are (m): negative inside."""
        return self._core.nearest(_floats(place), number)

    def inside(self, sensor: int | str) -> list[int]:
        """The bodies that are inside a sensor now."""
        return self._core.inside(self._id(sensor))

    def touching(self) -> list[tuple[int, int, float]]:
        """Which bodies touch now, and how deep they overlap (m). Only by forces."""
        return self._core.touching()

    # Changing. Where a change is refused, nothing has been changed.

    def insert(self, **keys: Any) -> int:
        """Puts a body in, with the keys of `[[bodies]]`; answers its number."""
        return self._core.insert(self._scene_of_body(keys))

    def remove(self, body: int | str) -> None:
        """Takes a body out."""
        self._core.remove(self._id(body))

    def set_velocity(
        self, body: int | str, velocity: Vector | None = None, angular_velocity: Vector | float | None = None
    ) -> None:
        """Gives a free body another velocity (m/s) or angular velocity (rad/s).

        >>> import carom
        >>> simulation = carom.Simulation(_two_balls())
        >>> simulation.set_velocity(1, [0, 2])
        >>> simulation.velocities[1].tolist()
        [0.0, 2.0]
        """
        turn = None if angular_velocity is None else _floats(np.atleast_1d(angular_velocity))
        self._core.set_velocity(self._id(body), None if velocity is None else _floats(velocity), turn)

    def set_position(
        self, body: int | str, position: Vector, orientation: Vector | float | None = None
    ) -> None:
        """Puts a free body elsewhere (m), if nothing is there, and turns it: an angle in 2-D, a quaternion in 3-D."""
        turn = None if orientation is None else _floats(np.atleast_1d(orientation))
        self._core.set_position(self._id(body), _floats(position), turn)

    def set_material(self, body: int | str, material: str) -> None:
        """Makes a body of another material."""
        self._core.set_material(self._id(body), material)

    def change_material(self, name: str, **keys: Any) -> None:
        """Gives a material other numbers, with the keys of `[materials]`; or adds one."""
        self._core.change_material(self._document(materials={name: keys}), name)

    def set_groups(
        self, body: int | str, groups: Sequence[str] | None = None, collides_with: Sequence[str] | None = None
    ) -> None:
        """Gives a body another collision filter."""
        keys: dict[str, Any] = {"shape": "ball", "radius": 1.0, "motion": "static", "position": [0.0] * self.dimension}
        if groups is not None:
            keys["groups"] = list(groups)
        if collides_with is not None:
            keys["collides_with"] = list(collides_with)
        self._core.set_groups(self._id(body), self._scene_of_body(keys))

    def set_gravity(self, gravity: Vector) -> None:
        """Sets the uniform gravity, m/s²."""
        self._core.set_gravity(_floats(gravity))

    def set_fields(self, *, gravity: Vector | None = None, **fields: Any) -> None:
        """Sets what acts on bodies besides contacts, with the keys of `[fields]`; gravity stays where it is not given."""
        weight = self._core.gravity if gravity is None else _floats(gravity)
        self._core.set_fields(self._document(gravity=weight, fields=fields))

    def set_load(
        self, body: int | str, force: Vector | None = None, torque: Vector | float | None = None
    ) -> None:
        """Sets the external force (N) and torque (N·m) on a free body; none where both are left out."""
        turn = None if torque is None else _floats(np.atleast_1d(torque))
        self._core.set_load(self._id(body), None if force is None else _floats(force), turn)

    def set_motion(self, body: int | str, motion: Mapping[str, Any] | None = None) -> None:
        """Gives a fixture another motion, from where it is, with the keys of `motion`; `None` lets it stand."""
        keys: dict[str, Any] = {"shape": "ball", "radius": 1.0, "position": [0.0] * self.dimension}
        keys["motion"] = "static" if motion is None else dict(motion)
        self._core.set_motion(self._id(body), self._scene_of_body(keys))

    def _document(self, **keys: Any) -> _carom.Scene:
        document = {"version": 1, "dimension": self.dimension, "run": {"until": 1.0}, **keys}
        return _carom.Scene.parse("change.json", json.dumps(_plain(document), indent=1), [], True)

    def _scene_of_body(self, keys: Mapping[str, Any]) -> _carom.Scene:
        """A scene whose last body it is, with the groups that there are and its material, for the reader to find."""
        material = keys.get("material")
        materials: dict[str, Any] = {material: {}} if material is not None and self._core.has_material(material) else {}
        bodies: list[Mapping[str, Any]] = []
        known = self._core.groups
        if known:
            bodies.append(
                {
                    "name": "names of groups",
                    "shape": "ball",
                    "radius": 1.0,
                    "position": [0.0] * self.dimension,
                    "motion": "static",
                    "sensor": True,
                    "groups": known,
                }
            )
        bodies.append(keys)
        return self._document(materials=materials, bodies=bodies)

    # Keeping.

    def snapshot(self) -> bytes:
        """Everything that is needed to go on from here, in carom's own format."""
        return self._core.snapshot()

    @classmethod
    def restore(cls, snapshot: bytes) -> Simulation:
        """Goes on from a snapshot, with the same bits as if it had never stopped."""
        try:
            core = _carom.Run.restore(2, [], snapshot)
        except _carom.RunError:
            core = _carom.Run.restore(3, [], snapshot)
        return _restored(core, "restored", Ends(float("nan"), None, None), [])

    def copy(self) -> Simulation:
        """Another simulation that is the same so far, without the subscribers."""
        return _restored(self._core.copy(), self.title, self._ends, self._batches)

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Simulation:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return (
            _unpickled,
            (self.dimension, self._core.groups, self.snapshot(), self.title, self._ends, self._batches),
        )

    def __repr__(self) -> str:
        return (
            f"<Simulation {self.title!r} by {self.method}: {len(self.ids)} bodies in {self.dimension}-D, "
            f"{self.collisions} collisions until {self.time} s>"
        )

    def _repr_html_(self) -> str:
        from ._picture import simulation_html

        return simulation_html(self)


def _restored(
    core: _carom.Run, title: str, ends: Ends, batches: list[tuple[int, int]]
) -> Simulation:
    simulation = Simulation.__new__(Simulation)
    simulation._begin(title, ends, list(batches))
    simulation._core = core
    return simulation


def _unpickled(
    dimension: int, groups: list[str], snapshot: bytes, title: str, ends: Ends, batches: list[tuple[int, int]]
) -> Simulation:
    return _restored(_carom.Run.restore(dimension, groups, snapshot), title, ends, batches)


def _floats(vector: Vector | npt.NDArray[Any]) -> list[float]:
    return [float(number) for number in np.asarray(vector, dtype=np.float64).reshape(-1)]


def _two_balls() -> dict[str, Any]:
    """For the examples: one ball on its way to another."""
    ball = {"shape": "ball", "radius": 0.5, "mass": 1}
    return {
        "version": 1,
        "dimension": 2,
        "run": {"until": 10},
        "bodies": [{**ball, "position": [0, 0], "velocity": [1, 0]}, {**ball, "position": [3, 0]}],
    }
