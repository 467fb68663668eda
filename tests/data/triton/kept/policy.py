"""Loads and stores of a line with inline assembly: Triton says by it how long L2 keeps what is read."""

import triton
import triton.language as tl


@triton.jit
def policy(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < n, other=0.0, eviction_policy="evict_first"), mask=at < n)
