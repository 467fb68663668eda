/* The state and steps of the abstract machine, shared by all models of granularity `warp`.
 *
 * The programs stand in the tables before this text (program.pml). Every time is computed here, from their numbers alone.
 *
 * Waits are kept as ticks from now (narrow.pml, wide.pml). The time of the launch is a pair (high, low) in base 2^30.
 */

#define BASE   1073741824          /* of the wide time: 2^30 */
#define NEVER  2147483647          /* the wake-up of a warp that waits or has finished */

#define dispatcher(warp)   (DISPATCHER + (warp) % dispatchers)
#define group(warp)        ((warp) / warps_per_group)

int configuration;                 /* SPIN's choice */
int time_high, time_low;           /* of the launch, its full waves counted at once */
int mt_high = BASE - 1, mt_low;    /* MT; this value means: no bound */
int weight;                        /* launch ticks for each tick of the wave that runs */
short counter[WARPS];              /* the row that the warp executes next, or waits at */
int iterations_left[WARPS * LEVELS];
short arrived[{% if grid %}GROUPS + 1];         /* warps that wait at the group's barrier, and last those at the grid's */{% else %}GROUPS];             /* warps of the group that wait at its barrier */{% endif %}
short warps, finished;             /* of the wave that runs */
byte wave;                         /* 1: the full waves, 2: the rest, 3: no wave is left */
bool cut;                          /* the clock has stopped at MT */
bool DONE;

/* False before MT; without a bound, MT is later than every time. */
#define time_is_at_least_MT \
    (time_high > mt_high || (time_high == mt_high && time_low >= mt_low))
#define time_is_MT  (time_high == mt_high && time_low == mt_low)
{%- if form == "any" %}
#define time_is_at_most_MT  (!time_is_at_least_MT || time_is_MT)
{%- endif %}

/* Scratch of one indivisible step; no state depends on it between steps. */
hidden int product, carry;
hidden int i;
hidden short row;

/* time += value, for a value below 2 * 2^30 */
inline add_low(value) {
    carry = value;
    time_high = time_high + carry / BASE;
    time_low = time_low + carry % BASE;
    time_high = time_high + time_low / BASE;
    time_low = time_low % BASE
}

#define HALF 32768                 /* 2^15: products of two halves fit into 32 bits */

/* time += weight * ticks, both below 2^30 */
inline add_weighted(ticks) {
    time_high = time_high + (weight / HALF) * (ticks / HALF);
    product = (weight / HALF) * (ticks % HALF) + (weight % HALF) * (ticks / HALF);
    time_high = time_high + product / HALF;
    add_low((product % HALF) * HALF);
    add_low((weight % HALF) * (ticks % HALF))
}

/* The warp leaves its statement and goes on `ahead`. */
inline proceed(warp) {
    wake_ahead(warp);
    row = counter[warp] + 1;
    settle(warp)
}

/* use: begin = max(now, server free at); free at = begin + occupancy; the warp goes on at begin + latency */
inline serve(server, warp) {
    queue(server, counter[warp]);
    proceed(warp)
}

/* barrier: the warp waits; when all warps of its group have arrived, all go on after the barrier's cost */
inline arrive(barrier, warp) {
    wake_never(warp);
    arrived[barrier]++;
    if
    :: arrived[barrier] == warps_per_group ->
        arrived[barrier] = 0;
        look_to_cost(counter[warp]);
        i = barrier * warps_per_group;
        do
        :: i < (barrier + 1) * warps_per_group ->
            proceed(i);
            i++
        :: else ->
            break
        od
    :: else
    fi
}

{% if grid %}/* barrier of the grid: the same for all warps of the wave, which holds all groups of its multiprocessor */
inline arrive_at_grid(warp) {
    wake_never(warp);
    arrived[GROUPS]++;
    if
    :: arrived[GROUPS] == warps ->
        arrived[GROUPS] = 0;
        look_to_cost(counter[warp]);
        i = 0;
        do
        :: i < warps ->
            proceed(i);
            i++
        :: else ->
            break
        od
    :: else
    fi
}

{% endif -%}
/* end of the body: the warp has finished */
inline finish(warp) {
    wake_never(warp);
    finished++
}
