// PyTorch's C++ library as far as kernels use it, by its documentation: torch, ATen and c10. All its headers lead here.
#pragma once

#include <torch/autotune_macros.h>
#include <torch/autotune_numbers.h>
#include <torch/autotune_accessors.h>
#include <torch/autotune_lanes.h>

namespace torch {
using namespace at;
} // namespace torch
