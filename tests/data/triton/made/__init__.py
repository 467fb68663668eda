"""Kernels that other ways than the decorator `triton.jit` make."""
