// Types of numbers that the header of cuBLAS brings with it. Its functions are the host's.
#pragma once
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
