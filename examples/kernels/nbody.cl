// A step of n bodies under gravity: x, y, z and the mass of a body lie in a float4. A work item sums the forces on BODIES
// bodies; the group stages WG bodies at a time in local memory, or, without STAGED, reads them as they are.
__kernel void nbody(__global const float4* restrict now, __global float4* restrict speed, __global float4* restrict next,
                    float step, int n)
{
#if STAGED
    __local float4 staged[WG];
#endif
    const int l = get_local_id(0), first = get_group_id(0) * WG * BODIES + l;
    float4 own[BODIES];
    float3 pull[BODIES];
    #pragma unroll
    for (int b = 0; b < BODIES; ++b) {
        own[b] = now[first + b * WG];
        pull[b] = 0;
    }
    for (int tile = 0; tile < n; tile += WG) {
#if STAGED
        staged[l] = now[tile + l];
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        #pragma unroll 4
        for (int j = 0; j < WG; ++j) {
#if STAGED
            const float4 other = staged[j];
#else
            const float4 other = now[tile + j];
#endif
            #pragma unroll
            for (int b = 0; b < BODIES; ++b) {
                const float3 way = other.xyz - own[b].xyz;
                const float near = way.x * way.x + way.y * way.y + way.z * way.z + 1e-4f;
                const float inverse = native_rsqrt(near);
                pull[b] += other.w * inverse * inverse * inverse * way;
            }
        }
#if STAGED
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    #pragma unroll
    for (int b = 0; b < BODIES; ++b) {
        float4 faster = speed[first + b * WG];
        faster.xyz += step * pull[b];
        speed[first + b * WG] = faster;
        next[first + b * WG] = (float4)(own[b].xyz + step * faster.xyz, own[b].w);
    }
}

/* autotune:
 *   kernel: nbody
 *   description: a step of n bodies under gravity
 *   problem:
 *     n: 131072
 *   parameters:
 *     WG: { powers_of_two: { from: 32, to: 512 } }
 *     BODIES: { values: [1, 2, 4] }
 *     STAGED: { values: [0, 1] }
 *   roles: { tile: [BODIES] }
 *   constraints:
 *     - n % (WG * BODIES) == 0
 *   launch:
 *     work_items: n / BODIES
 *     work_group: WG
 *   source:
 *     arguments: { n: n }
 */
