/* Launches ../kernels/vector_add.cl: a work item adds ITEMS vectors of VEC numbers. The macros go to the compiler. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

#define WG 256
#define ITEMS 4
#define VEC 2

void add(cl_context context, cl_device_id device, cl_command_queue queue, const char *text, cl_mem a, cl_mem b, cl_mem c)
{
    const int size = 4194304;
    char options[128];
    snprintf(options, sizeof options, "-D WG=%d -D ITEMS=%d -D VEC=%d -D size=%d", WG, ITEMS, VEC, size);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    clBuildProgram(program, 1, &device, options, NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "vector_add", NULL);
    clSetKernelArg(kernel, 0, sizeof(cl_mem), &a);
    clSetKernelArg(kernel, 1, sizeof(cl_mem), &b);
    clSetKernelArg(kernel, 2, sizeof(cl_mem), &c);
    const size_t groups = (size + WG * ITEMS * VEC - 1) / (WG * ITEMS * VEC);
    const size_t global = groups * WG, local = WG;
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
}
