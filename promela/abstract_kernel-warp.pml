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

#define ACCELERATE  1      /* 0: nothing is skipped */
#define CUT         1      /* 0: the clock does not stop at MT */

/* How programs are written down: `programs` has a line for each configuration, `rows` a line for each statement of a body.
 * Configurations with equal bodies share rows. The names are those of the abstract machine.
 */

/* Kinds of rows. The first two are also the numbers of their servers. */
#define MEMORY      0              /* use: occupancy, latency */
#define LOCAL       1
#define DISPATCHER  2
#define BARRIER     3              /* cost, - */
#define LOOP        4              /* count, level: the loop of that level begins */
#define AGAIN       5              /* first row of the body, level: an iteration is over */
#define END         6

#define kind(row)       rows[(row) * 3]
#define occupancy(row)  rows[(row) * 3 + 1]
#define latency(row)    rows[(row) * 3 + 2]
#define cost(row)       rows[(row) * 3 + 1]
#define count(row)      rows[(row) * 3 + 1]
#define first(row)      rows[(row) * 3 + 1]
#define level(row)      rows[(row) * 3 + 2]

/* The chosen configuration's program. */
#define multiprocessors  programs[chosen * 8]
#define dispatchers      programs[chosen * 8 + 1]
#define groups           programs[chosen * 8 + 2]
#define resident_groups  programs[chosen * 8 + 3]
#define warps_per_group  programs[chosen * 8 + 4]
#define passes           programs[chosen * 8 + 5]
#define launch           programs[chosen * 8 + 6]
#define body             programs[chosen * 8 + 7]

/* The most loaded multiprocessor runs this many groups: full waves of all resident groups and a wave of the rest. */
#define most_groups      ((groups - 1) / multiprocessors + 1)
#define full_waves       (most_groups / resident_groups)
#define rest_groups      (most_groups % resident_groups)
#define largest_wave     (full_waves > 0 -> resident_groups : rest_groups)

/* Who steps through a body (a warp, or a processing element) stands on a row, and has iterations left in the loops around it. */
#define left(runner, level)  iterations_left[(runner) * LEVELS + (level)]

/* Who went round a loop when it last settled, and that loop's level: at most one, for a body holds a statement. */
#define NO_EDGE  255
hidden byte edge = NO_EDGE;
hidden short edge_warp;

/* From `row` to the next statement or the end, entering and leaving loops on the way. */
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

#define chosen  configuration      /* program of the table */

/* multiprocessors, dispatchers, groups, resident groups, warps per group, passes, launch, first row of the body */
hidden int programs[72] = {
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
hidden int rows[81] = {
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

/* The abstract machine's own steps, shared by all models of granularity `warp`.
 *
 * The programs stand in the tables before this text (program.pml). Every time is computed here, from their numbers alone.
 *
 * Wake-up and busy times are kept as ticks from now, so that 32 bits are enough; only the time of the launch is wide: a pair
 * (high, low) in base 2^30.
 */

#define BASE   1073741824          /* of the wide time: 2^30 */
#define NEVER  2147483647          /* the wake-up of a warp that waits or has finished */

#define dispatcher(warp)   (DISPATCHER + (warp) % dispatchers)
#define group(warp)        ((warp) / warps_per_group)

int configuration;                 /* SPIN's choice */
int time_high, time_low;           /* of the launch, its full waves counted at once */
int mt_high = BASE - 1, mt_low;    /* MT; this value means: no bound */
int weight;                        /* launch ticks for each tick of the wave that runs */
int wake[WARPS];                   /* ticks from now until the warp goes on */
short counter[WARPS];              /* the row that the warp executes next, or waits at */
int iterations_left[WARPS * LEVELS];
int busy[SERVERS];                 /* ticks from now until the server is free */
short arrived[GROUPS];             /* warps of the group that wait at its barrier */
short warps, finished;             /* of the wave that runs */
byte wave;                         /* 1: the full waves, 2: the rest, 3: no wave is left */
bool cut;                          /* the clock has stopped at MT */
bool DONE;

/* No bound is reached before MT. */
#define time_is_at_least_MT \
    (time_high > mt_high || (time_high == mt_high && time_low >= mt_low))
#define time_is_MT  (time_high == mt_high && time_low == mt_low)

/* Scratch of one indivisible step; no state depends on it between steps. */
hidden int ahead, product, carry;
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

/* The warp leaves its statement and goes on `ticks` from now. */
inline proceed(warp, ticks) {
    wake[warp] = ticks;
    row = counter[warp] + 1;
    settle(warp)
}

/* use: begin = max(now, server free at); free at = begin + occupancy; the warp goes on at begin + latency */
inline serve(server, warp) {
    ahead = busy[server];
    busy[server] = ahead + occupancy(counter[warp]);
    proceed(warp, ahead + latency(counter[warp]))
}

/* barrier: the warp waits; when all warps of its group have arrived, all go on after the barrier's cost */
inline arrive(barrier, warp) {
    wake[warp] = NEVER;
    arrived[barrier]++;
    if
    :: arrived[barrier] == warps_per_group ->
        arrived[barrier] = 0;
        ahead = cost(counter[warp]);
        i = barrier * warps_per_group;
        do
        :: i < (barrier + 1) * warps_per_group ->
            proceed(i, ahead);
            i++
        :: else ->
            break
        od
    :: else
    fi
}

/* end of the body */
inline finish(warp) {
    wake[warp] = NEVER;
    finished++
}

/* Exact acceleration: what a wave does again and again is run once or twice, then counted.
 *
 * Waits and rests are ticks from now. So what a wave will do follows from `counter`, the iterations left, `wake` and `busy`
 * alone; `arrived` and `finished` follow from the counters. When all these are what they were at an earlier moment, but that
 * warps have fewer iterations left of one loop each, then the wave does the same again, in the same time, as often as these
 * loops have iterations for it. Nothing but the iterations left and the time is different afterwards.
 *
 * An *edge* is a warp's going round a loop. The states after edges of a level are compared with a snapshot of one of them,
 * which is renewed when twice as many edges as the last time have not led back to it (R. P. Brent): so any period is found.
 *
 * Snapshots are hidden: no part of SPIN's states. That is sound because begin_wave forgets them and a wave is a chain of
 * steps without a choice: searching depth first, SPIN never goes back into one to leave it by another way. Nor does a chain
 * end at a state that it has seen: the configuration is part of the state, and counters and iterations only go forward.
 */

#define NO_WARP  WARPS             /* took no snapshot */

/* A snapshot for each level: of the warp whose edge it was, the launch's time, and the state. */
hidden short seen_warp[LEVELS];
hidden int seen_high[LEVELS], seen_low[LEVELS];
hidden short seen_counter[LEVELS * WARPS];
hidden int seen_wake[LEVELS * WARPS];
hidden int seen_left[LEVELS * WARPS * LEVELS];
hidden int seen_busy[LEVELS * SERVERS];
hidden int edges[LEVELS];          /* of all warps since the snapshot */
hidden int patience[LEVELS];       /* for so many edges */

#define then_counter(warp)     seen_counter[edge * WARPS + (warp)]
#define then_wake(warp)        seen_wake[edge * WARPS + (warp)]
#define then_left(warp, loop)  seen_left[(edge * WARPS + (warp)) * LEVELS + (loop)]
#define then_busy(server)      seen_busy[edge * SERVERS + (server)]

/* Scratch of one indivisible step. */
hidden int j;
hidden int gone;                   /* iterations since the snapshot */
hidden byte loops_differ;          /* how many loops of a warp have fewer left */
hidden int again;                  /* how often all since the snapshot can be done again */
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
        then_wake(i) = wake[i];
        for (j : 0 .. LEVELS - 1) {
            then_left(i, j) = left(i, j)
        }
    }
    for (i : 0 .. 1 + dispatchers) {
        then_busy(i) = busy[i]
    }
    edges[edge] = 0;
    patience[edge] = 2 * patience[edge]
}

/* again = at most as often as this warp's loops allow, 0 if more than one differs
 *
 * A warp must keep an iteration: at the end of its last it goes on, not round. Two loops must not differ: if the inner one
 * has got elsewhere in its iterations, it will leave for the outer one at another moment than the last time.
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

/* again = how often all that was done since the snapshot can be done again, 0 if the state is another */
inline compare_with_snapshot() {
    again = (seen_warp[edge] == edge_warp -> NEVER : 0);
    i = 0;
    do
    :: again > 0 && i < warps ->
        if
        :: counter[i] == then_counter(i) && wake[i] == then_wake(i) -> compare_left(i)
        :: else -> again = 0
        fi;
        i++
    :: else -> break
    od;
    i = 0;
    do
    :: again > 0 && i < 2 + dispatchers ->
        if
        :: busy[i] == then_busy(i)
        :: else -> again = 0
        fi;
        i++
    :: else -> break
    od
}

/* time += again * (time - the snapshot's), by halves of `again`: below 2^60, as the wave's own time is */
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

/* After an event. If time passes MT here, the clock cuts the run at the next event: it ends later still. */
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

/* The clock: which event is next, and when. */

/* next_warp = the warp that wakes first, of simultaneous ones the lowest; WARPS if none is left */
inline first_to_wake(next_warp) {
    ahead = NEVER;
    next_warp = WARPS;
    i = 0;
    do
    :: i < warps ->
        if
        :: wake[i] < ahead -> ahead = wake[i]; next_warp = i
        :: else
        fi;
        i++
    :: else -> break
    od
}

/* Time passes until the first warp wakes. */
inline pass_time() {
    add_weighted(ahead);
    i = 0;
    do
    :: i < warps ->
        if
        :: wake[i] != NEVER -> wake[i] = wake[i] - ahead
        :: else
        fi;
        i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < 2 + dispatchers ->
        busy[i] = (busy[i] > ahead -> busy[i] - ahead : 0);
        i++
    :: else -> break
    od
}

/* A run that has not ended before MT cannot end before it; one that ends at MT may go on to its end. */
#define reaches_MT(next_warp) \
    (CUT && time_is_at_least_MT && !(time_is_MT && kind(counter[next_warp]) == END))

/* What the clock does between two events: next_warp is who has the next one, WARPS if all have finished. */
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

/* All warps of `number` groups start now, at the beginning of the body, with all servers free. */
inline begin_wave(number) {
    warps = (number) * warps_per_group;
    finished = 0;
    i = 0;
    do
    :: i < 2 + dispatchers -> busy[i] = 0; i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < warps ->
        wake[i] = 0;
        row = body;
        settle(i);
        i++
    :: else -> break
    od;
    forget_snapshots()
}

/* The next wave, if one is left. Waves start from the same state: a full wave runs once and counts `full_waves` times. */
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
 * indivisible sequence, so that a whole run is one chain: SPIN stores its end only, and explores one order of simultaneous
 * events, that of (time, warp). A send comes last, directly before `od`: elsewhere the chain would break.
 */

#define HOST            0
#define MULTIPROCESSOR  1
#define CLOCK           2
#define SERVER          3                               /* and the servers behind it: memory, local, dispatchers */
#define BARRIER_OF      (SERVER + SERVERS)              /* and the groups' barriers */
#define WARP            (BARRIER_OF + GROUPS)           /* and the warps */

chan to = [0] of { byte, byte };                        /* partner, the warp that it is about */
byte partner;                                           /* of the send that follows */

/* Whom a warp needs for its statement: its server, its group's barrier, or at the end of its body the clock. */
#define needed_by(warp) \
    (kind(counter[warp]) == DISPATCHER -> SERVER + dispatcher(warp) : \
    (kind(counter[warp]) < DISPATCHER -> SERVER + kind(counter[warp]) : \
    (kind(counter[warp]) == BARRIER -> BARRIER_OF + group(warp) : CLOCK)))

/* A message to the clock that is about no warp: the event has been dealt with. */
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

/* One event a turn: the next warp to wake, unless all have finished or the bound is reached. */
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

/* MT comes with the run: one compilation serves every bound.
 *
 * With AUTOTUNE_DESCEND the search is a branch and bound (after T. Ruys, "Optimal scheduling using branch and bound with SPIN
 * 4.0"): every run that ends before MT lowers it for the configurations that come after. MT is kept in C for that, where SPIN
 * does not undo it when it goes back to its choice, and becomes part of the state once a configuration is chosen. So each run
 * has one MT from its start to its end, no state is shared by runs of different configurations, and what is cut off has not
 * ended before a time that another run takes: the last MT is the least time of all. The search is no proof; what it finds is
 * proved by searches with a fixed MT.
 */
c_code {
    static long long bound = -1;   /* none */

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

/* The host begins and ends a run; the property is about its end. */

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
        add_low(launch);
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
            assert(DONE);      /* else the property would say nothing of this run */
            goto end_done
        fi
    };
end_cut:
    false;
end_done:
    false
}

ltl optimum { [] (DONE -> time_is_at_least_MT) }
