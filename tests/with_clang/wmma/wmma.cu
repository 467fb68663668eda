#include <mma.h>
using namespace nvcuda;

// A warp computes 16 x 16 elements of C = A B with numbers of 16 bits: A is M x K row by row, B is column by column.
__global__ void product(const half* A, const half* B, float* C, int N, int K)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(c, 0.0f);
    const int row = blockIdx.x * 16, column = blockIdx.y * 16;
    for (int k = 0; k < K; k += 16) {
        wmma::load_matrix_sync(a, A + row * K + k, K);
        wmma::load_matrix_sync(b, B + column * K + k, K);
        wmma::mma_sync(c, a, b, c);
    }
    for (int i = 0; i < c.num_elements; ++i) c.x[i] *= 2;
    wmma::store_matrix_sync(C + row * N + column, c, N, wmma::mem_row_major);
}

// The same through local memory, whose rows are WIDTH halves apart: 16 rows of A, 16 rows of k of B.
#ifndef WIDTH
#define WIDTH 16
#endif
__global__ void through_local(const half* A, const half* B, half* C, int N, int K)
{
    __shared__ __align__(32) half a_tile[16 * WIDTH], b_tile[16 * WIDTH], c_tile[16 * WIDTH];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, half> c;
    wmma::fill_fragment(c, __float2half(0.0f));
    const int lane = threadIdx.x, row = blockIdx.x * 16, column = blockIdx.y * 16;
    for (int k = 0; k < K; k += 16) {
        *(uint4*)&a_tile[lane / 2 * WIDTH + lane % 2 * 8] = *(const uint4*)&A[(row + lane / 2) * K + k + lane % 2 * 8];
        *(uint4*)&b_tile[lane / 2 * WIDTH + lane % 2 * 8] = *(const uint4*)&B[(k + lane / 2) * N + column + lane % 2 * 8];
        __syncwarp();
        wmma::load_matrix_sync(a, a_tile, WIDTH);
        wmma::load_matrix_sync(b, b_tile, WIDTH);
        wmma::mma_sync(c, a, b, c);
        __syncwarp();
    }
    wmma::store_matrix_sync(c_tile, c, WIDTH, wmma::mem_row_major);
    __syncthreads();
    C[row * N + column + lane] = c_tile[lane];
}

// Each shape and type once, with layouts that only the launch knows. Behind the line: the kind of numbers, M * N * K of an
// instruction and their number, and the elements of the fragments of A, B and C.
#define CALLED(NAME, M, N, K, T, IN, SUM, A, B) \
    __global__ void NAME(const IN* from, SUM* to, int* elements, int stride, int by_row) \
    { \
        wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::A##_major> a; \
        wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::B##_major> b; \
        wmma::fragment<wmma::accumulator, M, N, K, SUM> c, d; \
        wmma::layout_t layout = by_row ? wmma::mem_row_major : wmma::mem_col_major; \
        wmma::load_matrix_sync(a, from, stride); \
        wmma::load_matrix_sync(b, from, stride); \
        wmma::load_matrix_sync(c, to, stride, layout); \
        wmma::mma_sync(d, a, b, c); \
        for (int i = 0; i < d.num_elements; ++i) d.x[i] = d.x[i] + c.x[i]; \
        wmma::store_matrix_sync(to, d, stride, layout); \
        elements[0] = a.num_elements * 10000 + b.num_elements * 100 + c.num_elements; \
    }
CALLED(half_square, 16, 16, 16, half, half, float, row, col) // fp16 2048 2, 16 16 8
CALLED(half_wide, 8, 32, 16, half, half, half, col, row) // fp16 2048 2, 16 16 8
CALLED(half_high, 32, 8, 16, half, half, float, col, col) // fp16 2048 2, 16 16 8
CALLED(bf16_square, 16, 16, 16, __nv_bfloat16, __nv_bfloat16, float, row, row) // bf16 2048 2, 8 8 8
CALLED(bf16_wide, 8, 32, 16, __nv_bfloat16, __nv_bfloat16, float, row, col) // bf16 2048 2, 4 16 8
CALLED(bf16_high, 32, 8, 16, __nv_bfloat16, __nv_bfloat16, float, row, col) // bf16 2048 2, 16 4 8
CALLED(signed_square, 16, 16, 16, signed char, signed char, int, row, col) // int8 2048 2, 8 8 8
CALLED(signed_wide, 8, 32, 16, signed char, signed char, int, col, row) // int8 2048 2, 4 16 8
CALLED(unsigned_high, 32, 8, 16, unsigned char, unsigned char, int, row, col) // int8 2048 2, 16 4 8
CALLED(tf32, 16, 16, 8, wmma::precision::tf32, float, float, row, col) // tf32 512 4, 4 4 8
CALLED(doubles, 8, 8, 4, double, double, double, row, col) // fp64 256 1, 1 1 2

// Conversions to tf32 in the registers of a fragment.
__global__ void rounded(const float* A, float* C)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> c;
    wmma::fill_fragment(c, 1.0f);
    wmma::load_matrix_sync(a, A, 8);
    wmma::load_matrix_sync(b, A + 128, 8);
    for (int i = 0; i < a.num_elements; ++i) a.x[i] = wmma::__float_to_tf32(a.x[i]);
    wmma::mma_sync(c, a, b, c);
    wmma::store_matrix_sync(C, c, 16, wmma::mem_col_major);
}
