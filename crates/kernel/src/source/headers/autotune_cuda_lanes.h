// Loads through caches, atomics, exchanges between the lanes of a warp, and textures: a part of autotune_cuda.h.
#pragma once

template <class Word> AUTOTUNE_INLINE Word __ldg(const Word* from) { return *from; }
template <class Word> AUTOTUNE_INLINE Word __ldca(const Word* from) { return *from; }
template <class Word> AUTOTUNE_INLINE Word __ldcg(const Word* from) { return *from; }
template <class Word> AUTOTUNE_INLINE Word __ldcs(const Word* from) { return *from; }
// Each of these loads happens, even from an address that was loaded before.
template <size_t bytes, class Word> struct autotune_loaded {
    static AUTOTUNE_INLINE Word load(const Word* from) { return *from; }
};
#define AUTOTUNE_LOADED(BYTES, TYPE) \
    template <class Word> struct autotune_loaded<BYTES, Word> { \
        static AUTOTUNE_INLINE Word load(const Word* from) { \
            TYPE word = *(const volatile TYPE*)from; \
            return __builtin_bit_cast(Word, word); \
        } \
    };
typedef unsigned int autotune_four_words __attribute__((ext_vector_type(4)));
AUTOTUNE_LOADED(1, unsigned char)
AUTOTUNE_LOADED(2, unsigned short)
AUTOTUNE_LOADED(4, unsigned int)
AUTOTUNE_LOADED(8, unsigned long long)
AUTOTUNE_LOADED(16, autotune_four_words)
#undef AUTOTUNE_LOADED
template <class Word> AUTOTUNE_INLINE Word __ldlu(const Word* from) { return autotune_loaded<sizeof(Word), Word>::load(from); }
template <class Word> AUTOTUNE_INLINE Word __ldcv(const Word* from) { return autotune_loaded<sizeof(Word), Word>::load(from); }
template <class Word> AUTOTUNE_INLINE void __stwb(Word* to, Word word) { *to = word; }
template <class Word> AUTOTUNE_INLINE void __stcg(Word* to, Word word) { *to = word; }
template <class Word> AUTOTUNE_INLINE void __stcs(Word* to, Word word) { *to = word; }
template <class Word> AUTOTUNE_INLINE void __stwt(Word* to, Word word) { *to = word; }
AUTOTUNE_INLINE void* memcpy(void* to, const void* from, size_t bytes) { return __builtin_memcpy(to, from, bytes); }
AUTOTUNE_INLINE void* memmove(void* to, const void* from, size_t bytes) { return __builtin_memmove(to, from, bytes); }
AUTOTUNE_INLINE void* memset(void* to, int byte, size_t bytes) { return __builtin_memset(to, byte, bytes); }
// The number that inline assembly takes as an address in local memory.
AUTOTUNE_INLINE size_t __cvta_generic_to_shared(const void* at) { return (size_t)(__attribute__((address_space(3))) const void*)at; }
AUTOTUNE_INLINE size_t __cvta_generic_to_global(const void* at) { return (size_t)at; }
#ifdef __NVPTX__
AUTOTUNE_INLINE unsigned int __isShared(const void* at) { return __nvvm_isspacep_shared(at); }
AUTOTUNE_INLINE unsigned int __isGlobal(const void* at) { return __nvvm_isspacep_global(at); }
#else
AUTOTUNE_INLINE unsigned int __isShared(const void* at) { return __builtin_amdgcn_is_shared(at); }
AUTOTUNE_INLINE unsigned int __isGlobal(const void* at) { return !__builtin_amdgcn_is_shared(at) && !__builtin_amdgcn_is_private(at); }
#endif

// The operand has the type of the word in memory, whatever the call's is.
template <class Word> struct autotune_same { typedef Word type; };
#define AUTOTUNE_ATOMIC(NAME, EXPRESSION) \
    template <class Word> AUTOTUNE_INLINE Word NAME(Word* at, typename autotune_same<Word>::type by) { return EXPRESSION; } \
    template <class Word> AUTOTUNE_INLINE Word NAME##_block(Word* at, typename autotune_same<Word>::type by) { return EXPRESSION; } \
    template <class Word> AUTOTUNE_INLINE Word NAME##_system(Word* at, typename autotune_same<Word>::type by) { return EXPRESSION; }
AUTOTUNE_ATOMIC(atomicAdd, __atomic_fetch_add(at, by, __ATOMIC_RELAXED))
AUTOTUNE_ATOMIC(atomicSub, __atomic_fetch_sub(at, by, __ATOMIC_RELAXED))
AUTOTUNE_ATOMIC(atomicMin, __atomic_fetch_min(at, by, __ATOMIC_RELAXED))
AUTOTUNE_ATOMIC(atomicMax, __atomic_fetch_max(at, by, __ATOMIC_RELAXED))
AUTOTUNE_ATOMIC(atomicAnd, __atomic_fetch_and(at, by, __ATOMIC_RELAXED))
AUTOTUNE_ATOMIC(atomicOr, __atomic_fetch_or(at, by, __ATOMIC_RELAXED))
AUTOTUNE_ATOMIC(atomicXor, __atomic_fetch_xor(at, by, __ATOMIC_RELAXED))
AUTOTUNE_ATOMIC(atomicInc, __atomic_fetch_add(at, by, __ATOMIC_RELAXED))
AUTOTUNE_ATOMIC(atomicDec, __atomic_fetch_sub(at, by, __ATOMIC_RELAXED))
#undef AUTOTUNE_ATOMIC
// A type of any kind, as the integer of its bytes.
template <size_t bytes> struct autotune_bits;
template <> struct autotune_bits<2> { typedef unsigned short type; };
template <> struct autotune_bits<4> { typedef unsigned int type; };
template <> struct autotune_bits<8> { typedef unsigned long long type; };
#define AUTOTUNE_EXCHANGING(SUFFIX) \
    template <class Word> AUTOTUNE_INLINE Word atomicExch##SUFFIX(Word* at, typename autotune_same<Word>::type by) { \
        typedef typename autotune_bits<sizeof(Word)>::type Bits; \
        return __builtin_bit_cast(Word, __atomic_exchange_n((Bits*)at, __builtin_bit_cast(Bits, by), __ATOMIC_RELAXED)); \
    } \
    template <class Word> \
    AUTOTUNE_INLINE Word atomicCAS##SUFFIX(Word* at, typename autotune_same<Word>::type old, typename autotune_same<Word>::type by) { \
        typedef typename autotune_bits<sizeof(Word)>::type Bits; \
        Bits was = __builtin_bit_cast(Bits, old); \
        __atomic_compare_exchange_n((Bits*)at, &was, __builtin_bit_cast(Bits, by), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
        return __builtin_bit_cast(Word, was); \
    }
AUTOTUNE_EXCHANGING()
AUTOTUNE_EXCHANGING(_block)
AUTOTUNE_EXCHANGING(_system)
#undef AUTOTUNE_EXCHANGING

#ifdef AUTOTUNE_REGISTERS
#ifdef __AMDGCN__
AUTOTUNE_INLINE int autotune_exchange(int word, int lane) { return __builtin_amdgcn_ds_bpermute(lane << 2, word); }
#else
AUTOTUNE_INLINE int autotune_exchange(int word, int lane) {
    asm volatile("shfl.sync.idx.b32 %0, %0, %1, 31, -1;" : "+r"(word) : "r"(lane));
    return word;
}
#endif
#define AUTOTUNE_EXCHANGE(NAME, SYMBOL) \
    AUTOTUNE_INLINE int autotune_##NAME(int word, int by, unsigned long long, int) { return autotune_exchange(word, by); }
AUTOTUNE_INLINE unsigned int autotune_ballot(int is, unsigned long long) { return (unsigned int)autotune_exchange(is, 0); }
AUTOTUNE_INLINE unsigned int autotune_match(int word, unsigned long long) { return (unsigned int)autotune_exchange(word, 0); }
AUTOTUNE_INLINE int autotune_reduced(int word, unsigned long long) { return autotune_exchange(word, 0); }
#else
// Each names the lanes that take part, as the program does; 0 where it names none.
#define AUTOTUNE_EXCHANGE(NAME, SYMBOL) \
    extern "C" __device__ __attribute__((convergent)) int autotune_##NAME(int word, int by, unsigned long long lanes, int width) \
        __asm__(SYMBOL);
extern "C" __device__ __attribute__((convergent)) unsigned int autotune_ballot(int is, unsigned long long lanes) __asm__("__shfl_ballot");
extern "C" __device__ __attribute__((convergent)) unsigned int autotune_match(int word, unsigned long long lanes) __asm__("__shfl_match");
extern "C" __device__ __attribute__((convergent)) int autotune_reduced(int word, unsigned long long lanes) __asm__("__shfl_reduce");
#endif
AUTOTUNE_EXCHANGE(shfl, "__shfl")
AUTOTUNE_EXCHANGE(shfl_up, "__shfl_up")
AUTOTUNE_EXCHANGE(shfl_down, "__shfl_down")
AUTOTUNE_EXCHANGE(shfl_xor, "__shfl_xor")
#undef AUTOTUNE_EXCHANGE

// Each word of four bytes is one exchange. A project's own function for a type of its own fits no better: the lanes have any type.
#define AUTOTUNE_EXCHANGED(NAME, BY) \
    template <class Word, class Lanes> AUTOTUNE_INLINE Word __##NAME##_sync(Lanes lanes, Word word, BY by, int width = AUTOTUNE_WAVE) { \
        struct Words { int words[(sizeof(Word) + 3) / 4]; }; \
        union Both { Words words; Word word; __device__ Both() {} } both; \
        both.word = word; \
        for (auto& one : both.words.words) one = autotune_##NAME(one, (int)by, lanes, width); \
        return both.word; \
    } \
    template <class Word> AUTOTUNE_INLINE Word __##NAME(Word word, BY by, int width = AUTOTUNE_WAVE) { \
        return __##NAME##_sync(0, word, by, width); \
    }
AUTOTUNE_EXCHANGED(shfl, int)
AUTOTUNE_EXCHANGED(shfl_up, unsigned int)
AUTOTUNE_EXCHANGED(shfl_down, unsigned int)
AUTOTUNE_EXCHANGED(shfl_xor, int)
#undef AUTOTUNE_EXCHANGED
AUTOTUNE_INLINE unsigned int __ballot_sync(unsigned int lanes, int is) { return autotune_ballot(is, lanes); }
AUTOTUNE_INLINE unsigned int __ballot(int is) { return autotune_ballot(is, 0); }
AUTOTUNE_INLINE int __any_sync(unsigned int lanes, int is) { return autotune_ballot(is, lanes) != 0; }
AUTOTUNE_INLINE int __any(int is) { return autotune_ballot(is, 0) != 0; }
AUTOTUNE_INLINE int __all_sync(unsigned int lanes, int is) { return autotune_ballot(is, lanes) == ~0u; }
AUTOTUNE_INLINE int __all(int is) { return autotune_ballot(is, 0) == ~0u; }
AUTOTUNE_INLINE unsigned int __activemask() { return autotune_ballot(1, 0); }
// One exchange each, as the GPUs that have these instructions; a value of eight bytes is two.
template <class Word> AUTOTUNE_INLINE unsigned int __match_any_sync(unsigned int lanes, Word word) {
    auto bits = __builtin_bit_cast(typename autotune_bits<sizeof(Word)>::type, word);
    unsigned int same = autotune_match((int)bits, lanes);
    if (sizeof(Word) > 4) same &= autotune_match((int)((unsigned long long)bits >> 32), lanes);
    return same;
}
template <class Word> AUTOTUNE_INLINE unsigned int __match_all_sync(unsigned int mask, Word word, int* all) {
    unsigned int same = __match_any_sync(mask, word);
    *all = same == mask;
    return *all ? mask : 0;
}
#define AUTOTUNE_REDUCED(NAME, T) AUTOTUNE_INLINE T __reduce_##NAME##_sync(unsigned int lanes, T word) { return (T)autotune_reduced((int)word, lanes); }
AUTOTUNE_REDUCED(add, int)
AUTOTUNE_REDUCED(add, unsigned int)
AUTOTUNE_REDUCED(min, int)
AUTOTUNE_REDUCED(min, unsigned int)
AUTOTUNE_REDUCED(max, int)
AUTOTUNE_REDUCED(max, unsigned int)
AUTOTUNE_REDUCED(and, unsigned int)
AUTOTUNE_REDUCED(or, unsigned int)
AUTOTUNE_REDUCED(xor, unsigned int)
#undef AUTOTUNE_REDUCED
AUTOTUNE_INLINE int __syncthreads_or(int is) { __syncthreads(); return autotune_ballot(is, 0) != 0; }
AUTOTUNE_INLINE int __syncthreads_and(int is) { __syncthreads(); return autotune_ballot(is, 0) == ~0u; }
AUTOTUNE_INLINE int __syncthreads_count(int is) { __syncthreads(); return __popc(autotune_ballot(is, 0)); }

// Textures and surfaces, so that the kernel that reads one is refused by its name and place.
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef unsigned long long hipTextureObject_t;
typedef unsigned long long hipSurfaceObject_t;
enum { cudaReadModeElementType, cudaReadModeNormalizedFloat };
template <class Word, int dimensions = 1, int mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture {};
#define AUTOTUNE_TEXTURE(NAME) \
    template <class Word, class... At> __device__ Word NAME(unsigned long long texture, At... at); \
    template <class Word, int dimensions, int mode, class... At> \
    __device__ Word NAME(texture<Word, dimensions, mode> texture, At... at);
AUTOTUNE_TEXTURE(tex1Dfetch)
AUTOTUNE_TEXTURE(tex1D)
AUTOTUNE_TEXTURE(tex1DLod)
AUTOTUNE_TEXTURE(tex1DLayered)
AUTOTUNE_TEXTURE(tex2D)
AUTOTUNE_TEXTURE(tex2DLod)
AUTOTUNE_TEXTURE(tex2DLayered)
AUTOTUNE_TEXTURE(tex3D)
AUTOTUNE_TEXTURE(tex3DLod)
AUTOTUNE_TEXTURE(surf1Dread)
AUTOTUNE_TEXTURE(surf2Dread)
AUTOTUNE_TEXTURE(surf3Dread)
#undef AUTOTUNE_TEXTURE
template <class Word, class... At> __device__ void surf1Dwrite(Word word, cudaSurfaceObject_t surface, At... at);
template <class Word, class... At> __device__ void surf2Dwrite(Word word, cudaSurfaceObject_t surface, At... at);
template <class Word, class... At> __device__ void surf3Dwrite(Word word, cudaSurfaceObject_t surface, At... at);
