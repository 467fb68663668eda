__global__ void vadd(float* a,
                     float* b,
                     float* c, int N)
{
    int i = threadIdx.x;
    if (i < N)
        c[i] = a[i] + b[i];
}
