/* The machine played by two processes: the host, and a multiprocessor that runs a wave in one indivisible step.
 *
 * For long runs: SPIN's stack does not grow with the events, and there may be thousands of warps. The steps are those that
 * the roles take (roles.pml), in the same order.
 */

#define HOST            0
#define MULTIPROCESSOR  1
#define NOBODY          0

chan to = [0] of { byte, byte };                        /* partner; the other field is the roles' */

/* The warp's statement, done by what it needs: its server, its group's barrier, or at the end of its body the clock. */
inline execute(warp) {
    if
    :: kind(counter[warp]) < DISPATCHER -> serve(kind(counter[warp]), warp)
    :: kind(counter[warp]) == DISPATCHER -> serve(dispatcher(warp), warp)
    :: kind(counter[warp]) == BARRIER -> arrive(group(warp), warp)
    :: else -> finish(warp)
    fi
}

inline run_wave(next) {
    do
    :: next_event(next);
        if
        :: cut || next == WARPS -> break
        :: else -> execute(next)
        fi
    od
}

proctype multiprocessor() {
    short next;
end_idle:
    do
    :: atomic {
        to ? eval(MULTIPROCESSOR), _ ->
        do
        :: d_step {
            begin_next_wave();
            if
            :: wave != NO_WAVE -> run_wave(next)
            :: else
            fi
           };
           if
           :: cut || wave == NO_WAVE -> break
           :: else
           fi
        od;
        to ! HOST, NOBODY
       }
    od
}

inline start_processes() {
    run multiprocessor()
}
