//! The headers that stand for CUDA's, HIP's and OpenCL's own, so that a compiler needs no toolkit.

use std::io;
use std::path::Path;

use fs_err as fs;

/// The headers by their file names, which all begin with `autotune_`.
const HEADERS: [(&str, &str); 5] = [
    (CUDA, include_str!("headers/autotune_cuda.h")),
    ("autotune_cuda_math.h", include_str!("headers/autotune_cuda_math.h")),
    ("autotune_cuda_lanes.h", include_str!("headers/autotune_cuda_lanes.h")),
    (OPENCL, include_str!("headers/autotune_opencl.h")),
    (OPENCL_LANES, include_str!("headers/autotune_opencl_lanes.h")),
];

/// The header that every CUDA source gets.
pub(super) const CUDA: &str = "autotune_cuda.h";
/// The header that an OpenCL source gets when a back end translates it.
pub(super) const OPENCL: &str = "autotune_opencl.h";
/// The header that an OpenCL source gets if it names sub-groups.
pub(super) const OPENCL_LANES: &str = "autotune_opencl_lanes.h";
/// The folder of the headers with the names that sources include, within that of the headers.
pub(super) const NAMED: &str = "autotune_named";

/// Headers under the names that sources include.
const NAMED_HEADERS: [(&str, &str); 11] = [
    ("autotune_sixteen.h", include_str!("headers/autotune_sixteen.h")),
    ("autotune_sixteen_begin.h", include_str!("headers/autotune_sixteen_begin.h")),
    ("cuda_bf16.h", include_str!("headers/cuda_bf16.h")),
    ("cuda_bf16.hpp", "#include \"cuda_bf16.h\"\n"),
    ("cuda_fp16.h", include_str!("headers/cuda_fp16.h")),
    ("cuda_fp16.hpp", "#include \"cuda_fp16.h\"\n"),
    ("cuda_fp8.h", include_str!("headers/cuda_fp8.h")),
    ("cuda_fp8.hpp", "#include \"cuda_fp8.h\"\n"),
    ("hip/hip_bf16.h", include_str!("headers/hip/hip_bf16.h")),
    ("hip/hip_bfloat16.h", include_str!("headers/hip/hip_bfloat16.h")),
    ("hip/hip_fp16.h", include_str!("headers/hip/hip_fp16.h")),
];

/// Headers that CUDA sources include and that are empty here, because [`CUDA`] has what kernels need of them.
const EMPTY_HEADERS: [&str; 26] = [
    "cuda.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "cuda_device_runtime_api.h",
    "device_functions.h",
    "device_launch_parameters.h",
    "math_constants.h",
    "math_functions.h",
    "sm_30_intrinsics.h",
    "vector_types.h",
    "vector_functions.h",
    "hip/hip_runtime.h",
    "hip/hip_runtime_api.h",
    "hip/hip_vector_types.h",
    "hip/math_functions.h",
    "assert.h",
    "cassert",
    "cfloat",
    "climits",
    "cmath",
    "cstdint",
    "cstdio",
    "cstdlib",
    "math.h",
    "stdio.h",
    "stdlib.h",
];
/// Headers of the compiler that would look for the system's; their types are in [`CUDA`] too.
const COMPILERS: [&str; 4] = ["float.h", "limits.h", "stddef.h", "stdint.h"];
/// The text of an empty header.
pub(super) const EMPTY_TEXT: &str = "// Empty: autotune_cuda.h has what kernels need of this header.\n";

/// Writes all headers into a folder.
///
/// # Errors
/// If the folder cannot be written.
pub(super) fn write(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (name, text) in HEADERS {
        fs::write(folder.join(name), text)?;
    }
    let empty = EMPTY_HEADERS.into_iter().chain(COMPILERS).map(|name| (name, EMPTY_TEXT));
    for (name, text) in NAMED_HEADERS.into_iter().chain(empty) {
        let path = folder.join(NAMED).join(name);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, text)?;
    }
    Ok(())
}

/// True for the name of an empty header.
pub(super) fn has(name: &str) -> bool {
    EMPTY_HEADERS.contains(&name) || COMPILERS.contains(&name)
}

/// The texts of all headers: what is compiled depends on them.
pub(super) fn texts() -> impl Iterator<Item = &'static str> {
    let with_text = HEADERS.into_iter().chain(NAMED_HEADERS);
    with_text.flat_map(|(name, text)| [name, text]).chain(EMPTY_HEADERS).chain(COMPILERS)
}
