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
{%- if queues %}
    if
    :: ahead_is_now
    :: else -> starts_sooner()
    fi;
{%- endif %}
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
    :: i < 2 + {% if queues %}2 * {% endif %}dispatchers ->
        free_sooner(i);
        i++
    :: else -> break
    od
}
{%- if form != "any" %}

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
{%- endif %}
