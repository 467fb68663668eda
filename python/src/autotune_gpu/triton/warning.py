"""Warnings to a user's program, which goes on."""

from __future__ import annotations

import logging

_log = logging.getLogger("autotune_gpu")
_warned: set[str] = set()


def warn_once(kernel: str, message: str) -> None:
    """Logs a warning about a kernel, unless this process has logged one about it before.

    The module `warnings` is not used: where a user makes warnings errors, it would raise.
    """
    if kernel not in _warned:
        _warned.add(kernel)
        _log.warning("%s: %s", kernel, message)
