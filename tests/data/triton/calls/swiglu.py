"""A gated activation whose list of configurations Python makes: loops, comprehensions, functions, sums and a filter."""

import os

import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()
STAGES = [2, 3]

wide = []
for block in (1024, 2048):
    for warps in [8, 16]:
        wide.append(triton.Config({"BLOCK": block, "ROWS": 1}, num_warps=warps))


def narrow():
    """Configurations of few elements."""
    return [
        triton.Config({"BLOCK": block, "ROWS": rows}, num_warps=warps, num_stages=stages)
        for block in (64, 128, 256)
        for rows in (1, 2, 4)
        for warps in (1, 2, 4, 8)
        for stages in STAGES
    ]


def fitting(configs, named_args, **kwargs):
    """The configurations whose block is not longer than a row."""
    return [one for one in configs if one.kwargs["BLOCK"] <= named_args["columns"]]


@triton.autotune(configs=narrow() + wide, key=["columns"], prune_configs_by={"early_config_prune": fitting})
@triton.heuristics({"IS_WHOLE": lambda args: args["columns"] % args["BLOCK"] == 0})
@triton.jit
def swiglu_kernel(gate, up, out, bias, rows, columns, stride, scale, BLOCK: tl.constexpr, ROWS: tl.constexpr,
                  IS_WHOLE: tl.constexpr, ACTIVATION: tl.constexpr):
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    for row in range(tl.program_id(0) * ROWS, tl.program_id(0) * ROWS + ROWS):
        begin = row * stride + at
        value = tl.load(gate + begin, mask=at < columns) * tl.load(up + begin, mask=at < columns)
        tl.store(out + begin, value * scale, mask=at < columns)


@triton.jit
def sum_kernel(values, total, count: tl.int64, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(total, tl.sum(tl.load(values + at, mask=at < count), axis=0))


class SwiGLU(torch.autograd.Function):
    """The activation with a gradient."""

    @staticmethod
    @torch.amp.custom_fwd(device_type="cuda")
    def forward(ctx, gate, up):
        assert gate.is_cuda and gate.shape == up.shape
        out = torch.empty_like(gate)
        rows, columns = gate.shape
        grid = lambda meta: (triton.cdiv(rows, meta["ROWS"]), triton.cdiv(columns, meta["BLOCK"]))
        with torch.cuda.device(gate.device):
            swiglu_kernel[grid](gate, up, out, None, rows, columns, gate.stride(0), 0.5, ACTIVATION="silu")
        return out


def swiglu(gate, up):
    """The activation."""
    return SwiGLU.apply(gate, up)


def total(values):
    """The sum of a vector, by one program."""
    result = torch.empty((), dtype=torch.float32, device=values.device)
    sum_kernel[(1,)](values, result, values.numel(), BLOCK=triton.next_power_of_2(values.numel()), num_warps=8)
    return result


def usual():
    """A call that needs nothing."""
    gate = torch.randn(512, 1000, dtype=torch.bfloat16, device="cuda")
    return swiglu(gate, torch.zeros_like(gate))


def both():
    """Two kernels."""
    return total(usual()[0, 1:])


def twice():
    """One kernel in two forms, and the first once more."""
    for count in (1024, 1024, 4000):
        total(torch.empty(count, device="cuda"))


def nothing():
    """No launch."""
    return torch.empty(3)


def wrong():
    """A launch that is never reached."""
    return swiglu(torch.empty(2, 3, device="cuda"), torch.empty(3, 2, device="cuda"))


def endless():
    """A call that does not end."""
    while True:
        os.getpid()


def waiting():
    """A call that does nothing for ever."""
    import time

    time.sleep(10_000)


def clusters():
    """A launch of clusters."""
    values = torch.empty(64, device="cuda")
    sum_kernel[(1,)](values, values, 64, BLOCK=64, num_ctas=2)


def complexes():
    """A launch with elements that Triton does not know."""
    values = torch.empty(64, dtype=torch.complex64, device="cuda")
    sum_kernel[(1,)](values, values, 64, BLOCK=64)


if __name__ == "__main__":
    print(usual())
