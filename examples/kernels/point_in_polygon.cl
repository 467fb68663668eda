// Points within a polygon: a ray from a point to the right crosses its edges an odd number of times. A work item tests POINTS
// points. An edge crosses the ray's line in few cases: with SKIP its crossing is computed in those alone, else always.
__kernel void point_in_polygon(__global const float2* restrict points, __constant float2* corners,
                               __constant float* slopes, __global int* restrict inside)
{
    const int first = get_group_id(0) * WG * POINTS + get_local_id(0);
    float2 point[POINTS];
    int odd[POINTS];
    #pragma unroll
    for (int p = 0; p < POINTS; ++p) {
        point[p] = points[first + p * WG];
        odd[p] = 0;
    }
    float2 before = corners[edges - 1];
    for (int e = 0; e < edges; ++e) {
        const float2 corner = corners[e];
        #pragma unroll
        for (int p = 0; p < POINTS; ++p) {
            const int crosses = (corner.y > point[p].y) != (before.y > point[p].y);
#if SKIP
            if (crosses)
                odd[p] ^= point[p].x < slopes[e] * (point[p].y - corner.y) + corner.x;
#else
            odd[p] ^= crosses & (point[p].x < slopes[e] * (point[p].y - corner.y) + corner.x);
#endif
        }
        before = corner;
    }
    #pragma unroll
    for (int p = 0; p < POINTS; ++p) inside[first + p * WG] = odd[p];
}

/* autotune:
 *   kernel: point_in_polygon
 *   description: points within a polygon, by the crossings of a ray
 *   problem:
 *     size: 4194304
 *     edges: 600
 *   tune_params:
 *     WG: [32, 64, 128, 256, 512, 1024]
 *     POINTS: [1, 2, 4, 8]
 *     SKIP: [0, 1]
 *   restrictions:
 *     - size % (WG * POINTS) == 0
 *   launch:
 *     problem_size: size
 *     grid_div_x: [WG, POINTS]
 *     block_size_names: [WG]
 *   source:
 *     assume: { taken@21: 0.1 }
 */
