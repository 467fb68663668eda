"""Where the program is found: beside the package's Python first, then on the path."""

import os
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from autotune_gpu import program


class TestProgram(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.prefix = Path(folder.name)

    def placed(self, folder: str) -> str:
        """A program in a folder below the prefix, which prints its arguments and the Python that it is given."""
        path = self.prefix / folder / "autotune"
        path.parent.mkdir(parents=True)
        path.write_text('#!/bin/sh\necho "$@" "$AUTOTUNE_PYTHON"\n')
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def found(self, package: str, python: str) -> str:
        with mock.patch.object(program, "__file__", str(self.prefix / package / "program.py")), \
                mock.patch.object(sys, "executable", python):
            return program.found()

    def test_beside_python_and_where_pip_puts_programs(self) -> None:
        elsewhere = str(self.prefix / "nowhere" / "python3")
        for package, folder in (("lib/python3.12/site-packages/autotune_gpu", "bin"), ("autotune_gpu", "bin")):
            self.assertEqual(self.found(package, elsewhere), "autotune")
            path = self.placed(folder)
            self.assertEqual(os.path.realpath(self.found(package, elsewhere)), os.path.realpath(path))
            os.remove(path)
            os.rmdir(os.path.dirname(path))
        path = self.placed("own")
        self.assertEqual(self.found("autotune_gpu", str(self.prefix / "own" / "python3")), path)

    def test_a_name_of_the_users_own_stays(self) -> None:
        self.assertEqual(program.found("./other"), "./other")

    def test_the_module_becomes_the_program(self) -> None:
        path = self.placed("own")
        environment = {**os.environ, "PATH": os.path.dirname(path)}
        environment.pop("AUTOTUNE_PYTHON", None)
        with mock.patch.object(sys, "executable", sys.executable):
            said = subprocess.run(
                [sys.executable, "-c", "import sys; sys.argv[1:] = ['a', 'b']; import autotune_gpu.program as p; "
                 f"p.found = lambda: {path!r}; import runpy; runpy.run_module('autotune_gpu', run_name='__main__')"],
                capture_output=True, text=True, env=environment, check=True,
            ).stdout
        self.assertEqual(said.split(), ["a", "b", sys.executable])


if __name__ == "__main__":
    unittest.main()
