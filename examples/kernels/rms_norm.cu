// A whole program: a kernel, and the host code that fills its arrays, launches it and checks what it wrote. Autotune reads
// the file as it lies and leaves out what the kernel does not need.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

#define CHECK(call) check((call), __FILE__, __LINE__)

static void check(cudaError_t error, const char* file, int line)
{
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(error));
    std::exit(EXIT_FAILURE);
}

namespace layer {

namespace cg = cooperative_groups;

constexpr float epsilon = 1e-5f;

// A row divided by the root of its mean square. A block takes a row.
template <int THREADS>
__global__ void __launch_bounds__(THREADS)
rms_norm(const float* __restrict__ in, const float* __restrict__ weight, float* __restrict__ out, int columns)
{
    __shared__ float of_warp[THREADS / 32];
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    const float* row = in + blockIdx.x * columns;
    float sum = 0;
    for (int i = threadIdx.x; i < columns; i += THREADS) sum += row[i] * row[i];
    sum = cg::reduce(warp, sum, cg::plus<float>());
    if (warp.thread_rank() == 0) of_warp[threadIdx.x / 32] = sum;
    block.sync();
    sum = 0;
    for (int i = 0; i < THREADS / 32; ++i) sum += of_warp[i];
    const float scale = rsqrtf(sum / columns + epsilon);
    for (int i = threadIdx.x; i < columns; i += THREADS) out[blockIdx.x * columns + i] = row[i] * scale * weight[i];
}

} // namespace layer

int main()
{
    const int rows = 4096, columns = 2048;
    std::vector<float> in(rows * columns), weight(columns, 2.0f), out(rows * columns);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 7) - 3;
    float *device_in, *device_weight, *device_out;
    CHECK(cudaMalloc(&device_in, in.size() * sizeof(float)));
    CHECK(cudaMalloc(&device_weight, weight.size() * sizeof(float)));
    CHECK(cudaMalloc(&device_out, out.size() * sizeof(float)));
    CHECK(cudaMemcpy(device_in, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(device_weight, weight.data(), weight.size() * sizeof(float), cudaMemcpyHostToDevice));
    layer::rms_norm<256><<<rows, 256>>>(device_in, device_weight, device_out, columns);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), device_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < columns; ++i) sum += static_cast<double>(in[i]) * in[i];
    const double wanted = in[0] * 2.0 / std::sqrt(sum / columns + layer::epsilon);
    std::printf("%f, and %f is right\n", out[0], wanted);
    return std::abs(out[0] - wanted) < 1e-4 ? EXIT_SUCCESS : EXIT_FAILURE;
}
