"""Stands for Triton where it is not installed: what a file needs to be loaded and to be called. It compiles nothing."""

from . import language, runtime
from .runtime.autotuner import Config, autotune, heuristics
from .runtime.jit import jit

__version__ = "3.9.0"


def cdiv(x, y):
    """The quotient, rounded up."""
    return (x + y - 1) // y


def next_power_of_2(n):
    """The least power of two that is not smaller."""
    return 1 << (n - 1).bit_length()
