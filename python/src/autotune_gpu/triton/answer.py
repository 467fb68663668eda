"""What `autotune evaluate` answers about a launch: the time of each configuration, or why it cannot run."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ..error import AutotuneError
from ..program import found
from .launch import Launch

SCHEMA = "autotune.evaluation/"
# Reasons that begin like this are limits of the GPU. Any other says what `autotune` does not know.
LIMITS = ("local_memory:", "registers:", "work_group:")

Times = list[float | None]
"""A time of each configuration in microseconds: infinite if the GPU cannot run it, None if it is not known."""

_answers: dict[str, Times | AutotuneError] = {}


def times_of(launch: Launch, gpu: str, *, program: str = "autotune", seconds: float = 300.0) -> Times:
    """The times of a launch's configurations in their order, by one run of the program. A process asks once.

    Args:
        launch: the kernel, its arguments and configurations
        gpu: a GPU's name or alias, or the path of a profile
        program: the program `autotune`
        seconds: the time after which the program is ended

    Raises:
        AutotuneError: if the launch cannot be described, or the program is missing, fails or answers something else
    """
    spec = launch.spec()
    key = json.dumps([spec, gpu, program, python(), os.path.getmtime(spec["source"]["file"])], sort_keys=True)
    if key not in _answers:
        try:
            times = _evaluated(spec, gpu, program, seconds)
            _answers[key] = [times.get(_key(row)) for row in spec["configurations"]]
        except AutotuneError as error:
            _answers[key] = error
    answer = _answers[key]
    if isinstance(answer, AutotuneError):
        raise answer
    return answer


@contextmanager
def written(spec: Mapping[str, Any]) -> Iterator[str]:
    """The path of a spec in a temporary folder. Its text is JSON, which is YAML."""
    with tempfile.TemporaryDirectory(prefix="autotune-") as folder:
        path = os.path.join(folder, "spec.yaml")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(spec, file)
        yield path


def python() -> str:
    """The Python that has Triton: `AUTOTUNE_PYTHON`, or the one that runs this."""
    return os.environ.get("AUTOTUNE_PYTHON") or sys.executable


def _evaluated(spec: Mapping[str, Any], gpu: str, program: str, seconds: float) -> dict[Any, float | None]:
    """The time of each configuration that the program answers."""
    with written(spec) as path:
        command = [found(program), "evaluate", path, "--gpu", gpu, "--format", "json"]
        environment = {**os.environ, "AUTOTUNE_PYTHON": python()}
        try:
            ended = subprocess.run(
                command, capture_output=True, encoding="utf-8", errors="replace", timeout=seconds, env=environment,
                stdin=subprocess.DEVNULL,
            )
        except FileNotFoundError as error:
            raise AutotuneError(f"the program `{program}` is not on the path") from error
        except subprocess.TimeoutExpired as error:
            raise AutotuneError(f"`autotune evaluate` did not answer in {seconds:g} s") from error
        except OSError as error:
            raise AutotuneError(f"the program `{program}` cannot be started: {error}") from error
    if ended.returncode:
        said = ended.stderr.strip().removeprefix("error: ")
        raise AutotuneError(said or f"`autotune evaluate` ended with status {ended.returncode}")
    try:
        answer = json.loads(ended.stdout)
        if not answer["schema"].startswith(SCHEMA):
            raise ValueError(answer["schema"])
        return {_key(one["parameters"]): _time(one) for one in answer["configurations"]}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise AutotuneError(f"`autotune evaluate` answered something else: {ended.stdout[:200].strip()}") from error


def _key(row: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """A configuration's values in an order that does not depend on who wrote them."""
    return tuple(sorted(row.items()))


def _time(one: Mapping[str, Any]) -> float | None:
    """The time of a row of the answer. A GPU without a clock has ticks."""
    time = one["ticks"] if one["microseconds"] is None else one["microseconds"]
    if time is not None:
        return float(time)
    return math.inf if one.get("reason", "").startswith(LIMITS) else None
