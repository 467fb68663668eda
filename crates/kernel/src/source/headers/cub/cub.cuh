// CUB for a warp and a block by its documentation. Functions for a device are called by hosts and left out; what has no
// counts yet is refused by name.
#pragma once

#include <cub/autotune_operators.cuh>
#include <cub/autotune_warp.cuh>
#include <cub/autotune_block.cuh>
#include <cub/autotune_exchange.cuh>
#include <cub/autotune_refused.cuh>
