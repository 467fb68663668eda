/* Runs a micro-benchmark of profile.cl, which lies beside this program, and prints the time of a launch:
 * profile KERNEL WORK_GROUP GROUPS STRIDE STEPS. Launches follow each other until they have taken long enough together.
 * It is built by cc -O2 profile.c -o profile -lOpenCL */
#define CL_TARGET_OPENCL_VERSION 120
#define _POSIX_C_SOURCE 200809L
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WORDS (1u << 26)  /* of the data: 256 MiB */
#define PARTS 8           /* of the data, where launches begin by turns */
#define LONG_ENOUGH 0.02  /* seconds of all launches */
#define MOST_LAUNCHES 4096
#define AGAIN 5

static void expect(cl_int status, const char *what)
{
    if (status != CL_SUCCESS) {
        fprintf(stderr, "%s failed: OpenCL says %d\n", what, status);
        exit(1);
    }
}

/* The text of profile.cl in the folder of this program. */
static char *source(const char *program)
{
    static char path[4096];
    const char *slash = strrchr(program, '/');
    snprintf(path, sizeof path, "%.*sprofile.cl", slash ? (int)(slash - program + 1) : 0, program);
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    char *text = calloc(1, 1 << 16);
    if (!text || fread(text, 1, (1 << 16) - 1, file) == 0) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    return text;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int count, char **words)
{
    if (count != 6) {
        fprintf(stderr, "usage: profile KERNEL WORK_GROUP GROUPS STRIDE STEPS\n");
        return 2;
    }
    const size_t group = strtoul(words[2], NULL, 10), items = group * strtoul(words[3], NULL, 10);
    const cl_uint all = WORDS, stride = strtoul(words[4], NULL, 10), steps = strtoul(words[5], NULL, 10);
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    expect(clGetPlatformIDs(1, &platform, NULL), "finding OpenCL");
    expect(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "finding a device");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    expect(status, "the context");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    expect(status, "the queue");
    const char *text = source(words[0]);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    expect(status, "the program");
    expect(clBuildProgram(program, 1, &device, "", NULL, NULL), "compiling the kernels");
    cl_kernel kernel = clCreateKernel(program, words[1], &status);
    expect(status, "finding the kernel");
    const int has_data = strcmp(words[1], "empty") != 0;
    if (has_data) {
        cl_mem data = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof all * (size_t)WORDS, NULL, &status);
        expect(status, "the data");
        cl_mem end = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof all * group, NULL, &status);
        expect(status, "the results");
        const cl_uint zero = 0;
        expect(clEnqueueFillBuffer(queue, data, &zero, sizeof zero, 0, sizeof all * (size_t)WORDS, 0, NULL, NULL),
               "filling the data");
        expect(clSetKernelArg(kernel, 0, sizeof data, &data), "an argument");
        expect(clSetKernelArg(kernel, 1, sizeof end, &end), "an argument");
        expect(clSetKernelArg(kernel, 2, sizeof all, &all), "an argument");
        expect(clSetKernelArg(kernel, 4, sizeof stride, &stride), "an argument");
        expect(clSetKernelArg(kernel, 5, sizeof steps, &steps), "an argument");
    }
    /* The first launch may still compile. Then as many as take long enough, and again: the least time is the least disturbed. */
    double took = 0, least = 0;
    for (int number = 1, again = 0; again < AGAIN; number *= took < LONG_ENOUGH && number < MOST_LAUNCHES ? 2 : 1) {
        const double begin = seconds();
        for (int i = 0; i < number; ++i) {
            const cl_uint from = WORDS / PARTS * ((cl_uint)i % PARTS);
            if (has_data)
                expect(clSetKernelArg(kernel, 3, sizeof from, &from), "an argument");
            expect(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL), "the launch");
        }
        expect(clFinish(queue), "the kernel");
        took = number > 1 ? seconds() - begin : 0;
        if (took >= LONG_ENOUGH || number >= MOST_LAUNCHES)
            least = again++ == 0 || took / number < least ? took / number : least;
    }
    printf("%.6f us, the least mean of %d times\n", least * 1e6, AGAIN);
    return 0;
}
