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
{% if grid %}#define GRID            (BARRIER_OF + GROUPS)           /* the grid's barrier */
#define WARP            (GRID + 1)                      /* and the warps */{% else %}#define WARP            (BARRIER_OF + GROUPS)           /* and the warps */{% endif %}

chan to = [0] of { byte, byte };                        /* partner, the warp that it is about */
byte partner;                                           /* of the send that follows */

/* The partner that a warp's statement needs: its server, its group's barrier, or{% if queues %} for a wait and{% endif %} at the end of its body the clock. */
#define needed_by(warp) \
    (kind(counter[warp]) == DISPATCHER -> SERVER + dispatcher(warp) : \
    (kind(counter[warp]) < DISPATCHER -> SERVER + kind(counter[warp]) : \
    (kind(counter[warp]) == BARRIER -> BARRIER_OF + group(warp) : {% if grid %}\
    (kind(counter[warp]) == GRID_BARRIER -> GRID : {% endif %}{% if queues %}\
    (kind(counter[warp]) == MATRIX -> SERVER + matrix(warp) : \
    (is_start(counter[warp]) -> SERVER + started(warp) : CLOCK){% if grid %}){% endif %}))))
{%- else %}CLOCK){% if grid %}){% endif %}))
{%- endif %}

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
{% if queues %}        d_step {
            if
            :: is_start(counter[user]) -> start(me, user)
            :: else -> serve(me, user)
            fi
        };
{% else %}        d_step { serve(me, user) };
{% endif %}        to ! CLOCK, NOBODY
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

{% if grid %}proctype grid_barrier() {
    byte arrival;
end_idle:
    do
    :: atomic {
        to ? eval(GRID), arrival ->
        d_step { arrive_at_grid(arrival) };
        to ! CLOCK, NOBODY
       }
    od
}

{% endif -%}
/* The clock: one event a turn, that of the next warp to wake, unless all have finished or the bound is reached. */
proctype clock() {
    byte ended, next;
end_idle:
    do
    :: atomic {
        to ? eval(CLOCK), ended ->
        d_step {
            if
{% if queues %}            :: ended != NOBODY && kind(counter[ended]) == WAIT -> wait(ended)
            :: ended != NOBODY && kind(counter[ended]) != WAIT -> finish_behind_starts(ended)
{% else %}            :: ended != NOBODY -> finish(ended)
{% endif %}            :: else
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
    :: n < 2 + {% if queues %}2 * {% endif %}dispatchers -> run server(n); n++
    :: else -> n = 0; break
    od;
    do
    :: n < largest_wave -> run barrier(n); n++
    :: else -> n = 0; break
    od;
{%- if grid %}
    run grid_barrier();
{%- endif %}
    do
    :: n < largest_wave * warps_per_group -> run warp(n); n++
    :: else -> n = 0; break
    od
}
