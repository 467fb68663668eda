"""C = A B in 16-bit numbers, in Triton: a program computes a tile of C, and neighbouring programs share tiles of A and B.

matmul_triton.yaml describes its launch.
"""

import triton
import triton.language as tl


def listed():
    """The tiles, warps and stages that are tried where nothing is known."""
    return [
        triton.Config({"BM": 128, "BN": 256, "BK": 64}, num_stages=3, num_warps=8),
        triton.Config({"BM": 64, "BN": 256, "BK": 32}, num_stages=4, num_warps=4),
        triton.Config({"BM": 128, "BN": 128, "BK": 32}, num_stages=4, num_warps=4),
        triton.Config({"BM": 128, "BN": 64, "BK": 32}, num_stages=4, num_warps=4),
        triton.Config({"BM": 64, "BN": 128, "BK": 32}, num_stages=4, num_warps=4),
        triton.Config({"BM": 128, "BN": 32, "BK": 32}, num_stages=4, num_warps=4),
        triton.Config({"BM": 64, "BN": 32, "BK": 32}, num_stages=5, num_warps=2),
        triton.Config({"BM": 32, "BN": 64, "BK": 32}, num_stages=5, num_warps=2),
        triton.Config({"BM": 128, "BN": 256, "BK": 128}, num_stages=3, num_warps=8),
        triton.Config({"BM": 256, "BN": 128, "BK": 128}, num_stages=3, num_warps=8),
        triton.Config({"BM": 256, "BN": 64, "BK": 128}, num_stages=4, num_warps=4),
        triton.Config({"BM": 64, "BN": 256, "BK": 128}, num_stages=4, num_warps=4),
        triton.Config({"BM": 128, "BN": 128, "BK": 128}, num_stages=4, num_warps=4),
        triton.Config({"BM": 128, "BN": 64, "BK": 64}, num_stages=4, num_warps=4),
        triton.Config({"BM": 64, "BN": 128, "BK": 64}, num_stages=4, num_warps=4),
        triton.Config({"BM": 128, "BN": 32, "BK": 64}, num_stages=4, num_warps=4),
    ]


@triton.jit
def tile_of(program, tiles_m, tiles_n, GROUP_M: tl.constexpr):
    """The row and column of a program's tile: GROUP_M rows of tiles are walked column by column."""
    across = GROUP_M * tiles_n
    first = program // across * GROUP_M
    rows = min(tiles_m - first, GROUP_M)
    return first + program % across % rows, program % across // rows


@triton.autotune(configs=listed(), key=["M", "N", "K"])
@triton.jit
def matmul(a, b, c, M, N, K, row_a, row_b, row_c, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP_M: tl.constexpr):
    m, n = tile_of(tl.program_id(0), tl.cdiv(M, BM), tl.cdiv(N, BN), GROUP_M)
    # Rows beyond the end are computed from others, and not stored.
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


def product(a, b):
    """A B as a new matrix of PyTorch."""
    import torch

    c = torch.empty(a.shape[0], b.shape[1], dtype=a.dtype, device=a.device)
    grid = lambda meta: (triton.cdiv(a.shape[0], meta["BM"]) * triton.cdiv(b.shape[1], meta["BN"]),)
    matmul[grid](a, b, c, a.shape[0], b.shape[1], a.shape[1], a.stride(0), b.stride(0), c.stride(0), GROUP_M=8)
    return c
