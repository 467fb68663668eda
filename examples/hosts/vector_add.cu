// Launches ../kernels/vector_add.cu: each thread adds `items` vectors of `lanes` numbers.
#include <cuda_runtime.h>

#include "../kernels/vector_add.cu"

template <class T> T ceil_div(T a, T b) { return (a + b - 1) / b; }

int main()
{
    const int size = 1 << 22;
    constexpr int items = 4, lanes = 2;
    const int vectors = size / lanes;
    float *a, *b, *c;
    cudaMalloc(&a, size * sizeof(float));
    cudaMalloc(&b, size * sizeof(float));
    cudaMalloc(&c, size * sizeof(float));
    const int threads = 256;
    const auto of = [](float* numbers) { return reinterpret_cast<Vector<lanes>*>(numbers); };
    vector_add<items, lanes><<<ceil_div(vectors, threads * items), threads>>>(of(a), of(b), of(c), vectors);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
