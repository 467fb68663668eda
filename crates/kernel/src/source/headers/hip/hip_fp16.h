// The numbers of half precision have the same names in HIP.
#pragma once
#include "../cuda_fp16.h"
