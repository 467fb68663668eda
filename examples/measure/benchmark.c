/* A benchmark of matmul.cl: `benchmark` prints the median time of its launches, `benchmark check` compares the product with
 * the host's. It is compiled for each configuration: cc -DTS=16 -DROWS=2 -DCOLS=4 -DSIZE=256 -DKERNEL='"matmul.cl"' … */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAUNCHES 7
#define TEXT(number) NUMBER(number)
#define NUMBER(number) #number

static float a[SIZE * SIZE], b[SIZE * SIZE], c[SIZE * SIZE];

static void expect(cl_int status, const char *what)
{
    if (status != CL_SUCCESS) {
        fprintf(stderr, "%s failed: OpenCL says %d\n", what, status);
        exit(1);
    }
}

static char *source(const char *path)
{
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

static int by_size(const void *one, const void *other)
{
    const double first = *(const double *)one, second = *(const double *)other;
    return (first > second) - (first < second);
}

/* The time of a launch in milliseconds. */
static double launch(cl_command_queue queue, cl_kernel kernel)
{
    const size_t items[2] = {SIZE / COLS, SIZE / ROWS}, group[2] = {TS, TS / ROWS};
    cl_event event;
    cl_ulong begin, end;
    expect(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, group, 0, NULL, &event), "the launch");
    expect(clWaitForEvents(1, &event), "the kernel");
    expect(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL), "the clock");
    expect(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL), "the clock");
    clReleaseEvent(event);
    return (double)(end - begin) / 1e6;
}

static void check(void)
{
    for (int row = 0; row < SIZE; row += 7)
        for (int column = 0; column < SIZE; ++column) {
            double sum = 0;
            for (int k = 0; k < SIZE; ++k)
                sum += (double)a[row * SIZE + k] * b[k * SIZE + column];
            if (!(fabs(c[row * SIZE + column] - sum) < 1e-3)) {
                fprintf(stderr, "C[%d][%d] is %g, not %g\n", row, column, c[row * SIZE + column], sum);
                exit(1);
            }
        }
    puts("the product is right");
}

int main(int count, char **words)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    expect(clGetPlatformIDs(1, &platform, NULL), "finding OpenCL");
    expect(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "finding a device");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    expect(status, "the context");
    cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
    expect(status, "the queue");
    for (int i = 0; i < SIZE * SIZE; ++i) {
        a[i] = (float)(i * 37 % 101) / 101 - 0.5f;
        b[i] = (float)(i * 53 % 97) / 97 - 0.5f;
    }
    cl_mem buffers[3];
    float *host[3] = {a, b, c};
    const char *text = source(KERNEL);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    expect(status, "the program");
    const char *options = "-DTS=" TEXT(TS) " -DROWS=" TEXT(ROWS) " -DCOLS=" TEXT(COLS);
    expect(clBuildProgram(program, 1, &device, options, NULL, NULL), "compiling the kernel");
    cl_kernel kernel = clCreateKernel(program, "matmul_tiled", &status);
    expect(status, "the kernel");
    for (int i = 0; i < 3; ++i) {
        buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof a, host[i], &status);
        expect(status, "a buffer");
        expect(clSetKernelArg(kernel, (cl_uint)i, sizeof buffers[i], &buffers[i]), "an argument");
    }
    const cl_int size = SIZE;
    expect(clSetKernelArg(kernel, 3, sizeof size, &size), "an argument");

    double times[LAUNCHES];
    launch(queue, kernel); /* the first launch may still compile */
    for (int i = 0; i < LAUNCHES; ++i)
        times[i] = launch(queue, kernel);
    qsort(times, LAUNCHES, sizeof *times, by_size);
    if (count > 1 && strcmp(words[1], "check") == 0) {
        expect(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, sizeof c, c, 0, NULL, NULL), "reading the product");
        check();
    } else {
        printf("%s: %.4f ms, the median of %d launches\n", options, times[LAUNCHES / 2], LAUNCHES);
    }
    return 0;
}
