"""Names that stand for `triton.jit` in this package."""

import functools

import triton


def compiled(function):
    """A decorator of the package's own."""
    return triton.jit(function)


specialised = functools.partial(triton.jit, do_not_specialize=["n"])
