// Back-propagation through one layer: the errors of the layer's outputs, `delta`, change its weights with momentum, and
// their weighted sums are the errors of its inputs. A group updates ROWS rows of weights, one for each input.
__kernel void back_propagation(__global float* restrict weights, __global float* restrict changes,
                               __global const float* restrict values, __global const float* restrict delta,
                               __global float* restrict errors, float rate, float momentum)
{
    __local float sums[WG];
    const int l = get_local_id(0);
    for (int r = 0; r < ROWS; ++r) {
        const int row = get_group_id(0) * ROWS + r;
        const float step = rate * values[row];
        float sum = 0;
        for (int column = l; column < outputs; column += WG) {
            const int at = row * outputs + column;
            const float weight = weights[at], change = step * delta[column] + momentum * changes[at];
            sum += weight * delta[column];
            weights[at] = weight + change;
            changes[at] = change;
        }
        sums[l] = sum;
        for (int lanes = WG / 2; lanes > 0; lanes /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (l < lanes)
                sums[l] += sums[l + lanes];
        }
        if (l == 0)
            errors[row] = sums[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* autotune:
 *   kernel: back_propagation
 *   description: the errors and the new weights of one layer
 *   problem:
 *     inputs: 4096
 *     outputs: 2048
 *   parameters:
 *     WG: { powers_of_two: { from: 32, to: 512 } }
 *     ROWS: { powers_of_two: { from: 1, to: 8 } }
 *   roles: { tile: [ROWS] }
 *   constraints:
 *     - inputs % ROWS == 0
 *   launch:
 *     work_items: inputs / ROWS * WG
 *     work_group: WG
 */
