"""A child `autotune suggest --serve`, which answers requests, a line of JSON each."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from typing import IO, Any

from .error import AutotuneError
from .program import found

PROTOCOL = "autotune.serve/1"
# A child that does not end although its standard input did is killed.
SECONDS_TO_END = 5.0


class Child:
    """A running child. It ends when it is closed or when its parent ends, for then its standard input ends."""

    def __init__(self, program: str, arguments: Sequence[str | os.PathLike[str]]):
        # A file does not fill up as a pipe does that nobody reads.
        self._errors: IO[str] = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        command = [found(program), "suggest", *(os.fspath(word) for word in arguments), "--serve"]
        try:
            # Ctrl-C is the parent's: in a session of its own, the child outlives an interrupted cell of a notebook.
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
                encoding="utf-8", start_new_session=True,
            )
        except OSError as error:
            self._errors.close()
            missing = isinstance(error, FileNotFoundError)
            what = "is not on the path" if missing else f"cannot be started: {error}"
            raise AutotuneError(f"the program `{program}` {what}; install autotune, or name it by `program=`") from error
        try:
            self.space = self._read()
            if self.space.get("schema") != PROTOCOL:
                raise AutotuneError(f"`{program}` does not speak {PROTOCOL}; install autotune and this package in one version")
        except BaseException:
            self.close()
            raise

    def ask(self, **request: Any) -> dict[str, Any]:
        """Returns the reply to a request. What JSON cannot hold is refused before anything is sent."""
        line = json.dumps(request, allow_nan=False) + "\n"
        if self._process.stdin is None or self._process.stdin.closed:
            raise AutotuneError("this `autotune suggest` was closed")
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
            reply = self._read()
        except BrokenPipeError:
            raise self._ended() from None
        except BaseException:
            # The reply to an interrupted request would be taken for the next one's.
            self.close()
            raise
        if "error" in reply:
            raise AutotuneError("; ".join(filter(None, [reply["error"], reply.get("help")])))
        return reply

    def close(self) -> None:
        """Ends the child."""
        if self._errors.closed:
            return
        try:
            self._process.communicate(timeout=SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            # With what a script in place of the program has started, which would hold the pipe.
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.communicate()
        self._errors.close()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.endswith("\n"):
            raise self._ended()
        try:
            reply = json.loads(line)
        except ValueError:
            reply = None
        if not isinstance(reply, dict):
            raise AutotuneError(f"`autotune suggest` answered what is not a JSON object: {line[:200].strip()}")
        return reply

    def _ended(self) -> AutotuneError:
        """The error of a child that answers no more: what it wrote on standard error, or else its exit status."""
        try:
            status = self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            return AutotuneError("`autotune suggest` closed its output")
        self._errors.seek(0)
        said = self._errors.read().strip().removeprefix("error: ")
        return AutotuneError(said or f"`autotune suggest` ended with status {status}")
