// Every function of autotune_cuda_bytes.h. HIP leaves the packed integers to its users.
#define ONE(NAME) y[at++] = NAME(a);
#define TWO(NAME) y[at++] = NAME(a, b);

#ifndef __HIP__
__global__ void packed(unsigned int *y, const unsigned int *x)
{
    unsigned int a = x[threadIdx.x], b = x[threadIdx.x + 64];
    int at = 0;
    ONE(__vabs2) ONE(__vabs4) ONE(__vabsss2) ONE(__vabsss4) ONE(__vneg2) ONE(__vneg4) ONE(__vnegss2) ONE(__vnegss4)
    TWO(__vabsdiffs2) TWO(__vabsdiffs4) TWO(__vabsdiffu2) TWO(__vabsdiffu4) TWO(__vadd2) TWO(__vadd4) TWO(__vaddss2)
    TWO(__vaddss4) TWO(__vaddus2) TWO(__vaddus4) TWO(__vavgs2) TWO(__vavgs4) TWO(__vavgu2) TWO(__vavgu4)
    TWO(__vcmpeq2) TWO(__vcmpeq4) TWO(__vcmpges2) TWO(__vcmpges4) TWO(__vcmpgeu2) TWO(__vcmpgeu4) TWO(__vcmpgts2)
    TWO(__vcmpgts4) TWO(__vcmpgtu2) TWO(__vcmpgtu4) TWO(__vcmples2) TWO(__vcmples4) TWO(__vcmpleu2) TWO(__vcmpleu4)
    TWO(__vcmplts2) TWO(__vcmplts4) TWO(__vcmpltu2) TWO(__vcmpltu4) TWO(__vcmpne2) TWO(__vcmpne4) TWO(__vhaddu2)
    TWO(__vhaddu4) TWO(__vmaxs2) TWO(__vmaxs4) TWO(__vmaxu2) TWO(__vmaxu4) TWO(__vmins2) TWO(__vmins4) TWO(__vminu2)
    TWO(__vminu4) TWO(__vsads2) TWO(__vsads4) TWO(__vsadu2) TWO(__vsadu4) TWO(__vseteq2) TWO(__vseteq4)
    TWO(__vsetges2) TWO(__vsetges4) TWO(__vsetgeu2) TWO(__vsetgeu4) TWO(__vsetgts2) TWO(__vsetgts4) TWO(__vsetgtu2)
    TWO(__vsetgtu4) TWO(__vsetles2) TWO(__vsetles4) TWO(__vsetleu2) TWO(__vsetleu4) TWO(__vsetlts2) TWO(__vsetlts4)
    TWO(__vsetltu2) TWO(__vsetltu4) TWO(__vsetne2) TWO(__vsetne4) TWO(__vsub2) TWO(__vsub4) TWO(__vsubss2)
    TWO(__vsubss4) TWO(__vsubus2) TWO(__vsubus4)
}
#endif

__global__ void dots(int *y, const char4 *x, const uchar4 *z, const int *w)
{
    int a = w[threadIdx.x], b = w[threadIdx.x + 64];
    unsigned int c = a, d = b;
    y[0] = __dp4a(x[threadIdx.x], x[threadIdx.x + 64], a) + (int)__dp4a(z[threadIdx.x], z[threadIdx.x + 64], c);
    y[1] = __dp4a(a, b, 1) + (int)__dp4a(c, d, 2u) + __dp2a_lo(a, b, 3) + (int)__dp2a_hi(c, d, 4u);
    y[2] = (int)(__byte_perm(c, d, 0x3210) + __funnelshift_lc(c, d, 40) + __funnelshift_rc(c, d, 3) + __usad(c, d, 1));
    y[3] = __hadd(a, b) + __rhadd(a, b) + (int)(__uhadd(c, d) + __urhadd(c, d));
    y[4] = (int)(__mul64hi((long long)a << 32, (long long)b << 32) + (long long)__umul64hi((unsigned long long)c << 32, d));
    y[5] = (int)__fns(c, 4, 3);
}

// A product of 64 words: a load of each, and an instruction for four bytes.
__global__ void product(int *y, const int *x, const int *z)
{
    int sum = 0;
    for (int at = 0; at < 64; ++at) sum = __dp4a(x[at * 64 + threadIdx.x], z[at], sum);
    y[threadIdx.x] = sum;
}
