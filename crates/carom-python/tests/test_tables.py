"""Tables, and run folders as tables."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import carom
import numpy as np
import pytest

from conftest import ROOT


def table(scenes: Path) -> carom.Table:
    return carom.load(scenes / "break.toml").simulate().record()


def test_structured_array(scenes: Path) -> None:
    events = table(scenes)
    records = events.array
    assert len(records) == len(events) and records["kind"][0] == "collision"
    np.testing.assert_array_equal(records["impulse_x"], events["impulse"][:, 0])
    np.testing.assert_array_equal(records["a_velocity_y_before"], events["a_velocity_before"][:, 1])
    hard = events.select(events["approach_speed"] > 1)
    assert 0 < len(hard) < len(events)
    assert "impulse_x" in events._repr_html_()


def test_pandas(scenes: Path) -> None:
    pytest.importorskip("pandas")
    events = table(scenes)
    frame = events.to_pandas()
    assert len(frame) == len(events) and str(frame["kind"].dtype) == "category"
    assert frame["energy_lost"].sum() == pytest.approx(np.nansum(events["energy_lost"]))


def test_arrow_and_polars(scenes: Path) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("polars")
    events = table(scenes)
    arrow, polars = events.to_arrow(), events.to_polars()
    assert arrow.num_rows == polars.height == len(events)
    assert arrow["kind"][0].as_py() == polars["kind"][0] == "collision"
    assert arrow["time"].to_pylist() == polars["time"].to_list() == events["time"].tolist()


def test_columns_are_not_copied(scenes: Path) -> None:
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    events = table(scenes)
    column, vector = events["time"], events["impulse"]
    assert np.shares_memory(events["time"], column) and np.shares_memory(events.flat()["impulse_x"], vector)
    frame = events.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and np.shares_memory(frame["time"].to_numpy(), column)
    assert np.shares_memory(frame["impulse_x"].to_numpy(), vector)
    address = events.to_arrow()["time"].chunk(0).buffers()[1].address
    assert address == column.__array_interface__["data"][0]
    assert isinstance(events.to_polars(), polars.DataFrame)


@pytest.fixture
def folder(scenes: Path, tmp_path: Path) -> Path:
    """A run folder, written by the command where it has been built."""
    built = [Path(os.environ.get("CAROM", "")), *(ROOT / "target" / p / "carom" for p in ("release", "quick", "debug"))]
    command = next((path for path in built if path.is_file()), None)
    if command is None:
        pytest.skip("the command has not been built: cargo build --release")
    out = tmp_path / "run"
    subprocess.run([command, "run", scenes / "break.toml", "--out", out, "--frames", "10"], check=True, capture_output=True)
    return out


def test_run_folders(scenes: Path, folder: Path) -> None:
    recording = carom.RunFolder(folder)
    events, own = recording.events, table(scenes)
    collisions = own.select(own["kind"] == "collision")
    np.testing.assert_array_equal(events["time"], collisions["time"])
    np.testing.assert_array_equal(events["impulse_x"], collisions["impulse"][:, 0])
    np.testing.assert_array_equal(events["mode"], collisions["mode"])
    assert recording.bodies["name"][4] == "cue" and recording.summary["collisions"]["total"] == len(events)
    assert len(set(recording.frames["frame"])) == 11 and recording.audit.units["energy"] == "J"
    assert recording.dimension == 2 and "<html" in recording.report()
    assert "<iframe" in recording._repr_html_()
    frames = recording.frames
    assert len(frames.to_pandas()) == frames.to_arrow().num_rows == frames.to_polars().height == len(frames) > 0
    with pytest.raises(KeyError):
        recording.table("nothing")  # type: ignore[arg-type]


def test_no_run_folder(tmp_path: Path) -> None:
    with pytest.raises(carom.DataError):
        carom.RunFolder(tmp_path)
