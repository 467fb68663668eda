"""The GPU that a kernel is to be launched on."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from ..error import AutotuneError
from ..program import found as installed

SECONDS_TO_LIST = 30.0
# Words in the names that drivers report which say a maker, a connector or a memory, and not a model.
_MAKERS = {"nvidia", "geforce", "tesla", "amd", "instinct", "radeon", "gpu", "oam"}
_VARIANTS = re.compile(r"sxm\d*|pcie|hbm\d*e?|\d+gb")


def gpu_of(gpu: str | os.PathLike[str] | None, program: str) -> str:
    """The GPU to ask `autotune` about: the given one, `AUTOTUNE_GPU`, or the profile of the GPU that torch reports.

    Raises:
        AutotuneError: if there is none of them
    """
    named = gpu or os.environ.get("AUTOTUNE_GPU")
    return os.fspath(named) if named else _profile(_reported(), program)


def profile_of(reported: str, profiles: Iterable[Mapping[str, Any]]) -> str | None:
    """The profile of a GPU by the name that its driver reports, None if none is of exactly this model."""
    words = _words(reported) - _MAKERS
    best: tuple[int, str] | None = None
    for profile in profiles:
        for name in [profile["name"], *profile["aliases"]]:
            of_name = _words(name)
            is_model = of_name <= words and all(_VARIANTS.fullmatch(word) for word in words - of_name)
            if is_model and (best is None or len(of_name) > best[0]):
                best = len(of_name), profile["name"]
    return best[1] if best else None


def _words(name: str) -> set[str]:
    """The words of a name: `NVIDIA GeForce RTX 4070 Ti` has `rtx4070ti`, with the words of makers."""
    text = re.sub(r"\b(rtx|gtx|rx) (?=[a-z]?\d)", r"\1", re.sub(r"[^a-z0-9]+", " ", name.lower()))
    return set(re.sub(r"(\d) ti\b", r"\1ti", text).split())


def _reported() -> str:
    """The name of the current GPU as torch reports it. Torch is not imported for it."""
    torch = sys.modules.get("torch")
    if torch is None:
        raise AutotuneError("no GPU is named: by `gpu=`, by AUTOTUNE_GPU, or by torch, which is not imported")
    return str(torch.cuda.get_device_name())


@cache
def _profile(reported: str, program: str) -> str:
    """The profile of a reported GPU, by the list that the program has."""
    command = [installed(program), "gpus", "--format", "json"]
    try:
        said = subprocess.run(command, check=True, capture_output=True, timeout=SECONDS_TO_LIST, stdin=subprocess.DEVNULL)
        found = profile_of(reported, json.loads(said.stdout)["gpus"])
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError) as error:
        raise AutotuneError(f"`{program} gpus` does not list GPUs: {error}") from error
    if found is None:
        raise AutotuneError(f"no profile is of the GPU `{reported}`; name one by `gpu=` or AUTOTUNE_GPU")
    return found
