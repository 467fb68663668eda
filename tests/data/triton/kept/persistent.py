"""A product by a fixed number of programs, whose loops over tiles and over k are one: the pipeline computes a tile too many."""

import triton
import triton.language as tl


@triton.jit
def persistent(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, PROGRAMS: tl.constexpr):
    rows, columns, steps = tl.cdiv(M, BM), tl.cdiv(N, BN), tl.cdiv(K, BK)
    tile = tl.program_id(0) - PROGRAMS
    step, row, column = -1, 0, 0
    total = tl.zeros([BM, BN], dtype=tl.float32)
    for _ in range(0, steps * ((rows * columns - tl.program_id(0) + PROGRAMS - 1) // PROGRAMS)):
        step = tl.where(step == steps - 1, 0, step + 1)
        if step == 0:
            tile += PROGRAMS
            first = tile // (GROUP * columns) * GROUP
            size = min(rows - first, GROUP)
            row = first + tile % size
            column = tile % (GROUP * columns) // size
        i = row * BM + tl.arange(0, BM)
        j = column * BN + tl.arange(0, BN)
        k = step * BK + tl.arange(0, BK)
        total = tl.dot(tl.load(a + i[:, None] * K + k[None, :]), tl.load(b + k[:, None] * N + j[None, :]), total)
        if step == steps - 1:
            tl.store(c + i[:, None] * N + j[None, :], total.to(tl.float16))
            total = tl.zeros([BM, BN], dtype=tl.float32)
