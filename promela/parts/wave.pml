/* The machine played by two processes: the host, and a multiprocessor that runs a wave in one indivisible step.
 *
 * For long runs: SPIN's stack does not grow with the events, and a wave may have thousands of warps. The steps and their order
 * are those of the roles (roles.pml).
 */

#define HOST            0
#define MULTIPROCESSOR  1
#define NOBODY          0

chan to = [0] of { byte, byte };                        /* partner; the second field is used by roles.pml only */

/* Runs the warp's statement by the part that it needs: its server, its group's barrier, or at the end of its body the clock. */
inline execute(warp) {
    if
    :: kind(counter[warp]) < DISPATCHER -> serve(kind(counter[warp]), warp)
    :: kind(counter[warp]) == DISPATCHER -> serve(dispatcher(warp), warp)
    :: kind(counter[warp]) == BARRIER -> arrive(group(warp), warp)
{%- if grid %}
    :: kind(counter[warp]) == GRID_BARRIER -> arrive_at_grid(warp)
{%- endif %}
{%- if queues %}
    :: kind(counter[warp]) == MATRIX -> serve(matrix(warp), warp)
    :: is_start(counter[warp]) -> started_at = started(warp); start(started_at, warp)
    :: kind(counter[warp]) == WAIT -> wait(warp)
    :: else -> finish_behind_starts(warp)
{%- else %}
    :: else -> finish(warp)
{%- endif %}
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
