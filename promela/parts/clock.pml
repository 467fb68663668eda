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
