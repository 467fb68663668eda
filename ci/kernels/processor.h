// A launch on the processor: work items as fibres, and a list of each one's accesses by line. ci/random_kernels includes it before
// the kernels, whose accesses are the macros at the end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum Kind { LOAD, STORE, ATOMIC };
enum Memory { GLOBAL, LOCAL, OTHER };

struct Event {
    int line;
    Kind kind;
    Memory memory;
    long address, bytes, round, order;
};

// The accesses of a work item, in their order.
struct Item {
    Event *events;
    long count, room;
    long rounds[64];
    int depth;
    bool ended;
    ucontext_t context;
    char *stack;
    // A number of the rounds of all loops around.
    long round() const
    {
        unsigned long number = 0;
        for (int i = 0; i < depth; ++i) number = number * 1000003 + rounds[i] + 1;
        return number & ~0UL >> 1;
    }
    void add(const Event &event)
    {
        if (count == room) {
            room = room ? 2 * room : 64;
            events = (Event *)realloc(events, room * sizeof(Event));
        }
        events[count++] = event;
    }
};

struct Three { int x, y, z; };
static Three threadIdx, blockIdx, blockDim, gridDim;

static Item items[1024];
static int current;
static ucontext_t scheduler;
static void (*entry)();

// Local memory is a section of its own, and global memory lies in one mapping.
extern char __start_locals[], __stop_locals[];
__attribute__((section("locals"), used)) static char first_local[256];
static char *global_memory, *global_end, *global_next;

static Memory memory_of(const void *address)
{
    const char *at = (const char *)address;
    if (at >= __start_locals && at < __stop_locals) return LOCAL;
    return at >= global_memory && at < global_end ? GLOBAL : OTHER;
}

template <class T> static T *note(T *address, Kind kind, int line)
{
    Event event = {line, kind, memory_of((const void *)address), (long)(const char *)address, sizeof(T), items[current].round(), 0};
    items[current].add(event);
    return address;
}

// A loop around what a work item does: `next` begins a round of it.
struct Around {
    bool left;
    Around() : left(false) { items[current].rounds[items[current].depth++] = 0; }
    void next() { ++items[current].rounds[items[current].depth - 1]; }
    void leave() { items[current].depth -= !left; left = true; }
    ~Around() { leave(); }
};

static void wait_for_all() { swapcontext(&items[current].context, &scheduler); }

static void start()
{
    entry();
    items[current].ended = true;
    swapcontext(&items[current].context, &scheduler);
}

// An array of global memory that starts at a multiple of 256 bytes, full of zeros.
template <class T> static T *array(long elements)
{
    T *first = (T *)global_next;
    global_next += (elements * (long)sizeof(T) + 511) / 256 * 256;
    if (global_next > global_end) { fprintf(stderr, "too little memory\n"); exit(1); }
    return first;
}

static void begin_kernel()
{
    const long most = 1L << 32;
    if (global_memory) munmap(global_memory, most);
    global_memory = (char *)mmap(0, most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    global_next = global_memory;
    global_end = global_memory + most;
}

// Puts a value into an element of each work item: the one for `on` where the work item's bit `bit` is 1, or all if there is no bit.
static void fill(int *array, long items, long slots, long slot, int value, int other, int bit)
{
    const long group = (long)blockDim.x * blockDim.y;
    for (long me = 0; me < items; ++me) array[(me * slots + slot) * 8] = bit < 0 || me % group >> bit & 1 ? value : other;
}

static void run_group()
{
    const int all = blockDim.x * blockDim.y;
    for (int i = 0; i < all; ++i) {
        Item &item = items[i];
        item.count = item.depth = 0;
        item.ended = false;
        if (!item.stack) item.stack = (char *)malloc(1 << 16);
        getcontext(&item.context);
        item.context.uc_stack.ss_sp = item.stack;
        item.context.uc_stack.ss_size = 1 << 16;
        item.context.uc_link = 0;
        makecontext(&item.context, start, 0);
    }
    for (int left = all; left;) {
        for (current = 0; current < all; ++current) {
            if (items[current].ended) continue;
            threadIdx.x = current % blockDim.x;
            threadIdx.y = current / blockDim.x;
            swapcontext(&scheduler, &items[current].context);
            left -= items[current].ended;
        }
    }
}

// The counts of a line: executions by work items and by warps, and sectors of 32 bytes.
struct Counts { long items, warps, sectors; };

static int by_number(const void *one, const void *other)
{
    const long a = *(const long *)one, b = *(const long *)other;
    return a < b ? -1 : a > b;
}

static int compare(long a, long b) { return a < b ? -1 : a > b; }

static long line_of(const Event &event) { return (event.line * 4L + event.kind) * 4 + event.memory; }

// Accesses of one line, kind and memory in one round of the loops around them are together.
static int in_order(const Event &one, const Event &other)
{
    const int by_line = compare(line_of(one), line_of(other));
    return by_line ? by_line : compare(one.round, other.round);
}

static int by_place(const void *one, const void *other)
{
    const Event &a = *(const Event *)one, &b = *(const Event *)other;
    const int order = in_order(a, b);
    return order ? order : compare(a.order, b.order);
}

// Counts the accesses `first` of the lanes of a warp, `times` of each lane: the n-th ones are one execution by the warp.
static void count_warp(Event **first, const long *times, int lanes, Counts &sum)
{
    static long found[4096];
    long most = 0;
    for (int lane = 0; lane < lanes; ++lane) {
        sum.items += times[lane];
        most = times[lane] > most ? times[lane] : most;
    }
    sum.warps += most;
    for (long n = 0; n < most; ++n) {
        long touched = 0;
        for (int lane = 0; lane < lanes; ++lane) {
            if (n >= times[lane]) continue;
            const Event &event = first[lane][n];
            for (long at = event.address / 32; at <= (event.address + event.bytes - 1) / 32; ++at) found[touched++] = at;
        }
        qsort(found, touched, sizeof(long), by_number);
        for (long i = 0; i < touched; ++i) sum.sectors += !i || found[i] != found[i - 1];
    }
}

// Prints the counts of a group: number, line, kind, memory, and the three numbers.
static void count_group(long number, int warp)
{
    static Event *first[1024];
    static long times[1024];
    const int all = blockDim.x * blockDim.y;
    for (int i = 0; i < all; ++i) {
        for (long j = 0; j < items[i].count; ++j) items[i].events[j].order = j;
        qsort(items[i].events, items[i].count, sizeof(Event), by_place);
        first[i] = items[i].events;
    }
    Counts sum = {};
    Event event = {};
    for (bool begun = false;; begun = true) {
        const Event *next = 0;
        for (int i = 0; i < all; ++i)
            if (first[i] < items[i].events + items[i].count && (!next || in_order(*first[i], *next) < 0)) next = first[i];
        if (begun && (!next || line_of(*next) != line_of(event))) {
            if (event.memory != OTHER)
                printf("%ld %d %d %d %ld %ld %ld\n", number, event.line, event.kind, event.memory, sum.items, sum.warps, sum.sectors);
            sum = Counts();
        }
        if (!next) return;
        event = *next;
        for (int i = 0; i < all; ++i)
            for (times[i] = 0; first[i] + times[i] < items[i].events + items[i].count && !in_order(first[i][times[i]], event);) ++times[i];
        for (int begin = 0; begin < all; begin += warp)
            count_warp(first + begin, times + begin, begin + warp < all ? warp : all - begin, sum);
        for (int i = 0; i < all; ++i) first[i] += times[i];
    }
}

static void launch(void (*kernel)(), int warp)
{
    entry = kernel;
    for (blockIdx.y = 0; blockIdx.y < gridDim.y; ++blockIdx.y)
        for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x) {
            run_group();
            count_group((long)blockIdx.y * gridDim.x + blockIdx.x, warp);
        }
}

// OpenCL, CUDA and HIP.
static int get_local_id(int axis) { return axis ? threadIdx.y : threadIdx.x; }
static int get_group_id(int axis) { return axis ? blockIdx.y : blockIdx.x; }
template <class T> static T min(T a, T b) { return a < b ? a : b; }
template <class T> static T max(T a, T b) { return a > b ? a : b; }
#define __kernel
#define __global
#define __local
#define __constant static const
#define __global__
#define __device__
#define __constant__
#define __restrict__
#define restrict
#define uchar unsigned char
#define uint unsigned
#define CLK_LOCAL_MEM_FENCE 0
#define CLK_GLOBAL_MEM_FENCE 0
static void barrier(int) { wait_for_all(); }
static void __syncthreads() { wait_for_all(); }
static void __syncwarp() {}
static void __threadfence() {}
static void __threadfence_block() {}
static void mem_fence(int) {}

// The accesses of the kernels.
#define LOCAL_ARRAY(type, name, size) __attribute__((section("locals"))) static type name[size]
#define LD(array, index) (*note(&(array)[index], LOAD, __LINE__))
#define LDCV(array, index) LD(array, index)
#define ST(array, index, value) (*note(&(array)[index], STORE, __LINE__) = (value))
#define AT(array, index) ((*note(&(array)[index], ATOMIC, __LINE__))++)
#define DEREF(pointer) (*note(pointer, LOAD, __LINE__))
#define PUT(pointer, value) (*note(pointer, STORE, __LINE__) = (value))
#define ENTER(number) Around around##number;
#define ROUND(number) around##number.next();
#define LEAVE(number) around##number.leave();
