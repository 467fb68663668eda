"""Lists of configurations, and constants that follow from arguments."""


class Config:
    """A configuration."""

    def __init__(self, kwargs, num_warps=4, num_stages=3, num_ctas=1, maxnreg=None, pre_hook=None):
        self.kwargs, self.num_warps, self.num_stages, self.num_ctas = kwargs, num_warps, num_stages, num_ctas
        self.maxnreg, self.pre_hook = maxnreg, pre_hook


class Autotuner:
    """A kernel with a list of configurations."""

    def __init__(self, fn, configs, prune):
        self.fn, self.configs, self.arg_names = fn, configs, fn.arg_names
        self.early_config_prune, self.perf_model = prune.get("early_config_prune"), prune.get("perf_model")

    def __getitem__(self, grid):
        return lambda *args, **kwargs: self.run(*args, grid=grid, warmup=False, **kwargs)

    def run(self, *_args, **_kwargs):
        """An error: there is no GPU."""
        raise RuntimeError("0 active drivers ([]). There should only be one.")


class Heuristics:
    """A kernel with constants that follow from its arguments."""

    def __init__(self, fn, values):
        self.fn, self.values, self.arg_names = fn, values, fn.arg_names

    def __getitem__(self, grid):
        return lambda *args, **kwargs: self.run(*args, grid=grid, warmup=False, **kwargs)

    def run(self, *args, **kwargs):
        """Launches the kernel with the constants."""
        for name, value in self.values.items():
            kwargs[name] = value({**dict(zip(self.arg_names, args)), **kwargs})
        return self.fn.run(*args, **kwargs)


def autotune(configs, key, prune_configs_by=None, **_words):
    """The decorator of a list of configurations."""
    return lambda fn: Autotuner(fn, list(configs), prune_configs_by or {})


def heuristics(values):
    """The decorator of constants that follow from arguments."""
    return lambda fn: Heuristics(fn, values)
