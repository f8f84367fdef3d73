"""Writes the notebooks of this folder: their text stands here, so that it can be read and compared.

Run it after a change; `tests/test_notebooks.py` sees to it that they are the same, and executes them.
"""

from __future__ import annotations

import json
from pathlib import Path

NOTEBOOKS: dict[str, list[str]] = {
    "first_steps": [
        "# First steps\nA ball is dropped onto a floor. Every keyword is a key of the scene language; SI units throughout.",
        "import carom\n\nworld = carom.World(dimension=2, gravity=[0, -9.81], run={'until': 10})\n"
        "world.material('rubber', restitution=0.8)\n"
        "world.add(shape='wall', point=[0, 0], normal=[0, 1], material='rubber')\n"
        "ball = world.add(shape='ball', radius=0.1, mass=1, position=[0, 1.1], velocity=[0.5, 0], material='rubber')\n"
        "world.scene()",
        "Run it, event by event, and compare the first bounce with √(2h/g):",
        "simulation = world.simulate()\n"
        "bounces = [event.time for event in simulation.events(kinds='collision')]\n"
        "assert abs(bounces[0] - (2 / 9.81) ** 0.5) < 1e-12\n"
        "bounces[:4], simulation",
        "The energy budget closes to the last digits:",
        "audit = simulation.audit()\nassert abs(audit['energy_residual']) < 1e-12 * audit['initial']['total']\naudit['now']",
    ],
    "galperin": [
        "# Galperin's billiard\nA heavy ball pushes a light one against a wall. With a mass ratio of 100ⁿ the collisions count the digits of π.",
        "import carom\n\ndef collisions(digits):\n"
        "    world = carom.World(dimension=2)\n"
        "    world.add(shape='wall', point=[0, 0], normal=[1, 0])\n"
        "    world.add(shape='ball', radius=0.1, mass=1, position=[1, 0])\n"
        "    world.add(shape='ball', radius=0.1, mass=100.0**digits, position=[2, 0], velocity=[-1, 0])\n"
        "    simulation = world.simulate()\n    simulation.run(until=1000)\n    return simulation.collisions\n\n"
        "counts = [collisions(digits) for digits in range(6)]\n"
        "assert counts == [3, 31, 314, 3141, 31415, 314159]\ncounts",
    ],
    "both_methods": [
        "# Both methods compared\nTwo balls collide by an impulse, and by springs and dampers that grow stiffer: the velocities come together.",
        "import numpy as np, carom\n\nball = dict(shape='ball', radius=0.5, mass=1, material='steel')\n\n"
        "def after(method, spring_time=1e-3):\n"
        "    world = carom.World(dimension=2)\n"
        "    world.material('steel', restitution=0.8, spring_time=spring_time)\n"
        "    world.add(**ball, position=[0, 0], velocity=[1, 0])\n    world.add(**ball, position=[1.5, 0.3])\n"
        "    simulation = world.simulate(method=method)\n    simulation.run(until=2)\n    return simulation.velocities\n\n"
        "exact = after('events')\n"
        "errors = [abs(after('forces', time) - exact).max() for time in (1e-1, 1e-2, 1e-3)]\n"
        "assert errors[0] > errors[1] > errors[2] and errors[2] < 1e-2\nerrors",
    ],
    "haff": [
        "# Granular cooling: Haff's law\nA gas of inelastic discs cools as T = T₀ / (1 + t/τ)²: 1/√T grows linearly in time.",
        "import numpy as np, carom\n\nscene = {\n"
        "    'version': 1, 'dimension': 2, 'periodic': [90, 90], 'seed': 5, 'run': {'until': 40},\n"
        "    'materials': {'grain': {'restitution': 0.95}},\n"
        "    'generate': [{'kind': 'random', 'name': 'g', 'count': 1500, 'radius': 0.5, 'mass': 1,\n"
        "                  'velocity': {'speed': 'sqrt(2)'}, 'material': 'grain'}],\n}\n"
        "simulation = carom.Simulation(scene)\ntimes = np.linspace(0, 40, 41)\ncurve = []\n"
        "for time in times:\n    simulation.run(until=time)\n    curve.append(simulation.observables()['temperature'] ** -0.5)\n"
        "curve = np.array(curve)\nslope, start = np.polyfit(times[:25], curve[:25], 1)\n"
        "line = start + slope * times\nassert np.abs(curve[:25] / line[:25] - 1).max() < 0.02\nslope / start",
        "import carom.plot\n\ncarom.plot.state(simulation)",
    ],
    "equation_of_state": [
        "# Hard discs: an equation of state from a sweep\nThe compressibility factor of hard discs, beside Henderson's formula Z = (1 + η²/8)/(1 − η)².",
        "import numpy as np, carom\n\nscene = {\n"
        "    'version': 1, 'dimension': 2, 'periodic': [30, 30], 'run': {'until': 1},\n"
        "    'generate': [{'kind': 'random', 'name': 'd', 'radius': 0.5, 'mass': 1, 'count': 100, 'velocity': {'speed': 1}}],\n}\n\n"
        "def pressure(simulation):\n    found = simulation.observe(until=60, since=10, samples=50)\n"
        "    return {'Z': found['compressibility'][0], 'kT': found['temperature'][0]}\n\n"
        "found = carom.sweep(scene, {'generate.d.count': [100, 200, 300, 400]}, observe=pressure, run=False, repeat=2)\n"
        "assert not found.failures, found.failures\nfound",
        "means = found.means()\neta = means['generate.d.count'] * np.pi * 0.25 / 900\n"
        "theory = (1 + eta**2 / 8) / (1 - eta) ** 2\n"
        "assert np.abs(means['Z'] / theory - 1).max() < 0.05\nnp.column_stack([eta, means['Z'], theory])",
    ],
    "filmed_bounce": [
        "# A filmed bounce, fitted\nA film of a bouncing ball says how elastic it is. Here the film is made by carom, with noise, so that the "
        "truth is known; tracked positions of a film of your own take the place of `track`. Unknown are the restitution, the height of the "
        "drop, the instant at which the ball was let go, and the scale of the film in metres per pixel; g is known.",
        "import numpy as np, carom\n\nG = 9.81\nRATE = 120.0  # pictures a second\n\n"
        "def heights(times, drop, restitution):\n"
        "    \"\"\"Height of the ball's underside above the floor at some times after it was let go, m.\"\"\"\n"
        "    world = carom.World(dimension=2, gravity=[0, -G])\n"
        "    world.material('ball', restitution=restitution)\n"
        "    world.material('floor', restitution=restitution)\n"
        "    world.add(shape='wall', point=[0, 0], normal=[0, 1], material='floor')\n"
        "    world.add(shape='ball', radius=0.02, mass=0.05, position=[0, drop + 0.02], material='ball')\n"
        "    simulation = world.simulate()\n    found = np.full(len(times), drop)\n"
        "    for place, time in enumerate(times):\n        if time > 0:\n"
        "            simulation.run(until=time)\n            found[place] = simulation.positions[0, 1] - 0.02\n"
        "    return found",
        "The film: grey pictures with noise, the ball a bright disc that moves on by up to some pixels while the shutter is open:",
        "random = np.random.default_rng(7)\n"
        "truth = {'restitution': 0.82, 'drop': 0.75, 'start': 0.0637, 'scale': 0.0025}\n"
        "times = np.arange(200) / RATE\n"
        "rows, columns = np.mgrid[0:360, 0:40]\n\n"
        "def picture(height):\n    middle = 340 - (height + 0.02) / truth['scale']\n"
        "    distance = np.hypot(rows - middle, columns - 20)\n"
        "    return np.clip(8.5 - distance, 0, 1) + 0.08 * random.normal(size=rows.shape)\n\n"
        "film = [picture(height) for height in heights(times - truth['start'], truth['drop'], truth['restitution'])]\nlen(film)",
        "Track the ball: the centre of what is bright, near where it is brightest on average:",
        "def track(picture):\n    smooth = np.array([picture[r : r + 17].sum() for r in range(344)])\n"
        "    top = int(smooth.argmax())\n    bright = np.clip(picture[top : top + 17] - 0.3, 0, None)\n"
        "    return top + (bright.sum(axis=1) @ np.arange(17)) / bright.sum()\n\n"
        "tracked = np.array([track(picture) for picture in film])\ntracked[:3]",
        "Fit by Gauss and Newton, with the simulation as the model. The floor is where the ball turns round, the first guess is rough:",
        "floor = tracked.max()\n\n"
        "def model(guess):\n    restitution, drop, start, scale, base = guess\n"
        "    return base - heights(times - start, drop, restitution) / scale\n\n"
        "def cost(guess):\n    return float(((model(guess) - tracked) ** 2).sum())\n\n"
        "best = None\n"
        "for restitution in (0.7, 0.8, 0.9):\n    for start in (0.03, 0.06, 0.09):\n"
        "        fall = times[np.flatnonzero(tracked > floor - 4)[0]] - start\n        drop = 0.5 * G * fall**2\n"
        "        guess = np.array([restitution, drop, start, drop / (floor - tracked.min()), floor])\n"
        "        if best is None or cost(guess) < cost(best):\n            best = guess\n\n"
        "damping = 1e-2\nfor _ in range(60):\n    steps = 1e-6 * np.maximum(np.abs(best), 1e-2)\n"
        "    slopes = np.column_stack([(model(best + s) - model(best - s)) / (2 * s.sum()) for s in np.diag(steps)])\n"
        "    normal = slopes.T @ slopes\n    pull = slopes.T @ (tracked - model(best))\n"
        "    move = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), pull)\n"
        "    if cost(best + move) < cost(best):\n        best, damping = best + move, damping / 3\n    else:\n        damping *= 4\n\n"
        "spread = np.sqrt(cost(best) / (len(times) - len(best)))\n"
        "errors = spread * np.sqrt(np.diag(np.linalg.inv(normal)))\n"
        "dict(zip(['restitution', 'drop', 'start', 'scale', 'base'], zip(best, errors)))",
        "The truth is within four standard errors, and the restitution is known to a part in a thousand:",
        "for value, error, name in zip(best, errors, truth):\n"
        "    assert abs(value - truth[name]) < 4 * error, (name, value, error, truth[name])\n"
        "assert errors[0] < 1e-3 and spread < 1.0\nspread",
    ],
    "breaks": [
        "# Billiards Monte Carlo\nTen thousand eight-ball breaks with racks of small random gaps: how many balls fall? "
        "They are played on all cores.",
        "import numpy as np\nfrom carom import billiards\n\nracks = billiards.racks(10_000, seed=1)\n"
        "outcome = billiards.play(racks, speed=8.0, direction=np.pi / 2 + 0.01)\n"
        "assert not any(outcome.errors)\nfallen = outcome.pocketed[:, 1:].sum(axis=1)\n"
        "error = fallen.std(ddof=1) / np.sqrt(len(fallen))\n"
        "np.bincount(fallen), (fallen.mean(), error), outcome.pocketed[:, 0].mean()",
        "The mean of each half is the same within the errors:",
        "halves = fallen.reshape(2, -1)\nmeans = halves.mean(axis=1)\n"
        "errors = halves.std(axis=1, ddof=1) / np.sqrt(halves.shape[1])\n"
        "assert abs(means[0] - means[1]) < 4 * np.hypot(*errors)\nassert error < 0.02\nmeans, errors",
        "from carom.gym import PoolVectorEnv\n\ntables = PoolVectorEnv(32)\ntables.reset(seed=1)\n"
        "random = np.random.default_rng(1)\n"
        "rewards = sum(tables.step(random.uniform(-1, 1, (32, 4)))[1].sum() for _ in range(3))\nrewards",
    ],
}


def text(cells: list[str]) -> str:
    """A notebook, without outputs: prose where a cell begins with # or has no code."""
    made = []
    for place, cell in enumerate(cells):
        is_prose = cell.startswith("# ") or (place > 0 and "\n" not in cell and cell.endswith(":"))
        common = {"id": f"cell{place}", "metadata": {}, "source": cell.splitlines(keepends=True)}
        if is_prose:
            made.append({"cell_type": "markdown", **common})
        else:
            made.append({"cell_type": "code", "execution_count": None, "outputs": [], **common})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    page = {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(page, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    for name, cells in NOTEBOOKS.items():
        (Path(__file__).parent / f"{name}.ipynb").write_text(text(cells), encoding="utf-8")
