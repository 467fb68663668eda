//! Kernels of autotune: sources, their compilers, one work group of them executed.

pub mod source;
