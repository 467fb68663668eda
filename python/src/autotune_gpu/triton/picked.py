"""A kernel in Triton that is launched with configurations which a build has chosen, and measures nothing."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..error import AutotuneError
from .answer import times_of
from .cache import Sizes, read, sizes_key, write
from .config import Config, all_values
from .launch import Launch, function_of
from .warning import warn_once


class Picked:
    """A kernel with a chosen configuration for each of its sizes: `kernel[grid](*arguments)` launches it.

    `build()` chooses. A launch reads the cache once and needs neither `autotune` nor its time.
    """

    def __init__(
        self, fn: Any, gpu: str, configs: Sequence[Config], sizes: list[dict[str, int]], cache: str,
        programs: str | Sequence[str], types: Mapping[str, str], arguments: Mapping[str, Any],
    ):
        self.fn, self.gpu, self.configs, self.cache = fn, gpu, list(configs), cache
        self.sizes = sizes
        self.programs, self.types, self.arguments = programs, dict(types), dict(arguments)
        self.__name__ = function_of(fn).__name__
        self._names = sorted(self.sizes[0])
        self._places: dict[Sizes, int] | None = None
        """The places in `configs` of chosen configurations, None before the cache is read."""

    def build(self, *, program: str = "autotune", seconds: float = 300.0) -> dict[Sizes, dict[str, Any]]:
        """Chooses the configuration of least predicted time for each of the sizes, writes the cache and returns it.

        No GPU is needed. Sizes in which the same hints hold, such as multiples of 16, are compiled once.

        Raises:
            AutotuneError: if `autotune` does not answer, or no configuration is known to run; the cache stays as it was
            OSError: if the cache cannot be written
        """
        chosen: list[dict[str, Any]] = []
        for sizes in self.sizes:
            given = {**sizes, **{name: _value(value, sizes) for name, value in self.arguments.items()}}
            launch = Launch(self.fn, self.configs, given, self.programs, types=self.types)
            times = times_of(launch, self.gpu, program=program, seconds=seconds)
            time, place = min((math.inf if time is None else time, place) for place, time in enumerate(times))
            if math.isinf(time):
                raise AutotuneError(f"no configuration of `{self.__name__}` is known to run on {self.gpu} for {sizes}")
            best = {"configuration": all_values(self.configs[place]), "microseconds": time}
            chosen.append({"gpu": self.gpu, "sizes": sizes, **best})
        write(self.cache, self.__name__, chosen)
        self._places = None
        return {sizes_key(one["sizes"]): one["configuration"] for one in chosen}

    def chosen(self, sizes: Mapping[str, int]) -> Config:
        """The configuration for sizes: the cache's, or with one warning the first of the list."""
        try:
            if self._places is None:
                self._places = self._read()
            place = self._places.get(sizes_key({name: sizes[name] for name in self._names}))
            if place is None:
                raise AutotuneError(f"the cache `{self.cache}` has no sizes {dict(sizes)}")
            return self.configs[place]
        except Exception as error:
            if self._places is None:
                self._places = {}
            warn_once(self.__name__, f"launched with the first of its configurations: {error}")
            return self.configs[0]

    def __getitem__(self, grid: Any) -> Callable[..., Any]:
        def launch(*args: Any, **kwargs: Any) -> Any:
            return self.run(*args, grid=grid, warmup=False, **kwargs)

        return launch

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """Launches the kernel as Triton's own `run` does, with its grid among the named arguments."""
        given = {**dict(zip(self._parameters(), args)), **kwargs}
        config = self.chosen({name: given[name] for name in self._names if name in given})
        values = {name: value for name, value in all_values(config).items() if name not in kwargs}
        if hook := getattr(config, "pre_hook", None):
            hook({**{name: value for name, value in given.items() if name not in ("grid", "warmup")}, **values})
        return self.fn.run(*args, **kwargs, **values)

    def __getattr__(self, name: str) -> Any:
        # What a kernel has besides, such as `warmup` or `arg_names`; `fn` is missing only in an unfinished object.
        if name == "fn":
            raise AttributeError(name)
        return getattr(self.fn, name)

    def _parameters(self) -> list[str]:
        code = function_of(self.fn).__code__
        return list(code.co_varnames[: code.co_argcount])

    def _read(self) -> dict[Sizes, int]:
        """The place of each chosen configuration that is still in the list."""
        values = [all_values(config) for config in self.configs]
        chosen = read(self.cache, self.__name__, self.gpu)
        return {sizes: values.index(one) for sizes, one in chosen.items() if one in values}


def pick(
    *, gpu: str | os.PathLike[str], configs: Sequence[Config], sizes: Iterable[Mapping[str, int]],
    programs: str | Sequence[str], cache: str | os.PathLike[str], types: Mapping[str, str] | None = None,
    arguments: Mapping[str, Any] | None = None,
) -> Callable[[Any], Picked]:
    """Decorates a kernel so that a build chooses its configurations and a launch takes them from a file.

        @pick(gpu="a100", configs=[...], sizes=[{"M": 4096, "N": 4096}], cache="scale.json", types={"x": "*fp16"},
              programs="ceil_div(M, BM) * ceil_div(N, BN)", arguments={"row_x": "N"})
        @triton.jit
        def scale(x, M, N, row_x, BM: tl.constexpr, BN: tl.constexpr): ...

    A launch whose sizes are not in the cache has the first configuration, with one warning.

    Args:
        gpu: a GPU's name or alias, or the path of a profile
        configs: the configurations to choose from, as `triton.Config` or dictionaries
        sizes: values of arguments; a launch with exactly these takes what was chosen for them
        programs: the numbers of programs along x, y and z: expressions of sizes and parameters
        cache: the file of chosen configurations
        types: types of arguments that are tensors
        arguments: values of other arguments and constants: numbers, or names of sizes

    Raises:
        ValueError: if there are no configurations or sizes, or sizes have different names
    """
    listed = [dict(one) for one in sizes]
    if not configs or not listed:
        raise ValueError("`configs` or `sizes` is empty")
    if any(set(one) != set(listed[0]) for one in listed):
        raise ValueError(f"`sizes` have different names: {listed}")

    def decorate(fn: Any) -> Picked:
        return Picked(fn, os.fspath(gpu), configs, listed, os.fspath(cache), programs, types or {}, arguments or {})

    return decorate


def _value(value: Any, sizes: Mapping[str, int]) -> Any:
    """The value of an argument, which may be named by a size."""
    return sizes.get(value, value) if isinstance(value, str) else value
