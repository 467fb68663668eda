"""Programs that leave at once if data says so."""

import triton
import triton.language as tl


@triton.jit
def leave(left, x, y, n, BLOCK: tl.constexpr):
    program = tl.program_id(0)
    if program * BLOCK >= tl.load(left):
        return
    at = program * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for j in range(0, n):
        total += tl.load(x + at + j * 65536)
    tl.store(y + at, total)
