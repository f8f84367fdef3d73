"""When a run ends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Ends:
    """Whatever comes first of these."""

    until: float
    """World time, s; NaN where a world does not say."""
    collisions: int | None
    """So many from now on."""
    rest: float | None
    """No body is faster than this, m/s."""
    events: int | None = None
    """So many of the kinds that count, from now on."""

    def stated(self) -> Ends:
        """Those of a scene, where it says until when."""
        if math.isnan(self.until):
            raise ValueError("until when is it to run? The world does not say: give `until`, in seconds")
        return self

    def checked(self) -> Ends:
        """The same, where numbers are such."""
        for name, number in (("collisions", self.collisions), ("events", self.events)):
            if number is not None and number < 0:
                raise ValueError(f"{name} is {number}, but must be zero or above")
        return self

    def less(self, counted: Sequence[int]) -> Ends:
        """What is left after so many collisions and so many events."""
        collisions, events = (
            None if most is None else max(most - done, 0)
            for most, done in zip((self.collisions, self.events), counted)
        )
        return Ends(self.until, collisions, self.rest, events)
