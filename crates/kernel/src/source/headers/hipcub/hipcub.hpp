// hipCUB: CUB under another name.
#pragma once

#include <cub/cub.cuh>
namespace hipcub = cub;
#define HIPCUB_WARP_THREADS AUTOTUNE_WAVE
