"""What stands for Triton, its tensors, and the program `autotune` in tests that have none of them."""

from __future__ import annotations

import json
import sys
import tempfile
import types
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from autotune_gpu.triton import warning

ROOT = Path(__file__).parents[2]
MATMUL = ROOT / "examples" / "kernels" / "matmul_triton.py"

KERNEL = '''
import triton
import triton.language as tl

@triton.jit
def scale(x, n, factor, BLOCK: tl.constexpr, MODE: tl.constexpr = "up"):
    pass
'''

# Answers the spec that it gets: a time of 1000 / BLOCK + programs, and with BLOCK = 4096 no room. Each run adds a line.
PROGRAM = """#!{python}
import json, pathlib, sys
folder = pathlib.Path(__file__).parent
spec = json.loads(pathlib.Path(sys.argv[2]).read_text())
with open(folder / "runs", "a") as runs:
    runs.write(json.dumps([sys.argv[3:], spec]) + "\\n")
rows = []
for row in spec["configurations"]:
    block = row["BLOCK"]
    time = None if block in (4096, 8192) else 1000 / block + row["num_warps"]
    reason = {{4096: "local_memory: 196608 > 166912", 8192: "instruction: not known"}}.get(block)
    row = dict(reversed(row.items()))
    rows.append({{"parameters": row, "ticks": time, "microseconds": time, **({{"reason": reason}} if reason else {{}})}})
print(json.dumps({{"schema": "autotune.evaluation/1", "configurations": rows}}))
"""


class Config:
    """A `triton.Config`: values by name, and what goes to the compiler."""

    def __init__(self, kwargs: dict[str, Any], num_warps: int = 4, num_stages: int = 3, pre_hook: Any = None):
        self.kwargs, self.num_warps, self.num_stages, self.pre_hook = kwargs, num_warps, num_stages, pre_hook

    def all_kwargs(self) -> dict[str, Any]:
        return {**self.kwargs, "num_warps": self.num_warps, "num_ctas": 1, "num_stages": self.num_stages}


class Jit:
    """A kernel, which keeps what it is launched with."""

    def __init__(self, fn: Any):
        self.fn = fn
        self.launched: list[tuple[tuple[Any, ...], dict[str, Any]]] = []

    def run(self, *args: Any, grid: Any, warmup: bool, **kwargs: Any) -> None:
        self.launched.append((args, {"grid": grid, "warmup": warmup, **kwargs}))


class Heuristics:
    def __init__(self, fn: Any, values: dict[str, Any]):
        self.fn, self.values = fn, values


class Autotuner:
    """An autotuner that asks its hooks as Triton's does: by arguments and launch, without the kernel."""

    def __init__(self, fn: Any, configs: list[Any], hook: Any = None, model: Any = None):
        self.fn, self.configs, self.hook, self.model = fn, configs, hook, model

    def pruned(self, *args: Any, **kwargs: Any) -> Any:
        function = self.fn.fn.fn if isinstance(self.fn, Heuristics) else self.fn.fn
        self.nargs = dict(zip(function.__code__.co_varnames, args))
        return self.hook(self.configs, self.nargs, **kwargs)

    def times(self, *args: Any, **kwargs: Any) -> list[float]:
        nargs = dict(zip(self.fn.fn.__code__.co_varnames, args))
        return [self.model(**nargs, **kwargs, **config.all_kwargs()) for config in self.configs]


class Tensor:
    """A tensor of torch: a type and an address."""

    def __init__(self, dtype: str = "torch.float16", address: int = 256):
        self.dtype, self.address = dtype, address

    def data_ptr(self) -> int:
        return self.address


def loaded(path: Path) -> dict[str, Any]:
    """What a file with a kernel defines where `triton.jit` and `triton.Config` are stand-ins."""
    language = types.ModuleType("triton.language")
    vars(language)["constexpr"] = "constexpr"
    triton = types.ModuleType("triton")
    vars(triton).update(jit=Jit, Config=Config, autotune=lambda **_: lambda fn: fn, language=language)
    found: dict[str, Any] = {}
    with mock.patch.dict(sys.modules, {"triton": triton, "triton.language": language}):
        exec(compile(path.read_text(), str(path), "exec"), found)
    return found


class Kernels(unittest.TestCase):
    """A folder with a kernel and a program in place of `autotune`. No warning was given yet."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "scale.py").write_text(KERNEL)
        self.kernel = loaded(self.folder / "scale.py")["scale"]
        self.program = self.script(PROGRAM.format(python=sys.executable))
        warning._warned.clear()
        environment = mock.patch.dict("os.environ")
        environment.start()
        self.addCleanup(environment.stop)

    def script(self, text: str) -> str:
        path = self.folder / "program"
        path.write_text(text)
        path.chmod(0o755)
        return str(path)

    def runs(self) -> list[Any]:
        """The options and the spec of each run of the program."""
        path = self.folder / "runs"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
