"""Launches whose grids have many forms."""

import math

import torch
import triton
import triton.language as tl

LISTED = [triton.Config({"BM": m, "BN": n}, num_warps=w) for m, n, w in [(32, 64, 4), (64, 64, 4), (128, 32, 8)]]


@triton.autotune(configs=LISTED, key=[])
@triton.jit
def fill(out, M, N, BM: tl.constexpr, BN: tl.constexpr, SPLIT: tl.constexpr = 3):
    at = tl.program_id(0) * BM + tl.arange(0, BM)
    tl.store(out + at, at, mask=at < M)


@triton.jit
def plain(out, M, N, BM: tl.constexpr, BN: tl.constexpr, SPLIT: tl.constexpr = 3):
    at = tl.program_id(0) * BM + tl.arange(0, BM)
    tl.store(out + at, at, mask=at < M)


def launch(grid):
    """A launch with 1000 rows and 300 columns."""
    fill[grid](torch.empty(1000, device="cuda"), 1000, 300)


def multiprocessors():
    """The multiprocessors of the GPU."""
    return torch.cuda.get_device_properties("cuda").multi_processor_count


def untuned():
    """A launch without a list."""
    plain[lambda meta: (triton.cdiv(1000, meta["BM"]), meta["SPLIT"])](torch.empty(1000, device="cuda"), 1000, 300, BM=64, BN=32)


def counted():
    """A launch whose grid is computed before."""
    plain[(1000 // 8,)](torch.empty(1000, device="cuda"), 1000, 300, BM=8, BN=32)
