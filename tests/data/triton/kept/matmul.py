"""The product of examples/kernels/matmul_triton.py, as the kept outputs have it."""

import triton
import triton.language as tl


@triton.jit
def tile_of(program, tiles_m, tiles_n, GROUP_M: tl.constexpr):
    across = GROUP_M * tiles_n
    first = program // across * GROUP_M
    rows = min(tiles_m - first, GROUP_M)
    return first + program % across % rows, program % across // rows


@triton.jit
def matmul(a, b, c, M, N, K, row_a, row_b, row_c, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP_M: tl.constexpr):
    m, n = tile_of(tl.program_id(0), tl.cdiv(M, BM), tl.cdiv(N, BN), GROUP_M)
    rows = (m * BM + tl.arange(0, BM)) % M
    columns = (n * BN + tl.arange(0, BN)) % N
    inner = tl.arange(0, BK)
    of_a = a + rows[:, None] * row_a + inner[None, :]
    of_b = b + inner[:, None] * row_b + columns[None, :]
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        tile_a = tl.load(of_a, mask=inner[None, :] < K - k * BK, other=0.0)
        tile_b = tl.load(of_b, mask=inner[:, None] < K - k * BK, other=0.0)
        sums = tl.dot(tile_a, tile_b, sums)
        of_a += BK
        of_b += BK * row_b
    rows = m * BM + tl.arange(0, BM)
    columns = n * BN + tl.arange(0, BN)
    is_inside = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(c + rows[:, None] * row_c + columns[None, :], sums.to(tl.float16), mask=is_inside)
