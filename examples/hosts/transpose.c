/* Launches ../kernels/transpose.cl: a group moves a tile, and each work item ROWS elements. The macros go to the compiler. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#define TS 32
#define ROWS 8
#define PAD 1

void turn(cl_command_queue queue, cl_program program, cl_mem in, cl_mem out)
{
    const size_t size = 4096;
    cl_kernel transpose = clCreateKernel(program, "transpose", NULL);
    clSetKernelArg(transpose, 0, sizeof(cl_mem), &in);
    clSetKernelArg(transpose, 1, sizeof(cl_mem), &out);
    size_t global[2] = {size, size / ROWS};
    size_t local[2] = {TS, TS / ROWS};
    clEnqueueNDRangeKernel(queue, transpose, 2, NULL, global, local, 0, NULL, NULL);
}
