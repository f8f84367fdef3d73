"""Breaks until all balls rest with pooltool, in seconds a shot: what docs/billiards.md and docs/python.md put beside carom.

    python -m venv /some/where && /some/where/bin/pip install pooltool-billiards
    /some/where/bin/python peers/pooltool/break.py [shots] [speed of the cue, m/s] [table: 9 or 7] [game: nine or eight]

The rack is pooltool's own (spacing factor 1e-3, as in `Rack::nine_ball(.., 1e-3, ..)`), the cue strikes the middle of the cue ball along the table. Compiled code is
warmed up first. Processor time is printed beside wall time: it does not depend on what else the machine does.
"""

import random
import statistics
import sys
import time
from importlib.metadata import version

import numpy as np
import pooltool as pt


def table_of(feet: str) -> pt.Table:
    if feet == "7":
        return pt.Table.default()
    from pooltool.objects.table.specs import PocketTableSpecs

    return pt.Table.from_table_specs(PocketTableSpecs(l=2.54, w=1.27))


def shot(seed: int, speed: float, feet: str, game: str) -> pt.System:
    random.seed(seed)
    np.random.seed(seed)
    table = table_of(feet)
    balls = pt.get_rack(pt.GameType.EIGHTBALL if game == "eight" else pt.GameType.NINEBALL, table, spacing_factor=1e-3)
    # On the head spot, straight at the rack.
    balls["cue"].state.rvw[0, :2] = (0.5 * table.w, 0.25 * table.l)
    system = pt.System(cue=pt.Cue(cue_ball_id="cue"), table=table, balls=balls)
    system.cue.set_state(V0=speed, phi=90.0, theta=0.0, a=0.0, b=0.0)
    return system


def main() -> None:
    shots = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    speed = float(sys.argv[2]) if len(sys.argv) > 2 else 8.0
    feet = sys.argv[3] if len(sys.argv) > 3 else "9"
    game = sys.argv[4] if len(sys.argv) > 4 else "nine"
    for seed in range(3):
        pt.simulate(shot(1000 + seed, speed, feet, game), inplace=True)
    wall, cpu, events, lasting = [], [], [], []
    for seed in range(shots):
        system = shot(seed, speed, feet, game)
        start, start_cpu = time.perf_counter(), time.process_time()
        pt.simulate(system, inplace=True)
        wall.append(time.perf_counter() - start)
        cpu.append(time.process_time() - start_cpu)
        events.append(len(system.events))
        lasting.append(system.t)
    print(f"pooltool-billiards {version('pooltool-billiards')}: {shots} {game}-ball breaks at {speed} m/s on a table of {feet} feet")
    print(f"{statistics.mean(events):.1f} events a shot ({min(events)} to {max(events)}), {statistics.mean(lasting):.2f} s until all rest")
    print(
        f"{1e3 * statistics.mean(wall):.1f} ms a shot (median {1e3 * statistics.median(wall):.1f}, fastest {1e3 * min(wall):.1f}), "
        f"{1e3 * statistics.mean(cpu):.1f} ms of processor time (median {1e3 * statistics.median(cpu):.1f}), "
        f"{1e3 * statistics.mean(cpu) / statistics.mean(events):.2f} ms an event"
    )


if __name__ == "__main__":
    main()
