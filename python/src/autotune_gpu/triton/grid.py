"""The grid of a launch, which may be a function of the configuration, as expressions of a spec."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..error import AutotuneError

# Beyond this many different grids, an expression would be too long to be read back.
MOST_GRIDS = 256


def programs_of(grid: Any, known: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, int]]) -> list[str]:
    """The numbers of programs along x, y and z for these configurations.

    A grid that is a function is asked once for each configuration. What it answers becomes a choice by parameters.

    Args:
        grid: numbers, or a function of arguments and values as Triton calls it
        known: the arguments and values of each configuration
        rows: the parameters of each configuration

    Raises:
        AutotuneError: if there is no grid, or it is not made of numbers
    """
    if grid is None:
        raise AutotuneError("the grid of the launch is not known; say it by `programs=`")
    sizes = [_numbers(grid(dict(one)) if callable(grid) else grid) for one in known]
    if len(set(sizes)) > MOST_GRIDS:
        raise AutotuneError("the grid has too many sizes; say it by `programs=`")
    axes = range(max(map(len, sizes)))
    return [_choice([(row, size[axis] if axis < len(size) else 1) for row, size in zip(rows, sizes)]) for axis in axes]


def _numbers(grid: Any) -> tuple[int, ...]:
    """A grid as a tuple of integers."""
    try:
        return tuple(int(number) for number in grid)
    except (TypeError, ValueError):
        raise AutotuneError(f"the grid {grid!r} is not made of numbers; say it by `programs=`") from None


def _choice(cases: Sequence[tuple[Mapping[str, int], int]]) -> str:
    """An expression with the number of each case, which depends on as few parameters as one after the other allows."""
    if len({number for _, number in cases}) == 1:
        return str(cases[0][1])

    def groups(name: str) -> dict[int, list[tuple[Mapping[str, int], int]]]:
        found: dict[int, list[tuple[Mapping[str, int], int]]] = {}
        for case in cases:
            found.setdefault(case[0][name], []).append(case)
        return found

    def undecided(name: str) -> tuple[bool, int]:
        split = groups(name)
        return len(split) == 1, sum(len({number for _, number in part}) - 1 for part in split.values())

    name = min(cases[0][0], key=undecided)
    split = groups(name)
    if len(split) == 1:
        raise AutotuneError("the grid differs between equal configurations")
    *first, (_, last) = split.items()
    text = _choice(last)
    for value, part in reversed(first):
        text = f"({name} == {value} ? {_choice(part)} : {text})"
    return text
