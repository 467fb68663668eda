// Indices from memory that the work items of a group, of a warp or of a part of a warp have in common.
extern "C" __global__ void csr(const int *start, const float *value, float *out, int n) { // a warp for each row
    int t = blockIdx.x * 256 + threadIdx.x, row = t / 32, lane = t % 32;
    float sum = 0;
    for (int i = start[row] + lane; i < start[row + 1]; i += 32) sum += value[i];
    out[t] = sum;
}
extern "C" __global__ void paged(const int *table, const float *cache, float *out) { // a block of a cache for 16 keys
    int t = threadIdx.x;
    float sum = 0;
    for (int block = 0; block < 64; ++block) {
        int at = table[blockIdx.x * 64 + block];
        sum += cache[(size_t)at * 2048 + t];
    }
    out[blockIdx.x * 256 + t] = sum;
}
extern "C" __global__ void expert(const int *tokens, const float *in, float *out) { // a row of 64 for each 16 work items
    int row = tokens[blockIdx.x * 16 + threadIdx.x / 16], column = threadIdx.x % 16;
    out[blockIdx.x * 256 + threadIdx.x] = in[row * 64 + column];
}
extern "C" __global__ void anew(int *rows, const float *in, float *out) { // a store lies between the two loads
    int r = rows[blockIdx.x];
    float x = in[r * 256 + threadIdx.x];
    rows[(blockIdx.x + 1) * 4096 + threadIdx.x] = threadIdx.x;
    int s = rows[blockIdx.x];
    out[blockIdx.x * 256 + threadIdx.x] = x + in[s * 256 + threadIdx.x];
}
extern "C" __global__ void chain(const int *next, const float *in, float *out) { // each number says where the next one lies
    int at = blockIdx.x;
    float sum = 0;
    for (int i = 0; i < 100000; ++i) {
        sum += in[at * 256 + threadIdx.x];
        at = next[at];
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}
extern "C" __global__ void bins(const int *in, float *out) { // a private array at an index from data
    float own[8] = {};
    for (int i = 0; i < 4; ++i) own[in[blockIdx.x * 1024 + i * 256 + threadIdx.x] & 7] += 1;
    for (int i = 0; i < 8; ++i) out[(blockIdx.x * 8 + i) * 256 + threadIdx.x] = own[i];
}
extern "C" __global__ void table(float **tables, float *out) { // a pointer of data, or one to local memory
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    float *p = t == 0 ? tables[blockIdx.x * 256 + t] : s + t - 1;
    float x = *p;
    __syncthreads();
    s[t] = x + 1;
    __syncthreads();
    out[blockIdx.x * 256 + t] = s[255 - t];
}
