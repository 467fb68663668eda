"""Kernels that are launched with what a build has chosen: a build has a program, and a deployment the cache alone."""

import json
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

from triton_stand_ins import Config, Kernels, Tensor

from autotune_gpu import AutotuneError
from autotune_gpu.triton import Picked, pick

CONFIGS: list[Any] = [Config({"BLOCK": 64}), Config({"BLOCK": 1024}, num_warps=8), {"BLOCK": 512, "num_warps": 2}]


class Picking(Kernels):
    def picked(self, configs: list[Any] = CONFIGS, **more: Any) -> Picked:
        question: dict[str, Any] = {
            "gpu": "a100", "sizes": [{"n": 4096}, {"n": 100}], "programs": "ceil_div(n, BLOCK)", "types": {"x": "*fp32"},
            "cache": self.folder / "scale.json", "arguments": {"factor": 2.0, "MODE": "up"}, "configs": configs,
        }
        return pick(**{**question, **more})(self.kernel)

    def launched(self) -> Any:
        return self.kernel.launched[-1]

    def test_a_build_chooses_and_a_launch_takes_it(self) -> None:
        self.picked().build(program=self.program)
        [_, spec] = self.runs()[0]
        self.assertEqual((spec["problem"], spec["launch"]), ({"n": 4096}, {"programs": ["ceil_div(n, BLOCK)"]}))
        self.assertEqual(spec["source"]["types"], {"x": "*fp32", "factor": "fp32"})
        self.assertEqual(spec["source"]["define"], {"MODE": "'up'"})
        kernel, x = self.picked(), Tensor()
        # 1000 / 512 + 2 is the least of the program's times.
        with self.assertNoLogs("autotune_gpu"):
            kernel[(3,)](x, 4096, 2.0)
        values = {"BLOCK": 512, "num_warps": 2, "num_stages": 3}
        self.assertEqual(self.launched(), ((x, 4096, 2.0), {"grid": (3,), "warmup": False, **values}))
        kernel[(3,)](x, factor=2.0, n=100, num_warps=1)
        expected = {"grid": (3,), "warmup": False, "factor": 2.0, "n": 100, **values, "num_warps": 1}
        self.assertEqual(self.launched(), ((x,), expected))
        self.assertEqual(len(self.runs()), 2)

    def test_sizes_have_their_own_configurations(self) -> None:
        document = {"schema": "autotune.triton-configurations/1", "kernel": "scale", "chosen": [
            {"gpu": "a100", "sizes": {"n": 7}, "configuration": {"BLOCK": 1024, "num_warps": 8, "num_ctas": 1, "num_stages": 3}},
            {"gpu": "h100", "sizes": {"n": 8}, "configuration": {"BLOCK": 512, "num_warps": 2, "num_stages": 3}},
            {"gpu": "a100", "sizes": {"n": 9}, "configuration": {"BLOCK": 32, "num_warps": 2, "num_stages": 3}},
        ]}
        (self.folder / "scale.json").write_text(json.dumps(document))
        kernel = self.picked()
        kernel[(1,)](Tensor(), 7, 1.0)
        self.assertEqual(self.launched()[1]["BLOCK"], 1024)
        # Another GPU's choice, one that is not in the list any more, and sizes that were not listed: one warning for all.
        with self.assertLogs("autotune_gpu") as logged:
            for n in [8, 9, 10]:
                kernel[(1,)](Tensor(), n, 1.0)
                self.assertEqual(self.launched()[1]["BLOCK"], 64)
        self.assertEqual(len(logged.output), 1)
        self.assertIn("no sizes {'n': 8}", logged.output[0])

    def test_without_a_cache_the_first_configuration_is_launched(self) -> None:
        cache = self.folder / "scale.json"
        for text in [None, "", "[]", "{}", '{"schema": "other/1", "kernel": "scale"}', '{"schema": 1, "kernel": 2, "chosen": 3}']:
            self.setUp()
            cache = self.folder / "scale.json"
            if text is not None:
                cache.write_text(text)
            with self.subTest(text), self.assertLogs("autotune_gpu") as logged:
                kernel = self.picked()
                for _ in range(2):
                    kernel[(1,)](Tensor(), 4096, 1.0)
                    self.assertEqual(self.launched()[1]["BLOCK"], 64)
            self.assertEqual(len(logged.output), 1)

    def test_a_build_that_fails_says_so_and_leaves_the_cache(self) -> None:
        cache = self.folder / "scale.json"
        self.picked().build(program=self.program)
        before = cache.read_text()
        with self.assertRaisesRegex(AutotuneError, "no-such-program"):
            self.picked(gpu="h100").build(program="no-such-program")
        with self.assertRaisesRegex(AutotuneError, "no configuration of `scale` is known to run on a100"):
            self.picked([Config({"BLOCK": 4096})]).build(program=self.program)
        self.assertEqual(cache.read_text(), before)
        self.assertEqual(sorted(path.name for path in self.folder.glob("*.json")), ["scale.json"])
        self.assertEqual(list(self.folder.glob(".autotune-*")), [])
        with self.assertRaisesRegex(ValueError, "empty"):
            self.picked([])
        with self.assertRaisesRegex(ValueError, "different names"):
            self.picked(sizes=[{"n": 1}, {"m": 1}])

    def test_the_hook_of_a_configuration_is_called(self) -> None:
        seen: list[dict[str, Any]] = []
        kernel = self.picked([Config({"BLOCK": 64}, pre_hook=seen.append)])
        kernel.build(program=self.program)
        kernel[(1,)]("x", 100, 1.0)
        values = {"BLOCK": 64, "num_warps": 4, "num_ctas": 1, "num_stages": 3}
        self.assertEqual(seen, [{"x": "x", "n": 100, "factor": 1.0, **values}])

    def test_a_deployment_has_neither_triton_nor_the_program(self) -> None:
        self.picked().build(program=self.program)
        script = (
            "import os, sys\nos.environ['PATH'] = ''\nfrom autotune_gpu.triton import pick\n"
            "class Kernel:\n    def __init__(self, fn): self.fn = fn\n    def run(self, *args, **kwargs): print((args, sorted(kwargs.items())))\n"
            "def scale(x, n, factor, BLOCK): pass\n"
            f"made = pick(gpu='a100', cache={str(self.folder / 'scale.json')!r}, sizes=[{{'n': 4096}}], programs='1',\n"
            "            configs=[{'BLOCK': 64}, {'BLOCK': 512, 'num_warps': 2}])(Kernel(scale))\n"
            "made[(8,)](1, 4096, 1.0)\nassert 'triton' not in sys.modules and 'torch' not in sys.modules\n"
        )
        command = [sys.executable, "-c", script]
        ended = subprocess.run(command, capture_output=True, text=True, cwd=Path("/"))
        self.assertEqual(ended.stderr, "")
        self.assertEqual(ended.stdout, "((1, 4096, 1.0), [('BLOCK', 512), ('grid', (8,)), ('num_stages', 3), ('num_warps', 2), ('warmup', False)])\n")


if __name__ == "__main__":
    unittest.main()
