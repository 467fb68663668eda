// Every function of autotune_cuda_math.h. Each result is stored, so that the compiler leaves none out.
#define ONE(NAME) y[at++] = NAME(a);
#define TWO(NAME) y[at++] = NAME(a, b);
#define THREE(NAME) y[at++] = NAME(a, b, c);

__global__ void of_one(double *y, const float *x)
{
    float a = x[threadIdx.x];
    int at = 0;
    ONE(__cosf) ONE(__double2float_rd) ONE(__double2float_rn) ONE(__double2float_ru) ONE(__double2float_rz)
    ONE(__double2hiint) ONE(__double2int_rd) ONE(__double2int_rn) ONE(__double2int_ru) ONE(__double2int_rz)
    ONE(__double2ll_rd) ONE(__double2ll_rn) ONE(__double2ll_ru) ONE(__double2ll_rz) ONE(__double2loint)
    ONE(__double2uint_rd) ONE(__double2uint_rn) ONE(__double2uint_ru) ONE(__double2uint_rz) ONE(__double2ull_rd)
    ONE(__double2ull_rn) ONE(__double2ull_ru) ONE(__double2ull_rz) ONE(__drcp_rn) ONE(__dsqrt_rn) ONE(__dsqrt_rz)
    ONE(__exp10f) ONE(__expf) ONE(__float2int_rd) ONE(__float2int_rn) ONE(__float2int_ru) ONE(__float2int_rz)
    ONE(__float2ll_rd) ONE(__float2ll_rn) ONE(__float2ll_ru) ONE(__float2ll_rz) ONE(__float2uint_rd)
    ONE(__float2uint_rn) ONE(__float2uint_ru) ONE(__float2uint_rz) ONE(__float2ull_rd) ONE(__float2ull_rn)
    ONE(__float2ull_ru) ONE(__float2ull_rz) ONE(__frcp_rd) ONE(__frcp_rn) ONE(__frcp_ru) ONE(__frcp_rz)
    ONE(__frsqrt_rn) ONE(__fsqrt_rd) ONE(__fsqrt_rn) ONE(__fsqrt_ru) ONE(__fsqrt_rz) ONE(__int2double_rn)
    ONE(__int2float_rd) ONE(__int2float_rn) ONE(__int2float_ru) ONE(__int2float_rz) ONE(__ll2double_rd)
    ONE(__ll2double_rn) ONE(__ll2double_ru) ONE(__ll2double_rz) ONE(__ll2float_rd) ONE(__ll2float_rn)
    ONE(__ll2float_ru) ONE(__ll2float_rz) ONE(__log10f) ONE(__log2f) ONE(__logf) ONE(__saturatef) ONE(__sinf)
    ONE(__tanf) ONE(__uint2double_rn) ONE(__uint2float_rd) ONE(__uint2float_rn) ONE(__uint2float_ru)
    ONE(__uint2float_rz) ONE(__ull2double_rd) ONE(__ull2double_rn) ONE(__ull2double_ru) ONE(__ull2double_rz)
    ONE(__ull2float_rd) ONE(__ull2float_rn) ONE(__ull2float_ru) ONE(__ull2float_rz) ONE(acos) ONE(acosf) ONE(acosh)
    ONE(acoshf) ONE(asin) ONE(asinf) ONE(asinh) ONE(asinhf) ONE(atan) ONE(atanf) ONE(atanh) ONE(atanhf) ONE(cbrt)
    ONE(cbrtf) ONE(ceil) ONE(ceilf) ONE(cos) ONE(cosf) ONE(cosh) ONE(coshf) ONE(cospi) ONE(cospif) ONE(erf) ONE(erfc)
    ONE(erfcf) ONE(erfcinv) ONE(erfcinvf) ONE(erfcx) ONE(erfcxf) ONE(erff) ONE(erfinv) ONE(erfinvf) ONE(exp)
    ONE(exp10) ONE(exp10f) ONE(exp2) ONE(exp2f) ONE(expf) ONE(expm1) ONE(expm1f) ONE(fabs) ONE(fabsf) ONE(floor)
    ONE(floorf) ONE(j0) ONE(j0f) ONE(j1) ONE(j1f) ONE(lgamma) ONE(lgammaf) ONE(llrint) ONE(llrintf) ONE(llround)
    ONE(llroundf) ONE(log) ONE(log10) ONE(log10f) ONE(log1p) ONE(log1pf) ONE(log2) ONE(log2f) ONE(logb) ONE(logbf)
    ONE(logf) ONE(lrint) ONE(lrintf) ONE(lround) ONE(lroundf) ONE(nearbyint) ONE(nearbyintf) ONE(normcdf)
    ONE(normcdff) ONE(normcdfinv) ONE(normcdfinvf) ONE(rcbrt) ONE(rcbrtf) ONE(rint) ONE(rintf) ONE(round) ONE(roundf)
    ONE(rsqrt) ONE(rsqrtf) ONE(sin) ONE(sinf) ONE(sinh) ONE(sinhf) ONE(sinpi) ONE(sinpif) ONE(sqrt) ONE(sqrtf)
    ONE(tan) ONE(tanf) ONE(tanh) ONE(tanhf) ONE(tgamma) ONE(tgammaf) ONE(trunc) ONE(truncf) ONE(y0) ONE(y0f) ONE(y1)
    ONE(y1f)
}

__global__ void of_two(double *y, const float *x)
{
    float a = x[threadIdx.x], b = x[threadIdx.x + 64], c = x[threadIdx.x + 128];
    int at = 0;
    TWO(__dadd_rn) TWO(__dadd_rz) TWO(__ddiv_rn) TWO(__ddiv_rz) TWO(__dmul_rn) TWO(__dmul_rz) TWO(__dsub_rn)
    TWO(__dsub_rz) TWO(__fadd_rd) TWO(__fadd_rn) TWO(__fadd_ru) TWO(__fadd_rz) TWO(__fdiv_rd) TWO(__fdiv_rn)
    TWO(__fdiv_ru) TWO(__fdiv_rz) TWO(__fdividef) TWO(__fmul_rd) TWO(__fmul_rn) TWO(__fmul_ru) TWO(__fmul_rz)
    TWO(__fsub_rd) TWO(__fsub_rn) TWO(__fsub_ru) TWO(__fsub_rz) TWO(__powf) TWO(atan2) TWO(atan2f) TWO(copysign)
    TWO(copysignf) TWO(fdim) TWO(fdimf) TWO(fdividef) TWO(fmax) TWO(fmaxf) TWO(fmin) TWO(fminf) TWO(fmod) TWO(fmodf)
    TWO(hypot) TWO(hypotf) TWO(nextafter) TWO(nextafterf) TWO(pow) TWO(powf) TWO(remainder) TWO(remainderf)
    TWO(rhypotf)
    THREE(__fma_rn) THREE(__fma_rz) THREE(__fmaf_rd) THREE(__fmaf_rn) THREE(__fmaf_ru) THREE(__fmaf_rz) THREE(fma)
    THREE(fmaf) THREE(norm3df) THREE(rnorm3df)
    y[at++] = norm4df(a, b, c, a) + rnorm4df(a, b, c, a) + ldexpf(a, 3) + ldexp(b, 4) + scalbn(c, 5) + scalbnf(c, 6);
    y[at++] = isnan(a) + isinf(b) + isfinite(c) + signbit((double)a);
    float sine, cosine, whole;
    double exact_sine, exact_cosine, exact_whole;
    sincosf(a, &sine, &cosine), y[at++] = sine + cosine;
    sincospif(a, &sine, &cosine), y[at++] = sine + cosine;
    __sincosf(a, &sine, &cosine), y[at++] = sine + cosine;
    sincos(b, &exact_sine, &exact_cosine), y[at++] = exact_sine + exact_cosine;
    sincospi(b, &exact_sine, &exact_cosine), y[at++] = exact_sine + exact_cosine;
    y[at++] = modff(a, &whole) + whole;
    y[at++] = modf(b, &exact_whole) + exact_whole;
}

__global__ void of_integers(long long *y, const int *x, const long long *l)
{
    int a = x[threadIdx.x], b = x[threadIdx.x + 64], at = 0;
    ONE(__brev) ONE(__clz) ONE(__ffs) ONE(__popc) ONE(abs)
    TWO(__mul24) TWO(__mulhi) TWO(__umul24) TWO(__umulhi) TWO(max) TWO(min) TWO(umax) TWO(umin)
    y[at++] = __sad(a, b, 3) + __funnelshift_l(a, b, 5) + __funnelshift_r(a, b, 7);
    y[at++] = (long long)(__int_as_float(a) + __uint_as_float(b));
    y[at++] = __float_as_int((float)a) + __float_as_uint((float)b);
    y[at++] = (long long)(__hiloint2double(a, b) + __longlong_as_double(l[threadIdx.x]));
    y[at++] = __double_as_longlong((double)a);
    {
        long long a = l[threadIdx.x], b = l[threadIdx.x + 64];
        ONE(__brevll) ONE(__clzll) ONE(__ffsll) ONE(__popcll) ONE(llabs) ONE(labs)
        TWO(llmax) TWO(llmin) TWO(ullmax) TWO(ullmin)
    }
}
