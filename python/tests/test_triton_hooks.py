"""The hooks of Triton's autotuner, with stand-ins for Triton and the program."""

import math
import os
import sys
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from triton_stand_ins import Autotuner, Config, Heuristics, Jit, Kernels, Tensor

from autotune_gpu.triton import early_config_prune, model, prune, warning
from autotune_gpu.triton.gpu import gpu_of, profile_of

BLOCKS = [64, 4096, 128, 1024, 256]


def grid(meta: Any) -> tuple[int]:
    return (-(-meta["n"] // meta["BLOCK"]),)


class Pruning(Kernels):
    def setUp(self) -> None:
        super().setUp()
        self.configs = [Config({"BLOCK": block}) for block in BLOCKS]

    def pruned(self, hook: Any, *args: Any, kernel: Any = None, **kwargs: Any) -> Any:
        launch = {"grid": grid, "warmup": False, **kwargs}
        return Autotuner(kernel or self.kernel, self.configs, hook).pruned(*(args or (Tensor(), 5000, 0.5)), **launch)

    def test_what_can_run_comes_back_the_fastest_first(self) -> None:
        left = self.pruned(prune("a100", program=self.program))
        self.assertEqual([config.kwargs["BLOCK"] for config in left], [1024, 256, 128, 64])
        self.assertTrue(all(config in self.configs for config in left))
        for keep, expected in [(2, [1024, 256]), (0.4, [1024, 256]), (0.01, [1024]), (1.0, [1024, 256, 128, 64])]:
            left = self.pruned(prune("a100", keep=keep, program=self.program))
            self.assertEqual([config.kwargs["BLOCK"] for config in left], expected)
        # One question, one run.
        self.assertEqual(len(self.runs()), 1)

    def test_the_question_is_the_launch(self) -> None:
        self.pruned(prune("a100", program=self.program), Tensor("torch.bfloat16", 8), 5000, 0.5, MODE="down")
        [[options, spec]] = self.runs()
        self.assertEqual(options, ["--gpu", "a100", "--format", "json"])
        self.assertEqual(spec["source"], {
            "file": str(self.folder / "scale.py"), "kernel": "scale", "language": "triton", "unaligned": ["x"],
            "types": {"x": "*bf16", "factor": "fp32"}, "arguments": {"n": 5000}, "define": {"MODE": "'down'"},
        })
        rows = [{"BLOCK": block, "num_warps": 4, "num_stages": 3} for block in BLOCKS]
        self.assertEqual(spec["configurations"], rows)
        [programs] = spec["launch"]["programs"]
        for block in BLOCKS:
            self.assertEqual(chosen(programs, {"BLOCK": block}), -(-5000 // block))

    def test_programs_replace_the_grid(self) -> None:
        self.pruned(prune("a100", program=self.program, programs="ceil_div(n, BLOCK)"))
        [[_, spec]] = self.runs()
        self.assertEqual((spec["launch"]["programs"], spec["problem"]), (["ceil_div(n, BLOCK)"], {"n": 5000}))

    def test_heuristics_are_applied_to_each_configuration(self) -> None:
        kernel = Heuristics(self.kernel, {"MODE": lambda meta: meta["n"] % meta["BLOCK"] == 0})
        self.pruned(prune("a100", program=self.program), Tensor(), 4096, 0.5, kernel=kernel)
        [[_, spec]] = self.runs()
        self.assertEqual([row["MODE"] for row in spec["configurations"]], [1] * 5)

    def test_what_is_not_known_stays(self) -> None:
        self.configs.insert(0, Config({"BLOCK": 8192}))
        left = self.pruned(prune("a100", keep=1, program=self.program))
        self.assertEqual([config.kwargs["BLOCK"] for config in left], [1024, 8192])

    def test_another_file_is_another_question(self) -> None:
        self.pruned(prune("a100", program=self.program))
        path = self.folder / "scale.py"
        path.write_text(path.read_text() + "\n")
        os.utime(path, (1, 1))
        self.pruned(prune("a100", program=self.program))
        self.assertEqual(len(self.runs()), 2)

    def unchanged(self, words: str, hook: Any, *args: Any, **launch: Any) -> None:
        """Twice, the list comes back as it was, and once there is a warning with these words."""
        warning._warned.clear()
        with self.subTest(words), self.assertLogs("autotune_gpu", "WARNING") as logged:
            before = list(self.configs)
            for _ in range(2):
                self.assertIs(self.pruned(hook, *args, **launch), self.configs)
            self.assertEqual(self.configs, before)
        self.assertEqual(len(logged.output), 1, logged.output)
        self.assertRegex(logged.output[0], words)

    def test_a_program_that_fails_leaves_the_list_as_it_was(self) -> None:
        self.unchanged("is not on the path", prune("a100", program="no-such-program"))
        self.unchanged("cannot be started", prune("a100", program=str(self.folder)))
        for words, text in [
            ("with status 3", "exit 3"), ("no GPU is called `a101`", "echo 'error: no GPU is called `a101`' >&2; exit 2"),
            ("something else: hello", "echo hello"), ("something else", "true"),
            ("something else", "echo []"), ("something else", """echo '{"schema": "autotune.result/2"}'"""),
            ("something else", """echo '{"schema": "autotune.evaluation/1", "configurations": [{"parameters": 3}]}'"""),
            ("something else", """echo '{"schema": "autotune.evaluation/1", "configurations": null}'"""),
            ("no configuration is known", """echo '{"schema": "autotune.evaluation/1", "configurations": []}'"""),
        ]:
            program = self.script(f"#!/bin/sh\n{text}\n")
            # Another GPU is another question: what was answered is kept.
            self.unchanged(words, prune(f"gpu {text}", program=program))
        program = self.script("#!/bin/sh\nexec sleep 20\n")
        self.unchanged("did not answer in 0.2 s", prune("a100", program=program, seconds=0.2))

    def test_a_launch_that_is_not_known_leaves_the_list_as_it_was(self) -> None:
        hook = prune("a100", program=self.program)
        self.unchanged("the grid of the launch is not known", hook, grid=None)
        self.unchanged("not made of numbers", hook, grid="all")
        self.unchanged("division", hook, grid=lambda meta: (1 // 0,))
        self.unchanged("argument `x` is object", hook, object(), 5000, 0.5)
        self.unchanged("elements of `torch.complex64`", hook, Tensor("torch.complex64"), 5000, 0.5)
        self.unchanged("cannot be said", hook, MODE=object())
        self.unchanged("in no file", hook, kernel=Jit(eval("lambda x, n, factor, BLOCK: 0")))
        self.unchanged("not a kernel", prune("a100", program=self.program, kernel=3))
        self.configs[1].kwargs["BLOCK"] = "wide"
        self.unchanged("only integers are known", hook)
        self.configs[1].kwargs = {"OTHER": 1}
        self.unchanged("different names", hook)
        self.assertEqual(self.runs(), [])
        with self.assertLogs("autotune_gpu") as logged:
            self.assertIs(hook(self.configs, {}), self.configs)
        self.assertIn("no autotuner of Triton calls", logged.output[0])

    def test_nothing_is_left_out_if_nothing_can_run(self) -> None:
        self.configs = [Config({"BLOCK": 4096})]
        self.unchanged("no configuration is known to run", prune("a100", program=self.program))

    def test_the_gpu_is_named_or_found(self) -> None:
        os.environ.pop("AUTOTUNE_GPU", None)
        with mock.patch.dict(sys.modules):
            sys.modules.pop("torch", None)
            self.unchanged("no GPU is named", early_config_prune)
        os.environ["AUTOTUNE_GPU"] = "h100"
        self.pruned(prune(program=self.program))
        self.assertEqual(self.runs()[0][0][:2], ["--gpu", "h100"])


class Modelling(Kernels):
    def test_times_are_those_of_one_run(self) -> None:
        configs = [Config({"BLOCK": block}) for block in [4096, 64, 8192, 1000]]
        tuner = Autotuner(self.kernel, configs, model=model("a100", program=self.program))
        for _ in range(2):
            # What cannot run comes last, and what is not known first.
            times = tuner.times(Tensor(), 4096, 0.5, grid=grid, warmup=False)
            self.assertEqual(times, [math.inf, 1000 / 64 + 4, 0.0, 5.0])
        self.assertEqual(len(self.runs()), 1)

    def test_hooks_of_one_launch_ask_once(self) -> None:
        configs = [Config({"BLOCK": block}) for block in BLOCKS]
        hook, times = prune("a100", program=self.program), model("a100", program=self.program)
        tuner = Autotuner(self.kernel, configs, hook, times)
        tuner.pruned(Tensor(), 4096, 0.5, grid=grid, warmup=False)
        self.assertEqual(min(tuner.times(Tensor(), 4096, 0.5, grid=grid, warmup=False)), 1000 / 1024 + 4)
        self.assertEqual(len(self.runs()), 1)

    def test_without_an_answer_all_times_are_equal(self) -> None:
        tuner = Autotuner(self.kernel, [Config({"BLOCK": 1}), Config({"BLOCK": 2})], model=model("a100", program="none"))
        with self.assertLogs("autotune_gpu") as logged:
            self.assertEqual(tuner.times(Tensor(), 4096, 0.5, grid=grid), [0.0, 0.0])
        self.assertEqual(len(logged.output), 1)


class Reported(unittest.TestCase):
    def test_a_reported_name_is_that_of_one_model(self) -> None:
        names = {
            "a10": ["a10-pcie"], "a100-40gb": ["a100"], "a100-80gb": [], "h100-sxm": ["h100"], "h100-pcie": [],
            "rtx4070": [], "rtx4070ti": [], "rtx4070ti-super": [], "rtx3060-laptop": [], "rtx3060": [], "titan-rtx": [],
            "rtx-a6000": ["a6000", "rtxa6000"], "t4": [], "mi300x": [], "rtx3090": [], "gtx480": ["fermi"],
        }
        profiles = [{"name": name, "aliases": aliases} for name, aliases in names.items()]
        for reported, expected in {
            "NVIDIA A100-SXM4-40GB": "a100-40gb", "NVIDIA A100-SXM4-80GB": "a100-80gb", "NVIDIA A100-PCIE-40GB": "a100-40gb",
            "NVIDIA H100 80GB HBM3": "h100-sxm", "NVIDIA H100 PCIe": "h100-pcie", "NVIDIA H100 NVL": None,
            "NVIDIA GeForce RTX 4070": "rtx4070", "NVIDIA GeForce RTX 4070 Ti": "rtx4070ti", "NVIDIA A10": "a10",
            "NVIDIA GeForce RTX 4070 Ti SUPER": "rtx4070ti-super", "NVIDIA GeForce RTX 4070 SUPER": None,
            "NVIDIA GeForce RTX 3060 Laptop GPU": "rtx3060-laptop", "NVIDIA GeForce RTX 4070 Laptop GPU": None,
            "NVIDIA TITAN RTX": "titan-rtx", "NVIDIA RTX A6000": "rtx-a6000", "Tesla T4": "t4", "NVIDIA A10G": None,
            "AMD Instinct MI300X": "mi300x", "NVIDIA GeForce RTX 3090 Ti": None, "": None,
        }.items():
            self.assertEqual(profile_of(reported, profiles), expected, reported)

    def test_torch_is_asked_and_the_program_lists(self) -> None:
        torch = mock.Mock()
        torch.cuda.get_device_name.return_value = "NVIDIA GeForce RTX 4090"
        with mock.patch.dict(sys.modules, {"torch": torch}), mock.patch.dict("os.environ"):
            os.environ.pop("AUTOTUNE_GPU", None)
            self.assertEqual(gpu_of(None, "autotune"), "rtx4090")
            self.assertEqual(gpu_of(Path("mine.yaml"), "autotune"), "mine.yaml")


def chosen(text: str, row: dict[str, int]) -> int:
    """The value of a choice `(BLOCK == 64 ? 3 : 4)`, whose first alternatives are numbers."""
    while "?" in text:
        condition, rest = text.removeprefix("(").removesuffix(")").split(" ? ", 1)
        first, rest = rest.split(" : ", 1)
        name, value = condition.split(" == ")
        text = first if row[name] == int(value) else rest
    return int(text)


if __name__ == "__main__":
    unittest.main()
