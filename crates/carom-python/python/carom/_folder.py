"""Run folders: what `carom run --out` leaves."""

from __future__ import annotations

import html
import json
import os
from typing import Any, Literal

from . import _carom
from ._table import Table


class RunFolder:
    """A run folder, complete or not, as tables.

    `events` has a row for each collision and crossing of a sensor, `frames` one for each moving body at each instant of
    output, `audit` the budgets at these instants, `bodies` one for each body. Units are in `Table.units`.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._core = _carom.Folder(path)

    def table(self, name: Literal["events", "frames", "audit", "bodies"]) -> Table:
        """One of its tables."""
        columns = self._core.table(name)
        return Table(
            {column: values for column, values, _, _ in columns},
            words={column: words for column, _, words, _ in columns if words is not None},
            units={column: unit for column, _, _, unit in columns if unit},
        )

    @property
    def events(self) -> Table:
        """Collisions and crossings of sensors, in order."""
        return self.table("events")

    @property
    def frames(self) -> Table:
        """States of all moving bodies at each instant of output."""
        return self.table("frames")

    @property
    def audit(self) -> Table:
        """The budgets at each instant of output."""
        return self.table("audit")

    @property
    def bodies(self) -> Table:
        """Names and properties of all bodies."""
        return self.table("bodies")

    @property
    def summary(self) -> dict[str, Any]:
        """The summary that the command wrote at the end."""
        summary: dict[str, Any] = json.loads(self._core.file("summary.json"))
        return summary

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return self._core.dimension

    def report(self) -> str:
        """Everything about the run in one HTML page: a moving picture, plots, tables."""
        return self._core.report()

    def __repr__(self) -> str:
        return f"RunFolder({self.path!r})"

    def _repr_html_(self) -> str:
        page = html.escape(self.report(), quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:640px;border:0"></iframe>'
