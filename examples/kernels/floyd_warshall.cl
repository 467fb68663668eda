// Shortest paths between all pairs of `size` nodes, by tiles: launch t takes all pairs through the nodes k of tile t. DOWN: the
// lanes run along i, or along j. KEEP: a(i, j) stays in a register. STAGED: a(i, k) and a(k, j) lie in local memory.
#define LINES (TS / ROWS)
#define I(r) (DOWN ? lx : ly + (r) * LINES) // place in the tile
#define J(r) (DOWN ? ly + (r) * LINES : lx)
#define A(i, j) a[(i) * size + (j)]
#if STAGED
#define IK(i, k) ik[i][k]
#define KJ(k, j) kj[k][j]
#else
#define IK(i, k) A(top + (i), through + (k))
#define KJ(k, j) A(through + (k), left + (j))
#endif
#if KEEP
#define BEST(r) best[r]
#else
#define BEST(r) A(top + I(r), left + J(r))
#endif
__kernel void floyd_warshall(__global float* a, int t)
{
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int top = get_group_id(1) * TS, left = get_group_id(0) * TS, through = t * TS;
    if (top == through || left == through) return; // done before, by a kernel of those tiles alone
#if STAGED
    __local float ik[TS][TS], kj[TS][TS];
    #pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        ik[ly + r * LINES][lx] = A(top + ly + r * LINES, through + lx);
        kj[ly + r * LINES][lx] = A(through + ly + r * LINES, left + lx);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
#if KEEP
    float best[ROWS];
    #pragma unroll
    for (int r = 0; r < ROWS; ++r) best[r] = A(top + I(r), left + J(r));
#endif
    for (int k = 0; k < TS; ++k)
        #pragma unroll
        for (int r = 0; r < ROWS; ++r) BEST(r) = fmin(BEST(r), IK(I(r), k) + KJ(k, J(r)));
#if KEEP
    #pragma unroll
    for (int r = 0; r < ROWS; ++r) A(top + I(r), left + J(r)) = best[r];
#endif
}

/* autotune:
 *   kernel: floyd_warshall
 *   description: all shortest paths by tiles, with or without registers and local memory
 *   problem:
 *     size: 1024
 *   parameters:
 *     TS: { powers_of_two: { from: 8, to: 32 } }
 *     ROWS: { powers_of_two: { from: 1, to: 8 } }
 *     DOWN: { values: [0, 1] }
 *     KEEP: { values: [0, 1] }
 *     STAGED: { values: [0, 1] }
 *   roles: { tile: [TS, ROWS] }
 *   varies: [a]
 *   constraints:
 *     - TS % ROWS == 0
 *     - size % TS == 0
 *   launch:
 *     work_items: [size, size / ROWS]
 *     work_group: [TS, TS / ROWS]
 *     times: size / TS
 *   source:
 *     arguments: { t: 0 }
 */
