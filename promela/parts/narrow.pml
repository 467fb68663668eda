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
{% if queues %}
int done[WARPS * SLOTS];           /* ticks from now until the starts are done (queues.pml) */

#define ahead_is_now  (ahead == 0)

inline look_now() { ahead = 0 }
inline look_not_before_done(place) { ahead = (done[place] > ahead -> done[place] : ahead) }
inline done_now(place) { done[place] = 0 }
inline done_ahead(place) { done[place] = ahead }
inline done_as_next(place) { done[place] = done[place + 1] }
inline done_not_before_ahead(place) { done[place] = (ahead > done[place] -> ahead : done[place]) }
inline done_not_before_next(place) { done[place] = (done[place + 1] > done[place] -> done[place + 1] : done[place]) }
inline done_sooner(place) { done[place] = (done[place] > ahead -> done[place] - ahead : 0) }
{% endif %}
{% if form == "any" -%}
/* For the choices (choices.pml). */
#define is_ready(warp)    (wake[warp] == 0)
#define is_at_once(at)    (latency(at) == 0)

inline compare_words(x, y) { order = (order == 0 -> x - y : order) }
inline compare_wakes() { compare_words(wake[one], wake[other]) }
inline exchange_wakes() { exchange(wake[one], wake[other]) }
inline compare_busy(x, y) { compare_words(busy[x], busy[y]) }
inline exchange_busy(x, y) { exchange(busy[x], busy[y]) }
{%- if queues %}
inline compare_done(x, y) { compare_words(done[x], done[y]) }
inline exchange_done(x, y) { exchange(done[x], done[y]) }
{%- endif %}
{%- else -%}
/* The waits of the snapshots, for the level of `edge`. */
hidden int seen_wake[LEVELS * WARPS];
hidden int seen_busy[LEVELS * SERVERS];

#define then_wake(warp)    seen_wake[edge * WARPS + (warp)]
#define then_busy(server)  seen_busy[edge * SERVERS + (server)]
#define same_wake(warp)    (wake[warp] == then_wake(warp))
#define same_busy(server)  (busy[server] == then_busy(server))
{%- if queues %}

hidden int seen_done[LEVELS * WARPS * SLOTS];

#define then_done(place)  seen_done[edge * WARPS * SLOTS + (place)]
#define same_done(place)  (done[place] == then_done(place))

inline keep_done(place) { then_done(place) = done[place] }
{%- endif %}

inline keep_wake(warp) { then_wake(warp) = wake[warp] }
inline keep_busy(server) { then_busy(server) = busy[server] }
{%- endif %}

/* For the checks of a table file (file.pml). */
#define WAITS               BASE   /* no wait is as long */
#define all_occupancy(row)  occupancy(row)
#define all_latency(row)    latency(row)
#define all_cost(row)       cost(row)
#define launch_is_too_long  0      /* below 2^31, like all numbers of the file */
