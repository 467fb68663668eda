/* Launches ../kernels/reduction.cl: a work item sums TS vectors of VEC numbers. The macros go to the compiler. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#define WG 256
#define TS 16
#define VEC 2
#define OPTIONS "-D WG=256 -D TS=16 -D VEC=2"

static const char *name = "reduction";

void sum(cl_context context, cl_command_queue queue, cl_program program, cl_mem numbers, cl_mem result)
{
    size_t size = 4194304, items, group;
    cl_kernel kernel;
    clBuildProgram(program, 0, NULL, OPTIONS, NULL, NULL);
    kernel = clCreateKernel(program, name, NULL);
    clSetKernelArg(kernel, 0, sizeof(cl_mem), &numbers);
    clSetKernelArg(kernel, 1, sizeof(cl_mem), &result);
    items = size / (TS * VEC);
    group = WG;
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL);
}
