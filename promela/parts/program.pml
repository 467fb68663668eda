/* The tables of programs: `programs` has a line for each configuration, `rows` a line for each statement of a body.
 * Configurations with equal bodies share rows. The names are those of the abstract machine. ROW and PROGRAM are the numbers of a
 * line; those behind the named ones are high words (wide.pml).
 */

/* Kinds of rows. The first two are also the numbers of their servers. */
#define MEMORY      0              /* use: occupancy, latency */
#define LOCAL       1
#define DISPATCHER  2
#define BARRIER     3              /* cost, - */
#define LOOP        4              /* count, level: the loop of that level begins */
#define AGAIN       5              /* first row of the body, level: an iteration is over */
#define END         6
{%- if queues %}
#define MATRIX      7              /* use: occupancy, latency */
#define START_MEMORY      8        /* start: occupancy, latency */
#define START_LOCAL       9
#define START_DISPATCHER  10
#define START_MATRIX      11
#define WAIT              12       /* -, - */
{%- endif %}
{%- if grid %}
#define GRID_BARRIER      13       /* cost, - */
{%- endif %}

#define kind(row)       rows[(row) * ROW]
#define occupancy(row)  rows[(row) * ROW + 1]
#define latency(row)    rows[(row) * ROW + 2]
#define cost(row)       rows[(row) * ROW + 1]
#define count(row)      rows[(row) * ROW + 1]
#define first(row)      rows[(row) * ROW + 1]
#define level(row)      rows[(row) * ROW + 2]
{%- if queues %}
#define slot(row)       rows[(row) * ROW + ROW - 2]    /* the first of the warp's slots that the row is about (queues.pml) */
#define slots(row)      rows[(row) * ROW + ROW - 1]    /* their number */
#define is_start(row)   (kind(row) >= START_MEMORY && kind(row) <= START_MATRIX)
{%- endif %}

/* The chosen configuration's program. */
#define multiprocessors  programs[chosen * PROGRAM]
#define dispatchers      programs[chosen * PROGRAM + 1]
#define groups           programs[chosen * PROGRAM + 2]
#define resident_groups  programs[chosen * PROGRAM + 3]
#define warps_per_group  programs[chosen * PROGRAM + 4]
#define passes           programs[chosen * PROGRAM + 5]
#define launch           programs[chosen * PROGRAM + 6]
#define body             programs[chosen * PROGRAM + 7]

/* The number of groups of the most loaded multiprocessor: full waves of all resident groups, and a last wave of the rest. */
#define most_groups      ((groups - 1) / multiprocessors + 1)
#define full_waves       (most_groups / resident_groups)
#define rest_groups      (most_groups % resident_groups)
#define largest_wave     (full_waves > 0 -> resident_groups : rest_groups)

/* A runner (a warp, or a processing element) stands on a row of its body, and has iterations left in the loops around the row. */
#define left(runner, level)  iterations_left[(runner) * LEVELS + (level)]

/* The level of the loop whose next iteration the last settled runner began, and the runner: at most one loop, for a body holds
 * a statement. */
#define NO_EDGE  255
hidden byte edge = NO_EDGE;
hidden short edge_warp;

/* Moves from `row` to the next statement or the end, entering and leaving loops on the way. */
inline settle(runner) {
    edge = NO_EDGE;
    do
    :: kind(row) == LOOP ->
        left(runner, level(row)) = count(row);
        row++
    :: kind(row) == AGAIN && left(runner, level(row)) > 1 ->
        left(runner, level(row)) = left(runner, level(row)) - 1;
        edge = level(row);
        edge_warp = runner;
        row = first(row)
    :: kind(row) == AGAIN && left(runner, level(row)) <= 1 ->
        left(runner, level(row)) = 0;
        row++
    :: else ->
        break
    od;
    counter[runner] = row
}
