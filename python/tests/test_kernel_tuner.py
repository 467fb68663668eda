"""The strategy, with the real Kernel Tuner in simulation mode."""

import json
import subprocess
import tempfile
import unittest
import warnings
from pathlib import Path
from typing import Any

import kernel_tuner

from autotune_gpu import rank
from autotune_gpu.kernel_tuner import Corrected
from autotune_gpu.program import found

SPEC = Path(__file__).parents[2] / "tuning-specs" / "transpose.yaml"


class Simulated(unittest.TestCase):
    """Kernel Tuner on the times that the machine predicts."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.cache = self.folder / "transpose.json"
        self.export("kernel-tuner", self.cache)
        start = self.folder / "start.json"
        self.export("restrictions", start)
        self.start = json.loads(start.read_text())

    def export(self, form: str, path: Path) -> None:
        with path.open("w") as file:
            subprocess.run([found(), SPEC, "--gpu", "fermi", "--format", form], check=True, stdout=file)

    def tune(
        self, strategy: Corrected, params: dict[str, Any] | None = None, more: Any = None, **options: Any
    ) -> list[dict[str, Any]]:
        """The results, in order."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results, _ = kernel_tuner.tune_kernel(
                "transpose", "__kernel void unused() {}", 4096, [], params or self.start["tune_params"], lang="OpenCL",
                cache=str(self.cache), simulation_mode=True, quiet=True, strategy=strategy,
                strategy_options=options, **(more or {}),
            )
        return list(results)

    def tried(self, results: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
        return [tuple(result[name] for name in self.start["tune_params"]) for result in results]

    def change(self, change: Any) -> None:
        cache = json.loads(self.cache.read_text())
        change(cache)
        self.cache.write_text(json.dumps(cache))

    def assert_fastest(self, values: tuple[Any, ...]) -> None:
        """One of the configurations with the least predicted time."""
        ranked = rank(SPEC, "fermi")
        times = {tuple(one["parameters"].values()): one["predicted_ms"] for one in ranked}
        self.assertEqual(times[values], ranked[0]["predicted_ms"])

    def test_the_best_prediction_is_tried_first_and_the_limit_holds(self) -> None:
        results = self.tune(Corrected(SPEC, "fermi"), max_fevals=7)
        self.assertEqual(len(results), 7)
        self.assert_fastest(self.tried(results)[0])

    def test_runs_correct_what_is_tried(self) -> None:
        first = self.tried(self.tune(Corrected(SPEC, "fermi"), max_fevals=20))

        def slow_or_failed(cache: dict[str, Any]) -> None:
            for entry in cache["cache"].values():
                if entry["PAD"] == 1 and "__error__" not in entry:
                    entry["time"] *= 10
                if entry["PAD"] == 1 and entry["TS"] == 32:
                    entry.update(time="RuntimeFailedConfig", __error__="RuntimeFailedConfig")

        self.change(slow_or_failed)
        corrected = self.tried(self.tune(Corrected(SPEC, "fermi"), max_fevals=20))
        self.assertEqual(corrected[0], first[0])
        padded = [sum(values[2] for values in tried) for tried in (first, corrected)]
        self.assertLess(padded[1], padded[0])

    def test_the_objective_corrects_what_is_tried(self) -> None:
        by_time = self.tried(self.tune(Corrected(SPEC, "fermi"), max_fevals=20))
        rate = {"metrics": {"rate": lambda one: 1e6 / one["time"]}, "objective": "rate", "objective_higher_is_better": True}
        self.assertEqual(self.tried(self.tune(Corrected(SPEC, "fermi"), more=rate, max_fevals=20)), by_time)
        padded: dict[str, Any] = {"metrics": {"cost": lambda one: one["time"] * (1 + 9 * one["PAD"])}}
        padded.update(objective="cost", objective_higher_is_better=False)
        by_cost = self.tried(self.tune(Corrected(SPEC, "fermi"), more=padded, max_fevals=20))
        self.assertLess(sum(values[2] for values in by_cost), sum(values[2] for values in by_time))
        both = {"objectives": {"time": False, "ticks": False}}
        self.assertEqual(self.tried(self.tune(Corrected(SPEC, "fermi"), more=both, max_fevals=20)), by_time)

    def test_without_a_limit_everything_is_tried_once_and_what_cannot_run_comes_last(self) -> None:
        results = self.tune(Corrected(SPEC, "fermi"))
        self.assertEqual(len(set(self.tried(results))), self.start["all"])
        self.assertEqual(len(results), self.start["all"])
        ran = ["__error__" not in result for result in results]
        self.assertEqual(ran, [True] * self.start["feasible"] + [False] * (self.start["all"] - self.start["feasible"]))

    def test_the_time_limit_holds(self) -> None:
        def slow(cache: dict[str, Any]) -> None:
            for entry in cache["cache"].values():
                entry.update(compile_time=0.0, verification_time=0.0, benchmark_time=1e6)

        self.change(slow)
        # A run takes 1,000 seconds.
        self.assertEqual(len(self.tune(Corrected(SPEC, "fermi"), time_limit=2500)), 3)

    def test_truth_values_and_fixed_parameters_are_understood(self) -> None:
        params = {**self.start["tune_params"], "PAD": [False, True], "type": ["float"], "elements": [1]}

        def renamed(cache: dict[str, Any]) -> None:
            cache["tune_params_keys"] = list(params)
            entries = list(cache["cache"].values())
            for entry in entries:
                entry.update(PAD=bool(entry["PAD"]), type="float", elements=1)
            cache["cache"] = {",".join(str(entry[name]) for name in params): entry for entry in entries}

        self.change(renamed)
        with self.assertNoLogs("autotune_gpu"):
            [result] = self.tune(Corrected(SPEC, "fermi"), params, max_fevals=1)
        self.assertEqual((result["type"], type(result["PAD"])), ("float", bool))
        self.assert_fastest(self.tried([result])[0])

    def test_a_tuning_run_goes_on_without_suggestions(self) -> None:
        ends_early = self.folder / "program"
        space = {"schema": "autotune.serve/1", "parameters": ["TS", "ROWS", "PAD"], "unit": "ms", "feasible": 1, "candidates": 1}
        suggestion = {"next": [{"parameters": {"TS": 8, "ROWS": 2, "PAD": 1}}]}
        answers = [f"echo '{json.dumps(answer)}'" for answer in (space, suggestion)]
        ends_early.write_text("\n".join(["#!/bin/sh", answers[0], "read line", answers[1], "exit 1", ""]))
        ends_early.chmod(0o755)
        for strategy, why in [
            (Corrected(SPEC, "fermi", program="no-such-program"), "`no-such-program` is not on the path"),
            (Corrected("no-such.yaml", "fermi"), "no-such.yaml"),
            (Corrected(SPEC, "fermi", sizes={"size": 0}), "size"),
            (Corrected(SPEC, "fermi", program=str(ends_early)), "status 1"),
        ]:
            with self.assertLogs("autotune_gpu", "WARNING") as logs:
                tried = self.tried(self.tune(strategy))
            self.assertIn("random order", logs.output[0])
            self.assertIn(why, logs.output[0])
            self.assertEqual((len(tried), len(set(tried))), (self.start["all"], self.start["all"]))
        self.assertEqual(tried[0], (8, 2, 1))

    def test_tunable_parameters_that_the_spec_lacks_are_named(self) -> None:
        cases: list[tuple[str, list[Any], str]] = [
            ("UNROLL", [1, 2], "the spec has no parameter `UNROLL`"),
            ("type", ["float", "half"], "`type` has the value 'half'"),
            ("PAD", [0, 0.5], "`PAD` has the value 0.5"),
        ]
        for name, values, why in cases:
            params = {**self.start["tune_params"], name: values}

            def added(cache: dict[str, Any]) -> None:
                cache["tune_params_keys"] = list(params)
                configurations = [{**entry, name: value} for entry in cache["cache"].values() for value in values]
                cache["cache"] = {",".join(str(one[key]) for key in params): one for one in configurations}

            self.setUp()
            self.change(added)
            with self.assertLogs("autotune_gpu", "WARNING") as logs:
                self.assertEqual(len(self.tune(Corrected(SPEC, "fermi"), params, max_fevals=5)), 5)
            self.assertIn(why, logs.output[0])

    def test_an_error_of_the_benchmark_is_not_taken_for_one_of_autotune(self) -> None:
        def incomplete(cache: dict[str, Any]) -> None:
            del cache["cache"][",".join(map(str, rank(SPEC, "fermi")[0]["parameters"].values()))]

        self.change(incomplete)
        with self.assertRaisesRegex(ValueError, "not in cache"):
            self.tune(Corrected(SPEC, "fermi"))


if __name__ == "__main__":
    unittest.main()
