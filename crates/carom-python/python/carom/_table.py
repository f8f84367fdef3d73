"""Tables: named columns of equal length."""

from __future__ import annotations

import html
from collections.abc import Iterator, KeysView, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Array = npt.NDArray[Any]
_AXES = "xyz"


class Table:
    """Columns of equal length, as NumPy arrays.

    A column of vectors is an array of shape (n, d); in data frames it becomes several, such as `point_x` and `point_y`.
    Words are stored once and numbered: `table["kind"]` is an array of words, `table.codes("kind")` of their numbers.

    >>> table = Table({"time": np.array([0.5, 1.0]), "point": np.zeros((2, 2))}, units={"time": "s"})
    >>> len(table), list(table), table.units["time"]
    (2, ['time', 'point'], 's')
    >>> list(table.flat())
    ['time', 'point_x', 'point_y']
    """

    def __init__(
        self,
        columns: Mapping[str, Array],
        *,
        words: Mapping[str, list[str]] | None = None,
        units: Mapping[str, str] | None = None,
    ) -> None:
        self._columns = dict(columns)
        self._words = dict(words or {})
        self.units: dict[str, str] = dict(units or {})

    def __getitem__(self, name: str) -> Array:
        column = self._columns[name]
        words = self._words.get(name)
        if words is None:
            return column
        return np.asarray(words, dtype=np.str_)[column] if words else np.empty(0, dtype=np.str_)

    def codes(self, name: str) -> tuple[Array, list[str]]:
        """A column of words as numbers, and the words."""
        return self._columns[name], list(self._words[name])

    def keys(self) -> KeysView[str]:
        """The names of the columns."""
        return self._columns.keys()

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """How many rows."""
        for column in self._columns.values():
            return len(column)
        return 0

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __bool__(self) -> bool:
        return len(self) > 0

    def select(self, rows: Array | slice) -> Table:
        """Some of the rows, by a mask, by numbers or by a slice."""
        return Table(
            {name: column[rows] for name, column in self._columns.items()}, words=self._words, units=self.units
        )

    def flat(self) -> dict[str, Array]:
        """Columns of one number each, without copies; words as their numbers."""
        flat: dict[str, Array] = {}
        for name, column in self._columns.items():
            if column.ndim == 1:
                flat[name] = column
                continue
            for place in range(column.shape[1]):
                flat[_component(name, place)] = column[:, place]
        return flat

    @property
    def array(self) -> Array:
        """A structured array: one record for each row."""
        flat = {name: (self[name] if name in self._words else column) for name, column in self.flat().items()}
        records = np.empty(len(self), dtype=[(name, column.dtype) for name, column in flat.items()])
        for name, column in flat.items():
            records[name] = column
        return records

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas data frame; words are categories."""
        import pandas

        columns: dict[str, Any] = {}
        for name, column in self.flat().items():
            words = self._words.get(name)
            categories: Any = words
            columns[name] = column if words is None else pandas.Categorical.from_codes(column, categories)
        return pandas.DataFrame(columns, copy=False)

    def to_arrow(self) -> pyarrow.Table:
        """An Arrow table; words are dictionaries."""
        import pyarrow

        columns: dict[str, Any] = {}
        for name, column in self.flat().items():
            words = self._words.get(name)
            if words is None:
                columns[name] = pyarrow.array(np.ascontiguousarray(column))
            else:
                codes = pyarrow.array(column.astype(np.int32))
                columns[name] = pyarrow.DictionaryArray.from_arrays(codes, words)
        return pyarrow.table(columns)

    def to_polars(self) -> polars.DataFrame:
        """A polars data frame; words are an enumeration."""
        import polars

        columns: list[Any] = []
        for name, column in self.flat().items():
            words = self._words.get(name)
            if words is None:
                columns.append(polars.Series(name, np.ascontiguousarray(column)))
            else:
                known = polars.Series(name, words, dtype=polars.Enum(words))
                columns.append(known.gather(column.astype(np.uint32)))
        return polars.DataFrame(columns)

    def __repr__(self) -> str:
        return f"<Table: {len(self)} rows, columns {', '.join(self._columns)}>"

    def _repr_html_(self) -> str:
        shown = min(len(self), 10)
        flat = self.flat()
        heads = "".join(
            f"<th>{html.escape(name)}{_unit(self.units.get(name, ''))}</th>" for name in flat
        )
        words = {name: self[name][:shown] for name in self._words}
        lines = []
        for row in range(shown):
            cells = "".join(f"<td>{html.escape(str(words.get(name, flat[name])[row]))}</td>" for name in flat)
            lines.append(f"<tr>{cells}</tr>")
        more = "" if shown == len(self) else f"<p>{len(self)} rows in all</p>"
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table>{more}"


def _unit(unit: str) -> str:
    return f" <small>({html.escape(unit)})</small>" if unit else ""


def _component(name: str, place: int) -> str:
    """`point_x`; the axis stands before what follows the vector's name, as in `a_velocity_x_before`."""
    for when in ("_before", "_after"):
        if name.endswith(when):
            return f"{name[: -len(when)]}_{_AXES[place]}{when}"
    return f"{name}_{_AXES[place]}"
