"""Kernels by a call, by decorators of the package's own, and behind a condition."""

import torch
import triton
import triton.language as tl

from .compilers import compiled, specialised

try:
    from compilers_of_nobody import rounded
except ImportError:

    def rounded(n):
        """The next power of two."""
        return triton.next_power_of_2(n)


def _scaled(x, n, factor, IS_TWICE: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + i, factor * tl.load(x + i, mask=i < n), mask=i < n)


scaled = triton.jit(_scaled)
LISTED = [triton.Config({"BLOCK": block}, num_warps=block // 64) for block in (128, 256, 512)]
listed = triton.autotune(LISTED, key=["n"])(triton.jit(_scaled))
worded = triton.jit(_scaled, do_not_specialize=["n"])
named = triton.jit(fn=_scaled, debug=False)


@compiled
def own(x, n, BLOCK: tl.constexpr):
    """A kernel of a decorator that calls `triton.jit`."""
    tl.store(x + tl.arange(0, BLOCK), 1)


if triton.__version__ >= "3":

    @specialised
    def recent(x, n, BLOCK: tl.constexpr):
        """A kernel of a decorator that is made of `triton.jit`."""
        tl.store(x + tl.arange(0, BLOCK), 1)


fuser = torch.jit.script


@fuser
def fused(x):
    """A function of another compiler."""
    return x + 1


def launch(kernel, *more):
    """Launches a kernel over 1,000 elements."""
    x = torch.empty(1000, device="meta")
    kernel[(4,)](x, x.numel(), *more)
