"""Kinds of events, and the columns of their tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from . import _carom

Kind = Literal["collision", "entered", "left", "transition", "released", "edited"]

KINDS = _carom.EventTable.kinds()
MODES = _carom.EventTable.modes()
_ALL = (1 << len(KINDS)) - 1
# What a condition is looked at after: as the library does.
CHANGES: tuple[Kind, ...] = ("collision", "transition", "released")
ALL_UNITS = {
    "time": "s",
    "point": "m",
    "impulse": "kg·m/s",
    "a_velocity_before": "m/s",
    "a_velocity_after": "m/s",
    "b_velocity_before": "m/s",
    "b_velocity_after": "m/s",
    "a_angular_velocity_before": "rad/s",
    "a_angular_velocity_after": "rad/s",
    "b_angular_velocity_before": "rad/s",
    "b_angular_velocity_after": "rad/s",
    "energy_lost": "J",
    "lost_to_friction": "J",
    "gap": "m",
    "duration": "s",
    "approach_speed": "m/s",
}


def mask_of(kinds: Iterable[Kind] | Kind | None) -> int:
    """Kinds of events as bits; all where none are named."""
    if kinds is None:
        return _ALL
    if isinstance(kinds, str):
        kinds = (kinds,)
    mask = 0
    for kind in kinds:
        if kind not in KINDS:
            raise ValueError(f"there is no kind of event {kind!r}; there are {', '.join(KINDS)}")
        mask |= 1 << KINDS.index(kind)
    return mask
