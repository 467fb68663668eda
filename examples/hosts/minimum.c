/* Launches ../kernels/minimum.cl: a work item takes TS numbers. The macros go to the compiler. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#define WG 64
#define TS 16

cl_int minimum(cl_command_queue queue, cl_kernel kernel, cl_mem numbers, cl_mem minima, size_t size)
{
    size_t items[1], group[1];
    cl_int status = clSetKernelArg(kernel, 0, sizeof(cl_mem), &numbers);
    status |= clSetKernelArg(kernel, 1, sizeof(cl_mem), &minima);
    items[0] = size / TS;
    group[0] = WG;
    return status | clEnqueueNDRangeKernel(queue, kernel, 1, NULL, items, group, 0, NULL, NULL);
}

int run(cl_program program, cl_command_queue queue, cl_mem numbers, cl_mem minima)
{
    cl_kernel kernel = clCreateKernel(program, "minimum", NULL);
    return minimum(queue, kernel, numbers, minima, 1 << 20) == CL_SUCCESS ? 0 : 1;
}
