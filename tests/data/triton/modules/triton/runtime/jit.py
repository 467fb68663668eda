"""Kernels."""

import inspect


class Parameter:
    """An argument of a kernel."""

    def __init__(self, parameter):
        annotation = parameter.annotation
        words = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
        self.name, self.default, self.annotation = parameter.name, parameter.default, words
        self.is_constexpr = "constexpr" in words


class JITFunction:
    """A kernel that is launched by `kernel[grid](...)`."""

    def __init__(self, fn):
        self.fn, self.__name__ = fn, fn.__name__
        self.params = [Parameter(one) for one in inspect.signature(fn).parameters.values()]
        self.arg_names = [one.name for one in self.params]

    def __getitem__(self, grid):
        return lambda *args, **kwargs: self.run(*args, grid=grid, warmup=False, **kwargs)

    def run(self, *_args, **_kwargs):
        """An error: there is no GPU."""
        raise RuntimeError("0 active drivers ([]). There should only be one.")

    warmup = run


def jit(fn=None, **_words):
    """The decorator of kernels."""
    return JITFunction(fn) if fn is not None else JITFunction
