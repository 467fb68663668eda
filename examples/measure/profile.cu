// The micro-benchmarks of `autotune measure --profile` in CUDA, and their host: profile KERNEL WORK_GROUP GROUPS STRIDE STEPS
// prints the time of a launch. It is built by nvcc -O2 profile.cu -o profile
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

constexpr unsigned WORDS = 1u << 26;  // of the data, all 0: 256 MiB
constexpr unsigned PARTS = 8;         // of the data, where launches begin by turns: none finds anything of the one before
constexpr double LONG_ENOUGH = 0.02;  // seconds of all launches
constexpr int MOST_LAUNCHES = 4096;
constexpr int AGAIN = 5;

__global__ void empty() {}

// A chain: each load needs the one before. Lanes are `stride` words apart.
__global__ void chain(const unsigned* data, unsigned* end, unsigned words, unsigned from, unsigned stride, unsigned steps)
{
    unsigned at = from + threadIdx.x * stride;
    for (unsigned step = 0; step < steps; ++step)
        at = (at + 2048 + data[at]) & (words - 1);
    end[threadIdx.x] = at;
}

// Loads that need nothing of each other, all over the data.
__global__ void spread(const unsigned* data, unsigned* end, unsigned words, unsigned from, unsigned stride, unsigned steps)
{
    const unsigned first = from + (blockIdx.x * blockDim.x + threadIdx.x) * stride;
    unsigned sum = 0;
    for (unsigned step = 0; step < steps; ++step)
        sum += data[(first + words / steps * step) & (words - 1)];
    if (sum)
        end[0] = sum;
}

static void expect(cudaError_t status, const char* what)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "%s failed: %s\n", what, cudaGetErrorString(status));
        std::exit(1);
    }
}

int main(int count, char** words)
{
    if (count != 6) {
        std::fprintf(stderr, "usage: profile KERNEL WORK_GROUP GROUPS STRIDE STEPS\n");
        return 2;
    }
    const char* kernel = words[1];
    const unsigned group = std::strtoul(words[2], nullptr, 10), groups = std::strtoul(words[3], nullptr, 10);
    const unsigned stride = std::strtoul(words[4], nullptr, 10), steps = std::strtoul(words[5], nullptr, 10);
    const bool is_chain = std::strcmp(kernel, "chain") == 0, is_spread = std::strcmp(kernel, "spread") == 0;
    if (!is_chain && !is_spread && std::strcmp(kernel, "empty") != 0) {
        std::fprintf(stderr, "there is no kernel %s\n", kernel);
        return 2;
    }
    unsigned *data = nullptr, *end = nullptr;
    if (is_chain || is_spread) {
        expect(cudaMalloc(&data, sizeof *data * WORDS), "the data");
        expect(cudaMalloc(&end, sizeof *end * group), "the results");
        expect(cudaMemset(data, 0, sizeof *data * WORDS), "filling the data");
    }
    // The first launch may still load the program. Then as many as take long enough, and again: the least time is the least
    // disturbed.
    double took = 0, least = 0;
    for (int number = 1, again = 0; again < AGAIN; number *= took < LONG_ENOUGH && number < MOST_LAUNCHES ? 2 : 1) {
        expect(cudaDeviceSynchronize(), "the data");
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < number; ++i) {
            const unsigned from = WORDS / PARTS * (i % PARTS);
            if (is_chain)
                chain<<<groups, group>>>(data, end, WORDS, from, stride, steps);
            else if (is_spread)
                spread<<<groups, group>>>(data, end, WORDS, from, stride, steps);
            else
                empty<<<groups, group>>>();
            expect(cudaGetLastError(), "the launch");
        }
        expect(cudaDeviceSynchronize(), "the kernel");
        const double now = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        took = number > 1 ? now : 0;
        if (took >= LONG_ENOUGH || number >= MOST_LAUNCHES)
            least = again++ == 0 || took / number < least ? took / number : least;
    }
    std::printf("%.6f us, the least mean of %d times\n", least * 1e6, AGAIN);
    return 0;
}
