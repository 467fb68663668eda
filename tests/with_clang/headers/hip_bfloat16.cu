// Every function of hip/hip_bfloat16.h, and the names of hip/hip_bf16.h and hip/hip_fp16.h.
#include <hip/hip_bf16.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_fp16.h>

__global__ void older(const hip_bfloat16* x, hip_bfloat16* y, float* f)
{
    y[0] = x[0] + x[1];
    y[1] = x[2] - x[3];
    y[2] = x[4] * x[5];
    y[3] = x[6] / x[7];
    y[4] += x[8];
    y[5] -= x[9];
    y[6] *= x[10];
    y[7] /= x[11];
    y[8] = -x[12];
    y[9] = f[0];
    y[10] = hip_bfloat16::round_to_bfloat16(f[1]);
    f[2] = x[13];
}

__global__ void newer(const __hip_bfloat16* x, const __hip_bfloat162* y, __hip_bfloat162* z, const __half2* h, half2* k)
{
    z[0] = __hfma2(y[0], __bfloat162bfloat162(x[0]), z[1]);
    k[0] = __hadd2(h[0], h[1]);
    z[2] = __hip_bfloat162(__hip_bfloat16_raw{1}, __hip_bfloat16(__hip_bfloat16_raw{2}));
    z[3] = __hip_bfloat162(__hip_bfloat162_raw{1, 2});
}
