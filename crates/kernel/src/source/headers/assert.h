// The macro of assertions, anew at each inclusion: NDEBUG decides.
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) AUTOTUNE_ASSERT(condition)
#endif
