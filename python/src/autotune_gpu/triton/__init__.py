"""Kernels in Triton: which configurations of a list can run and are promising, without a run of any."""

from .config import Config
from .hooks import early_config_prune, model, perf_model, prune
from .picked import Picked, pick
from .suggest import ConfigSuggester

__all__ = ["Config", "ConfigSuggester", "Picked", "early_config_prune", "model", "perf_model", "pick", "prune"]
