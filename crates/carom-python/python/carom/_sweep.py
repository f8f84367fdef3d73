"""Sweeps: one scene at many points, on whatever executor there is."""

from __future__ import annotations

import concurrent.futures
import contextlib
import hashlib
import json
import math
import multiprocessing
import os
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _design
from ._carom import Cancel, CaromError
from ._design import Design, Point
from ._scene import Scene, Source, _plain
from ._simulation import Simulation
from ._table import Table

# Every table of a sweep has these: no parameter may be called so.
COLUMNS = ("point", "repetition", "seed", "error", "count", "failed")

Observed = Mapping[str, float] | float
Observe = Callable[[Simulation], Observed]


@dataclass(frozen=True)
class _Job:
    scene: Scene
    point: Point
    paths: dict[str, list[str]]
    """The keys of the scene that each parameter sets."""
    seed: int
    method: str | None
    run: bool
    observe: Observe | None
    cancel: Cancel | None
    """Of threads alone: it does not pickle, and other processes get Ctrl-C themselves."""


@dataclass
class _Row:
    index: int
    repetition: int
    seed: int
    point: Point
    observed: dict[str, float]
    error: str
    """Empty where all went well."""

    def to_json(self) -> str:
        """A line of `runs.jsonl`; a number that is not finite is `null`."""
        observed = {name: value if math.isfinite(value) else None for name, value in self.observed.items()}
        return json.dumps(_plain({**self.__dict__, "observed": observed}))

    @staticmethod
    def from_json(line: bytes) -> _Row:
        """The same back."""
        row = _Row(**json.loads(line))
        row.observed = {name: math.nan if value is None else float(value) for name, value in row.observed.items()}
        return row


def default_observe(simulation: Simulation) -> dict[str, float]:
    """What a sweep keeps where nothing is asked for: time (s), collisions, energy (J), temperature (kT, J)."""
    temperature = simulation.observables()["temperature"]
    return {
        "time": simulation.time,
        "collisions": float(simulation.collisions),
        "energy": float(simulation.audit()["now"]["total"]),
        "temperature": float("nan") if temperature is None else float(temperature),
    }


def _work(job: _Job) -> tuple[dict[str, float], str]:
    """One point: what was observed, or why not. It never raises, so that a point that fails loses nothing else."""
    try:
        replaced = _replaced(job.paths, job.point)
        simulation = Simulation(job.scene, method=job.method, set={**replaced, "seed": job.seed})
        if job.run:
            simulation.run(cancel=job.cancel)
        found = (job.observe or default_observe)(simulation)
        if isinstance(found, Mapping):
            return {str(name): float(value) for name, value in found.items()}, ""
        return {"observed": float(found)}, ""
    except Exception as error:
        return {}, f"{type(error).__name__}: {error}"


def seed_of(seed: int, index: int, repetition: int) -> int:
    """The seed of a point and a repetition: the same whatever the executor and the order.

    >>> seed_of(0, 3, 1) == seed_of(0, 3, 1) != seed_of(0, 1, 3)
    True
    """
    state = np.random.SeedSequence([seed, index, repetition]).generate_state(1, np.uint64)
    return int(state[0]) >> 1


class SweepResult:
    """What a sweep found.

    `table` has a row for each point and repetition: `point`, `repetition`, `seed`, the parameters, what was observed
    (NaN where that failed), and `error` (empty where all went well).
    """

    @staticmethod
    def open(folder: str | os.PathLike[str]) -> SweepResult:
        """Reads a sweep folder as far as it has got, from Python or from `carom sweep`."""
        plan, rows = _read(Path(folder))
        return SweepResult([parameter["name"] for parameter in plan["parameters"]], list(rows.values()))

    def __init__(self, parameters: Sequence[str], rows: Sequence[_Row]) -> None:
        self.parameters = list(parameters)
        self._rows = sorted(rows, key=lambda row: (row.index, row.repetition))
        names: dict[str, None] = {}
        for row in self._rows:
            names.update(dict.fromkeys(row.observed))
        self._columns = {name: self._column(name) for name in names}
        """The columns of what was observed."""

    @property
    def observed(self) -> list[str]:
        """The columns of what was observed."""
        return list(self._columns.values())

    def _column(self, name: str) -> str:
        """What it is called: so that no parameter is, nor anything else."""
        others = {*self.parameters, *COLUMNS}
        return f"observed.{name}" if name in others or f"{name}_error" in others else name

    @property
    def table(self) -> Table:
        """One row for each point and repetition."""
        columns: dict[str, npt.NDArray[Any]] = {
            "point": np.array([row.index for row in self._rows], dtype=np.int64),
            "repetition": np.array([row.repetition for row in self._rows], dtype=np.int64),
            "seed": np.array([row.seed for row in self._rows], dtype=np.int64),
        }
        words: dict[str, list[str]] = {}
        for name in self.parameters:
            _put(columns, words, name, [row.point[name] for row in self._rows])
        for name, column in self._columns.items():
            columns[column] = np.array([row.observed.get(name, float("nan")) for row in self._rows])
        _put(columns, words, "error", [row.error for row in self._rows])
        return Table(columns, words=words)

    @property
    def failures(self) -> list[tuple[Point, str]]:
        """The points that failed, and why."""
        return [(row.point, row.error) for row in self._rows if row.error]

    def means(self) -> Table:
        """One row for each point: the mean over repetitions, its standard error (`…_error`), how many went well and how
        many failed."""
        groups: dict[int, list[_Row]] = {}
        for row in self._rows:
            groups.setdefault(row.index, []).append(row)
        columns: dict[str, npt.NDArray[Any]] = {"point": np.array(list(groups), dtype=np.int64)}
        words: dict[str, list[str]] = {}
        for name in self.parameters:
            _put(columns, words, name, [rows[0].point[name] for rows in groups.values()])
        for name, column in self._columns.items():
            means, errors = [], []
            for rows in groups.values():
                numbers = [row.observed.get(name, np.nan) for row in rows]
                values = np.array([number for number in numbers if np.isfinite(number)])
                # From the first one on, so that runs that are the same have no error at all.
                from_first = values - values[:1]
                means.append(values[0] + from_first.mean() if len(values) else np.nan)
                errors.append(from_first.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan)
            columns[column], columns[f"{column}_error"] = np.array(means), np.array(errors)
        good = [sum(not row.error for row in rows) for rows in groups.values()]
        columns["count"] = np.array(good, dtype=np.int64)
        columns["failed"] = np.array([len(rows) for rows in groups.values()], dtype=np.int64) - columns["count"]
        return Table(columns, words=words)

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"<SweepResult: {len(self)} runs over {', '.join(self.parameters)}, {len(self.failures)} failed>"

    def _repr_html_(self) -> str:
        return self.means()._repr_html_()


def _put(
    columns: dict[str, npt.NDArray[Any]], words: dict[str, list[str]], name: str, values: Sequence[Any]
) -> None:
    if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values):
        columns[name] = np.array(values)
        return
    texts = [str(value) for value in values]
    known = list(dict.fromkeys(texts))
    places = {text: place for place, text in enumerate(known)}
    columns[name] = np.array([places[text] for text in texts], dtype=np.int32)
    words[name] = known


def _read(path: Path) -> tuple[dict[str, Any], dict[tuple[int, int], _Row]]:
    """The plan of a sweep folder, and the runs that have ended. A line that was cut off by a kill is not there."""
    of_plan = path / "sweep.json"
    if not of_plan.exists():
        raise ValueError(f"{path} is no sweep folder: it has no sweep.json")
    plan: dict[str, Any] = json.loads(of_plan.read_text(encoding="utf-8"))
    if plan.get("format") != "carom-sweep":
        raise ValueError(f"{of_plan} is no plan of a sweep")
    rows: dict[tuple[int, int], _Row] = {}
    lines = path / "runs.jsonl"
    whole = lines.read_bytes() if lines.exists() else b""
    for line in whole[: whole.rfind(b"\n") + 1].splitlines():
        row = _Row.from_json(line)
        rows[row.index, row.repetition] = row
    return plan, rows


class _Folder:
    """What a sweep has found so far, so that one that was killed goes on: one line for each run that has ended. The
    command has the same format, and plots it: `carom plot FOLDER --y …`."""

    def __init__(self, path: str | os.PathLike[str], plan: dict[str, Any]) -> None:
        self.path = Path(path)
        self.path.mkdir(parents=True, exist_ok=True)
        of_plan = self.path / "sweep.json"
        if not of_plan.exists():
            part = of_plan.with_suffix(".part")
            part.write_text(json.dumps(plan, indent=1), encoding="utf-8")
            part.replace(of_plan)
        found, self.rows = _read(self.path)
        if found != json.loads(json.dumps(plan)):
            raise ValueError(f"{self.path} has another sweep: another scene, other parameters, seed or design")
        self._lines = self.path / "runs.jsonl"
        whole = self._lines.read_bytes() if self._lines.exists() else b""
        end = whole.rfind(b"\n") + 1
        if end < len(whole):
            with self._lines.open("r+b") as file:
                file.truncate(end)

    def add(self, row: _Row) -> None:
        with self._lines.open("a", encoding="utf-8") as file:
            file.write(row.to_json() + "\n")


@contextlib.contextmanager
def _executor(
    executor: concurrent.futures.Executor | Literal["threads", "processes"] | None, workers: int | None
) -> Iterator[concurrent.futures.Executor]:
    if isinstance(executor, concurrent.futures.Executor):
        yield executor
        return
    count = workers or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else workers
    if executor in (None, "threads"):
        with concurrent.futures.ThreadPoolExecutor(count) as pool:
            yield pool
    elif executor == "processes":
        # A process that is forked has the locks of threads that it has not.
        context = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(count, mp_context=context) as pool:
            yield pool
    else:
        raise ValueError(f"executor is {executor!r}, but must be threads, processes or a concurrent.futures.Executor")


def _bar(total: int, wanted: bool) -> Callable[[], object]:
    if not wanted:
        return lambda: None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return lambda: None
    bar = tqdm(total=total, desc="sweep")

    def step() -> None:
        bar.update(1)
        if bar.n >= total:
            bar.close()

    return step


def sweep(
    scene: Source,
    parameters: Mapping[str, Sequence[Any]] | None = None,
    *,
    observe: Observe | None = None,
    executor: concurrent.futures.Executor | Literal["threads", "processes"] | None = None,
    workers: int | None = None,
    repeat: int = 1,
    design: Design = "grid",
    points: int | None = None,
    target: str | None = None,
    seed: int = 0,
    method: str | None = None,
    run: bool = True,
    folder: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> SweepResult:
    """Runs a scene at many points.

    `parameters` says what is varied: a variable of the scene by its name, any key by its path, as `set` has it, or a
    key of materials (`restitution`), which then varies in all of them; where it is left out, the variables of the scene
    that have several values. In a `grid` each has a list of values; in a `random` or `adaptive` design of so many `points`, the lowest and the highest
    value. An adaptive one looks where the mean of `target` (the first thing observed where it is not named) changes most.

    `observe` is given each simulation when it has run (with `run=False`: when it has not yet) and answers a number, or
    several by name. Each point is run `repeat` times, with seeds of its own that depend on `seed` and the point alone.

    `executor` is any `concurrent.futures.Executor`: `threads` (the default: runs do not hold Python's lock),
    `processes`, Dask's `client.get_executor()`, mpi4py's `MPIPoolExecutor`, `carom.RayExecutor`. A point that fails is
    kept with its error. With a `folder` every run that ends is kept there, and the same call goes on where it was
    killed; what failed because a worker died is tried again then. Ctrl-C ends a sweep; what has ended is kept.

    >>> import carom
    >>> found = carom.sweep(_example(), {"bodies.1.velocity.1": [1, 2, 4]}, observe=lambda now: now.collisions)
    >>> found.table["observed"].tolist()
    [0.0, 1.0, 1.0]
    """
    scene = Scene(scene)
    if repeat < 1:
        raise ValueError(f"repeat is {repeat}, but must be 1 or above")
    if parameters is None:
        # Where a column is called so, by its path.
        parameters = {
            f"variables.{name}" if name in COLUMNS else name: values
            for name, values in scene.variables.items()
            if len(values) > 1
        }
    if not parameters:
        raise ValueError("nothing is varied: give parameters, or lists in [variables] of the scene")
    if "seed" in parameters:
        raise ValueError("`seed` cannot be varied: each run has a seed of its own, by `seed`, the point and the repetition")
    for name in parameters:
        if name in COLUMNS:
            raise ValueError(f"`{name}` is a column of every sweep: give the path of the key, such as variables.{name}")
    paths = {name: _paths(scene, name, values) for name, values in parameters.items()}
    plan = {
        "format": "carom-sweep",
        "version": 1,
        "by": "python",
        "title": scene.title,
        "scene": hashlib.sha256(pickle.dumps(scene.__getstate__())).hexdigest(),
        "parameters": [{"name": name, "values": _plain(list(values))} for name, values in parameters.items()],
        "design": design,
        "points": points,
        "repeat": repeat,
        "seed": seed,
        "method": method,
        "target": target,
    }
    kept = None if folder is None else _Folder(folder, plan)
    if design == "grid":
        rounds = [_design.grid(parameters)]
    elif points is None or points < 1:
        raise ValueError(f"a design that is {design} needs the number of `points`")
    elif design == "random":
        rounds = [_design.scattered(parameters, points, seed)]
    elif design == "adaptive":
        first = min(points, max(3, 2 * len(parameters) + 1))
        rounds = [_design.first_round(parameters, first, seed)]
    else:
        raise ValueError(f"design is {design!r}, but must be grid, random or adaptive")
    _check(scene, paths, rounds[0])
    total = (points if design == "adaptive" and points else len(rounds[0])) * repeat
    step = _bar(total, progress)
    rows: list[_Row] = []
    cancel = Cancel() if executor in (None, "threads") else None
    with _executor(executor, workers) as pool:
        asked: list[Point] = []
        while rounds:
            new = rounds.pop()
            jobs = [
                _Row(len(asked) + place, repetition, seed_of(seed, len(asked) + place, repetition), point, {}, "")
                for place, point in enumerate(new)
                for repetition in range(repeat)
            ]
            asked += new
            template = _Job(scene, {}, paths, 0, method, run, observe, cancel)
            rows += _all(pool, jobs, template, kept, step)
            if design == "adaptive" and points is not None and len(asked) < points:
                values = _target(SweepResult(list(parameters), rows), target)
                # So many at once that all workers have something to do, and so few that much is learnt in between.
                more = min(points - len(asked), max(2, len(asked) // 2))
                rounds.append(_design.next_round(parameters, asked, values, more, seed))
    return SweepResult(list(parameters), rows)


def _replaced(paths: Mapping[str, Sequence[str]], point: Point) -> Point:
    """What a point sets in the scene."""
    return {path: value for name, value in point.items() for path in paths[name]}


def _paths(scene: Scene, name: str, values: Sequence[Any]) -> list[str]:
    """The keys that a name stands for: a variable, a key of the scene, or a key of all its materials."""
    if name in scene.variables:
        return [f"variables.{name}"]

    def is_key(path: str) -> bool:
        try:
            Scene(scene, set={path: values[0]})
        except CaromError:
            return False
        return True

    if "." in name or len(values) == 0 or is_key(name):
        return [name]
    # The material that bodies have by default need not be in the file.
    return [path for path in (f'materials."{material}".{name}' for material in scene.materials) if is_key(path)] or [name]


def _check(scene: Scene, paths: Mapping[str, Sequence[str]], points: Sequence[Point]) -> None:
    """Refuses parameters that no point can have: a key that there is not would fail at all of them."""
    first: Exception | None = None
    for point in points[:3]:
        try:
            Scene(scene, set=_replaced(paths, point))
            return
        except Exception as error:
            first = first or error
    if first is not None:
        raise first


def _target(found: SweepResult, target: str | None) -> list[float]:
    """The means of what an adaptive design follows, by points."""
    names, means = found.observed, found.means()
    name = target or (names[0] if names else None)
    if name is None:
        return [float("nan")] * len(means)
    if name not in names:
        raise ValueError(f"target is {name!r}, but what was observed is {', '.join(names)}")
    values: list[float] = means[name].tolist()
    return values


def _all(
    pool: concurrent.futures.Executor,
    rows: list[_Row],
    template: _Job,
    kept: _Folder | None,
    step: Callable[[], object],
) -> list[_Row]:
    """Runs all that is not known yet; rows are kept as they come."""
    done: list[_Row] = []
    waiting: dict[concurrent.futures.Future[tuple[dict[str, float], str]], _Row] = {}
    for row in rows:
        known = None if kept is None else kept.rows.get((row.index, row.repetition))
        if known is not None:
            done.append(known)
            step()
            continue
        job = replace(template, point=row.point, seed=row.seed)
        try:
            waiting[pool.submit(_work, job)] = row
        except Exception as error:
            # The executor is broken: the rest is not run, and says so.
            row.error = f"{type(error).__name__}: {error}"
            done.append(row)
    try:
        for future in concurrent.futures.as_completed(waiting):
            row = waiting[future]
            try:
                row.observed, row.error = future.result()
            except Exception as error:
                # Not the point failed but whoever ran it: with a folder it is tried again the next time.
                row.error = f"{type(error).__name__}: {error}"
            else:
                if kept is not None:
                    kept.add(row)
            done.append(row)
            step()
    except BaseException:
        # Ctrl-C: what waits is not begun any more, and threads end what they run.
        for future in waiting:
            future.cancel()
        if template.cancel is not None:
            template.cancel.cancel()
        raise
    return done


class RayExecutor(concurrent.futures.Executor):
    """Runs on a Ray cluster: `carom.RayExecutor()` after `ray.init()`."""

    def __init__(self, **options: Any) -> None:
        import ray

        self._ray = ray
        self._options = options

    def submit(
        self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any
    ) -> concurrent.futures.Future[Any]:
        """Runs a function somewhere on the cluster."""
        remote = self._ray.remote(function)
        if self._options:
            remote = remote.options(**self._options)
        future: concurrent.futures.Future[Any] = remote.remote(*arguments, **keywords).future()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Nothing: the cluster is its user's."""


def _example() -> dict[str, Any]:
    """For the example: two balls, 2 m apart, for one second."""
    ball = {"shape": "ball", "radius": 0.5, "mass": 1}
    bodies = [{**ball, "position": [0, 0], "velocity": [1, 0]}, {**ball, "position": [2.9, 0]}]
    return {"version": 1, "dimension": 2, "run": {"until": 1}, "bodies": bodies}
