"""The configurations of a Triton kernel to measure next, corrected by each measured run."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, SupportsFloat, SupportsIndex

from ..error import AutotuneError
from ..suggester import Suggester
from .answer import python, written
from .config import Config, all_values
from .gpu import gpu_of
from .launch import Launch


class ConfigSuggester:
    """A `Suggester` over a list of Triton's configurations for one launch.

        with ConfigSuggester(matmul, configs, arguments, "a100", grid=grid) as suggester:
            for config in suggester.next():
                suggester.tell(config, do_bench(lambda: matmul[grid](**arguments, **config.all_kwargs())))

    Args:
        kernel: the kernel
        configs: the configurations to choose from
        arguments: the launch's arguments by name, with constants that are not tuned
        gpu: a GPU's name or alias, or the path of a profile; else AUTOTUNE_GPU, or the one that torch reports
        grid: the grid as Triton takes it
        programs: the numbers of programs as expressions, in place of a grid
        types: types of arguments that are not tensors
        until: the expected gain below which nothing is suggested any more
        program: the program `autotune`

    Raises:
        AutotuneError: if the launch is not known, or the program is missing or refuses it
    """

    def __init__(
        self, kernel: Any, configs: Sequence[Config], arguments: Mapping[str, Any],
        gpu: str | os.PathLike[str] | None = None, *, grid: Any = None, programs: str | Sequence[str] | None = None,
        types: Mapping[str, str] | None = None, until: float = 0.01, program: str = "autotune",
    ):
        self._configs = list(configs)
        launch = Launch(kernel, self._configs, arguments, programs, grid, types or {})
        spec = launch.spec()
        self._rows = spec["configurations"]
        with written(spec) as path:
            self._suggester = Suggester(path, gpu_of(gpu, program), until=until, program=program, python=python())

    def next(self, k: SupportsIndex = 1) -> list[Config]:
        """Returns the next configurations to measure, at most `k`. The list is empty if little is to be gained."""
        return [self._configs[self._rows.index(row)] for row in self._suggester.next(k)]

    def tell(self, config: Config, time: SupportsFloat | None) -> bool:
        """Adds a run: its time in milliseconds, or None if it failed. Returns False if the run corrects nothing.

        Raises:
            AutotuneError: if the configuration is not in the list
        """
        for one, row in zip(self._configs, self._rows):
            if all_values(one) == all_values(config):
                return self._suggester.tell(row, time)
        raise AutotuneError(f"the configuration {config} is not in the list")

    def close(self) -> None:
        """Ends the child process."""
        self._suggester.close()

    def __enter__(self) -> ConfigSuggester:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
