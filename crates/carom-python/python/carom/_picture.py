"""Pictures in notebooks: SVG, still and moving."""

from __future__ import annotations

import html
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._carom import Cancel, CaromError

if TYPE_CHECKING:
    from ._scene import Scene
    from ._simulation import Simulation

Floats = npt.NDArray[np.float64]
# More bodies than this are not drawn one by one.
MOST_BODIES = 2000
# More bodies than this do not move in a notebook: each is a list of places in the page.
MOST_MOVING = 300
FRAMES = 90
# A run is shown for as long as it takes so long (s) and has so many collisions.
LONGEST = 2.0
MOST_COLLISIONS = 20_000
COLOURS = ("#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5", "#9c6b4e")
FIXED = "#8a8f98"


@dataclass(frozen=True)
class Outline:
    """A body that is no free ball: its lines, as they are seen along the third axis."""

    lines: list[list[list[float]]]
    solid: bool
    endless: bool
    sensor: bool
    free: bool

    @property
    def path(self) -> str:
        """The data of an SVG path."""
        return "".join("M" + "L".join(f"{x:.5g} {-y:.5g}" for x, y in line) for line in self.lines)


@dataclass(frozen=True)
class Still:
    """What is where at one instant."""

    centres: Floats
    """Of the free balls, m: (n, d)."""
    radii: Floats
    outlines: list[Outline]

    @staticmethod
    def of(simulation: Simulation, low: Floats, high: Floats) -> Still:
        """All bodies; those without end as far as is seen between two corners."""
        radii = simulation.radii
        balls = np.isfinite(radii)
        drawn = simulation._core.sketches(low.tolist(), high.tolist())
        return Still(simulation.positions[balls], radii[balls], [Outline(*sketch) for sketch in drawn])

    def corners(self) -> tuple[Floats, Floats]:
        """The smallest and the largest x, y and z of all that has an end, m."""
        lows, highs = [np.full(3, np.inf)], [np.full(3, -np.inf)]
        if len(self.centres):
            flat = np.zeros((len(self.centres), 3))
            flat[:, : self.centres.shape[1]] = self.centres
            lows.append((flat - self.radii[:, None]).min(axis=0))
            highs.append((flat + self.radii[:, None]).max(axis=0))
        for outline in self.outlines:
            if not outline.endless:
                for line in outline.lines:
                    places = np.column_stack([np.array(line), np.zeros(len(line))])
                    lows.append(places.min(axis=0))
                    highs.append(places.max(axis=0))
        return np.min(lows, axis=0), np.max(highs, axis=0)


def _seen(stills: list[Still]) -> tuple[Floats, Floats]:
    """Corners of what all of them show, with a margin; finite, whatever they show."""
    corners = [still.corners() for still in stills]
    low, high = np.min([low for low, _ in corners], axis=0), np.max([high for _, high in corners], axis=0)
    low, high = np.where(np.isfinite(low), low, -1.0), np.where(np.isfinite(high), high, 1.0)
    margin = 0.03 * float((high - low).max()) + 1e-9
    return low - margin, high + margin


def _moving(name: str, values: list[str], seconds: float) -> str:
    """How an attribute changes, again and again; nothing where it does not."""
    if len(set(values)) == 1:
        return ""
    return f'<animate attributeName="{name}" dur="{seconds}s" repeatCount="indefinite" values="{";".join(values)}"/>'


def svg(stills: list[Still], low: Floats, high: Floats, seconds: float = 6.0, width: int = 480) -> str:
    """Bodies as SVG, seen along the third axis. Several stills let them move, for so many seconds, again and again."""
    span = high - low
    height = int(min(max(width * span[1] / span[0], 60), 640))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="{low[0]:.6g} {-high[1]:.6g} {span[0]:.6g} {span[1]:.6g}">'
    ]
    first = stills[0]
    for place, outline in enumerate(first.outlines):
        colour = COLOURS[place % len(COLOURS)] if outline.free else FIXED
        fill = f'fill="{colour}" fill-opacity="{0.85 if outline.free else 0.35}"' if outline.solid and not outline.sensor else 'fill="none"'
        dashes = ' stroke-dasharray="4 3"' if outline.sensor else ""
        paths = [still.outlines[place].path for still in stills]
        parts.append(
            f'<path d="{paths[0]}" {fill} stroke="{colour}" stroke-width="1.5" vector-effect="non-scaling-stroke"{dashes}>'
            f'{_moving("d", paths, seconds)}</path>'
        )
    for place in range(len(first.centres)):
        xs = [f"{still.centres[place, 0]:.5g}" for still in stills]
        ys = [f"{-still.centres[place, 1]:.5g}" for still in stills]
        colour = COLOURS[place % len(COLOURS)]
        parts.append(
            f'<circle cx="{xs[0]}" cy="{ys[0]}" r="{first.radii[place]:.5g}" fill="{colour}" fill-opacity="0.85">'
            f'{_moving("cx", xs, seconds)}{_moving("cy", ys, seconds)}</circle>'
        )
    parts.append("</svg>")
    return "".join(parts)


def film(simulation: Simulation, until: float, frames: int = FRAMES) -> tuple[list[Still], Floats, Floats]:
    """Stills at equal times, and corners of what they show. The simulation itself stays where it is. It ends early where
    a body comes or goes, or where the run does."""
    copies = [simulation.copy()]
    for time in np.linspace(simulation.time, until, frames)[1:]:
        copy = copies[-1].copy()
        try:
            copy.run(until=float(time))
        except CaromError:
            break
        if not np.array_equal(copy.ids, simulation.ids):
            break
        copies.append(copy)
    nothing = np.zeros(3)
    low, high = _seen([Still.of(copy, nothing, nothing) for copy in copies])
    return [Still.of(copy, low, high) for copy in copies], low, high


def _rows(facts: dict[str, Any]) -> str:
    lines = "".join(
        f"<tr><th style='text-align:left'>{html.escape(name)}</th><td style='text-align:left'>{html.escape(str(value))}</td></tr>"
        for name, value in facts.items()
    )
    return f"<table>{lines}</table>"


def simulation_html(simulation: Simulation) -> str:
    """A picture of how things are, and a summary."""
    energy = simulation.audit()
    facts = {
        "time": f"{simulation.time:.6g} s",
        "method": simulation.method,
        "bodies": f"{len(simulation.ids)}, {len(simulation.free)} of them free",
        "collisions": simulation.collisions,
        "energy": f"{energy['now']['total']:.6g} J of {energy['initial']['total']:.6g} J",
        "energy residual": f"{energy['energy_residual']:.2g} J",
        "digest": simulation.digest,
    }
    picture = svg(*film(simulation, simulation.time, 1)) if 0 < len(simulation.ids) <= MOST_BODIES else ""
    return f"<div><h4>{html.escape(simulation.title)}</h4>{picture}{_rows(facts)}</div>"


def scene_html(scene: Scene) -> str:
    """A moving picture of a scene's run where it is small, and what it is."""
    facts: dict[str, Any] = {
        "dimension": scene.dimension,
        "bodies": len(scene),
        "method": scene.method,
        "until": "not said" if scene.until is None else f"{scene.until:.6g} s",
        "seed": scene.seed,
    }
    picture = ""
    if scene.until is not None and len(scene) <= MOST_MOVING:
        simulation = scene.simulate()
        # A run that takes long is no run for a picture.
        probe, enough = simulation.copy(), Cancel()
        timer = threading.Timer(LONGEST, enough.cancel)
        timer.start()
        try:
            probe.run(until=scene.until, collisions=MOST_COLLISIONS, cancel=enough)
        except CaromError as error:
            facts["ends"] = f"at {probe.time:.6g} s: {error}"
        finally:
            timer.cancel()
        picture = svg(*film(simulation, probe.time))
    return f"<div><h4>{html.escape(scene.title)}</h4>{picture}{_rows(facts)}</div>"
