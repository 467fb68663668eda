// Every function of cuda_fp8.h. Behind a line stand the operations that it costs on sm_89.
#include <cuda_fp8.h>

// Words that no other line has read.
#define B b[__COUNTER__]
#define W w[__COUNTER__]
#define F f[__COUNTER__]
#define D d[__COUNTER__]
#define H h[__COUNTER__]
#define H2 h2[__COUNTER__]
#define G g[__COUNTER__]
#define G2 g2[__COUNTER__]

__global__ void functions(unsigned char* b, unsigned short* w, float* f, double* d, __half_raw* h, __half2_raw* h2,
    __nv_bfloat16_raw* g, __nv_bfloat162_raw* g2)
{
    B = __nv_cvt_float_to_fp8(F, __NV_SATFINITE, __NV_E4M3); // fp16 1
    B = __nv_cvt_float_to_fp8(F, __NV_NOSAT, __NV_E5M2); // fp16 1
    B = __nv_cvt_double_to_fp8(D, __NV_SATFINITE, __NV_E4M3); // fp16 1, fp64 1
    B = __nv_cvt_halfraw_to_fp8(H, __NV_SATFINITE, __NV_E5M2); // fp16 2
    B = __nv_cvt_bfloat16raw_to_fp8(G, __NV_SATFINITE, __NV_E4M3); // fp16 1, int32 1
    W = __nv_cvt_float2_to_fp8x2(float2{F, F}, __NV_SATFINITE, __NV_E4M3); // fp16 1
    W = __nv_cvt_double2_to_fp8x2(double2{D, D}, __NV_SATFINITE, __NV_E5M2); // fp16 1, fp64 2
    W = __nv_cvt_halfraw2_to_fp8x2(H2, __NV_SATFINITE, __NV_E4M3); // fp16 3
    W = __nv_cvt_bfloat16raw2_to_fp8x2(G2, __NV_SATFINITE, __NV_E5M2);
    H2 = __nv_cvt_fp8x2_to_halfraw2(W, __NV_E4M3);
    H = __nv_cvt_fp8_to_halfraw(B, __NV_E5M2);
}

template <class One, class Two, class Four>
__device__ __forceinline__ void convert(One* one, Two* two, Four* four, float* f, __half* h, __half2* h2, __nv_bfloat16* g,
    __nv_bfloat162* g2, float4* f4, double* d)
{
    one[1] = One(F);
    one[2] = One(H);
    one[3] = One(G);
    one[4] = One(D);
    one[5] = One(7);
    two[1] = Two(float2{F, F});
    two[2] = Two(H2);
    two[3] = Two(G2);
    two[4] = Two(double2{D, D});
    four[1] = Four(f4[1]);
    four[2] = Four(H2, H2);
    f4[2] = (float4)four[3];
    F = (float)one[6];
    D = (double)one[7];
    H = (__half)one[8];
    G = (__nv_bfloat16)one[9];
    H2 = (__half2)two[5];
    float2 both = (float2)two[6];
    F = both.x + both.y;
}

__global__ void types(__nv_fp8_e4m3* a, __nv_fp8x2_e4m3* a2, __nv_fp8x4_e4m3* a4, __nv_fp8_e5m2* b, __nv_fp8x2_e5m2* b2,
    __nv_fp8x4_e5m2* b4, float* f, __half* h, __half2* h2, __nv_bfloat16* g, __nv_bfloat162* g2, float4* f4, double* d)
{
    convert(a, a2, a4, f, h, h2, g, g2, f4, d);
    convert(b, b2, b4, f, h, h2, g, g2, f4 + 4, d);
}
