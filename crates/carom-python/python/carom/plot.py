"""Plots with matplotlib: what a simulation looks like, its energy, a sweep with error bars.

    >>> import carom, carom.plot
    >>> world = carom.World(dimension=2)
    >>> ball = world.add(shape="ball", radius=0.5, mass=1, position=[0, 0])
    >>> axes = carom.plot.state(world.simulate())
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._sweep import SweepResult
from ._table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._simulation import Simulation


def _axes(axes: Axes | None) -> Any:
    if axes is not None:
        return axes
    import matplotlib.pyplot

    return matplotlib.pyplot.subplots()[1]


def state(simulation: Simulation, axes: Axes | None = None, *, velocities: bool = False) -> Any:
    """The balls as they are now, seen along z, with arrows for velocities (m/s) where that is asked for."""
    from matplotlib.collections import EllipseCollection

    axes = _axes(axes)
    places, sizes = simulation.positions[:, :2], 2 * np.nan_to_num(simulation.radii, nan=0.0)
    discs = EllipseCollection(
        sizes, sizes, np.zeros(len(sizes)), units="xy", offsets=places, transOffset=axes.transData,
        array=np.linalg.norm(simulation.velocities, axis=1), cmap="viridis",
    )
    axes.add_collection(discs)
    if velocities:
        axes.quiver(*places.T, *simulation.velocities[:, :2].T, angles="xy", width=0.002)
    if len(places):
        reach = float(sizes.max()) / 2
        low, high = places.min(axis=0) - reach, places.max(axis=0) + reach
        axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    axes.set(aspect="equal", xlabel="x (m)", ylabel="y (m)", title=f"{simulation.title}, {simulation.time:.4g} s")
    axes.figure.colorbar(discs, ax=axes, label="speed (m/s)")
    return axes


def energy(table: Table, axes: Axes | None = None) -> Any:
    """Energy by kind over time, from the audit of a run folder."""
    axes = _axes(axes)
    for name in ("translational", "rotational", "potential", "energy", "lost_in_collisions"):
        axes.plot(table["time"], table[name], label=name.replace("_", " "))
    axes.set(xlabel="time (s)", ylabel="energy (J)")
    axes.legend()
    return axes


def histogram(table: Table, column: str, axes: Axes | None = None, **options: Any) -> Any:
    """How often a column of a table has which value."""
    axes = _axes(axes)
    values = table[column]
    axes.hist(values[np.isfinite(values)], **options)
    unit = table.units.get(column, "")
    axes.set(xlabel=f"{column} ({unit})" if unit else column, ylabel="count")
    return axes


def sweep(result: SweepResult, x: str, y: str, axes: Axes | None = None, **options: Any) -> Any:
    """Something observed against a parameter, with error bars where points were repeated."""
    axes = _axes(axes)
    means = result.means()
    order = np.argsort(means[x])
    errors = means[f"{y}_error"][order] if f"{y}_error" in means else None
    if errors is not None and not np.isfinite(errors).any():
        errors = None
    axes.errorbar(means[x][order], means[y][order], yerr=errors, **{"marker": "o", "capsize": 3, **options})
    axes.set(xlabel=x, ylabel=y)
    return axes
