"""The GPU configurations to measure next: predictions of the program `autotune`, corrected by measured runs."""

from .error import AutotuneError
from .suggester import Configuration, Suggester, rank

__all__ = ["AutotuneError", "Configuration", "Suggester", "rank"]
