// c = a + b: a work item adds ITEMS vectors of VEC floats, all of which are loaded before the first is stored.
#if VEC == 1
typedef float floatV;
#elif VEC == 2
typedef float2 floatV;
#elif VEC == 4
typedef float4 floatV;
#else
typedef float8 floatV;
#endif
__kernel void vector_add(__global const floatV* restrict a, __global const floatV* restrict b, __global floatV* restrict c)
{
    const int first = get_group_id(0) * WG * ITEMS + get_local_id(0);
    floatV sum[ITEMS];
    #pragma unroll
    for (int j = 0; j < ITEMS; ++j)
        if (first + j * WG < size / VEC) sum[j] = a[first + j * WG] + b[first + j * WG];
    #pragma unroll
    for (int j = 0; j < ITEMS; ++j)
        if (first + j * WG < size / VEC) c[first + j * WG] = sum[j];
}
