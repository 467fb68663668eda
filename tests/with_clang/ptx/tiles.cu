// The address of something in local memory.
__device__ unsigned local(const void* at) { return static_cast<unsigned>(__cvta_generic_to_shared(at)); }

__device__ void init(unsigned barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(1));
}

__device__ void expect(unsigned barrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

__device__ void wait(unsigned barrier, unsigned parity)
{
    asm volatile("{\n"
                 ".reg .pred P1;\n"
                 "LAB_WAIT:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
                 "@P1 bra DONE;\n"
                 "bra LAB_WAIT;\n"
                 "DONE:\n"
                 "}\n" ::"r"(barrier), "r"(parity) : "memory");
}

#ifndef AHEAD
#define AHEAD 2
#endif

// Each group sums up the columns of n pieces of 4 KiB. One work item copies the next two pieces meanwhile.
extern "C" __global__ void __launch_bounds__(128) ahead(const float* in, float* out, int n)
{
    __shared__ __align__(128) float pieces[3][1024];
    __shared__ __align__(8) unsigned long long barriers[3];
    const unsigned to = local(pieces), barrier = local(barriers);
    if (threadIdx.x == 0)
        for (int i = 0; i < 3; i++)
            init(barrier + i * 8);
    __syncthreads();
    auto start = [&](int i) {
        if (threadIdx.x == 0) {
            expect(barrier + i % 3 * 8, 4096);
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to + i % 3 * 4096),
                         "l"(in + (blockIdx.x * n + i) * 1024), "r"(4096), "r"(barrier + i % 3 * 8)
                         : "memory");
        }
    };
    float sum = 0;
    for (int i = 0; i < AHEAD; i++)
        start(i);
    for (int i = 0; i < n; i++) {
        if (i + AHEAD < n)
            start(i + AHEAD);
        wait(barrier + i % 3 * 8, i / 3 & 1);
        for (int j = 0; j < 8; j++)
            sum += pieces[i % 3][threadIdx.x + 128 * j];
        __syncthreads();
    }
    out[blockIdx.x * 128 + threadIdx.x] = sum;
}

__device__ void copy(unsigned to, const void* tensor, int x, int y, unsigned barrier)
{
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "elect.sync _|p, 0xffffffff;\n"
                 "@p cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];\n"
                 "}\n" ::"r"(to), "l"(tensor), "r"(x), "r"(y), "r"(barrier) : "memory");
}

// Two tiles of one barrier; the host describes the tensor, so that only the barrier says the bytes. UNKNOWN leaves them out.
extern "C" __global__ void __launch_bounds__(128) described_by_host(const void* tensor, float* out)
{
    __shared__ __align__(128) float tile[2][2048];
    __shared__ __align__(8) unsigned long long barrier;
    if (threadIdx.x == 0) {
        init(local(&barrier));
#ifndef UNKNOWN
        expect(local(&barrier), 16384);
#endif
    }
    __syncthreads();
    if (threadIdx.x / 32 == 1) {
        copy(local(tile[0]), tensor, 0, blockIdx.x * 32, local(&barrier));
        copy(local(tile[1]), tensor, 64, blockIdx.x * 32, local(&barrier));
    }
    wait(local(&barrier), 0);
    out[blockIdx.x * 128 + threadIdx.x] = tile[0][threadIdx.x] + tile[1][threadIdx.x];
}

// The kernel describes the tensor: rows of 1,024 halves, in tiles of 160 rows of 64.
extern "C" __global__ void __launch_bounds__(128) described_by_kernel(const void* in, void* tensor, float* out)
{
    __shared__ __align__(128) float map[32], tile[160 * 32];
    __shared__ __align__(8) unsigned long long barrier;
    if (threadIdx.x == 0) {
        init(local(&barrier));
        asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"l"(map), "l"(in));
        asm volatile("tensormap.replace.tile.rank.shared::cta.b1024.b32 [%0], 0x1;" ::"l"(map));
        asm volatile("tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%0], 0x0, %1;" ::"l"(map), "r"(64));
        asm volatile("tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%0], 0x1, %1;" ::"l"(map), "r"(160));
        asm volatile("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0x0, %1;" ::"l"(map), "l"(2048ll));
        asm volatile("tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%0], 0x6;" ::"l"(map));
    }
    __syncthreads();
    if (threadIdx.x / 32 == 0) {
        asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 0x80;" ::"l"(tensor), "l"(map));
        copy(local(tile), tensor, 128, blockIdx.x * 160, local(&barrier));
    }
    wait(local(&barrier), 0);
    out[blockIdx.x * 128 + threadIdx.x] = tile[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(tensor), "r"(128), "r"(blockIdx.x * 160), "r"(local(tile)) : "memory");
        asm volatile("cp.async.bulk.commit_group;");
        asm volatile("cp.async.bulk.wait_group.read 0;");
    }
}

// The first warp copies, the others wait: warps with different tasks.
extern "C" __global__ void __launch_bounds__(128) specialized(const float* in, float* out)
{
    __shared__ __align__(128) float piece[1024];
    __shared__ __align__(8) unsigned long long barrier;
    if (threadIdx.x == 0)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];" ::"r"(local(piece)), "l"(in), "r"(local(&barrier)) : "memory");
    if (threadIdx.x >= 32)
        wait(local(&barrier), 0);
    out[threadIdx.x] = piece[threadIdx.x];
}
