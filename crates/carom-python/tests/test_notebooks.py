"""The notebooks are what `notebooks/make.py` writes, and run to their end."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"


def made() -> Any:
    spec = importlib.util.spec_from_file_location("make_notebooks", FOLDER / "make.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKE = made()


@pytest.mark.parametrize("name", list(MAKE.NOTEBOOKS))
def test_notebook(name: str) -> None:
    path = FOLDER / f"{name}.ipynb"
    assert path.read_text(encoding="utf-8") == MAKE.text(MAKE.NOTEBOOKS[name]), "run notebooks/make.py"
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    page = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(page, timeout=600, kernel_name="python3").execute()


def test_no_other_notebooks() -> None:
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(MAKE.NOTEBOOKS)
