"""The file that keeps a kernel's chosen configurations from a build to its deployment."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from typing import Any

from ..error import AutotuneError

SCHEMA = "autotune.triton-configurations/1"

Sizes = tuple[tuple[str, int], ...]
"""Sizes by name, in the order of names."""


def sizes_key(sizes: Mapping[str, int]) -> Sizes:
    """Sizes as a key."""
    return tuple(sorted(sizes.items()))


def read(path: str, kernel: str, gpu: str) -> dict[Sizes, dict[str, Any]]:
    """The configurations of a kernel on a GPU by sizes.

    Raises:
        AutotuneError: if the file is missing or holds something else
    """
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        if (document["schema"], document["kernel"]) != (SCHEMA, kernel):
            raise AutotuneError(f"`{path}` is not {SCHEMA} of the kernel `{kernel}`")
        return {sizes_key(one["sizes"]): one["configuration"] for one in document["chosen"] if one["gpu"] == gpu}
    except FileNotFoundError as error:
        raise AutotuneError(f"the cache `{path}` is missing; the kernel's `build()` writes it") from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise AutotuneError(f"the cache `{path}` cannot be read: {error!r}") from error


def write(path: str, kernel: str, chosen: list[dict[str, Any]]) -> None:
    """Writes the file whole or not at all: another process reads the old one until the new one is in its place."""
    folder = os.path.dirname(os.path.abspath(path))
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=folder, prefix=".autotune-", delete=False) as file:
        try:
            json.dump({"schema": SCHEMA, "kernel": kernel, "chosen": chosen}, file, indent=2)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
            # A temporary file is its owner's alone; a deployment may be another user.
            os.chmod(file.name, 0o644)
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise
