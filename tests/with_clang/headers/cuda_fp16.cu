// Every function of cuda_fp16.h, and with `bfloat16` in place of `half` of cuda_bf16.h. Behind a line stand the operations
// that it costs on sm_80, and after a bar those of bfloat16 if they differ.
#include <cuda_fp16.h>
typedef __half number;
typedef __half2 pair;

// Words that no other line has read.
#define X x[__COUNTER__]
#define Y y[__COUNTER__]
#define N n[__COUNTER__]
#define P p[__COUNTER__]
#define F f[__COUNTER__]
#define I i[__COUNTER__]
#define S s[__COUNTER__]
#define L l[__COUNTER__]

__global__ void arithmetic(const number* x, const pair* y, number* n, pair* p, float* f, int* i, short* s, long long* l)
{
    N = number(0.0f); // free | fp16 1
    N = number(1.0f); // free | fp16 1
    N = __hadd(X, X); // fp16 1
    P = __hadd2(Y, Y); // fp16 1
    N = __hsub(X, X); // fp16 1
    P = __hsub2(Y, Y); // fp16 1
    N = __hmul(X, X); // fp16 1
    P = __hmul2(Y, Y); // fp16 1
    N = __hadd_rn(X, X); // fp16 1
    P = __hadd2_rn(Y, Y); // fp16 1
    N = __hsub_rn(X, X); // fp16 1
    P = __hsub2_rn(Y, Y); // fp16 1
    N = __hmul_rn(X, X); // fp16 1
    P = __hmul2_rn(Y, Y); // fp16 1
    N = __hmax(X, X); // fp16 1
    P = __hmax2(Y, Y); // fp16 1
    N = __hmin(X, X); // fp16 1
    P = __hmin2(Y, Y); // fp16 1
    N = __hmax_nan(X, X); // fp16 1
    P = __hmax2_nan(Y, Y); // fp16 1
    N = __hmin_nan(X, X); // fp16 1
    P = __hmin2_nan(Y, Y); // fp16 1
    N = __hadd_sat(X, X); // fp16 3
    P = __hadd2_sat(Y, Y); // fp16 3
    N = __hsub_sat(X, X); // fp16 3
    P = __hsub2_sat(Y, Y); // fp16 3
    N = __hmul_sat(X, X); // fp16 3
    P = __hmul2_sat(Y, Y); // fp16 3
    N = __hfma(X, X, X); // fp16 1
    P = __hfma2(Y, Y, Y); // fp16 1
    N = __hfma_sat(X, X, X); // fp16 3
    P = __hfma2_sat(Y, Y, Y); // fp16 3
    N = __hfma_relu(X, X, X); // fp16 2
    P = __hfma2_relu(Y, Y, Y); // fp16 2
    N = __hneg(X); // free
    P = __hneg2(Y); // free
    N = __habs(X); // free
    P = __habs2(Y); // free
    N = __hdiv(X, X); // special 1, fp32 2, int32 1, fp16 2
    P = __h2div(Y, Y); // special 2, fp32 4, int32 2, fp16 4
    P = __hcmadd(Y, Y, Y); // fp16 2
}

__global__ void operators(const number* x, const pair* y, number* n, pair* p, float* f, int* i, short* s, long long* l)
{
    N = number(0.0f); // free | fp16 1
    N = number(1.0f); // free | fp16 1
    N = X + X; // fp16 1
    P = Y + Y; // fp16 1
    N = X - X; // fp16 1
    P = Y - Y; // fp16 1
    N = X * X; // fp16 1
    P = Y * Y; // fp16 1
    N = X / X; // special 1, fp32 2, int32 1, fp16 2
    P = Y / Y; // special 2, fp32 4, int32 2, fp16 4
    N += X; // fp16 1
    P += Y; // fp16 1
    N -= X; // fp16 1
    P -= Y; // fp16 1
    N *= X; // fp16 1
    P *= Y; // fp16 1
    N /= X; // special 1, fp32 2, int32 1, fp16 2
    P /= Y; // special 2, fp32 4, int32 2, fp16 4
    N = -X; // free
    P = -Y; // free
    N = +X; // free
    P = +Y; // free
    ++N; // fp16 1
    --N; // fp16 1
    N++; // fp16 1
    N--; // fp16 1
    ++P; // fp16 1
    --P; // fp16 1
    P++; // fp16 1
    P--; // fp16 1
    N = X * X + X; // fp16 1
    P = Y * Y + Y; // fp16 1
}

__global__ void comparisons(const number* x, const pair* y, number* n, pair* p, float* f, int* i, short* s, long long* l)
{
    I = __heq(X, X); // fp16 1, int32 1
    I = __hbeq2(Y, Y); // fp16 2, int32 1
    P = __heq2(Y, Y); // fp16 1, int32 2
    I = __heq2_mask(Y, Y); // fp16 1, int32 2
    I = __hne(X, X); // fp16 1, int32 1
    I = __hbne2(Y, Y); // fp16 2, int32 1
    P = __hne2(Y, Y); // fp16 1, int32 2
    I = __hne2_mask(Y, Y); // fp16 1, int32 2
    I = __hlt(X, X); // fp16 1, int32 1
    I = __hblt2(Y, Y); // fp16 2, int32 1
    P = __hlt2(Y, Y); // fp16 1, int32 2
    I = __hlt2_mask(Y, Y); // fp16 1, int32 2
    I = __hle(X, X); // fp16 1, int32 1
    I = __hble2(Y, Y); // fp16 2, int32 1
    P = __hle2(Y, Y); // fp16 1, int32 2
    I = __hle2_mask(Y, Y); // fp16 1, int32 2
    I = __hgt(X, X); // fp16 1, int32 1
    I = __hbgt2(Y, Y); // fp16 2, int32 1
    P = __hgt2(Y, Y); // fp16 1, int32 2
    I = __hgt2_mask(Y, Y); // fp16 1, int32 2
    I = __hge(X, X); // fp16 1, int32 1
    I = __hbge2(Y, Y); // fp16 2, int32 1
    P = __hge2(Y, Y); // fp16 1, int32 2
    I = __hge2_mask(Y, Y); // fp16 1, int32 2
    I = __hequ(X, X); // fp16 1, int32 1
    I = __hbequ2(Y, Y); // fp16 2, int32 1
    P = __hequ2(Y, Y); // fp16 1, int32 2
    I = __hequ2_mask(Y, Y); // fp16 1, int32 2
    I = __hneu(X, X); // fp16 1, int32 1
    I = __hbneu2(Y, Y); // fp16 2, int32 1
    P = __hneu2(Y, Y); // fp16 1, int32 2
    I = __hneu2_mask(Y, Y); // fp16 1, int32 2
    I = __hltu(X, X); // fp16 1, int32 1
    I = __hbltu2(Y, Y); // fp16 2, int32 1
    P = __hltu2(Y, Y); // fp16 1, int32 2
    I = __hltu2_mask(Y, Y); // fp16 1, int32 2
    I = __hleu(X, X); // fp16 1, int32 1
    I = __hbleu2(Y, Y); // fp16 2, int32 1
    P = __hleu2(Y, Y); // fp16 1, int32 2
    I = __hleu2_mask(Y, Y); // fp16 1, int32 2
    I = __hgtu(X, X); // fp16 1, int32 1
    I = __hbgtu2(Y, Y); // fp16 2, int32 1
    P = __hgtu2(Y, Y); // fp16 1, int32 2
    I = __hgtu2_mask(Y, Y); // fp16 1, int32 2
    I = __hgeu(X, X); // fp16 1, int32 1
    I = __hbgeu2(Y, Y); // fp16 2, int32 1
    P = __hgeu2(Y, Y); // fp16 1, int32 2
    I = __hgeu2_mask(Y, Y); // fp16 1, int32 2
    I = X == X; // fp16 1, int32 1
    I = Y == Y; // fp16 2, int32 1
    I = X != X; // fp16 1, int32 1
    I = Y != Y; // fp16 2, int32 1
    I = X < X; // fp16 1, int32 1
    I = Y < Y; // fp16 2, int32 1
    I = X <= X; // fp16 1, int32 1
    I = Y <= Y; // fp16 2, int32 1
    I = X > X; // fp16 1, int32 1
    I = Y > Y; // fp16 2, int32 1
    I = X >= X; // fp16 1, int32 1
    I = Y >= Y; // fp16 2, int32 1
    I = __hisnan(X); // fp16 1, int32 1
    P = __hisnan2(Y); // fp16 1, int32 2
    I = __hisinf(X);
}

__global__ void conversions(const number* x, const pair* y, number* n, pair* p, float* f, int* i, short* s, long long* l)
{
    F = __half2float(X); // fp16 1 | int32 1
    F = (float)X; // fp16 1 | int32 1
    N = __float2half(F); // fp16 1
    N = __float2half_rn(F); // fp16 1
    N = __float2half_rz(F); // fp16 1
    N = __float2half_ru(F); // fp16 1
    N = __float2half_rd(F); // fp16 1
    N = F; // fp16 1
    N = number(F); // fp16 1
    N = __double2half(L);
    P = __floats2half2_rn(F, F); // fp16 1
    P = __float22half2_rn(float2{F, F}); // fp16 1
    P = __float2half2_rn(F); // fp16 1
    { float2 both = __half22float2(Y); F = both.x, F = both.y; } // fp16 2 | int32 2
    F = __low2float(Y); // fp16 1 | int32 1
    F = __high2float(Y); // fp16 1 | int32 1
    N = __low2half(Y); // free
    N = __high2half(Y); // free
    P = __low2half2(Y); // free
    P = __high2half2(Y); // free
    P = __lows2half2(Y, Y); // free
    P = __highs2half2(Y, Y); // free
    P = __lowhigh2highlow(Y); // free
    P = __halves2half2(X, X); // free
    P = __half2half2(X); // free
    P = make_half2(X, X); // free
    P = pair(X, X); // free
    N = number(__half_raw{(unsigned short)S}); // free
    P = pair(__half2_raw{(unsigned short)S, (unsigned short)S}); // free
    S = __half_as_short(X); // free
    S = __half_as_ushort(X); // free
    N = __short_as_half(S); // free
    N = __ushort_as_half(S); // free
    N = Y.x; // free
    N = Y.y; // free
}

__global__ void integers(const number* x, const pair* y, number* n, pair* p, float* f, int* i, short* s, long long* l)
{
    I = __half2int_rn(X); // special 1 | special 1, int32 1
    N = __int2half_rn(I); // special 1 | special 1, fp16 1
    I = __half2int_rz(X); // special 1 | special 1, int32 1
    N = __int2half_rz(I); // special 1 | special 1, fp16 1
    I = __half2int_ru(X); // special 1 | special 1, int32 1
    N = __int2half_ru(I); // special 1 | special 1, fp16 1
    I = __half2int_rd(X); // special 1 | special 1, int32 1
    N = __int2half_rd(I); // special 1 | special 1, fp16 1
    I = __half2uint_rn(X); // special 1 | special 1, int32 1
    N = __uint2half_rn(I); // special 1 | special 1, fp16 1
    I = __half2uint_rz(X); // special 1 | special 1, int32 1
    N = __uint2half_rz(I); // special 1 | special 1, fp16 1
    I = __half2uint_ru(X); // special 1 | special 1, int32 1
    N = __uint2half_ru(I); // special 1 | special 1, fp16 1
    I = __half2uint_rd(X); // special 1 | special 1, int32 1
    N = __uint2half_rd(I); // special 1 | special 1, fp16 1
    L = __half2ll_rn(X); // special 1 | special 1, int32 1
    N = __ll2half_rn(L); // special 1 | special 1, fp16 1
    L = __half2ll_rz(X); // special 1 | special 1, int32 1
    N = __ll2half_rz(L); // special 1 | special 1, fp16 1
    L = __half2ll_ru(X); // special 1 | special 1, int32 1
    N = __ll2half_ru(L); // special 1 | special 1, fp16 1
    L = __half2ll_rd(X); // special 1 | special 1, int32 1
    N = __ll2half_rd(L); // special 1 | special 1, fp16 1
    L = __half2ull_rn(X); // special 1 | special 1, int32 1
    N = __ull2half_rn(L); // special 1 | special 1, fp16 1
    L = __half2ull_rz(X); // special 1 | special 1, int32 1
    N = __ull2half_rz(L); // special 1 | special 1, fp16 1
    L = __half2ull_ru(X); // special 1 | special 1, int32 1
    N = __ull2half_ru(L); // special 1 | special 1, fp16 1
    L = __half2ull_rd(X); // special 1 | special 1, int32 1
    N = __ull2half_rd(L); // special 1 | special 1, fp16 1
    S = __half2short_rn(X); // special 1 | special 1, int32 1
    N = __short2half_rn(S); // special 1 | special 1, fp16 1
    S = __half2short_rz(X); // special 1 | special 1, int32 1
    N = __short2half_rz(S); // special 1 | special 1, fp16 1
    S = __half2short_ru(X); // special 1 | special 1, int32 1
    N = __short2half_ru(S); // special 1 | special 1, fp16 1
    S = __half2short_rd(X); // special 1 | special 1, int32 1
    N = __short2half_rd(S); // special 1 | special 1, fp16 1
    S = __half2ushort_rn(X); // special 1 | special 1, int32 1
    N = __ushort2half_rn(S); // special 1 | special 1, fp16 1
    S = __half2ushort_rz(X); // special 1 | special 1, int32 1
    N = __ushort2half_rz(S); // special 1 | special 1, fp16 1
    S = __half2ushort_ru(X); // special 1 | special 1, int32 1
    N = __ushort2half_ru(S); // special 1 | special 1, fp16 1
    S = __half2ushort_rd(X); // special 1 | special 1, int32 1
    N = __ushort2half_rd(S); // special 1 | special 1, fp16 1
    I = __half2char_rz(X); // special 1 | special 1, int32 1
    I = __half2uchar_rz(X); // special 1 | special 1, int32 1
    I = X; // special 1 | special 1, int32 1
    N = I; // special 1 | special 1, fp16 1
    N = number((unsigned long)L); // special 1 | special 1, fp16 1
    L = (bool)X;
    S = (signed char)X; // special 1 | special 1, int32 1
    S = (unsigned char)X; // special 1 | special 1, int32 1
}

__global__ void mathematics(const number* x, const pair* y, number* n, pair* p, float* f, int* i, short* s, long long* l)
{
    N = hsqrt(X); // special 1, fp32 2, int32 1, fp16 2 | special 1, fp32 2, int32 2, fp16 1
    P = h2sqrt(Y); // special 2, fp32 4, int32 2, fp16 3 | special 2, fp32 4, int32 4, fp16 1
    N = hexp(X); // special 1, fp32 2, int32 1, fp16 2 | special 1, fp32 2, int32 2, fp16 1
    P = h2exp(Y); // special 2, fp32 4, int32 2, fp16 3 | special 2, fp32 4, int32 4, fp16 1
    N = hexp2(X); // special 1, fp32 2, int32 1, fp16 2 | special 1, fp32 2, int32 2, fp16 1
    P = h2exp2(Y); // special 2, fp32 4, int32 2, fp16 3 | special 2, fp32 4, int32 4, fp16 1
    N = hexp10(X); // special 1, fp32 2, int32 1, fp16 2 | special 1, fp32 2, int32 2, fp16 1
    P = h2exp10(Y); // special 2, fp32 4, int32 2, fp16 3 | special 2, fp32 4, int32 4, fp16 1
    N = hlog(X); // special 1, fp32 2, int32 1, fp16 2 | special 1, fp32 2, int32 2, fp16 1
    P = h2log(Y); // special 2, fp32 4, int32 2, fp16 3 | special 2, fp32 4, int32 4, fp16 1
    N = hlog2(X); // special 1, fp32 2, int32 1, fp16 2 | special 1, fp32 2, int32 2, fp16 1
    P = h2log2(Y); // special 2, fp32 4, int32 2, fp16 3 | special 2, fp32 4, int32 4, fp16 1
    N = hlog10(X); // special 1, fp32 2, int32 1, fp16 2 | special 1, fp32 2, int32 2, fp16 1
    P = h2log10(Y); // special 2, fp32 4, int32 2, fp16 3 | special 2, fp32 4, int32 4, fp16 1
    N = hsin(X); // special 1, fp32 2, int32 1, fp16 2 | special 1, fp32 2, int32 2, fp16 1
    P = h2sin(Y); // special 2, fp32 4, int32 2, fp16 3 | special 2, fp32 4, int32 4, fp16 1
    N = hcos(X); // special 1, fp32 2, int32 1, fp16 2 | special 1, fp32 2, int32 2, fp16 1
    P = h2cos(Y); // special 2, fp32 4, int32 2, fp16 3 | special 2, fp32 4, int32 4, fp16 1
    N = htanh(X); // special 1, fp32 2, int32 1, fp16 2 | special 1, fp32 2, int32 2, fp16 1
    P = h2tanh(Y); // special 2, fp32 4, int32 2, fp16 3 | special 2, fp32 4, int32 4, fp16 1
    N = htanh_approx(X); // special 1, fp32 2, int32 1, fp16 2 | special 1, fp32 2, int32 2, fp16 1
    P = h2tanh_approx(Y); // special 2, fp32 4, int32 2, fp16 3 | special 2, fp32 4, int32 4, fp16 1
    N = hrsqrt(X); // special 1, fp16 2 | special 1, int32 1, fp16 1
    P = h2rsqrt(Y); // special 2, fp16 3 | special 2, int32 2, fp16 1
    N = hrcp(X); // special 1, fp16 2 | special 1, int32 1, fp16 1
    P = h2rcp(Y); // special 2, fp16 3 | special 2, int32 2, fp16 1
    N = hfloor(X); // int32 1 | int32 2, fp16 1
    P = h2floor(Y); // int32 2 | int32 4, fp16 2
    N = hceil(X); // int32 1 | int32 2, fp16 1
    P = h2ceil(Y); // int32 2 | int32 4, fp16 2
    N = htrunc(X); // int32 1 | int32 2, fp16 1
    P = h2trunc(Y); // int32 2 | int32 4, fp16 2
    N = hrint(X); // int32 1 | int32 2, fp16 1
    P = h2rint(Y); // int32 2 | int32 4, fp16 2
}

__global__ void exchanges(const number* x, const pair* y, number* n, pair* p)
{
    __shared__ number one[64];
    __shared__ pair both[64];
    one[threadIdx.x] = x[threadIdx.x];
    both[threadIdx.x] = y[threadIdx.x];
    __syncthreads();
    N = __shfl_sync(~0u, one[threadIdx.x ^ 1], 3);
    P = __shfl_down_sync(~0u, both[threadIdx.x ^ 1], 16);
    N = __shfl_up_sync(~0u, X, 1);
    P = __shfl_xor_sync(~0u, Y, 1);
    N = __ldg(x + threadIdx.x);
    P = __ldcs(y + threadIdx.x);
    __stcg(n + threadIdx.x, X);
    atomicAdd(n, X);
    atomicAdd(p, Y);
}
