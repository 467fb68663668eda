// Ends of a kernel that no launch reaches, what is printed, and clocks: a part of autotune_cuda.h.
//
// A branch on data is taken to the side that does not end the kernel. The test itself counts, as it does on a GPU.
#pragma once

AUTOTUNE_INLINE void __trap() { __builtin_trap(); }
AUTOTUNE_INLINE void __brkpt() {}
AUTOTUNE_INLINE void abort() { __builtin_trap(); }
AUTOTUNE_INLINE void __prof_trigger(int) {}
#define __assume(condition) __builtin_assume(condition)
#define AUTOTUNE_ASSERT(condition) ((condition) ? (void)0 : __builtin_trap())
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) AUTOTUNE_ASSERT(condition)
#endif

// Numbers that only a text takes count nothing.
#ifdef AUTOTUNE_REGISTERS
template <class... Words> AUTOTUNE_INLINE int printf(const char*, Words...) { return 0; }
AUTOTUNE_INLINE long long autotune_clock() { return 0; }
#else
extern "C" __device__ void autotune_printf() __asm__("__printf");
template <class... Words> AUTOTUNE_INLINE int printf(const char*, Words...) { autotune_printf(); return 0; }
extern "C" __device__ long long autotune_clock() __asm__("__clock");
#endif
AUTOTUNE_INLINE int clock() { return (int)autotune_clock(); }
AUTOTUNE_INLINE long long clock64() { return autotune_clock(); }
AUTOTUNE_INLINE long long wall_clock64() { return autotune_clock(); }
AUTOTUNE_INLINE unsigned long long __globaltimer() { return (unsigned long long)autotune_clock(); }
AUTOTUNE_INLINE void __nanosleep(unsigned int) {}
