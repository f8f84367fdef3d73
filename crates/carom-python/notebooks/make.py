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
    "breaks": [
        "# Billiards Monte Carlo\nEight-ball breaks with racks of small random gaps: how many balls fall?",
        "import numpy as np\nfrom carom import billiards\n\nracks = billiards.racks(200, seed=1)\n"
        "outcome = billiards.play(racks, speed=8.0, direction=np.pi / 2 + 0.01)\n"
        "assert not any(outcome.errors)\nfallen = outcome.pocketed[:, 1:].sum(axis=1)\n"
        "np.bincount(fallen), fallen.mean(), outcome.pocketed[:, 0].mean()",
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
