// Random numbers inside of kernels, by the published generators: XORWOW (Marsaglia, "Xorshift RNGs", 2003) and Philox 4x32
// with 10 rounds (Salmon and others, "Parallel random numbers: as easy as 1, 2, 3", 2011).
//
// Counts: the operations of the generator, loads and stores of its state. A normal number takes half of a pair by Box and
// Muller; the pair's other half is in the state, so that a branch on data decides. Other generators are not here, and XORWOW
// is not initialised: its jump to a subsequence takes a time that depends on the subsequence.
#pragma once

AUTOTUNE_REFUSED(curand_init, "curand_init")

struct curandStateXORWOW { unsigned int d, v[5]; int boxmuller_flag, boxmuller_flag_double; float boxmuller_extra; double boxmuller_extra_double; };
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW hiprandState;
typedef curandStateXORWOW hiprandState_t;
struct curandStatePhilox4_32_10 { uint4 ctr, output; uint2 key; unsigned int STATE; int boxmuller_flag, boxmuller_flag_double; float boxmuller_extra; double boxmuller_extra_double; };
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStatePhilox4_32_10 hiprandStatePhilox4_32_10_t;

AUTOTUNE_INLINE void curand_init(unsigned long long, unsigned long long, unsigned long long, curandStateXORWOW*) { autotune_refused_curand_init(); }
AUTOTUNE_INLINE unsigned int curand(curandStateXORWOW* state) {
    unsigned int t = state->v[0] ^ (state->v[0] >> 2);
    state->v[0] = state->v[1];
    state->v[1] = state->v[2];
    state->v[2] = state->v[3];
    state->v[3] = state->v[4];
    state->v[4] = (state->v[4] ^ (state->v[4] << 4)) ^ (t ^ (t << 1));
    state->d += 362437;
    return state->v[4] + state->d;
}

AUTOTUNE_INLINE uint4 autotune_philox(uint4 counter, uint2 key) {
#pragma unroll
    for (int round = 0; round < 10; ++round) {
        unsigned long long first = 0xD2511F53ull * counter.x, second = 0xCD9E8D57ull * counter.z;
        counter = uint4{(unsigned int)(second >> 32) ^ counter.y ^ key.x, (unsigned int)second,
                        (unsigned int)(first >> 32) ^ counter.w ^ key.y, (unsigned int)first};
        key = uint2{key.x + 0x9E3779B9u, key.y + 0xBB67AE85u};
    }
    return counter;
}
// The counter is a number of 128 bits.
AUTOTUNE_INLINE void autotune_skip(curandStatePhilox4_32_10* state, unsigned long long by) {
    unsigned long long low = ((unsigned long long)state->ctr.y << 32 | state->ctr.x) + by;
    unsigned long long high = ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + (low < by);
    state->ctr = uint4{(unsigned int)low, (unsigned int)(low >> 32), (unsigned int)high, (unsigned int)(high >> 32)};
}
AUTOTUNE_INLINE void skipahead(unsigned long long by, curandStatePhilox4_32_10* state) {
    autotune_skip(state, by / 4);
    state->output = autotune_philox(state->ctr, state->key);
}
AUTOTUNE_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStatePhilox4_32_10* state) {
    state->key = uint2{(unsigned int)seed, (unsigned int)(seed >> 32)};
    state->ctr = uint4{0, 0, (unsigned int)subsequence, (unsigned int)(subsequence >> 32)};
    state->STATE = (unsigned int)offset % 4;
    state->boxmuller_flag = 0;
    state->boxmuller_flag_double = 0;
    skipahead(offset, state);
}
AUTOTUNE_INLINE uint4 curand4(curandStatePhilox4_32_10* state) {
    uint4 words = state->output;
    autotune_skip(state, 1);
    state->output = autotune_philox(state->ctr, state->key);
    return words;
}
// Four words come at once: each fourth call makes new ones.
AUTOTUNE_INLINE unsigned int curand(curandStatePhilox4_32_10* state) {
    unsigned int word = state->STATE == 0 ? state->output.x : state->STATE == 1 ? state->output.y : state->STATE == 2 ? state->output.z : state->output.w;
    if (++state->STATE == 4) {
        curand4(state);
        state->STATE = 0;
    }
    return word;
}

// From above 0 to 1: the middle of a step of 2^-32.
AUTOTUNE_INLINE float autotune_uniform(unsigned int word) { return (float)word * 2.3283064365386963e-10f + 1.1641532182693481e-10f; }
template <class State> AUTOTUNE_INLINE float curand_uniform(State* state) { return autotune_uniform(curand(state)); }
template <class State> AUTOTUNE_INLINE double curand_uniform_double(State* state) {
    unsigned int low = curand(state), high = curand(state);
    return (double)((unsigned long long)low ^ ((unsigned long long)high << 21)) * 1.1102230246251565e-16 + 5.551115123125783e-17;
}
AUTOTUNE_INLINE float2 autotune_normal(unsigned int one, unsigned int other) {
    float size = sqrtf(-2.0f * logf(autotune_uniform(one))), angle = autotune_uniform(other) * 6.2831853f;
    return float2{size * __sinf(angle), size * __cosf(angle)};
}
template <class State> AUTOTUNE_INLINE float2 curand_normal2(State* state) {
    unsigned int one = curand(state), other = curand(state);
    return autotune_normal(one, other);
}
template <class State> AUTOTUNE_INLINE double2 curand_normal2_double(State* state) {
    double size = sqrt(-2.0 * log(curand_uniform_double(state))), angle = curand_uniform_double(state) * 2;
    return double2{size * sinpi(angle), size * cospi(angle)};
}
// One number of a pair; the state keeps the other.
#define AUTOTUNE_NORMAL(NAME, T, PAIR, FLAG, KEPT) \
    template <class State> AUTOTUNE_INLINE T NAME(State* state) { \
        if (state->FLAG) { \
            state->FLAG = 0; \
            return state->KEPT; \
        } \
        auto pair = PAIR(state); \
        state->FLAG = 1; \
        state->KEPT = pair.y; \
        return pair.x; \
    }
AUTOTUNE_NORMAL(curand_normal, float, curand_normal2, boxmuller_flag, boxmuller_extra)
AUTOTUNE_NORMAL(curand_normal_double, double, curand_normal2_double, boxmuller_flag_double, boxmuller_extra_double)
#undef AUTOTUNE_NORMAL
template <class State> AUTOTUNE_INLINE float curand_log_normal(State* state, float mean, float deviation) { return expf(mean + deviation * curand_normal(state)); }
AUTOTUNE_INLINE float4 curand_uniform4(curandStatePhilox4_32_10* state) {
    uint4 words = curand4(state);
    return float4{autotune_uniform(words.x), autotune_uniform(words.y), autotune_uniform(words.z), autotune_uniform(words.w)};
}
AUTOTUNE_INLINE float4 curand_normal4(curandStatePhilox4_32_10* state) {
    uint4 words = curand4(state);
    float2 first = autotune_normal(words.x, words.y), second = autotune_normal(words.z, words.w);
    return float4{first.x, first.y, second.x, second.y};
}
// HIP's names.
template <class State> AUTOTUNE_INLINE void hiprand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, State* state) { curand_init(seed, subsequence, offset, state); }
template <class State> AUTOTUNE_INLINE unsigned int hiprand(State* state) { return curand(state); }
template <class State> AUTOTUNE_INLINE float hiprand_uniform(State* state) { return curand_uniform(state); }
template <class State> AUTOTUNE_INLINE float hiprand_normal(State* state) { return curand_normal(state); }
