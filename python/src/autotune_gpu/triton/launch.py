"""A launch of a kernel in Triton, as a spec of `autotune` describes it."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..error import AutotuneError
from .config import Config, all_values, alike, integers
from .grid import programs_of
from .types import constant, type_of

# Names of launches that go to the compiler.
OPTIONS = ("num_warps", "num_stages", "maxnreg", "waves_per_eu", "matrix_instr_nonkdim", "kpack")
# Triton aligns to this many bytes, and tells the compiler so.
ALIGNMENT = 16


@dataclass
class Launch:
    """A kernel, its arguments, and the configurations that it may be launched with."""

    kernel: Any
    """A `JITFunction` of Triton, what decorators have made of it, or the function of Python."""
    configs: Sequence[Config]
    given: Mapping[str, Any]
    """Arguments by name: tensors, numbers, and constants that are not tuned."""
    programs: str | Sequence[str] | None = None
    """The numbers of programs along x, y and z: expressions of sizes and parameters."""
    grid: Any = None
    """The grid as Triton takes it, which is used if there are no `programs`."""
    types: Mapping[str, str] = field(default_factory=dict)
    """Types of arguments that are not tensors: `{"a": "*fp16"}`."""

    def spec(self) -> dict[str, Any]:
        """The spec, whose parameters are listed: one configuration for each of `rows`.

        Raises:
            AutotuneError: if something of the launch is not known
        """
        function = function_of(self.kernel)
        file = os.path.abspath(function.__code__.co_filename)
        if not os.path.isfile(file):
            raise AutotuneError(f"`{function.__name__}` is in no file: {function.__code__.co_filename}")
        rows = self.rows()
        names = alike(rows)
        launched = self._arguments(function, names)
        programs, problem = self._programs(rows, launched)
        source = {"file": file, "kernel": function.__name__, "language": "triton", **launched}
        return {
            "kernel": function.__name__, "problem": problem, "configurations": rows,
            "launch": {"programs": programs}, "source": {key: value for key, value in source.items() if value},
        }

    def rows(self) -> list[dict[str, int]]:
        """The values of each configuration, with what the kernel's heuristics make of them."""
        rules = heuristics_of(self.kernel)
        rows = []
        for config in self.configs:
            row = integers(config)
            known = {**self.given, **all_values(config)}
            for name, rule in rules.items():
                known[name] = rule(known)
                if not isinstance(known[name], int):
                    raise AutotuneError(f"the heuristic of `{name}` gives {known[name]!r}; only integers are known")
                row[name] = int(known[name])
            rows.append(row)
        return rows

    def _arguments(self, function: Any, tuned: Sequence[str]) -> dict[str, Any]:
        """The keys `types`, `unaligned`, `arguments` and `define` of a source."""
        types, unaligned, values, define = dict(self.types), [], {}, {}
        for parameter in inspect.signature(function).parameters.values():
            name, value = parameter.name, self.given.get(parameter.name, parameter.default)
            if name in tuned or value is parameter.empty:
                continue
            if "constexpr" in str(parameter.annotation):
                define[name] = constant(value)
            elif isinstance(value, bool):
                types[name], values[name] = "i1", int(value)
            elif isinstance(value, int):
                values[name] = value
            elif name not in types:
                types[name] = type_of(name, value)
            if hasattr(value, "data_ptr") and value.data_ptr() % ALIGNMENT:
                unaligned.append(name)
        define.update({name: self.given[name] for name in OPTIONS if name in self.given and name not in tuned})
        return {"types": types, "unaligned": unaligned, "arguments": values, "define": define}

    def _programs(self, rows: list[dict[str, int]], launched: Mapping[str, Any]) -> tuple[list[str], dict[str, int]]:
        """The expressions of programs, and the problem sizes that are named in them."""
        if self.programs is None:
            known = [{**self.given, **all_values(config)} for config in self.configs]
            return programs_of(self.grid, known, rows), {}
        programs = [self.programs] if isinstance(self.programs, str) else list(self.programs)
        named = {name for text in programs for name in re.findall(r"[A-Za-z_]\w*", text)}
        sizes = {name: value for name, value in launched["arguments"].items() if name in named}
        constants = {name: self.given[name] for name in launched["define"] if name in named}
        for name, value in constants.items():
            if not isinstance(value, int):
                raise AutotuneError(f"`{name}` of `programs` is {value!r}, which is not an integer")
        return programs, {**sizes, **constants}


def function_of(kernel: Any) -> Any:
    """The function of Python that decorators such as `triton.jit` have wrapped."""
    while not inspect.isfunction(kernel):
        if not hasattr(kernel, "fn"):
            raise AutotuneError(f"{kernel!r} is not a kernel of Triton")
        kernel = kernel.fn
    return kernel


def heuristics_of(kernel: Any) -> dict[str, Callable[[Mapping[str, Any]], Any]]:
    """The rules of `triton.heuristics` on a kernel, in the order in which Triton applies them."""
    rules: dict[str, Callable[[Mapping[str, Any]], Any]] = {}
    while not inspect.isfunction(kernel) and hasattr(kernel, "fn"):
        if isinstance(values := vars(kernel).get("values"), Mapping):
            rules.update(values)
        kernel = kernel.fn
    return rules


