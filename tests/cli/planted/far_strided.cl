// A group writes every 64th word from word 2 g on: that of the group 32 behind it writes the same words, one work item further.
__kernel void k(__global int* x, int step)
{
    x[get_group_id(0) * 2 + get_local_id(0) * step] = get_global_id(0);
}
