/* abstract_kernel on abstract-tiny: 9 configurations, granularity `warp`.
 *
 * SPIN chooses a configuration and runs its program on the most loaded multiprocessor of an abstract GPU. DONE is set when
 * the launch is over, at its time; G(DONE -> time >= MT) holds when no configuration ends before MT.
 *
 *   spin FILE                                          one run of one configuration
 *   spin -a FILE && cc -DSAFETY -DVECTORSZ=1024 -o pan pan.c
 *   AUTOTUNE_MT=9408 ./pan -m1000                    the property for MT = 9408
 */

#define WARPS    2          /* of the largest wave */
#define GROUPS   1          /* of the largest wave */
#define SERVERS  4          /* memory, local, dispatchers */
#define LEVELS   1          /* of nested loops */
#define LAST     8          /* configuration */

#define ACCELERATE  1      /* 0: repetitions are not skipped */
#define CUT         1      /* 0: the clock does not stop at MT */

#define ROW         3      /* numbers of a row */
#define PROGRAM     8      /* numbers of a program */

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

#define kind(row)       rows[(row) * ROW]
#define occupancy(row)  rows[(row) * ROW + 1]
#define latency(row)    rows[(row) * ROW + 2]
#define cost(row)       rows[(row) * ROW + 1]
#define count(row)      rows[(row) * ROW + 1]
#define first(row)      rows[(row) * ROW + 1]
#define level(row)      rows[(row) * ROW + 2]

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

#define chosen  configuration      /* the program in the table */

/* multiprocessors, dispatchers, groups, resident groups, warps per group, passes, launch, first row of the body */
hidden int programs[9 * PROGRAM] = {
    1, 2, 8, 1, 1, 1, 0, 0,    /* 0: WG=2 TS=2 */
    1, 2, 8, 1, 1, 1, 0, 9,    /* 1: WG=2 TS=4 */
    1, 2, 8, 1, 1, 1, 0, 18,    /* 2: WG=2 TS=8 */
    1, 2, 4, 1, 2, 1, 0, 0,    /* 3: WG=4 TS=2 */
    1, 2, 4, 1, 2, 1, 0, 9,    /* 4: WG=4 TS=4 */
    1, 2, 4, 1, 2, 1, 0, 18,    /* 5: WG=4 TS=8 */
    1, 2, 2, 1, 2, 2, 0, 0,    /* 6: WG=8 TS=2 */
    1, 2, 2, 1, 2, 2, 0, 9,    /* 7: WG=8 TS=4 */
    1, 2, 2, 1, 2, 2, 0, 18    /* 8: WG=8 TS=8 */
};

/* kind, then occupancy, cost, count or first row, then latency or level */
hidden int rows[27 * ROW] = {
    LOOP, 8, 0,    /* 0 */
        DISPATCHER, 10, 10,    /* 1 */
        BARRIER, 0, 0,    /* 2 */
        DISPATCHER, 1, 1,    /* 3 */
        DISPATCHER, 1, 1,    /* 4 */
        BARRIER, 0, 0,    /* 5 */
    AGAIN, 1, 0,    /* 6 */
    DISPATCHER, 10, 10,    /* 7 */
    END, 0, 0,    /* 8 */
    LOOP, 4, 0,    /* 9 */
        DISPATCHER, 10, 10,    /* 10 */
        BARRIER, 0, 0,    /* 11 */
        DISPATCHER, 1, 1,    /* 12 */
        DISPATCHER, 1, 1,    /* 13 */
        BARRIER, 0, 0,    /* 14 */
    AGAIN, 10, 0,    /* 15 */
    DISPATCHER, 10, 10,    /* 16 */
    END, 0, 0,    /* 17 */
    LOOP, 2, 0,    /* 18 */
        DISPATCHER, 10, 10,    /* 19 */
        BARRIER, 0, 0,    /* 20 */
        DISPATCHER, 1, 1,    /* 21 */
        DISPATCHER, 1, 1,    /* 22 */
        BARRIER, 0, 0,    /* 23 */
    AGAIN, 19, 0,    /* 24 */
    DISPATCHER, 10, 10,    /* 25 */
    END, 0, 0    /* 26 */
};

inline choose_configuration() {
    if
    :: configuration = 0    /* WG=2 TS=2 */
    :: configuration = 1    /* WG=2 TS=4 */
    :: configuration = 2    /* WG=2 TS=8 */
    :: configuration = 3    /* WG=4 TS=2 */
    :: configuration = 4    /* WG=4 TS=4 */
    :: configuration = 5    /* WG=4 TS=8 */
    :: configuration = 6    /* WG=8 TS=2 */
    :: configuration = 7    /* WG=8 TS=4 */
    :: configuration = 8    /* WG=8 TS=8 */
    fi
}

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
short arrived[GROUPS];             /* warps of the group that wait at its barrier */
short warps, finished;             /* of the wave that runs */
byte wave;                         /* 1: the full waves, 2: the rest, 3: no wave is left */
bool cut;                          /* the clock has stopped at MT */
bool DONE;

/* False before MT; without a bound, MT is later than every time. */
#define time_is_at_least_MT \
    (time_high > mt_high || (time_high == mt_high && time_low >= mt_low))
#define time_is_MT  (time_high == mt_high && time_low == mt_low)

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

/* end of the body: the warp has finished */
inline finish(warp) {
    wake_never(warp);
    finished++
}

/* Waits in one word: ticks from now. For programs in which no wait reaches 2^30 ticks; wide.pml serves the others.
 *
 * Both parts have the same inlines, which hold every step that touches a wait.
 */

int wake[WARPS];                   /* ticks from now until the warp goes on */
int busy[SERVERS];                 /* ticks from now until the server is free */
hidden int ahead;                  /* the wait that a step computes */

#define sleeps(warp)              (wake[warp] == NEVER)
#define wakes_before_ahead(warp)  (wake[warp] < ahead)

inline wake_never(warp)   { wake[warp] = NEVER }
inline wake_now(warp)     { wake[warp] = 0 }
inline wake_ahead(warp)   { wake[warp] = ahead }
inline free_now(server)   { busy[server] = 0 }
inline look_never()       { ahead = NEVER }
inline look_to_wake(warp) { ahead = wake[warp] }
inline look_to_cost(at)   { ahead = cost(at) }

/* ahead = the end of the latency of the use `at`, which begins when the server is free; the server serves it */
inline queue(server, at) {
    ahead = busy[server];
    busy[server] = ahead + occupancy(at);
    ahead = ahead + latency(at)
}

inline wake_sooner(warp) { wake[warp] = wake[warp] - ahead }
inline free_sooner(server) { busy[server] = (busy[server] > ahead -> busy[server] - ahead : 0) }

inline add_launch() { add_low(launch) }
inline add_ahead() { add_weighted(ahead) }

/* The waits of the snapshots, for the level of `edge`. */
hidden int seen_wake[LEVELS * WARPS];
hidden int seen_busy[LEVELS * SERVERS];

#define then_wake(warp)    seen_wake[edge * WARPS + (warp)]
#define then_busy(server)  seen_busy[edge * SERVERS + (server)]
#define same_wake(warp)    (wake[warp] == then_wake(warp))
#define same_busy(server)  (busy[server] == then_busy(server))

inline keep_wake(warp) { then_wake(warp) = wake[warp] }
inline keep_busy(server) { then_busy(server) = busy[server] }

/* For the checks of a table file (file.pml). */
#define WAITS               BASE   /* no wait is as long */
#define all_occupancy(row)  occupancy(row)
#define all_latency(row)    latency(row)
#define all_cost(row)       cost(row)
#define launch_is_too_long  0      /* below 2^31, like all numbers of the file */

/* Exact acceleration: a repetition in a wave is run once or twice, then counted.
 *
 * Waits and rests are ticks from now. So the future of a wave follows from `counter`, the iterations left, `wake` and `busy`
 * alone; `arrived` and `finished` follow from the counters. Let all these be as they were at an earlier moment, except that each
 * warp may have fewer iterations left of one loop. Then the wave repeats the events since that moment, in the same time, as often
 * as these loops have iterations left for it. A repetition changes only the iterations left and the time.
 *
 * An *edge* is a warp's way from the end of a loop's body back to its begin. The states after edges of a level are compared with
 * a snapshot of one of them. The snapshot is renewed when twice as many edges as the last time have not led back to it
 * (R. P. Brent), so a period of any length is found.
 *
 * Snapshots are hidden: they are not part of SPIN's states. That is sound because begin_wave forgets them and a wave is a chain
 * of steps without a choice: searching depth first, SPIN never goes back into a wave to leave it by another way. Nor does a chain
 * end at a state seen before: the configuration is part of the state, and counters and iterations only go forward.
 */

#define NO_WARP  WARPS             /* marks a level without a snapshot */

/* A snapshot for each level: the warp whose edge it was, the time of the launch, and the state. Its waits stand beside the waits. */
hidden short seen_warp[LEVELS];
hidden int seen_high[LEVELS], seen_low[LEVELS];
hidden short seen_counter[LEVELS * WARPS];
hidden int seen_left[LEVELS * WARPS * LEVELS];
hidden int edges[LEVELS];          /* of all warps since the snapshot */
hidden int patience[LEVELS];       /* edges after which the snapshot is renewed */

#define then_counter(warp)     seen_counter[edge * WARPS + (warp)]
#define then_left(warp, loop)  seen_left[(edge * WARPS + (warp)) * LEVELS + (loop)]

/* Scratch of one indivisible step. */
hidden int j;
hidden int gone;                   /* iterations since the snapshot */
hidden byte loops_differ;          /* loops of a warp with fewer iterations left */
hidden int again;                  /* possible repetitions of the events since the snapshot */
hidden int span_high, span_low;    /* ticks of the launch since the snapshot */

inline forget_snapshots() {
    edge = NO_EDGE;
    for (i : 0 .. LEVELS - 1) {
        seen_warp[i] = NO_WARP;
        patience[i] = warps;
        edges[i] = warps - 1       /* the next edge takes a snapshot */
    }
}

inline take_snapshot() {
    seen_warp[edge] = edge_warp;
    seen_high[edge] = time_high;
    seen_low[edge] = time_low;
    for (i : 0 .. warps - 1) {
        then_counter(i) = counter[i];
        keep_wake(i);
        for (j : 0 .. LEVELS - 1) {
            then_left(i, j) = left(i, j)
        }
    }
    for (i : 0 .. 1 + dispatchers) {
        keep_busy(i)
    }
    edges[edge] = 0;
    patience[edge] = 2 * patience[edge]
}

/* again = the number of repetitions that this warp's loops allow, if that is less; 0 if more than one loop differs
 *
 * A warp must keep one iteration: at the end of its last iteration it leaves the loop. Only one loop may differ: if the inner one
 * of two is at another iteration, the warp will leave it for the outer one at another moment than the last time.
 */
inline compare_left(warp) {
    loops_differ = 0;
    for (j : 0 .. LEVELS - 1) {
        gone = then_left(warp, j) - left(warp, j);
        if
        :: gone != 0 ->
            loops_differ++;
            assert(loops_differ > 1 || gone > 0);        /* the outermost loop that differs has gone forward */
            if
            :: loops_differ > 1 -> again = 0
            :: loops_differ == 1 && (left(warp, j) - 1) / gone < again -> again = (left(warp, j) - 1) / gone
            :: else
            fi
        :: else
        fi
    }
}

/* again = the number of times that the events since the snapshot can be repeated; 0 if the state differs */
inline compare_with_snapshot() {
    again = (seen_warp[edge] == edge_warp -> NEVER : 0);
    i = 0;
    do
    :: again > 0 && i < warps ->
        if
        :: counter[i] == then_counter(i) && same_wake(i) -> compare_left(i)
        :: else -> again = 0
        fi;
        i++
    :: else -> break
    od;
    i = 0;
    do
    :: again > 0 && i < 2 + dispatchers ->
        if
        :: same_busy(i)
        :: else -> again = 0
        fi;
        i++
    :: else -> break
    od
}

/* time += again * (time - the snapshot's), by halving `again`; the sum stays below 2^60, as the wave's own time does */
inline add_skipped_time() {
    span_high = time_high - seen_high[edge];
    span_low = time_low - seen_low[edge];
    do
    :: again > 0 ->
        if
        :: span_low < 0 -> span_high--; span_low = span_low + BASE
        :: span_low >= BASE -> span_high++; span_low = span_low - BASE
        :: else
        fi;
        if
        :: again % 2 == 1 -> time_high = time_high + span_high; add_low(span_low)
        :: else
        fi;
        again = again / 2;
        span_high = 2 * span_high;
        span_low = 2 * span_low
    :: else -> break
    od
}

inline skip_repetitions() {
    for (i : 0 .. warps - 1) {
        for (j : 0 .. LEVELS - 1) {
            left(i, j) = left(i, j) - again * (then_left(i, j) - left(i, j))
        }
    }
    add_skipped_time();
    patience[edge] = warps
}

/* Called after each event. If time passes MT here, the clock cuts the run at the next event: the run ends later still. */
inline accelerate() {
    if
    :: ACCELERATE && edge != NO_EDGE ->
        edges[edge] = edges[edge] + 1;
        compare_with_snapshot();
        if
        :: again > 0 -> skip_repetitions(); take_snapshot()
        :: again == 0 && edges[edge] >= patience[edge] -> take_snapshot()
        :: else
        fi;
        edge = NO_EDGE
    :: else
    fi
}

/* The clock: chooses the next event and lets time pass until then. */

/* next_warp = the warp that wakes first, of simultaneous ones the lowest; WARPS if all have finished */
inline first_to_wake(next_warp) {
    look_never();
    next_warp = WARPS;
    i = 0;
    do
    :: i < warps ->
        if
        :: wakes_before_ahead(i) -> look_to_wake(i); next_warp = i
        :: else
        fi;
        i++
    :: else -> break
    od
}

/* Time passes until the first warp wakes. */
inline pass_time() {
    add_ahead();
    i = 0;
    do
    :: i < warps ->
        if
        :: !sleeps(i) -> wake_sooner(i)
        :: else
        fi;
        i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < 2 + dispatchers ->
        free_sooner(i);
        i++
    :: else -> break
    od
}

/* A run that has reached MT cannot end before it. A run whose last event is at MT may still end. */
#define reaches_MT(next_warp) \
    (CUT && time_is_at_least_MT && !(time_is_MT && kind(counter[next_warp]) == END))

/* The clock between two events: next_warp = the warp of the next event; WARPS if all have finished */
inline next_event(next_warp) {
    accelerate();
    first_to_wake(next_warp);
    if
    :: next_warp == WARPS -> assert(finished == warps)
    :: else -> pass_time(); cut = reaches_MT(next_warp)
    fi
}

/* The waves of the most loaded multiprocessor, one after the other. */

#define NO_WAVE  3

/* Starts all warps of `number` groups now, at the beginning of the body, with all servers free. */
inline begin_wave(number) {
    warps = (number) * warps_per_group;
    finished = 0;
    i = 0;
    do
    :: i < 2 + dispatchers -> free_now(i); i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < warps ->
        wake_now(i);
        row = body;
        settle(i);
        i++
    :: else -> break
    od;
    forget_snapshots()
}

/* Begins the next wave, if one is left. Waves start from equal states, so one full wave runs and counts `full_waves` times. */
inline begin_next_wave() {
    wave++;
    if
    :: wave == 1 && full_waves == 0 -> wave = 2
    :: else
    fi;
    if
    :: wave == 2 && rest_groups == 0 -> wave = NO_WAVE
    :: else
    fi;
    if
    :: wave == 1 -> weight = full_waves * passes; begin_wave(resident_groups)
    :: wave == 2 -> weight = passes; begin_wave(rest_groups)
    :: else
    fi
}

/* The machine played by its parts: host, multiprocessor, clock, servers, barriers and warps, one process each.
 *
 * All talk through one rendezvous channel whose first field names the partner. A rendezvous hands over control within one
 * indivisible sequence, so a whole run is one chain. SPIN stores only the end of the chain, and explores one order of
 * simultaneous events, that of (time, warp). A send stands last, directly before `od`: elsewhere the chain would break.
 */

#define HOST            0
#define MULTIPROCESSOR  1
#define CLOCK           2
#define SERVER          3                               /* and the servers behind it: memory, local, dispatchers */
#define BARRIER_OF      (SERVER + SERVERS)              /* and the groups' barriers */
#define WARP            (BARRIER_OF + GROUPS)           /* and the warps */

chan to = [0] of { byte, byte };                        /* partner, the warp that it is about */
byte partner;                                           /* of the send that follows */

/* The partner that a warp's statement needs: its server, its group's barrier, or at the end of its body the clock. */
#define needed_by(warp) \
    (kind(counter[warp]) == DISPATCHER -> SERVER + dispatcher(warp) : \
    (kind(counter[warp]) < DISPATCHER -> SERVER + kind(counter[warp]) : \
    (kind(counter[warp]) == BARRIER -> BARRIER_OF + group(warp) : CLOCK)))

/* The second field of a message to the clock when an event is done and its warp has not finished. */
#define NOBODY 255

proctype warp(byte me) {
end_idle:
    do
    :: atomic { to ? eval(WARP + me), _ -> to ! needed_by(me), me }
    od
}

proctype server(byte me) {
    byte user;
end_idle:
    do
    :: atomic {
        to ? eval(SERVER + me), user ->
        d_step { serve(me, user) };
        to ! CLOCK, NOBODY
       }
    od
}

proctype barrier(byte me) {
    byte arrival;
end_idle:
    do
    :: atomic {
        to ? eval(BARRIER_OF + me), arrival ->
        d_step { arrive(me, arrival) };
        to ! CLOCK, NOBODY
       }
    od
}

/* The clock: one event a turn, that of the next warp to wake, unless all have finished or the bound is reached. */
proctype clock() {
    byte ended, next;
end_idle:
    do
    :: atomic {
        to ? eval(CLOCK), ended ->
        d_step {
            if
            :: ended != NOBODY -> finish(ended)
            :: else
            fi;
            next_event(next);
            partner = (next == WARPS -> MULTIPROCESSOR : (cut -> HOST : WARP + next))
        };
        to ! partner, next
       }
    od
}

proctype multiprocessor() {
end_idle:
    do
    :: atomic {
        to ? eval(MULTIPROCESSOR), _ ->
        d_step {
            begin_next_wave();
            partner = (wave == NO_WAVE -> HOST : CLOCK)
        };
        to ! partner, NOBODY
       }
    od
}

inline start_processes() {
    run multiprocessor();
    run clock();
    do
    :: n < 2 + dispatchers -> run server(n); n++
    :: else -> n = 0; break
    od;
    do
    :: n < largest_wave -> run barrier(n); n++
    :: else -> n = 0; break
    od;
    do
    :: n < largest_wave * warps_per_group -> run warp(n); n++
    :: else -> n = 0; break
    od
}

/* MT is given to each run of pan, so one compiled model serves every bound.
 *
 * With AUTOTUNE_DESCEND the search is a branch and bound (after T. Ruys, "Optimal scheduling using branch and bound with SPIN
 * 4.0"): every run that ends before MT lowers MT for the configurations that come after. For this, MT is kept in C, where SPIN
 * does not undo it on its way back to the choice, and becomes part of the state once a configuration is chosen. So each run has
 * one MT from its start to its end, and runs of different configurations share no state. A run that is cut off has not ended
 * before the time of another run, so the last MT is the least time of all. This search is not a proof: searches with a fixed MT
 * prove the result.
 */
c_code {
    static long long bound = -1;   /* no bound */

    static long long bound_of_run(void)
    {
        const char *given = getenv("AUTOTUNE_MT");
        if (bound < 0 && given) {
            bound = strtoll(given, NULL, 10);
        }
        return bound;
    }

    static void run_ended(long long time)
    {
        if (getenv("AUTOTUNE_DESCEND") && (bound < 0 || time < bound)) {
            bound = time;
        }
    }
}

/* The host begins and ends a run; the property is about the end. */

active proctype host() {
    byte n;
    atomic {
        choose_configuration();
        c_code {
            long long mt = bound_of_run();
            if (mt >= 0) {
                now.mt_high = (int) (mt >> 30);
                now.mt_low = (int) (mt & ((1LL << 30) - 1));
            }
        };
        add_launch();
        start_processes();
        to ! MULTIPROCESSOR, NOBODY
    };
    atomic {
        to ? eval(HOST), _ ->
        if
        :: cut ->
            printf("autotune: configuration %d CUT at %d * 2^30 + %d\n", configuration, time_high, time_low);
            goto end_cut
        :: else ->
            printf("autotune: configuration %d DONE at %d * 2^30 + %d\n", configuration, time_high, time_low);
            d_step { c_code { run_ended(((long long) now.time_high << 30) + now.time_low); }; DONE = true };
            assert(DONE);      /* else the property would not cover this run */
            goto end_done
        fi
    };
end_cut:
    false;
end_done:
    false
}

ltl optimum { [] (DONE -> time_is_at_least_MT) }
