"""Rankings and suggestions, with the real program on the path."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any, SupportsFloat

import numpy

from autotune_gpu import AutotuneError, Suggester, rank
from autotune_gpu.program import found

SPEC = """
kernel: sum
problem: { size: 65536 }
parameters: { WG: { values: [32, 64, 128, 256, 2048] }, ITEMS: { values: [1, 2, 4] } }
constraints: [ WG != 128 ]
launch: { work_items: size, work_group: WG }
body: [ { compute: { kind: any, per_item: 100 * ITEMS * WG } } ]
"""


class Folder(unittest.TestCase):
    """A folder with a spec."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.spec = self.folder / "sum.yaml"
        self.spec.write_text(SPEC)

    def program(self, *lines: str) -> str:
        """A program in place of `autotune`: a script of a shell."""
        path = self.folder / "program"
        path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
        path.chmod(0o755)
        return str(path)


class Ranking(Folder):
    def test_the_order_is_that_of_evaluate(self) -> None:
        command = [found(), "evaluate", str(self.spec), "--gpu", "volta", "--set", "size=4096", "--format", "json"]
        evaluated = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["configurations"]
        times = {str(one["parameters"]): one["microseconds"] / 1e3 for one in evaluated if one.get("microseconds")}
        ranked = rank(self.spec, "volta", {"size": 4096})
        self.assertEqual({str(one["parameters"]) for one in ranked}, set(times))
        for one in ranked:
            self.assertAlmostEqual(one["predicted_ms"], times[str(one["parameters"])])
        predicted = [one["predicted_ms"] for one in ranked]
        self.assertEqual(predicted, sorted(predicted))
        self.assertNotEqual(predicted[0], rank(self.spec, "volta")[0]["predicted_ms"])


class Suggesting(Folder):
    def test_what_is_told_is_not_suggested_again(self) -> None:
        with Suggester(self.spec, "volta", until=0.0) as suggester:
            self.assertEqual((suggester.parameters, suggester.unit), (["WG", "ITEMS"], "ms"))
            self.assertEqual((suggester.feasible, suggester.candidates), (9, 9))
            seen = []
            while suggestions := suggester.next(2):
                for configuration in suggestions:
                    seen.append(tuple(configuration.values()))
                    took = None if configuration["ITEMS"] == 4 else 1.0 + configuration["WG"]
                    self.assertTrue(suggester.tell(configuration, took))
            self.assertEqual(len(seen), len(set(seen)))
            self.assertEqual(len(seen), 9)
            report = suggester.report()
            self.assertEqual(report["measured"]["best"]["time_ms"], 33.0)
            self.assertEqual((report["measured"]["runs"], report["measured"]["failed"]), (9, 3))
            self.assertFalse(suggester.tell({"WG": 128, "ITEMS": 1}, 1.0))

    def test_nothing_is_suggested_when_little_is_expected(self) -> None:
        ranked = rank(self.spec, "volta")
        with Suggester(self.spec, "volta", until=0.9) as suggester:
            for one in ranked[:6]:
                suggester.tell(one["parameters"], one["predicted_ms"])
            self.assertEqual(suggester.next(), [])

    def test_only_listed_configurations_are_suggested(self) -> None:
        listed = [{"ITEMS": 2, "WG": 64}, {"ITEMS": 4, "WG": 256}, {"ITEMS": 1, "WG": 128}]
        with Suggester(self.spec, "volta", among=listed) as suggester:
            self.assertEqual(suggester.next(9), [{"WG": 64, "ITEMS": 2}, {"WG": 256, "ITEMS": 4}])
        with self.assertRaisesRegex(AutotuneError, "WG != 128"):
            Suggester(self.spec, "volta", among=listed[2:])
        with self.assertRaises(AutotuneError):
            Suggester(self.spec, "volta", among=[])

    def test_errors_are_the_programs(self) -> None:
        with self.assertRaisesRegex(AutotuneError, "`no-such-program` is not on the path"):
            Suggester(self.spec, "volta", program="no-such-program")
        with self.assertRaisesRegex(AutotuneError, "cannot be started"):
            Suggester(self.spec, "volta", program=str(self.spec))
        with self.assertRaisesRegex(AutotuneError, "no-such-gpu"):
            Suggester(self.spec, "no-such-gpu")
        with self.assertRaisesRegex(AutotuneError, "missing.yaml"):
            rank(self.folder / "missing.yaml", "volta")
        with Suggester(self.spec, "volta") as suggester:
            with self.assertRaisesRegex(AutotuneError, "no parameter `TS`"):
                suggester.tell({"WG": 32, "ITEMS": 1, "TS": 1}, 1.0)
            with self.assertRaisesRegex(AutotuneError, "above 0"):
                suggester.tell({"WG": 32, "ITEMS": 1}, 0.0)
            # The next request is answered all the same.
            self.assertEqual(len(suggester.next()), 1)
        with self.assertRaisesRegex(AutotuneError, "was closed"):
            suggester.next()

    def test_a_number_that_is_not_told_ends_no_session(self) -> None:
        configuration = {"WG": 32, "ITEMS": 1}
        with Suggester(self.spec, "volta") as suggester:
            suggester.tell({"WG": 64, "ITEMS": 1}, 2.0)
            times: list[SupportsFloat] = [float("nan"), float("inf"), float("-inf"), 10**400, numpy.float32("nan")]
            for time in times:
                with self.assertRaisesRegex(ValueError, "'WG': 32, 'ITEMS': 1.*None"):
                    suggester.tell(configuration, time)
            wrong: list[tuple[Any, Any]] = [
                ({"WG": 32.5, "ITEMS": 1}, 1.0), ({"WG": "32", "ITEMS": 1}, 1.0), (configuration, "1.0"), (configuration, []),
            ]
            for parameters, value in wrong:
                with self.assertRaisesRegex(TypeError, "WG"):
                    suggester.tell(parameters, value)
            self.assertEqual(suggester.report()["measured"]["runs"], 1)

    def test_numbers_may_be_those_of_numpy(self) -> None:
        with Suggester(self.spec, "volta") as suggester:
            told = {"WG": numpy.int64(32), "ITEMS": numpy.array([1, 2])[0]}
            self.assertTrue(suggester.tell(told, numpy.float32(0.5)))
            self.assertTrue(suggester.tell({"WG": numpy.uint8(64), "ITEMS": 1}, numpy.int32(3)))
            measured = suggester.report(numpy.int64(1))["measured"]
            self.assertEqual((measured["runs"], measured["best"]["time_ms"]), (2, 0.5))
            self.assertEqual(len(suggester.next(numpy.int64(2))), 2)

    def test_a_program_of_another_kind_is_an_error(self) -> None:
        for line, expected in [
            ("exit 3", "ended with status 3"),
            ("echo 'error: no such file' >&2; exit 2", "^no such file$"),
            ("echo hello", "not a JSON object: hello"),
            ("""echo '{"schema": "autotune.serve/9"}'""", "does not speak autotune.serve/1"),
        ]:
            with self.assertRaisesRegex(AutotuneError, expected):
                Suggester(self.spec, "volta", program=self.program(line))


class Ending(Folder):
    def test_the_child_ends_with_a_killed_parent(self) -> None:
        script = (
            "import sys, time\nfrom autotune_gpu import Suggester\nsuggester = Suggester(sys.argv[1], 'volta')\n"
            "print(suggester._child._process.pid, flush=True)\ntime.sleep(60)\n"
        )
        with subprocess.Popen([sys.executable, "-c", script, self.spec], stdout=subprocess.PIPE, text=True) as parent:
            assert parent.stdout is not None
            child = int(parent.stdout.readline())
            os.kill(child, 0)
            parent.kill()
        deadline = time.monotonic() + 20
        while running(child):
            self.assertLess(time.monotonic(), deadline, "the child still runs")
            time.sleep(0.05)

    def test_the_child_ends_with_its_suggester(self) -> None:
        suggester = Suggester(self.spec, "volta")
        child = suggester._child._process.pid
        del suggester
        self.assertFalse(running(child))

    def test_an_interrupted_request_is_not_answered_by_the_next_one(self) -> None:
        space = json.dumps({"schema": "autotune.serve/1", "parameters": [], "unit": "ms", "feasible": 1, "candidates": 1})
        program = self.program(f"echo '{space}'", "sleep 0.3", f"kill -INT {os.getpid()}", "sleep 60")
        suggester = Suggester(self.spec, "volta", program=program)
        previous = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, previous)
        with self.assertRaises(KeyboardInterrupt):
            suggester.next()
        with self.assertRaisesRegex(AutotuneError, "was closed"):
            suggester.next()


def running(process: int) -> bool:
    """True if the process is there and is not a zombie, which nobody may have waited for."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


if __name__ == "__main__":
    unittest.main()
