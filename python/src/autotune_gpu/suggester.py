"""Rankings and suggestions of configurations."""

from __future__ import annotations

import csv
import math
import operator
import os
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, SupportsFloat, SupportsIndex

from .child import Child

Configuration = dict[str, int]
"""A value for each parameter of the spec."""

FilePath = str | os.PathLike[str]


class Suggester:
    """A kernel's space on a GPU that is told measured runs and suggests what to measure next.

    The space is ranked once, by a child process that ends with this object or with the program.

    Args:
        spec: the kernel's spec, a YAML file
        gpu: a GPU's name or alias, or the path of a profile
        sizes: problem sizes that differ from those of the spec
        among: the configurations to choose from, if not all of the spec
        until: the expected gain below which nothing is suggested any more: 0.01 is 1 %
        program: the program `autotune`
        python: the Python that has Triton, for kernels in Triton

    Raises:
        AutotuneError: if the program is missing, or refuses the spec or the GPU
    """

    def __init__(
        self,
        spec: FilePath,
        gpu: FilePath,
        *,
        sizes: Mapping[str, int] | None = None,
        among: Iterable[Mapping[str, int]] | None = None,
        until: float = 0.01,
        program: str = "autotune",
        python: FilePath | None = None,
    ):
        question = [os.fspath(spec), "--gpu", os.fspath(gpu), "--until", f"{until * 100:f}%"]
        for name, value in (sizes or {}).items():
            question += ["--set", f"{name}={value}"]
        if python is not None:
            question += ["--python", os.fspath(python)]
        with _listed(among) as listed:
            self._child = Child(program, question + listed)
        self._close = weakref.finalize(self, self._child.close)
        space = self._child.space
        self.parameters: list[str] = space["parameters"]
        """The names of the parameters, in the order of the spec."""
        self.unit: str = space["unit"]
        """The unit of times: `ms`, or `ticks` on a GPU without a clock."""
        self.feasible: int = space["feasible"]
        """The number of configurations that can run."""
        self.candidates: int = space["candidates"]
        """The number of configurations that may be suggested: the best predictions."""

    def next(self, k: SupportsIndex = 1) -> list[Configuration]:
        """Returns the next configurations to measure, at most `k`, the most promising first.

        The list is empty if none is expected to be faster than the best measured one by more than `until`.
        """
        return [suggestion["parameters"] for suggestion in self.report(k)["next"]]

    def report(self, k: SupportsIndex = 1) -> dict[str, Any]:
        """Returns the next configurations with times, reasons and the expected gain: an `autotune.suggest/1`."""
        return self._child.ask(request="next", count=operator.index(k))

    def tell(self, configuration: Mapping[str, SupportsIndex], time: SupportsFloat | None) -> bool:
        """Adds a run: its time, or None if it failed. Returns False if the run corrects nothing.

        Runs may be told in any order, and of configurations that were not suggested. A run corrects nothing if the spec
        or the GPU does not allow its configuration. Numbers may be those of NumPy.

        Raises:
            ValueError: if the time is not a finite number
            TypeError: if a value is not an integer, or the time not a number
        """
        parameters = {name: _integer(configuration, name) for name in configuration}
        told: bool = self._child.ask(request="tell", parameters=parameters, time=_finite(parameters, time))["told"]
        return told

    def ranked(self) -> list[dict[str, Any]]:
        """Returns the candidates in the order of their predicted times: `parameters`, and `predicted_ms` or `predicted_ticks`."""
        ranked: list[dict[str, Any]] = self._child.ask(request="ranked")["ranked"]
        return ranked

    def close(self) -> None:
        """Ends the child process."""
        self._close()

    def __enter__(self) -> Suggester:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def rank(
    spec: FilePath, gpu: FilePath, sizes: Mapping[str, int] | None = None, *, program: str = "autotune"
) -> list[dict[str, Any]]:
    """Returns a kernel's best configurations on a GPU in the order of their predicted times.

    Each has its `parameters`, and `predicted_ms` (on a GPU without a clock `predicted_ticks`). The list ends after the
    5,000 best. Arguments and errors are those of `Suggester`.
    """
    with Suggester(spec, gpu, sizes=sizes, program=program) as suggester:
        return suggester.ranked()


def _integer(configuration: Mapping[str, SupportsIndex], name: str) -> int:
    """The value of a parameter as an integer of Python."""
    try:
        return operator.index(configuration[name])
    except TypeError:
        raise TypeError(f"`{name}` is not an integer in {dict(configuration)}") from None


def _finite(configuration: Configuration, time: SupportsFloat | None) -> float | None:
    """The time of a configuration as a float of Python, None if its run failed."""
    if time is None:
        return None
    try:
        if math.isfinite(time):
            return float(time)
    except OverflowError:
        pass
    except TypeError:
        raise TypeError(f"the time of {configuration} is not a number: {time!r}") from None
    raise ValueError(f"the time of {configuration} is not finite; that of a run that failed is None")


@contextmanager
def _listed(among: Iterable[Mapping[str, int]] | None) -> Iterator[list[str]]:
    """The arguments that name a file of these configurations, which is there until the child has read it."""
    if among is None:
        yield []
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "among.csv")
        with open(path, "w", newline="", encoding="utf-8") as file:
            configurations = iter(among)
            first = next(configurations, {})
            table = csv.DictWriter(file, list(first))
            table.writeheader()
            table.writerow(first)
            table.writerows(configurations)
        yield ["--among", path]
