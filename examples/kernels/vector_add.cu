// c = a + b: vector_add.cl in CUDA. A thread adds COUNT vectors of LANES floats; `vectors` is how many there are.
template <int LANES> struct alignas(4 * LANES) Vector {
    float of[LANES];
};
template <int LANES> __device__ Vector<LANES> operator+(const Vector<LANES>& one, const Vector<LANES>& other)
{
    Vector<LANES> sum;
    #pragma unroll
    for (int i = 0; i < LANES; ++i) sum.of[i] = one.of[i] + other.of[i];
    return sum;
}
template <int COUNT, int LANES>
__global__ void vector_add(const Vector<LANES>* __restrict__ a, const Vector<LANES>* __restrict__ b,
                           Vector<LANES>* __restrict__ c, int vectors)
{
    const int first = blockIdx.x * blockDim.x * COUNT + threadIdx.x;
    Vector<LANES> sum[COUNT];
    #pragma unroll
    for (int j = 0; j < COUNT; ++j)
        if (first + j * blockDim.x < vectors) sum[j] = a[first + j * blockDim.x] + b[first + j * blockDim.x];
    #pragma unroll
    for (int j = 0; j < COUNT; ++j)
        if (first + j * blockDim.x < vectors) c[first + j * blockDim.x] = sum[j];
}
