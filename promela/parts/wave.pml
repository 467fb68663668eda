/* The machine played by two processes: the host, and a multiprocessor that runs a wave in one indivisible step.
 *
 * For long runs: SPIN's stack does not grow with the events, and a wave may have thousands of warps. The steps and their order
 * are those of the roles (roles.pml).
 */

#define HOST            0
#define MULTIPROCESSOR  1
#define NOBODY          0

chan to = [0] of { byte, byte };                        /* partner; the second field is used by roles.pml only */

{% include "parts/execute.pml" %}
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
