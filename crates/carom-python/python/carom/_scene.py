"""Scenes and worlds: what there is at the start."""

from __future__ import annotations

import copy
import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from . import _carom

if TYPE_CHECKING:
    from ._simulation import Simulation

Source = Union["Scene", "World", str, "os.PathLike[str]", Mapping[str, Any]]
Numbers = Union[float, Sequence[float], npt.NDArray[Any]]


def _plain(value: object) -> object:
    """What JSON can say: arrays become lists, infinity the word that scenes have for it."""
    if isinstance(value, (np.ndarray, np.generic)):
        return _plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, range)):
        return [_plain(item) for item in value]
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


def toml(value: object) -> str:
    """A value as `--set KEY=VALUE` of the command takes it.

    >>> toml([1, 2.5]), toml("steel"), toml(True)
    ('[1, 2.5]', '"steel"', 'true')
    """
    value = _plain(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(k)} = {toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    return json.dumps(str(value), ensure_ascii=False)


def _overrides(set: Mapping[str, object] | None) -> list[tuple[str, str]]:
    return [(key, toml(value)) for key, value in (set or {}).items()]


@dataclass(frozen=True)
class Balls:
    """Balls from arrays: `Simulation.ids_of` says which bodies they became."""

    index: int
    count: int


@dataclass(frozen=True)
class _Batch:
    positions: npt.NDArray[np.float64]
    velocities: npt.NDArray[np.float64] | None
    angular: npt.NDArray[np.float64] | None
    radii: npt.NDArray[np.float64]
    masses: npt.NDArray[np.float64]
    density: bool
    material: str | None
    groups: list[str] | None
    collides_with: list[str] | None

    def add_to(self, scene: _carom.Scene) -> int:
        return scene.add_balls(
            self.positions,
            self.velocities,
            self.angular,
            self.radii,
            self.masses,
            self.density,
            self.material,
            self.groups,
            self.collides_with,
        )


class Scene:
    """A scene that is good: bodies, what they are made of, what acts on them, and how long to run.

    `source` is a path, the text of a scene (TOML, or JSON where it begins with a brace), a mapping with the keys of the
    scene language, a `World` or another scene. `set` replaces values, as `--set` of the command does. A scene that is
    not good raises `SceneError` with everything that is wrong with it.

    >>> scene = Scene({"version": 1, "dimension": 2, "run": {"until": 2.0},
    ...                "bodies": [{"shape": "ball", "radius": 0.1, "mass": 1.0, "position": [0, 0]}]})
    >>> scene.dimension, len(scene), scene.until
    (2, 1, 2.0)
    >>> Scene(scene, set={"run.until": 3}).until
    3.0
    """

    def __init__(self, source: Source, *, set: Mapping[str, object] | None = None) -> None:
        self._core: _carom.Scene | None = None
        self._firsts: list[int] = []
        given = _text_of(source)
        if isinstance(given, str):
            # It refuses what is no file, too large or no text in the words of the command.
            self._core = _carom.Scene.load(given, _overrides(set))
            given = (given, Path(given).read_text(encoding="utf-8-sig"), [], [], True)
        self._name, self._text, before, self._batches, self._timed = given
        self._set = [*before, *_overrides(set)]
        self._timed = self._timed or any(key == "run.until" for key, _ in self._set)
        self._compiled()

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, set: Mapping[str, object] | None = None) -> Scene:
        """Reads a scene file."""
        return cls(Path(path), set=set)

    @classmethod
    def parse(cls, text: str, *, name: str = "scene.toml", set: Mapping[str, object] | None = None) -> Scene:
        """Reads the text of a scene; `name` is what messages call it. One that ends in `.json` is JSON."""
        scene = cls.__new__(cls)
        scene.__setstate__((name, text, _overrides(set), [], True))
        scene._compiled()
        return scene

    def _compiled(self) -> _carom.Scene:
        if self._core is None:
            core = _carom.Scene.parse(self._name, self._text, self._set, bool(self._batches))
            self._firsts = [batch.add_to(core) for batch in self._batches]
            self._core = core
        return self._core

    def __getstate__(self) -> tuple[str, str, list[tuple[str, str]], list[_Batch], bool]:
        return (self._name, self._text, self._set, self._batches, self._timed)

    def __setstate__(self, state: tuple[str, str, list[tuple[str, str]], list[_Batch], bool]) -> None:
        self._name, self._text, self._set, self._batches, self._timed = state
        self._core, self._firsts = None, []

    @property
    def title(self) -> str:
        """As given, or the file's name."""
        return self._compiled().title

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return self._compiled().dimension

    @property
    def method(self) -> str:
        """How contacts are followed: `events` (impulses at exact times) or `forces`."""
        return self._compiled().method

    @property
    def seed(self) -> int:
        """Of everything random in it."""
        return self._compiled().seed

    @property
    def until(self) -> float | None:
        """When its run ends, s; `None` for a world that does not say."""
        return self._compiled().run[0] if self._timed else None

    @property
    def max_collisions(self) -> int | None:
        """After how many collisions its run ends."""
        return self._compiled().run[1]

    @property
    def rest(self) -> float | None:
        """Its run ends when no body is faster than this, m/s."""
        return self._compiled().run[2]

    @property
    def interval(self) -> float | None:
        """From one stored state to the next, s."""
        return self._compiled().interval

    @property
    def variables(self) -> dict[str, list[float]]:
        """The numbers that have a name, with the values that a sweep goes through."""
        return self._compiled().variables

    @property
    def materials(self) -> list[str]:
        """The names of the materials that its bodies are made of."""
        return self._compiled().materials

    @property
    def notes(self) -> list[str]:
        """What is worth saying of a scene that is good: keys under their old names."""
        return self._compiled().notes

    def __len__(self) -> int:
        return len(self._compiled())

    def __repr__(self) -> str:
        return f"<Scene {self.title!r}: {len(self)} bodies in {self.dimension}-D>"

    def simulate(self, *, method: str | None = None) -> Simulation:
        """Starts a simulation of it at time 0."""
        from ._simulation import Simulation

        return Simulation(self, method=method)

    def _repr_html_(self) -> str:
        from ._picture import scene_html

        return scene_html(self)


_State = tuple[str, str, list[tuple[str, str]], list[_Batch], bool]


def _text_of(source: Source) -> _State | str:
    """What a scene is read from: its text, with all that belongs to it, or the path of a file."""
    if isinstance(source, Scene):
        return (source._name, source._text, list(source._set), source._batches, source._timed)
    if isinstance(source, World):
        return source._state()
    if isinstance(source, Mapping):
        return ("scene.json", json.dumps(_plain(source), indent=1), [], [], True)
    if isinstance(source, str):
        text = source.lstrip()
        if text.startswith("{"):
            return ("scene.json", source, [], [], True)
        if "\n" in text or "=" in text:
            return ("scene.toml", source, [], [], True)
    return os.fspath(source)


class World:
    """A world that is built step by step.

    Every keyword is a key of the scene language (`docs/scenes.md`), with the same meaning, units and messages; SI units
    throughout. What is wrong is said when the world is simulated.

    >>> world = World(dimension=2, gravity=[0, -9.81])
    >>> world.material("rubber", restitution=0.8)
    >>> floor = world.add(shape="wall", point=[0, 0], normal=[0, 1], material="rubber")
    >>> ball = world.add(shape="ball", radius=0.1, mass=1, position=[0, 1.1], material="rubber")
    >>> simulation = world.simulate()
    >>> simulation.run(until=1.0)
    'time'
    >>> simulation.collisions
    1
    """

    def __init__(self, dimension: int = 2, **keys: Any) -> None:
        self._document: dict[str, Any] = {"version": 1, "dimension": dimension, **copy.deepcopy(keys)}
        self._timed = "until" in self._document.get("run", {})
        self._batches: list[_Batch] = []

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return int(self._document["dimension"])

    def add(self, **keys: Any) -> int:
        """Adds a body, with the keys of `[[bodies]]`; answers its id."""
        bodies: list[Any] = self._document.setdefault("bodies", [])
        bodies.append(keys)
        return len(bodies) - 1

    def material(self, name: str, **keys: Any) -> None:
        """Adds a material, with the keys of `[materials]`."""
        self._document.setdefault("materials", {})[name] = keys

    def pair(self, a: str, b: str, **keys: Any) -> None:
        """Lays down what holds between two materials, with the keys of `[[pairs]]`."""
        self._document.setdefault("pairs", []).append({"materials": [a, b], **keys})

    def container(self, **keys: Any) -> None:
        """Adds a container, with the keys of `[[containers]]`. Its walls come after the bodies."""
        self._document.setdefault("containers", []).append(keys)

    def joint(self, **keys: Any) -> None:
        """Adds a hinge, a rod or a spring, with the keys of `[[joint]]`.

        >>> world = World(dimension=2, gravity=[0, -9.81])
        >>> bob = world.add(name="bob", shape="ball", radius=0.1, mass=1, position=[1, 0])
        >>> world.joint(kind="distance", between=["bob"], point=[0, 0])
        >>> simulation = world.simulate()
        >>> simulation.run(until=1.0)
        'time'
        >>> x, y = simulation.positions[bob]
        >>> bool(abs(x**2 + y**2 - 1) < 1e-9)
        True
        """
        self._document.setdefault("joint", []).append(keys)

    def generate(self, **keys: Any) -> None:
        """Adds bodies by a rule, with the keys of `[[generate]]`. They come after bodies and walls."""
        self._document.setdefault("generate", []).append(keys)

    def set(self, **keys: Any) -> None:
        """Sets keys of the whole scene: `gravity`, `fields`, `periodic`, `method`, `forces`, `run` and so on."""
        self._document.update(copy.deepcopy(keys))
        self._timed = "until" in self._document.get("run", {})

    def add_balls(
        self,
        positions: npt.ArrayLike,
        *,
        radius: npt.ArrayLike,
        mass: npt.ArrayLike | None = None,
        density: npt.ArrayLike | None = None,
        velocities: npt.ArrayLike | None = None,
        angular_velocities: npt.ArrayLike | None = None,
        material: str | None = None,
        groups: Sequence[str] | None = None,
        collides_with: Sequence[str] | None = None,
    ) -> Balls:
        """Adds balls from arrays: a million take a second.

        `positions` (m) and `velocities` (m/s) have the shape (n, d); `radius` (m) and `mass` (kg), or `density` (kg/m³,
        in 2-D kg/m²), are one number or n; `angular_velocities` (rad/s) have the shape (n,) in 2-D and (n, 3) in 3-D.
        The balls come after all other bodies.

        >>> world = World(dimension=2)
        >>> gas = world.add_balls([[0, 0], [3, 0]], radius=0.5, mass=1, velocities=[[1, 0], [0, 0]])
        >>> simulation = world.simulate()
        >>> simulation.run(until=3)
        'time'
        >>> simulation.velocities.tolist()
        [[0.0, 0.0], [1.0, 0.0]]
        """
        if (mass is None) == (density is None):
            raise ValueError("balls have either a mass or a density")
        places = _rows(positions, "positions")
        turns = None
        if angular_velocities is not None:
            turns = np.ascontiguousarray(angular_velocities, dtype=np.float64)
            turns = turns.reshape(len(places), -1) if turns.ndim == 1 else turns
        batch = _Batch(
            positions=places,
            velocities=None if velocities is None else _rows(velocities, "velocities"),
            angular=turns,
            radii=_flat(radius, "radius"),
            masses=_flat(mass if mass is not None else density, "mass"),
            density=density is not None,
            material=material,
            groups=None if groups is None else list(groups),
            collides_with=None if collides_with is None else list(collides_with),
        )
        self._batches.append(batch)
        return Balls(len(self._batches) - 1, len(places))

    def to_dict(self) -> dict[str, Any]:
        """The scene as a mapping, without balls from arrays."""
        return copy.deepcopy(self._document)

    def _state(self) -> _State:
        document = dict(self._document)
        document["run"] = {"until": 1.0, **document.get("run", {})}
        document.setdefault("title", "A world")
        return ("scene.json", json.dumps(_plain(document), indent=1), [], list(self._batches), self._timed)

    def scene(self, *, set: Mapping[str, object] | None = None) -> Scene:
        """The scene, checked."""
        return Scene(self, set=set)

    def simulate(self, *, method: str | None = None) -> Simulation:
        """Starts a simulation of it at time 0."""
        from ._simulation import Simulation

        return Simulation(self, method=method)


def _rows(values: npt.ArrayLike, what: str) -> npt.NDArray[np.float64]:
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.ndim != 2:
        raise ValueError(f"{what} have the shape {array.shape}, but must have two axes: one row for each ball")
    return array


def _flat(values: npt.ArrayLike | None, what: str) -> npt.NDArray[np.float64]:
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.ndim > 1:
        raise ValueError(f"{what} has the shape {array.shape}, but must be one number or one for each ball")
    return array.reshape(-1)
