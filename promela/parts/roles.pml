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
byte wave;                                              /* 1: the full waves, 2: the rest, 3: no wave is left */

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
            first_to_wake(next);
            if
            :: next == WARPS ->
                assert(finished == warps);
                partner = MULTIPROCESSOR
            :: else ->
                pass_time();
                partner = WARP + next;
                if  /* A run that has not ended before MT cannot end before it; one that ends at MT may. */
                :: time_is_at_least_MT && !(time_is_MT && kind(counter[next]) == END) -> cut = true; partner = HOST
                :: else
                fi
            fi
        };
        to ! partner, next
       }
    od
}

/* Waves start from the same state: a full wave runs once and counts `full_waves` times. */
proctype multiprocessor() {
end_idle:
    do
    :: atomic {
        to ? eval(MULTIPROCESSOR), _ ->
        d_step {
            wave++;
            if
            :: wave == 1 && full_waves == 0 -> wave = 2
            :: else
            fi;
            if
            :: wave == 2 && rest_groups == 0 -> wave = 3
            :: else
            fi;
            if
            :: wave == 1 -> weight = full_waves * passes; begin_wave(resident_groups); partner = CLOCK
            :: wave == 2 -> weight = passes; begin_wave(rest_groups); partner = CLOCK
            :: else -> partner = HOST
            fi
        };
        to ! partner, NOBODY
       }
    od
}

active proctype host() {
    byte n;
    atomic {
        /* MT comes with the run: one compilation serves every bound. */
        c_code {
            const char *bound = getenv("AUTOTUNE_MT");
            if (bound) {
                long long mt = strtoll(bound, NULL, 10);
                now.mt_high = (int) (mt >> 30);
                now.mt_low = (int) (mt & ((1LL << 30) - 1));
            }
        };
        choose_configuration();
        add_low(launch);
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
        od;
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
            DONE = true;
            goto end_done
        fi
    };
end_cut:
    false;
end_done:
    false
}

ltl optimum { [] (DONE -> time_is_at_least_MT) }
