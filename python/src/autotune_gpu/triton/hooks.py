"""The two functions of `prune_configs_by` in `triton.autotune`. No error reaches the program that Triton runs in."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

from ..error import AutotuneError
from .answer import times_of
from .config import Config, all_values, integers
from .gpu import gpu_of
from .launch import Launch, function_of
from .warning import warn_once

# The frames between a hook and the method of Triton's autotuner that calls it.
FRAMES = 8
KEEP = 10


def prune(
    gpu: str | os.PathLike[str] | None = None, *, keep: int | float = KEEP, programs: str | list[str] | None = None,
    types: Mapping[str, str] | None = None, kernel: Any = None, program: str = "autotune", seconds: float = 300.0,
) -> Callable[..., list[Config]]:
    """Returns an `early_config_prune` of Triton: it leaves the configurations that can run and are promising.

        @triton.autotune(configs=..., key=["M", "N"], prune_configs_by={"early_config_prune": prune("a100", keep=8)})

    The most promising comes first. A configuration about which `autotune` knows nothing stays, behind them. The list
    comes back as it was, with one warning, if nothing is known.

    Args:
        gpu: a GPU's name or alias, or the path of a profile; else AUTOTUNE_GPU, or the one that torch reports
        keep: the number of configurations to leave, or up to 1.0 their share
        programs: the numbers of programs, as expressions of arguments and parameters, instead of the launch's grid
        types: types of arguments whose type is not seen, such as `{"a": "*fp16"}`
        kernel: the kernel, if not the one whose autotuner calls
        program: the program `autotune`
        seconds: the time after which the program is ended
    """

    def early_config_prune(configs: list[Config], named_args: Mapping[str, Any], **kwargs: Any) -> list[Config]:
        try:
            of = kernel if kernel is not None else _autotuner().fn
            given, grid = _launched({**named_args, **kwargs})
            launch = Launch(of, configs, given, programs, grid, types or {})
            times = times_of(launch, gpu_of(gpu, program), program=program, seconds=seconds)
            return _promising(configs, times, keep)
        except Exception as error:
            warn_once(_name(kernel), f"all configurations are measured, for autotune cannot compare them: {error}")
            return configs

    return early_config_prune


def model(
    gpu: str | os.PathLike[str] | None = None, *, programs: str | list[str] | None = None,
    types: Mapping[str, str] | None = None, kernel: Any = None, configs: list[Config] | None = None,
    program: str = "autotune", seconds: float = 300.0,
) -> Callable[..., float]:
    """Returns a `perf_model` of Triton: the predicted microseconds of a configuration, infinite if it cannot run.

    All configurations of the autotuner are compared by one run of the program. If nothing is known, all have the same
    time, so that Triton keeps the first `top_k` of its list; there is one warning. Arguments are those of `prune`.

    Args:
        configs: the configurations, if not those of the autotuner that calls
    """

    def perf_model(**kwargs: Any) -> float:
        try:
            of, listed = (kernel, configs) if kernel is not None and configs is not None else _called(kernel, configs)
            tuned = {name for config in listed for name in all_values(config)}
            given, grid = _launched({name: value for name, value in kwargs.items() if name not in tuned})
            launch = Launch(of, listed, given, programs, grid, types or {})
            times = times_of(launch, gpu_of(gpu, program), program=program, seconds=seconds)
            place = next(place for place, one in enumerate(listed) if integers(one).items() <= kwargs.items())
            # What is not known is worth a run.
            return 0.0 if (time := times[place]) is None else time
        except Exception as error:
            warn_once(_name(kernel), f"configurations are not ranked, for autotune cannot compare them: {error}")
            return 0.0

    return perf_model


def _promising(configs: list[Config], times: list[float | None], keep: int | float) -> list[Config]:
    """The configurations to measure: the fastest that are predicted, and those of which nothing is known."""
    known = sorted((time, place) for place, time in enumerate(times) if time is not None and time < math.inf)
    unknown = [configs[place] for place, time in enumerate(times) if time is None]
    if not known:
        raise AutotuneError("no configuration is known to run on this GPU")
    count = keep if isinstance(keep, int) and not isinstance(keep, bool) else int(len(configs) * keep)
    return [configs[place] for _, place in known[: max(count, 1)]] + unknown


def _called(kernel: Any, configs: list[Config] | None) -> tuple[Any, list[Config]]:
    """Kernel and configurations: what is given, or else what the autotuner has that calls."""
    tuner = _autotuner()
    return tuner.fn if kernel is None else kernel, tuner.configs if configs is None else configs


def _autotuner() -> Any:
    """The autotuner of Triton that calls. Triton gives its hooks the arguments, and not the kernel."""
    frame = sys._getframe(1)
    for _ in range(FRAMES):
        tuner = frame.f_locals.get("self")
        if hasattr(tuner, "fn") and hasattr(tuner, "configs"):
            return tuner
        if frame.f_back is None:
            break
        frame = frame.f_back
    raise AutotuneError("no autotuner of Triton calls; name the kernel by `kernel=`")


def _name(kernel: Any) -> str:
    """The name of a kernel, or of the one whose autotuner calls, for a warning."""
    try:
        return str(function_of(_autotuner().fn if kernel is None else kernel).__name__)
    except Exception:
        return "autotune_gpu.triton"


def _launched(given: Mapping[str, Any]) -> tuple[dict[str, Any], Any]:
    """Arguments and grid of a launch."""
    return {name: value for name, value in given.items() if name not in ("grid", "warmup")}, given.get("grid")


early_config_prune = prune()
"""`prune` with its defaults."""

perf_model = model()
"""`model` with its defaults."""
