"""Configurations of a kernel in Triton: objects `triton.Config`, or dictionaries of their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..error import AutotuneError

Config = Any
"""A `triton.Config`, or a dictionary: `{"BM": 128, "num_warps": 8}`."""

# What Triton gives what a dictionary leaves out. A `triton.Config` has its own values.
USUAL = {"num_warps": 4, "num_stages": 3}


def all_values(config: Config) -> dict[str, Any]:
    """What a launch gets of a configuration: its constants, warps and stages by name."""
    if isinstance(config, Mapping):
        return {**USUAL, **config}
    return {name: value for name, value in config.all_kwargs().items() if value is not None}


def integers(config: Config) -> dict[str, int]:
    """The values of a configuration as a spec has them; a cluster of one group is left out.

    Raises:
        AutotuneError: if a value is not an integer
    """
    found = {}
    for name, value in all_values(config).items():
        if not isinstance(value, int):
            raise AutotuneError(f"`{name}` has the value {value!r} in a configuration; only integers are known")
        if (name, value) != ("num_ctas", 1):
            found[name] = int(value)
    return found


def alike(rows: Sequence[Mapping[str, int]]) -> list[str]:
    """The names that all configurations have.

    Raises:
        AutotuneError: if there is no configuration, or one has other names than the first
    """
    if not rows:
        raise AutotuneError("the list has no configurations")
    names = list(rows[0])
    for row in rows:
        if set(row) != set(names):
            raise AutotuneError(f"configurations have different names: {names} and {list(row)}")
    return names
