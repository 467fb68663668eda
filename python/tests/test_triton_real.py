"""The real program: with Triton's recorded answers, and with Triton where it is installed."""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from triton_stand_ins import MATMUL, ROOT, Autotuner, Config, Tensor, loaded

from autotune_gpu.program import found
from autotune_gpu.triton import ConfigSuggester, model, pick, prune

RECORDED = ROOT / "tests" / "data" / "triton" / "python"
N = 1024
# Two that can run on an A100, and one whose tiles have no room.
TILES = [(256, 128, 128, 8, 3), (64, 32, 32, 2, 5), (128, 128, 32, 4, 4)]


def tiles(config: Any) -> list[Any]:
    """The tiles of a product, as Triton's grid is a function of a configuration."""
    return [-(-config["M"] // config["BM"]) * -(-config["N"] // config["BN"])]


def arguments() -> dict[str, Any]:
    return {"a": Tensor(), "b": Tensor(), "c": Tensor(), **dict.fromkeys(["M", "N", "K", "row_a", "row_b", "row_c"], N)}


class Recorded(unittest.TestCase):
    """The program with what Triton has answered."""

    folder: str

    @classmethod
    def setUpClass(cls) -> None:
        # One cache of compilations for all tests.
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name

    def setUp(self) -> None:
        environment = {"AUTOTUNE_PYTHON": str(RECORDED), "XDG_CACHE_HOME": self.folder}
        change = mock.patch.dict(os.environ, environment)
        change.start()
        self.addCleanup(change.stop)
        self.kernel = loaded(MATMUL)["matmul"]
        self.configs = [
            Config({"BM": m, "BN": n, "BK": k}, num_warps=warps, num_stages=stages) for m, n, k, warps, stages in TILES
        ]

    def test_what_has_no_room_is_left_out(self) -> None:
        tuner = Autotuner(self.kernel, self.configs, prune("a100"), model("a100"))
        launch = {"GROUP_M": 8, "grid": tiles, "warmup": False}
        with self.assertNoLogs("autotune_gpu"):
            left = tuner.pruned(*arguments().values(), **launch)
            times = tuner.times(*arguments().values(), **launch)
            tuner.model = model("a100", programs="ceil_div(M, BM) * ceil_div(N, BN)")
            self.assertEqual(tuner.times(*arguments().values(), **launch), times)
        self.assertEqual(left, [self.configs[2], self.configs[1]])
        self.assertEqual(times[0], float("inf"))
        self.assertLess(0, times[2])
        self.assertLess(times[2], times[1])

    def test_suggestions_are_configurations_of_the_list(self) -> None:
        given = {**arguments(), "GROUP_M": 8}
        with ConfigSuggester(self.kernel, self.configs, given, "a100", grid=tiles, until=0.0) as suggester:
            self.assertEqual(suggester.next(1), [self.configs[2]])
            self.assertTrue(suggester.tell(self.configs[2], 0.2))
            self.assertEqual(suggester.next(9), [self.configs[1]])
            self.assertTrue(suggester.tell(self.configs[1], None))
            self.assertEqual(suggester.next(9), [])

    def test_a_build_chooses_for_each_of_its_sizes(self) -> None:
        cache = Path(self.folder) / "matmul.json"
        rows = {name: "M" for name in ["N", "K", "row_a", "row_b", "row_c"]}
        kernel = pick(
            gpu="a100", configs=self.configs, sizes=[{"M": N}], programs="ceil_div(M, BM) * ceil_div(N, BN)", cache=cache,
            types={"a": "*fp16", "b": "*fp16", "c": "*fp16"}, arguments={**rows, "GROUP_M": 8},
        )(self.kernel)
        kernel.build()
        with self.assertNoLogs("autotune_gpu"):
            kernel[(64,)](*arguments().values(), GROUP_M=8)
        [(_, launched)] = self.kernel.launched
        self.assertEqual(launched["BM"], 128)


@unittest.skipUnless(importlib.util.find_spec("triton") and shutil.which(found()), "Triton is not installed")
class Installed(unittest.TestCase):
    """Triton's own autotuner with the program. No GPU, driver or torch is there."""

    def test_the_autotuner_measures_what_the_hooks_leave(self) -> None:
        # Triton 3.1 imports torch to see whether graphs can be used.
        torch = types.ModuleType("torch")
        vars(torch).update(cuda=mock.Mock(), dtype=type("dtype", (), {}))
        with mock.patch.dict(sys.modules, {"torch": torch}), mock.patch.dict(os.environ):
            os.environ.pop("AUTOTUNE_PYTHON", None)
            triton: Any = importlib.import_module("triton")
            spec = importlib.util.spec_from_file_location("matmul_triton", MATMUL)
            assert spec is not None and spec.loader is not None
            module: Any = importlib.util.module_from_spec(spec)
            with mock.patch.dict(sys.modules, {"matmul_triton": module}):
                spec.loader.exec_module(module)
                configs = [
                    triton.Config({"BM": m, "BN": n, "BK": k}, num_warps=warps, num_stages=stages)
                    for m, n, k, warps, stages in TILES
                ]
                hooks = {"early_config_prune": prune("a100", keep=2), "perf_model": model("a100"), "top_k": 1}
                tuner = triton.autotune(configs=configs, key=["M"], prune_configs_by=hooks)(module.matmul.fn)
                measured: list[Any] = []

                def bench(*_: Any, config: Any, **__: Any) -> list[float]:
                    measured.append(config)
                    return [1.0] * 3

                unlaunched = mock.Mock(fn=module.matmul.fn.fn)
                with mock.patch.object(tuner, "fn", unlaunched), mock.patch.object(type(tuner), "_bench", bench):
                    with self.assertNoLogs("autotune_gpu"):
                        tuner[tiles](*arguments().values(), GROUP_M=8)
        self.assertIs(tuner.best_config, configs[2])
        self.assertEqual(unlaunched.run.call_args.kwargs["BM"], 128)
        # Triton 3.9 does not measure the only one that is left.
        self.assertLessEqual(set(map(id, measured)), {id(configs[2])})


if __name__ == "__main__":
    unittest.main()
