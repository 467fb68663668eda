// The micro-benchmarks of `autotune measure --profile`. `words` is a power of two, and all of the data are 0. A launch begins
// at `from`, so that it finds nothing of the one before in a cache.
__kernel void empty(void) {}

// A chain: each load needs the one before. Lanes are `stride` words apart.
__kernel void chain(__global const uint* data, __global uint* end, uint words, uint from, uint stride, uint steps)
{
    const uint lane = get_local_id(0);
    uint at = from + lane * stride;
    for (uint step = 0; step < steps; ++step)
        at = (at + 2048 + data[at]) & (words - 1);
    end[lane] = at;
}

// Loads that need nothing of each other, all over the data.
__kernel void spread(__global const uint* data, __global uint* end, uint words, uint from, uint stride, uint steps)
{
    const uint first = from + (uint)get_global_id(0) * stride;
    uint sum = 0;
    for (uint step = 0; step < steps; ++step)
        sum += data[(first + words / steps * step) & (words - 1)];
    if (sum)
        end[0] = sum;
}
