"""Sweeps on threads, processes, Dask, MPI and Ray."""

from __future__ import annotations

import concurrent.futures
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import carom
import numpy as np
import pytest

import sweep_jobs
from sweep_jobs import bounces, count, gas

HERE = Path(__file__).parent
HEIGHTS = [0.5, 1.0, 2.0, 4.0]


def collisions(found: carom.SweepResult) -> list[float]:
    values: list[float] = found.table["collisions"].tolist()
    return values


def expected() -> list[float]:
    return collisions(carom.sweep(bounces(), {"height": HEIGHTS}, observe=count, executor="threads"))


def test_a_grid_of_two() -> None:
    found = carom.sweep(
        bounces(), {"height": HEIGHTS, "materials.m.restitution": [0.5, 1.0]}, observe=lambda now: now.audit()["now"]["total"]
    )
    table = found.table
    assert len(table) == 8 and table["height"].tolist() == [h for h in HEIGHTS for _ in range(2)]
    elastic = table.select(table["materials.m.restitution"] == 1.0)
    np.testing.assert_allclose(elastic["observed"], 9.81 * (np.array(HEIGHTS) + 0.1), rtol=1e-9)


def test_a_key_of_all_materials(scenes: Path) -> None:
    both = carom.sweep(bounces(), {"restitution": [0.5, 1.0], "height": [1.0, 2.0]}, observe=count)
    by_path = carom.sweep(bounces(), {"materials.m.restitution": [0.5, 1.0], "height": [1.0, 2.0]}, observe=count)
    assert both.parameters == ["restitution", "height"] and collisions(both) == collisions(by_path)
    # The material that bodies have by default is in no file.
    found = carom.sweep(scenes / "two_discs.toml", {"restitution": [0.5, 1.0]})
    assert found.table["energy"][0] < found.table["energy"][1]
    with pytest.raises(carom.SceneError, match="restitutin"):
        carom.sweep(bounces(), {"restitutin": [0.5]})


def test_names_that_columns_have() -> None:
    scene = bounces()
    scene["variables"] = {"height": 1.0, "collisions": [0.5, 0.9], "point": [1.0, 2.0]}
    scene["materials"] = {"m": {"restitution": "$collisions"}}
    found = carom.sweep(scene, observe=count)
    assert found.parameters == ["collisions", "variables.point"]
    assert found.table["collisions"].tolist() == [0.5, 0.5, 0.9, 0.9] and found.observed == ["observed.collisions", "x"]
    assert found.table["observed.collisions"][0] != found.table["observed.collisions"][2]
    assert "observed.collisions_error" in found.means() and found.table["point"].tolist() == [0, 1, 2, 3]
    for name, why in ("seed", "a seed of its own"), ("point", "variables.point"):
        with pytest.raises(ValueError, match=why):
            carom.sweep(scene, {name: [1, 2]})


def test_what_is_no_number_is_left_out_of_means() -> None:
    def sometimes(now: carom.Simulation) -> dict[str, float]:
        x = float(now.positions[0, 0])
        return {"fit_error": x if x > 5 else float("nan")}

    found = carom.sweep(gas(), {"run.until": [0.1]}, repeat=20, observe=sometimes)
    values = found.table["fit_error"]
    assert 0 < np.isnan(values).sum() < 20
    assert found.means()["fit_error"][0] == pytest.approx(np.nanmean(values))
    adaptive = carom.sweep(gas(), {"run.until": (0.1, 0.2)}, observe=sometimes, design="adaptive", points=4)
    assert len(adaptive) == 4


def test_threads_processes_and_any_executor_agree() -> None:
    several = {"repeat": 2, "observe": count, "seed": 7}
    tables = [
        carom.sweep(gas(), {"generate.b.count": [10, 20]}, executor=executor, **several).table  # type: ignore[arg-type]
        for executor in ("threads", "processes", concurrent.futures.ThreadPoolExecutor(1))
    ]
    for table in tables[1:]:
        for name in table:
            np.testing.assert_array_equal(table[name], tables[0][name])
    # Repetitions differ, and so does another seed.
    assert len(set(tables[0]["x"])) == 4
    other = carom.sweep(gas(), {"generate.b.count": [10, 20]}, repeat=2, observe=count, seed=8)
    assert not set(other.table["x"]) & set(tables[0]["x"])


def test_means_have_error_bars() -> None:
    means = carom.sweep(gas(), {"generate.b.count": [10, 20]}, repeat=8, observe=count).means()
    rows = carom.sweep(gas(), {"generate.b.count": [10, 20]}, repeat=8, observe=count).table
    first = rows["collisions"][:8]
    assert means["count"].tolist() == [8, 8]
    assert means["collisions"][0] == first.mean()
    assert means["collisions_error"][0] == pytest.approx(first.std(ddof=1) / np.sqrt(8))


def test_a_point_that_fails_is_kept() -> None:
    found = carom.sweep(bounces(), {"height": [1.0, -5.0, 2.0]}, observe=count)
    errors = found.table["error"].tolist()
    assert errors[0] == errors[2] == "" and "Error: " in errors[1]
    assert np.isnan(found.table["collisions"][1]) and len(found.failures) == 1
    assert found.means()["failed"].tolist() == [0, 1, 0]


def test_random_points_are_the_same_for_the_same_seed() -> None:
    def places(seed: int) -> list[float]:
        found = carom.sweep(bounces(), {"height": (0.5, 4.0)}, design="random", points=5, seed=seed)
        values: list[float] = found.table["height"].tolist()
        return values

    assert places(1) == places(1) != places(2)
    assert all(0.5 <= value <= 4 for value in places(1))


def test_an_adaptive_design_looks_where_it_changes() -> None:
    def step(simulation: carom.Simulation) -> float:
        return float(simulation.positions[0, 1] > 1.3)

    found = carom.sweep(bounces(), {"height": (0.5, 4.5)}, observe=step, run=False, design="adaptive", points=20)
    heights = found.table["height"]
    assert len(heights) == 20 and np.abs(heights - 1.2).min() < 0.01
    assert (np.abs(heights - 1.2) < 0.5).sum() > (np.abs(heights - 3.5) < 0.5).sum()
    again = carom.sweep(bounces(), {"height": (0.5, 4.5)}, observe=step, run=False, design="adaptive", points=20, workers=1)
    assert again.table["height"].tolist() == heights.tolist()
    plane = carom.sweep(
        bounces(), {"height": (0.5, 4), "materials.m.restitution": (0, 1)}, observe=count, design="adaptive", points=12
    )
    assert len(plane) == 12 and not plane.failures


def test_what_is_wrong_with_a_sweep() -> None:
    with pytest.raises(ValueError, match="needs the number"):
        carom.sweep(bounces(), {"height": (1, 2)}, design="random")
    with pytest.raises(ValueError, match="must be a pair"):
        carom.sweep(bounces(), {"height": [1, 2, 3]}, design="random", points=3)
    with pytest.raises(ValueError, match="threads, processes"):
        carom.sweep(bounces(), {"height": [1]}, executor="cluster")  # type: ignore[arg-type]
    with pytest.raises(carom.SceneError, match="did you mean `height`"):
        carom.sweep(bounces(), {"variables.hight": [1]})


def test_a_sweep_that_was_killed_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "sweep"
    code = (
        "import carom, sweep_jobs as j; carom.sweep(j.bounces(), {'height': [0.5, 1.0, 2.0, 4.0]}, observe=j.slowly,"
        f" executor='threads', workers=1, folder={str(folder)!r})"
    )
    child = subprocess.Popen([sys.executable, "-c", code], cwd=HERE)
    lines = folder / "runs.jsonl"
    start = time.monotonic()
    while time.monotonic() - start < 30 and not (lines.exists() and lines.read_bytes().count(b"\n") >= 2):
        time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    child.wait()
    before = [json.loads(line) for line in lines.read_bytes().splitlines()]
    with lines.open("ab") as file:
        file.write(b'{"index": 3, "rep')  # a line that was cut off
    found = carom.sweep(bounces(), {"height": HEIGHTS}, observe=sweep_jobs.slowly, folder=folder)
    assert collisions(found) == expected()
    workers = found.table["worker"]
    assert 2 <= len(before) < 4 and (workers != os.getpid()).sum() == len(before)
    with pytest.raises(ValueError, match="another sweep"):
        carom.sweep(bounces(), {"height": [1.0]}, observe=sweep_jobs.slowly, folder=folder)


def test_ctrl_c_ends_a_sweep_and_it_goes_on(tmp_path: Path) -> None:
    """Neither what waits nor the run that would take forever keeps it."""
    code = (
        "import carom, sweep_jobs as j; print('go', flush=True)\n"
        "carom.sweep(j.gas(), {'run.until': [1.0, 1e7, 2e7, 3e7]}, observe=j.count, workers=1, folder='s')"
    )
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    with subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Tests that a shell started in the background ignore interrupts, and so would what they start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as child:
        try:
            lines, start = tmp_path / "s" / "runs.jsonl", time.monotonic()
            while time.monotonic() - start < 30 and not (lines.exists() and lines.read_bytes().count(b"\n") >= 1):
                time.sleep(0.02)
            child.send_signal(signal.SIGINT)
            _, errors = child.communicate(timeout=20)
        finally:
            child.kill()
    assert b"KeyboardInterrupt" in errors and child.returncode != 0
    assert len(carom.SweepResult.open(tmp_path / "s")) == 1


def test_variables_of_the_scene_are_swept_where_nothing_is_named() -> None:
    scene = bounces()
    scene["variables"] = {"height": HEIGHTS}
    found = carom.sweep(scene, observe=count)
    assert found.table["height"].tolist() == HEIGHTS and collisions(found) == expected()
    with pytest.raises(ValueError, match="nothing is varied"):
        carom.sweep(bounces())


def test_the_command_and_python_have_one_table(tmp_path: Path, scenes: Path) -> None:
    command = os.environ.get("CAROM")
    if not command:
        pytest.skip("the environment variable CAROM does not name the command")
    pyarrow = pytest.importorskip("pyarrow.parquet")
    counts = [50, 100]
    subprocess.run(
        [
            command, "sweep", scenes / "gas_of_discs.toml", "--set", "run.until=11", "--repeat", "3", "--seed", "5",
            "--vary", "generate.disc.count=50,100", "--out", tmp_path / "command",
        ],
        check=True, stdout=subprocess.DEVNULL,
    )
    scene = carom.load(scenes / "gas_of_discs.toml", set={"run.until": 11})
    ours = carom.sweep(scene, {"generate.disc.count": counts}, repeat=3, seed=5, folder=tmp_path / "python")
    theirs = carom.SweepResult.open(tmp_path / "command")
    again = carom.SweepResult.open(tmp_path / "python")
    parquet = pyarrow.read_table(tmp_path / "command" / "table.parquet")
    means = pyarrow.read_table(tmp_path / "command" / "means.parquet")
    for name in ("point", "repetition", "seed", "generate.disc.count", "time", "collisions", "energy"):
        expected = ours.table[name]
        np.testing.assert_array_equal(theirs.table[name], expected)
        np.testing.assert_array_equal(again.table[name], expected)
        np.testing.assert_array_equal(parquet[name].to_numpy(), expected)
    # Sums in another order.
    np.testing.assert_allclose(theirs.table["temperature"], ours.table["temperature"], rtol=1e-13)
    for name in ("collisions", "collisions_error", "temperature", "temperature_error"):
        np.testing.assert_allclose(means[name].to_numpy(), ours.means()[name], rtol=1e-12)
    # The command draws sweeps from Python.
    done = subprocess.run(
        [command, "plot", tmp_path / "python", "--y", "collisions"], check=True, capture_output=True, text=True
    )
    assert "<svg" in Path(done.stdout.strip()).read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="no sweep folder"):
        carom.SweepResult.open(tmp_path)


def test_a_process_that_dies_loses_nothing_with_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAROM_TEST_FLAG", str(tmp_path / "flag"))
    again = {"observe": sweep_jobs.dies_once, "executor": "processes", "workers": 1, "folder": tmp_path / "s", "run": False}
    first = carom.sweep(bounces(), {"height": HEIGHTS}, **again)  # type: ignore[arg-type]
    assert first.failures and "BrokenProcessPool" in first.failures[0][1]
    assert not carom.sweep(bounces(), {"height": HEIGHTS}, **again).failures  # type: ignore[arg-type]


def test_dask_with_two_workers_one_of_which_is_killed() -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, env={"PYTHONPATH": str(HERE)}
    ) as cluster, distributed.Client(cluster) as client:
        client.run(lambda: __import__("sys").path.insert(0, str(HERE)))
        pids = list(client.run(os.getpid).values())
        executor = client.get_executor()
        heights = np.linspace(0.5, 4, 12)
        with concurrent.futures.ThreadPoolExecutor(1) as here:
            running = here.submit(
                carom.sweep, bounces(), {"height": heights}, observe=sweep_jobs.slowly, executor=executor
            )
            time.sleep(1.0)
            assert not running.done()
            os.kill(pids[0], signal.SIGKILL)
            found = running.result(timeout=90)
    assert not found.failures and len(found) == 12
    plain = carom.sweep(bounces(), {"height": heights}, observe=count)
    assert collisions(found) == collisions(plain)
    assert pids[1] in found.table["worker"]


def test_mpi(tmp_path: Path) -> None:
    pytest.importorskip("mpi4py")
    mpiexec = shutil.which("mpiexec", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    if mpiexec is None:
        pytest.skip("there is no mpiexec here")
    code = (
        "import carom, sweep_jobs as j\n"
        "from mpi4py.futures import MPIPoolExecutor\n"
        "if __name__ == '__main__':\n"
        "    with MPIPoolExecutor() as pool:\n"
        "        found = carom.sweep(j.bounces(), {'height': [0.5, 1.0, 2.0, 4.0]}, observe=j.slowly, executor=pool)\n"
        "    import os\n"
        "    print('FOUND', found.table['collisions'].tolist(), found.failures, (found.table['worker'] != os.getpid()).all())\n"
    )
    script = tmp_path / "job.py"
    script.write_text(code)
    done = subprocess.run(
        [mpiexec, "-n", "2", sys.executable, "-m", "mpi4py.futures", str(script)],
        cwd=tmp_path, capture_output=True, text=True, timeout=120, env={**os.environ, "PYTHONPATH": str(HERE)},
    )
    assert done.returncode == 0, done.stderr
    assert f"FOUND {expected()} [] True" in done.stdout


def test_ray() -> None:
    ray = pytest.importorskip("ray")
    ray.init(
        num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": str(HERE)}}
    )
    try:
        found = carom.sweep(bounces(), {"height": HEIGHTS}, observe=sweep_jobs.slowly, executor=carom.RayExecutor())
    finally:
        ray.shutdown()
    assert collisions(found) == expected() and not found.failures
    assert (found.table["worker"] != os.getpid()).all()


def test_a_bar_where_tqdm_is_installed(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    carom.sweep(bounces(), {"height": HEIGHTS}, observe=count, progress=True)
    assert "4/4" in capsys.readouterr().err
