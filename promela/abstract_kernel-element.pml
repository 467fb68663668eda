/* abstract_kernel on abstract-tiny: 9 configurations, granularity `element`.
 *
 * SPIN chooses a configuration and runs its program on all multiprocessors of a lockstep GPU that get a group, with a process
 * for each processing element that gets a work item. DONE is set when the launch is over, at its time; G(DONE -> time >= MT)
 * holds when no configuration ends before MT.
 *
 *   spin FILE                                          one run of one configuration
 *   spin -a FILE && cc -DSAFETY -DVECTORSZ=1024 -o pan pan.c
 *   AUTOTUNE_MT=1000 ./pan -m10000                    the property for MT = 1000
 */

#define ELEMENTS  4          /* of all multiprocessors that get a group: those that get a work item */
#define LEVELS    1          /* of nested loops */
#define LAST      8          /* configuration */

#define ROW       3          /* numbers of a row */
#define PROGRAM   8          /* numbers of a program */

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

/* processing elements of a multiprocessor, work items of a group */
hidden int lanes[18] = {
    4, 2,    /* 0 */
    4, 2,    /* 1 */
    4, 2,    /* 2 */
    4, 4,    /* 3 */
    4, 4,    /* 4 */
    4, 4,    /* 5 */
    4, 8,    /* 6 */
    4, 8,    /* 7 */
    4, 8    /* 8 */
};

/* The state and steps of a lockstep GPU, for models of granularity `element`.
 *
 * The model plays each multiprocessor that gets a group, and each of its processing elements that gets a work item. Time is one
 * word: it passes tick by tick, and a run to a time beyond one word would take too long.
 */

/* The chosen configuration's number of processing elements of a multiprocessor, and of work items of a group. */
#define processing_elements  lanes[configuration * 2]
#define work_group           lanes[configuration * 2 + 1]

#define least(a, b)          ((a) < (b) -> (a) : (b))
#define warp_size            (processing_elements / dispatchers)

/* The states of a processing element. */
#define IDLE     0                 /* it does not have a work item */
#define READY    1                 /* it has yet to act at this instant */
#define WORKING  2                 /* it works until the clock ticks */
#define WAITING  3                 /* it waits at the barrier */

short configuration;               /* SPIN's choice */
int time;                          /* of the launch, in ticks */
int mt = 2147483647;               /* MT; this value means: no bound */
byte used_multiprocessors;         /* those that get a group */
byte used_elements;                /* of a multiprocessor: those that get a work item */
byte running;                      /* elements that are READY or WORKING */
byte worked;                       /* elements that are WORKING */
byte turn;                         /* the element that acts next, unless a later one is the first that is READY */
byte state[ELEMENTS];
short counter[ELEMENTS];           /* the row that the element executes, or begins next, or waits at */
int ticks_left[ELEMENTS];          /* until the statement is over; 0: it begins next */
int iterations_left[ELEMENTS * LEVELS];
bool DONE;

/* False before MT; without a bound, MT is later than every time. */
#define time_is_at_least_MT  (time >= mt)

mtype = { go,                              /* from above: start to work */
          started,                         /* from below: all elements are at work */
          done,                            /* from below: the work is done; to a barrier: arrived */
          act,                             /* the turn; to the clock: all elements have had theirs */
          cut };                           /* from the clock: it has stopped at MT */

chan to = [0] of { byte, mtype, byte };    /* partner, message, multiprocessor that it comes from */
byte partner;                              /* of the send that follows */
mtype message;                             /* of the send that follows, or the one received */

/* Partners. The partners of one kind have consecutive numbers. */
#define HOST                 0
#define CLOCK                1
#define MULTIPROCESSOR       2                                             /* and the multiprocessors from here on */
#define BARRIER_OF           (MULTIPROCESSOR + used_multiprocessors)       /* and their barriers */
#define DISPATCHER_OF        (BARRIER_OF + used_multiprocessors)           /* and their dispatchers, one for each warp */
#define ELEMENT              (DISPATCHER_OF + used_multiprocessors * warps_per_group)    /* and their elements */

#define first_dispatcher(multiprocessor)  (DISPATCHER_OF + (multiprocessor) * warps_per_group)
#define first_element(multiprocessor)     ((multiprocessor) * used_elements)

/* Scratch of one indivisible step; no state depends on it between steps. */
hidden int i;
hidden short row;

/* The element gets a turn at this instant. */
inline make_ready(element) {
    state[element] = READY;
    running++
}

/* The next message gives the turn to the first element that is READY; if no element is, it goes to the clock. */
inline pass_turn() {
    message = act;
    if
    :: worked == running -> partner = CLOCK
    :: else ->
        do
        :: state[turn] == READY -> break
        :: else -> turn = (turn + 1) % (used_multiprocessors * used_elements)
        od;
        partner = ELEMENT + turn
    fi
}

/* The element goes on after its statement. */
inline proceed(element) {
    row = counter[element] + 1;
    settle(element)
}

inline begin_body(element) {
    row = body;
    settle(element);
    make_ready(element)
}

/* All elements of the group's pass have arrived at its barrier. */
inline open_barrier(multiprocessor) {
    i = first_element(multiprocessor);
    do
    :: i < first_element(multiprocessor + 1) ->
        proceed(i);
        make_ready(i);
        i++
    :: else -> break
    od
}

/* The element stops running and sends `done` to the listener. */
inline rest(element, as, listener) {
    state[element] = as;
    running--;
    message = done;
    partner = listener
}

/* The element's turn: a tick of its statement has passed, or its next statement begins. */
inline take_turn(element, multiprocessor, dispatcher) {
    if
    :: ticks_left[element] > 1 ->
        ticks_left[element] = ticks_left[element] - 1
    :: ticks_left[element] == 1 ->
        ticks_left[element] = 0;
        proceed(element)
    :: else
    fi;
    do
    :: kind(counter[element]) == DISPATCHER && ticks_left[element] == 0 && latency(counter[element]) == 0 ->
        proceed(element)
    :: else ->
        break
    od;
    if
    :: kind(counter[element]) == DISPATCHER ->
        if
        :: ticks_left[element] == 0 -> ticks_left[element] = latency(counter[element])
        :: else
        fi;
        state[element] = WORKING;
        worked++;
        pass_turn()
    :: kind(counter[element]) == BARRIER ->
        rest(element, WAITING, BARRIER_OF + multiprocessor)
    :: kind(counter[element]) == END ->
        rest(element, IDLE, DISPATCHER_OF + dispatcher)
    fi
}

/* A tick passes: all that have worked through it get a turn. */
inline tick() {
    time++;
    worked = 0;
    turn = 0;
    i = 0;
    do
    :: i < used_multiprocessors * used_elements ->
        if
        :: state[i] == WORKING -> state[i] = READY
        :: else
        fi;
        i++
    :: else -> break
    od;
    pass_turn()
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

/* A lockstep GPU played by its parts: host, multiprocessors, their dispatchers, barriers and processing elements, a clock.
 *
 * All talk through one rendezvous channel whose first field names the partner. A rendezvous hands over control within one
 * indivisible sequence, so a whole run is one chain. SPIN stores only the end of the chain, and explores one order of
 * simultaneous events, that of the elements' numbers. A send stands last, directly before `od`: elsewhere the chain would break.
 */

/* A processing element: runs one work item in each pass. */
proctype element(byte me, multiprocessor, dispatcher) {
end_idle:
    do
    :: atomic {
        to ? eval(ELEMENT + me), _, _ ->
        d_step { take_turn(me, multiprocessor, dispatcher) };
        to ! partner, message, multiprocessor
       }
    od
}

/* A barrier: opens when all elements of the pass have arrived. They belong to one group, whose passes follow one another. */
proctype barrier(byte me) {
    byte arrived;
end_idle:
    do
    :: atomic {
        to ? eval(BARRIER_OF + me), _, _ ->
        d_step {
            arrived++;
            if
            :: arrived == used_elements ->
                arrived = 0;
                open_barrier(me)
            :: else
            fi;
            pass_turn()
        };
        to ! partner, message, me
       }
    od
}

/* A dispatcher plays a warp: `go` puts its elements to work; when all have ended, it sends `done` to the multiprocessor. */
proctype dispatcher(byte me, multiprocessor, its_elements) {
    byte ended;
end_idle:
    do
    :: atomic {
        to ? eval(DISPATCHER_OF + me), message, _ ->
        d_step {
            if
            :: message == go ->
                i = first_element(multiprocessor) + (me % warps_per_group) * warp_size;
                ended = 0;
                do
                :: ended < its_elements ->
                    begin_body(i);
                    i++;
                    ended++
                :: else -> break
                od;
                ended = 0;
                message = started;
                partner = MULTIPROCESSOR + multiprocessor
            :: else ->
                ended++;
                if
                :: ended == its_elements -> partner = MULTIPROCESSOR + multiprocessor
                :: else -> pass_turn()
                fi
            fi
        };
        to ! partner, message, multiprocessor
       }
    od
}

inline call_dispatcher() {
    message = go;
    partner = first_dispatcher(me) + called;
    called++
}

inline begin_pass() {
    called = 0;
    ended = 0;
    call_dispatcher()
}

/* A multiprocessor runs a group in passes, one after the other; in each pass the dispatchers put their warps to work. */
proctype multiprocessor(byte me) {
    int pass;
    byte called, ended;            /* its dispatchers, in this pass */
end_idle:
    do
    :: atomic {
        to ? eval(MULTIPROCESSOR + me), message, _ ->
        d_step {
            if
            :: message == go -> pass = 1; begin_pass()
            :: message == started && called < warps_per_group -> call_dispatcher()
            :: message == started && called == warps_per_group ->
                if
                :: pass == 1 -> partner = HOST
                :: else -> pass_turn()
                fi
            :: message == done ->
                ended++;
                if
                :: ended < warps_per_group -> pass_turn()
                :: ended == warps_per_group && pass < passes -> pass++; begin_pass()
                :: ended == warps_per_group && pass == passes -> partner = HOST
                fi
            fi
        };
        to ! partner, message, me
       }
    od
}

/* The clock: a tick passes when all running elements have worked. */
proctype clock() {
end_idle:
    do
    :: atomic {
        to ? eval(CLOCK), _, _ ->
        d_step {
            assert(running > 0);   /* else elements wait at a barrier that cannot open */
            if  /* A run that has not ended by MT cannot end before it. */
            :: time_is_at_least_MT -> message = cut; partner = HOST
            :: else -> tick()
            fi
        };
        to ! partner, message, 0
       }
    od
}

/* Starts each processing element that gets a work item, and the parts above it. */
inline start_machine() {
    run clock();
    do
    :: n < used_multiprocessors ->
        run multiprocessor(n);
        run barrier(n);
        d = 0;
        do
        :: d < warps_per_group ->
            its_elements = least(warp_size, used_elements - d * warp_size);
            run dispatcher(n * warps_per_group + d, n, its_elements);
            e = 0;
            do
            :: e < its_elements ->
                run element(first_element(n) + d * warp_size + e, n, n * warps_per_group + d);
                e++
            :: else -> break
            od;
            d++
        :: else -> break
        od;
        n++
    :: else -> break
    od
}

inline hand_out_to(number) {
    message = go;
    partner = MULTIPROCESSOR + number;
    handed_out++
}

/* The host hands each multiprocessor a group, and the next group as soon as that is done, until all groups are done. */
active proctype host() {
    int handed_out, over;          /* groups */
    byte sender;
    byte n, d, e, its_elements;
    atomic {
        choose_configuration();
        c_code {
            long long mt = bound_of_run();
            if (mt >= 0) {
                now.mt = mt > 2147483647 ? 2147483647 : (int) mt;
            }
        };
        time = launch;
        used_multiprocessors = least(groups, multiprocessors);
        used_elements = least(work_group, processing_elements);
        start_machine();
        hand_out_to(0);
        to ! partner, message, 0
    };
    do
    :: atomic {
        to ? eval(HOST), message, sender ->
        d_step {
            if
            :: message == started && handed_out < used_multiprocessors -> hand_out_to(handed_out)
            :: message == started && handed_out >= used_multiprocessors -> pass_turn()
            :: message == done ->
                over++;
                if
                :: handed_out < groups -> hand_out_to(sender)
                :: else -> pass_turn()
                fi
            :: message == cut
            fi
        };
        if
        :: message == cut ->
            printf("autotune: configuration %d CUT at %d * 2^30 + %d\n", configuration, 0, time);
            goto end_cut
        :: over == groups ->
            printf("autotune: configuration %d DONE at %d * 2^30 + %d\n", configuration, 0, time);
            d_step { c_code { run_ended(now.time); }; DONE = true };
            assert(DONE);      /* else the property would not cover this run */
            goto end_done
        :: else
        fi;
        to ! partner, message, 0
       }
    od;
end_cut:
    false;
end_done:
    false
}

ltl optimum { [] (DONE -> time_is_at_least_MT) }
