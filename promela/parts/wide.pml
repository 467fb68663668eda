/* Waits in two words: ticks from now, a pair (high, low) in base 2^30. For programs in which a wait can reach 2^30 ticks;
 * narrow.pml serves the others with half the words.
 *
 * A program whose time can reach 2^60 ticks is refused, so the high word of a wait is below 2^30.
 */

int wake_high[WARPS], wake[WARPS];        /* ticks from now until the warp goes on */
int busy_high[SERVERS], busy[SERVERS];    /* ticks from now until the server is free */
hidden int ahead_high, ahead;             /* the wait that a step computes */

/* The high words stand behind the low ones in the tables. */
#define occupancy_high(row)  rows[(row) * ROW + 3]
#define latency_high(row)    rows[(row) * ROW + 4]
#define cost_high(row)       rows[(row) * ROW + 3]
#define launch_high          programs[chosen * PROGRAM + 8]

#define sleeps(warp)  (wake_high[warp] == NEVER)
#define wakes_before_ahead(warp) \
    (wake_high[warp] < ahead_high || (wake_high[warp] == ahead_high && wake[warp] < ahead))

inline wake_never(warp)   { wake_high[warp] = NEVER; wake[warp] = 0 }
inline wake_now(warp)     { wake_high[warp] = 0; wake[warp] = 0 }
inline wake_ahead(warp)   { wake_high[warp] = ahead_high; wake[warp] = ahead }
inline free_now(server)   { busy_high[server] = 0; busy[server] = 0 }
inline look_never()       { ahead_high = NEVER; ahead = 0 }
inline look_to_wake(warp) { ahead_high = wake_high[warp]; ahead = wake[warp] }
inline look_to_cost(at)   { ahead_high = cost_high(at); ahead = cost(at) }

/* ahead = the end of the latency of the use `at`, which begins when the server is free; the server serves it */
inline queue(server, at) {
    ahead_high = busy_high[server] + latency_high(at);
    ahead = busy[server] + latency(at);
    ahead_high = ahead_high + ahead / BASE;
    ahead = ahead % BASE;
    busy_high[server] = busy_high[server] + occupancy_high(at);
    busy[server] = busy[server] + occupancy(at);
    busy_high[server] = busy_high[server] + busy[server] / BASE;
    busy[server] = busy[server] % BASE
}

inline wake_sooner(warp) {
    wake_high[warp] = wake_high[warp] - ahead_high;
    wake[warp] = wake[warp] - ahead;
    if
    :: wake[warp] < 0 -> wake_high[warp] = wake_high[warp] - 1; wake[warp] = wake[warp] + BASE
    :: else
    fi
}

inline free_sooner(server) {
    busy_high[server] = busy_high[server] - ahead_high;
    busy[server] = busy[server] - ahead;
    if
    :: busy[server] < 0 -> busy_high[server] = busy_high[server] - 1; busy[server] = busy[server] + BASE
    :: else
    fi;
    if
    :: busy_high[server] < 0 -> busy_high[server] = 0; busy[server] = 0
    :: else
    fi
}

inline add_launch() {
    time_high = time_high + launch_high;
    add_low(launch)
}

/* The time stays below 2^60, so weight * ahead_high is below 2^30. */
inline add_ahead() {
    time_high = time_high + weight * ahead_high;
    add_weighted(ahead)
}
{% if queues %}
int done_high[WARPS * SLOTS], done[WARPS * SLOTS];    /* ticks from now until the starts are done (queues.pml) */

#define ahead_is_now  (ahead_high == 0 && ahead == 0)
#define done_is_later(place) \
    (done_high[place] > ahead_high || (done_high[place] == ahead_high && done[place] > ahead))

inline look_now() { ahead_high = 0; ahead = 0 }
inline look_not_before_done(place) {
    if
    :: done_is_later(place) -> ahead_high = done_high[place]; ahead = done[place]
    :: else
    fi
}
inline done_now(place) { done_high[place] = 0; done[place] = 0 }
inline done_ahead(place) { done_high[place] = ahead_high; done[place] = ahead }
inline done_as_next(place) { done_high[place] = done_high[place + 1]; done[place] = done[place + 1] }
inline done_not_before_ahead(place) {
    if
    :: done_is_later(place)
    :: else -> done_ahead(place)
    fi
}
inline done_not_before_next(place) {
    if
    :: done_high[place + 1] > done_high[place] \
        || (done_high[place + 1] == done_high[place] && done[place + 1] > done[place]) -> done_as_next(place)
    :: else
    fi
}
inline done_sooner(place) {
    if
    :: done_is_later(place) ->
        done_high[place] = done_high[place] - ahead_high;
        done[place] = done[place] - ahead;
        if
        :: done[place] < 0 -> done_high[place] = done_high[place] - 1; done[place] = done[place] + BASE
        :: else
        fi
    :: else -> done_now(place)
    fi
}
{% endif %}
{% if form == "any" -%}
/* For the choices (choices.pml). */
#define is_ready(warp)    (wake_high[warp] == 0 && wake[warp] == 0)
#define is_at_once(at)    (latency_high(at) == 0 && latency(at) == 0)

inline compare_words(x, y) { order = (order == 0 -> x - y : order) }
inline compare_wakes() { compare_words(wake_high[one], wake_high[other]); compare_words(wake[one], wake[other]) }
inline exchange_wakes() { exchange(wake_high[one], wake_high[other]); exchange(wake[one], wake[other]) }
inline compare_busy(x, y) { compare_words(busy_high[x], busy_high[y]); compare_words(busy[x], busy[y]) }
inline exchange_busy(x, y) { exchange(busy_high[x], busy_high[y]); exchange(busy[x], busy[y]) }
{%- if queues %}
inline compare_done(x, y) { compare_words(done_high[x], done_high[y]); compare_words(done[x], done[y]) }
inline exchange_done(x, y) { exchange(done_high[x], done_high[y]); exchange(done[x], done[y]) }
{%- endif %}
{%- else -%}
/* The waits of the snapshots, for the level of `edge`. */
hidden int seen_wake_high[LEVELS * WARPS], seen_wake[LEVELS * WARPS];
hidden int seen_busy_high[LEVELS * SERVERS], seen_busy[LEVELS * SERVERS];

#define then_wake(warp)         seen_wake[edge * WARPS + (warp)]
#define then_wake_high(warp)    seen_wake_high[edge * WARPS + (warp)]
#define then_busy(server)       seen_busy[edge * SERVERS + (server)]
#define then_busy_high(server)  seen_busy_high[edge * SERVERS + (server)]
#define same_wake(warp)         (wake[warp] == then_wake(warp) && wake_high[warp] == then_wake_high(warp))
#define same_busy(server)       (busy[server] == then_busy(server) && busy_high[server] == then_busy_high(server))
{% if queues %}
hidden int seen_done_high[LEVELS * WARPS * SLOTS], seen_done[LEVELS * WARPS * SLOTS];

#define then_done(place)       seen_done[edge * WARPS * SLOTS + (place)]
#define then_done_high(place)  seen_done_high[edge * WARPS * SLOTS + (place)]
#define same_done(place)       (done[place] == then_done(place) && done_high[place] == then_done_high(place))

inline keep_done(place) { then_done(place) = done[place]; then_done_high(place) = done_high[place] }
{% endif %}
inline keep_wake(warp) { then_wake(warp) = wake[warp]; then_wake_high(warp) = wake_high[warp] }
inline keep_busy(server) { then_busy(server) = busy[server]; then_busy_high(server) = busy_high[server] }
{%- endif %}

/* For the checks of a table file (file.pml). */
#define WAITS               (1LL << 60)    /* no wait is as long */
#define all_occupancy(row)  (((long long) occupancy_high(row) << 30) + occupancy(row))
#define all_latency(row)    (((long long) latency_high(row) << 30) + latency(row))
#define all_cost(row)       (((long long) cost_high(row) << 30) + cost(row))
#define launch_is_too_long  (launch >= BASE || launch_high >= BASE)
