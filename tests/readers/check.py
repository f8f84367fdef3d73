"""Reads run folders with the programs for which they are meant, and compares what they see.

Numbers are compared to the bit: every format here keeps all digits.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import ase.io
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import vtk
from vtk.util.numpy_support import vtk_to_numpy

CAROM = Path(sys.argv[1]).resolve()
SCENES = {
    "break": "scenes/break.toml",
    "solid": "scenes/box_and_cylinder_3d.toml",
    "gate": "tests/readers/gate.toml",
}


def carom(*arguments):
    done = subprocess.run([CAROM, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def same(left, right, what):
    """Equal to the bit, NaN included."""
    left, right = np.asarray(left), np.asarray(right)
    assert left.shape == right.shape, f"{what}: {left.shape} is not {right.shape}"
    if left.dtype.kind == "f":
        left, right = left.view(np.int64), right.astype(np.float64).view(np.int64)
    assert (left == right).all(), f"{what} is another"


def check_tables(run, scene):
    """Pandas and pyarrow against what the command prints."""
    lines = [json.loads(line) for line in carom("run", scene, "--json", "--events").splitlines()]
    summary = lines[-1]
    # Passages of sensors have lines of their own.
    hits = [line["collision"] for line in lines[:-1] if "collision" in line]
    kept = json.loads((run / "summary.json").read_text())
    assert kept["digest"] == summary["digest"] and kept["format"] == "carom-summary"

    bodies = pd.read_parquet(run / "bodies.parquet").set_index("body")
    assert list(bodies.name) == [body["name"] for body in summary["bodies"]]
    events = pd.read_parquet(run / "events.parquet")
    assert events.isna().sum().sum() == 0 or (events.kind != "collision").any()
    told = sum(summary["events"][kind] for kind in ("collisions", "entered", "left"))
    assert len(events) == told + sum(summary["collisions"]["released"].values())
    collisions = events[events.kind == "collision"].reset_index(drop=True)
    same(collisions.time, [hit["time"] for hit in hits], "time")
    same(collisions.energy_lost, [hit["energy_lost"] for hit in hits], "energy lost")
    axes = "xyz"[: summary["scene"]["dimension"]]
    for k, axis in enumerate(axes):
        for name in ["point", "normal", "impulse"]:
            same(collisions[f"{name}_{axis}"], [hit[name][k] for hit in hits], name)
        for s, side in enumerate("ab"):
            for when in ["before", "after"]:
                column = collisions[f"{side}_velocity_{axis}_{when}"]
                same(column, [hit[when][s]["velocity"][k] for hit in hits], column.name)
    assert list(bodies.name[collisions.a]) == [hit["a"] for hit in hits]
    assert list(collisions["mode"]) == [hit["mode"] for hit in hits]

    frames = pd.read_parquet(run / "frames.parquet")
    last = frames[frames.frame == frames.frame.max()].set_index("body")
    for number, body in enumerate(summary["bodies"]):
        if body["motion"] == "static":
            assert number not in last.index
            continue
        for k, axis in enumerate(axes):
            same(last[axis][number], body["position"][k], "position")
            same(last[f"velocity_{axis}"][number], body["velocity"][k], "velocity")
    audit = pd.read_parquet(run / "audit.parquet")
    same(audit.energy.iloc[-1], summary["audit"]["energy"]["total"], "energy")
    assert audit.collisions.iloc[-1] == summary["collisions"]["total"]
    assert list(audit.frame) == list(frames.frame.unique())
    # The books balance in every frame: what is missing was lost or brought by gravity, which is part of the energy.
    assert (audit.energy_residual.abs() < 1e-12 * audit.energy.abs().max()).all()

    metadata = pq.read_metadata(run / "frames.parquet")
    assert metadata.created_by.startswith("carom ")
    units = pq.read_schema(run / "events.parquet").metadata[b"units"].decode()
    assert "energy_lost J" in units and "impulse_x kg·m/s" in units
    return frames, events, bodies


def check_csv(run, frames, events):
    folder = run / "csv"
    for name, table in [("frames", frames), ("events", events)]:
        text = pd.read_csv(folder / f"{name}.csv")
        for column in table.columns:
            if table[column].dtype.kind in "if":
                same(text[column].to_numpy(table[column].dtype), table[column], column)
    names = pd.read_csv(folder / "bodies.csv").name
    text = pd.read_csv(folder / "events.csv")
    assert list(text.a_name.astype(str)) == list(names[events.a].astype(str))


def check_npz(run, frames, events):
    arrays = np.load(run / "npz/frames.npz")
    count = len(arrays["time"])
    assert count == frames.frame.nunique()
    same(arrays["time"], frames.groupby("frame").time.first(), "time")
    same(arrays["body"], frames.body[frames.frame == 0], "body")
    axes = "xyz"[: arrays["position"].shape[2]]
    for k, axis in enumerate(axes):
        same(arrays["position"][:, :, k].ravel(), frames[axis], "position")
        same(arrays["velocity"][:, :, k].ravel(), frames[f"velocity_{axis}"], "velocity")
    if len(axes) == 2:
        same(arrays["angular_velocity"].ravel(), frames.angular_velocity, "angular_velocity")
        same(arrays["angle"].ravel(), frames.angle, "angle")
    else:
        same(arrays["orientation"][:, :, 0].ravel(), frames.orientation_w, "orientation")
    arrays = np.load(run / "npz/events.npz")
    same(arrays["impulse_y"], events.impulse_y, "impulse")
    assert list(arrays["mode"]) == list(events["mode"])


def check_vtk(run, frames, bodies):
    collection = ElementTree.parse(run / "vtk/frames.pvd").getroot().findall("./Collection/DataSet")
    assert len(collection) == frames.frame.nunique()
    for entry, (_, frame) in zip(collection, frames.groupby("frame")):
        assert float(entry.get("timestep")) == frame.time.iloc[0]
        reader = vtk.vtkXMLPolyDataReader()
        reader.SetFileName(str(run / "vtk" / entry.get("file")))
        reader.Update()
        assert reader.GetErrorCode() == 0
        data = reader.GetOutput()
        assert data.GetNumberOfVerts() == len(frame)
        points = vtk_to_numpy(data.GetPoints().GetData())
        same(points[:, 0], frame.x, "x")
        same(points[:, 1], frame.y, "y")
        arrays = data.GetPointData()
        same(vtk_to_numpy(arrays.GetArray("velocity"))[:, 1], frame.velocity_y, "velocity")
        same(vtk_to_numpy(arrays.GetArray("body")), frame.body, "body")
        same(vtk_to_numpy(arrays.GetArray("radius")), bodies.radius[frame.body].fillna(0), "radius")


def check_extxyz(run, frames, bodies):
    images = ase.io.read(run / "extxyz/frames.xyz", index=":")
    assert len(images) == frames.frame.nunique()
    for image, (number, frame) in zip(images, frames.groupby("frame")):
        assert image.info["frame"] == number and image.info["Time"] == frame.time.iloc[0]
        same(image.positions[:, 0], frame.x, "x")
        same(image.arrays["velo"][:, 1], frame.velocity_y, "velocity")
        same(image.arrays["id"], frame.body, "id")
        same(image.arrays["radius"], bodies.radius[frame.body].fillna(0), "radius")
    return images


def check_gate(images, events):
    """What only the scene with a gate has: a periodic box, and events that are no collisions."""
    assert list(images[0].pbc) == [True, True, False]
    assert images[0].cell.lengths()[0] == 4.0
    passages = events[events.kind != "collision"]
    assert set(passages.kind) == {"entered", "left"}
    assert passages.impulse_x.isna().all() and (passages.number == 0).all()
    # Each ball comes and goes by turns.
    for _, of_ball in passages.groupby("a"):
        kinds = list(of_ball.kind)
        assert all(kind == ["entered", "left"][k % 2] for k, kind in enumerate(kinds))


def check_killed(folder):
    """A folder that was killed is a dataset for pandas as it stands."""
    scene = folder / "long.toml"
    text = Path("scenes/shaken_floor.toml").read_text()
    scene.write_text(text)
    run = folder / "killed"
    arguments = ["run", scene, "--set", "run.until=1e6", "--out", run, "--every", "0.5", "--checkpoint", "0.05"]
    child = subprocess.Popen([CAROM, *map(str, arguments)], stdout=subprocess.DEVNULL)
    while not (run / "events/part-000000.parquet").exists():
        assert child.poll() is None
        time.sleep(0.02)
    time.sleep(0.5)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    manifest = json.loads((run / "run.json").read_text())
    assert manifest["stage"] == "running"
    events = pd.read_parquet(run / "events")
    assert list(events.number) == list(range(1, len(events) + 1))
    assert len(events) >= manifest["rows"]["events"] > 0
    frames = pd.read_parquet(run / "frames")
    assert len(frames) >= manifest["rows"]["frames"] > 0
    carom("convert", run, "--to", "npz")
    assert np.load(run / "npz/frames.npz")["position"].shape[0] > 0


def main():
    with tempfile.TemporaryDirectory(prefix="carom-readers-") as folder:
        folder = Path(folder)
        for name, scene in SCENES.items():
            run = folder / name
            carom("run", scene, "--out", run, "--frames", 25, "--also", "csv,npz,vtk,extxyz")
            frames, events, bodies = check_tables(run, scene)
            check_csv(run, frames, events)
            check_npz(run, frames, events)
            check_vtk(run, frames, bodies)
            images = check_extxyz(run, frames, bodies)
            if name == "gate":
                check_gate(images, events)
            print(f"{name}: pandas, numpy, VTK and ASE see the same {len(frames)} states and {len(events)} events")
        check_killed(folder)
        print("killed: pandas reads it as it stands")


main()
