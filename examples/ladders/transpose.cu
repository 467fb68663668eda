// Versions of a matrix transpose, n by n. A group of 32 x 8 work items moves a tile of 32 x 32 numbers.
#define SIDE 32
#define ROWS 8
#ifndef PAD
#define PAD 0
#endif

// The least that a transpose can move.
__global__ void copy(float *out, const float *in, int n) {
  int column = blockIdx.x * SIDE + threadIdx.x;
  int row = blockIdx.y * SIDE + threadIdx.y;
  for (int i = 0; i < SIDE; i += ROWS)
    out[(row + i) * n + column] = in[(row + i) * n + column];
}

// Each warp writes a column: 32 lines of memory for 32 numbers.
__global__ void naive(float *out, const float *in, int n) {
  int column = blockIdx.x * SIDE + threadIdx.x;
  int row = blockIdx.y * SIDE + threadIdx.y;
  for (int i = 0; i < SIDE; i += ROWS)
    out[column * n + row + i] = in[(row + i) * n + column];
}

// The tile turns in local memory; a column of it lies in one bank, unless PAD is 1.
__global__ void tiled(float *out, const float *in, int n) {
  __shared__ float tile[SIDE][SIDE + PAD];
  int column = blockIdx.x * SIDE + threadIdx.x;
  int row = blockIdx.y * SIDE + threadIdx.y;
  for (int i = 0; i < SIDE; i += ROWS)
    tile[threadIdx.y + i][threadIdx.x] = in[(row + i) * n + column];
  __syncthreads();
  column = blockIdx.y * SIDE + threadIdx.x;
  row = blockIdx.x * SIDE + threadIdx.y;
  for (int i = 0; i < SIDE; i += ROWS)
    out[(row + i) * n + column] = tile[threadIdx.x][threadIdx.y + i];
}
