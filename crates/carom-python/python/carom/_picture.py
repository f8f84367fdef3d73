"""Pictures in notebooks: SVG, still and moving."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ._scene import Scene
    from ._simulation import Simulation

Floats = npt.NDArray[np.float64]
# More balls than this are not drawn one by one.
MOST_BALLS = 2000
# More balls than this do not move in a notebook: each is a list of places in the page.
MOST_MOVING = 300
FRAMES = 90
COLOURS = ("#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5", "#9c6b4e")


def svg(
    places: Floats, radii: Floats, frames: Floats | None = None, seconds: float = 6.0, width: int = 480
) -> str:
    """Discs as SVG, from the side of x and y. `frames` (t, n, 2) lets them move, for so many seconds, again and again."""
    seen = places if frames is None else np.concatenate([places[None], frames]).reshape(-1, 2)
    radii = np.where(np.isfinite(radii), radii, np.nanmax(np.append(radii, 0.05)))
    if len(places) == 0:
        return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="40"></svg>'
    margin = float(radii.max()) * 1.2
    low, high = seen.min(axis=0) - margin, seen.max(axis=0) + margin
    span = np.maximum(high - low, 1e-9)
    height = int(min(max(width * span[1] / span[0], 60), 640))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="{low[0]:.6g} {-high[1]:.6g} {span[0]:.6g} {span[1]:.6g}">'
    ]
    for place in range(len(places)):
        x, y = places[place]
        colour = COLOURS[place % len(COLOURS)]
        head = f'<circle cx="{x:.5g}" cy="{-y:.5g}" r="{radii[place]:.5g}" fill="{colour}" fill-opacity="0.85"'
        if frames is None:
            parts.append(head + "/>")
            continue
        moves = "".join(
            f'<animate attributeName="{name}" dur="{seconds}s" repeatCount="indefinite" values="'
            + ";".join(f"{sign * number:.5g}" for number in frames[:, place, axis])
            + '"/>'
            for name, axis, sign in (("cx", 0, 1.0), ("cy", 1, -1.0))
        )
        parts.append(f"{head}>{moves}</circle>")
    parts.append("</svg>")
    return "".join(parts)


def film(simulation: Simulation, until: float, frames: int = FRAMES) -> Floats:
    """Places of the free bodies at equal times, m: (t, n, 2). The simulation itself stays where it is."""
    copy = simulation.copy()
    shots = [copy.positions[:, :2]]
    for time in np.linspace(copy.time, until, frames)[1:]:
        copy.run(until=float(time))
        shots.append(copy.positions[:, :2])
    return np.stack(shots)


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
    picture = ""
    if 0 < len(simulation.free) <= MOST_BALLS:
        picture = svg(simulation.positions[:, :2], simulation.radii)
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
        if len(simulation.free):
            # A run that takes long is no run for a picture: it ends after so many collisions.
            probe = simulation.copy()
            probe.run(until=scene.until, collisions=20_000)
            frames = film(simulation, probe.time)
            picture = svg(simulation.positions[:, :2], simulation.radii, frames)
    return f"<div><h4>{html.escape(scene.title)}</h4>{picture}{_rows(facts)}</div>"
