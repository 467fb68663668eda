/* Every order of simultaneous events: of the warps that are ready at a server, each may be next.
 *
 * Waits are ticks from now, so behaviours that meet in a state at one time go on as one. Some orders are left out, and no time is
 * lost with them (docs/theory/schedules.md): a warp that needs no server is taken at once; of ready warps at several servers, those
 * at one are ordered first, unless a warp may come there at this instant; of warps that may change places, one is offered. Before
 * a choice is stored, what may change places is sorted, so that equal states look equal.
 */

#define HOST            0
#define MULTIPROCESSOR  1
#define NOBODY          0

chan to = [0] of { byte, byte };   /* partner, nobody */

bool one_server;                   /* only the ready warps at one server are ordered */
bool offered[WARPS];               /* the warps that may be next */
bool over;                         /* all warps have finished */

/* Scratch of one indivisible step. */
hidden short next;                 /* the warp of the next event */
hidden short one, other;           /* two warps that are compared, or that change places */
hidden int order;                  /* of the two: above 0 if `other` goes first */
hidden short at, from, k;
hidden short offers;               /* the number of warps that may be next */
hidden short fewest;               /* the server where the fewest of them are */
hidden short waiting[SERVERS];     /* their number at each server */
hidden short stride;               /* groups this far apart use the same dispatchers, lane by lane */

#define last_server        (1 + {% if queues %}2 * {% endif %}dispatchers)
#define serves(row)        (kind(row) <= DISPATCHER{% if queues %} || kind(row) == MATRIX || is_start(row){% endif %})
#define needs_server(warp) serves(counter[warp])

/* The server that a warp needs. */
#define place(warp) \
{%- if queues %}
    (kind(counter[warp]) == MATRIX -> matrix(warp) : (is_start(counter[warp]) -> started(warp) : \
    (kind(counter[warp]) == DISPATCHER -> dispatcher(warp) : kind(counter[warp]))))
{%- else %}
    (kind(counter[warp]) == DISPATCHER -> dispatcher(warp) : kind(counter[warp]))
{%- endif %}

{% include "parts/execute.pml" %}
/* one_server is true unless a warp may start something, or leave a server and come to another one at the same instant. */
inline look_at_body() {
    one_server = true;
    row = body;
    do
    :: kind(row) == END -> break
    :: else ->
        if
        :: serves(row) && ({% if queues %}is_start(row) || {% endif %}is_at_once(row)) -> one_server = false
        :: else
        fi;
        row++
    od
}

inline find_stride() {
    stride = 1;
    do
    :: (stride * warps_per_group) % dispatchers != 0 -> stride++
    :: else -> break
    od
}

/* order = that of the warps `one` and `other` by their states, if it is 0 yet */
inline compare_warps() {
    compare_words(counter[one], counter[other]);
    compare_wakes();
    i = 0;
    do
    :: i < LEVELS -> compare_words(left(one, i), left(other, i)); i++
    :: else -> break
    od
{%- if queues %};
    i = 0;
    do
    :: i < SLOTS -> compare_done(one * SLOTS + i, other * SLOTS + i); i++
    :: else -> break
    od
{%- endif %}
}

inline exchange(x, y) { carry = x; x = y; y = carry }

/* The warps `one` and `other` change places. */
inline exchange_warps() {
    exchange(counter[one], counter[other]);
    exchange_wakes();
    i = 0;
    do
    :: i < LEVELS -> exchange(left(one, i), left(other, i)); i++
    :: else -> break
    od
{%- if queues %};
    i = 0;
    do
    :: i < SLOTS -> exchange_done(one * SLOTS + i, other * SLOTS + i); i++
    :: else -> break
    od
{%- endif %}
}

/* order = that of the groups of which `one` and `other` are the first warps, which they are again at the end */
inline compare_groups() {
    k = 0;
    order = 0;
    do
    :: order == 0 && k < warps_per_group ->
        compare_warps();
        one++;
        other++;
        k++
    :: else -> break
    od;
    one = one - k;
    other = other - k
}

inline exchange_groups() {
    exchange(arrived[group(one)], arrived[group(other)]);
    k = 0;
    do
    :: k < warps_per_group ->
        exchange_warps();
        one++;
        other++;
        k++
    :: else -> break
    od;
    one = one - k;
    other = other - k
}

/* Sorts the warps of each group that use one dispatcher. */
inline sort_warps() {
    at = 0;
    do
    :: at < warps ->
        other = at;
        one = at - dispatchers;
        do
        :: one >= group(at) * warps_per_group ->
            order = 0;
            compare_warps();
            if
            :: order > 0 -> exchange_warps(); other = one; one = one - dispatchers
            :: else -> break
            fi
        :: else -> break
        od;
        at++
    :: else -> break
    od
}

/* Sorts the groups that use the same dispatchers. */
inline sort_groups() {
    at = 0;
    do
    :: at < warps ->
        other = at;
        one = at - stride * warps_per_group;
        do
        :: one >= 0 ->
            compare_groups();
            if
            :: order > 0 -> exchange_groups(); other = one; one = one - stride * warps_per_group
            :: else -> break
            fi
        :: else -> break
        od;
        at = at + warps_per_group
    :: else -> break
    od
}

/* order = that of the `width` dispatchers from `at` on and the `width` behind them, by their rests and their warps */
inline compare_dispatchers(width) {
    order = 0;
    k = at;
    do
    :: k < at + width ->
        compare_busy(DISPATCHER + k, DISPATCHER + k + width);
{%- if queues %}
        compare_busy(DISPATCHER + dispatchers + k, DISPATCHER + dispatchers + k + width);
{%- endif %}
        k++
    :: else -> break
    od;
    one = 0;
    do
    :: order == 0 && one + width < warps ->
        if
        :: one % dispatchers >= at && one % dispatchers < at + width -> other = one + width; compare_warps()
        :: else
        fi;
        one++
    :: else -> break
    od
}

inline exchange_dispatchers(width) {
    k = at;
    do
    :: k < at + width ->
        exchange_busy(DISPATCHER + k, DISPATCHER + k + width);
{%- if queues %}
        exchange_busy(DISPATCHER + dispatchers + k, DISPATCHER + dispatchers + k + width);
{%- endif %}
        k++
    :: else -> break
    od;
    one = 0;
    do
    :: one + width < warps ->
        if
        :: one % dispatchers >= at && one % dispatchers < at + width ->
            other = one + width;
            exchange_warps();
            if
            :: one % warps_per_group == 0 && other % warps_per_group == 0 -> exchange(arrived[group(one)], arrived[group(other)])
            :: else
            fi
        :: else
        fi;
        one++
    :: else -> break
    od
}

/* True if the dispatchers from `at` on may change places with those behind them: one with the next, if each group has equally
 * many warps at both or none at either; those of a group with those of the next group, if equally many groups use either. */
#define may_change(width) \
    ((width == 1 && (warps_per_group % dispatchers == 0 || \
                     (dispatchers % warps_per_group == 0 && (at + 1) % warps_per_group != 0))) || \
     (width == warps_per_group && warps > at + width && dispatchers % warps_per_group == 0 && at % warps_per_group == 0 && \
      (warps - at - 1) / dispatchers == (warps - at - 1 - warps_per_group) / dispatchers))

inline sort_dispatchers(width) {
    from = 0;
    do
    :: from + 2 * width <= dispatchers ->
        at = from;
        do
        :: at >= 0 && may_change(width) ->
            compare_dispatchers(width);
            if
            :: order > 0 -> exchange_dispatchers(width); at = at - width
            :: else -> break
            fi
        :: else -> break
        od;
        from = from + width
    :: else -> break
    od
}

/* order = 0 if the warp before this one, or the group before its group, is in the same state and may change places with it */
inline compare_with_twins(warp) {
    order = 1;
    if
    :: (warp) % warps_per_group >= dispatchers ->
        order = 0;
        one = (warp) - dispatchers;
        other = warp;
        compare_warps()
    :: else
    fi;
    if
    :: order != 0 && group(warp) >= stride ->
        other = group(warp) * warps_per_group;
        one = other - stride * warps_per_group;
        compare_groups()
    :: else
    fi
}

/* Offers the ready warps. */
inline offer() {
    offers = 0;
    at = 0;
    do
    :: at <= last_server -> waiting[at] = 0; at++
    :: else -> break
    od;
    at = 0;
    do
    :: at < warps ->
        offered[at] = false;
        if
        :: is_ready(at) && needs_server(at) ->
            compare_with_twins(at);
            if
            :: order != 0 -> offered[at] = true; offers++; waiting[place(at)]++
            :: else
            fi
        :: else
        fi;
        at++
    :: else -> break
    od
}

/* Of the offered warps, keeps those at the server where the fewest are, of several such servers at the first. */
inline keep_one_server() {
    fewest = 0;
    at = 1;
    do
    :: at <= last_server ->
        if
        :: waiting[at] > 0 && (waiting[fewest] == 0 || waiting[at] < waiting[fewest]) -> fewest = at
        :: else
        fi;
        at++
    :: else -> break
    od;
    offers = waiting[fewest];
    at = 0;
    do
    :: at < warps ->
        if
        :: offered[at] && place(at) != fewest -> offered[at] = false
        :: else
        fi;
        at++
    :: else -> break
    od
}

/* next = the first ready warp that needs no server; WARPS if there is none */
inline find_free_warp() {
    next = 0;
    do
    :: next == warps -> next = WARPS; break
    :: next < warps && is_ready(next) && !needs_server(next) -> break
    :: else -> next++
    od
}

/* next = the only warp that is offered */
inline find_offered() {
    next = 0;
    do
    :: !offered[next] -> next++
    :: else -> break
    od
}

/* Offers the warps that may be next. */
inline look_for_choices() {
    find_stride();
    sort_dispatchers(1);
    sort_dispatchers(warps_per_group);
    sort_warps();
    sort_groups();
    offer();
    if
    :: one_server && offers > 1 -> keep_one_server()
    :: else
    fi
}

/* Goes on to the next choice, or to the end of the wave. */
inline go_on() {
    do
    :: find_free_warp();
        if
        :: next < WARPS -> execute(next)
        :: else ->
            look_for_choices();
            if
            :: offers > 1 -> break
            :: offers == 1 -> find_offered(); execute(next)
            :: else ->
                first_to_wake(next);
                if
                :: next == WARPS -> assert(finished == warps); over = true; break
                :: else -> pass_time()
                fi
            fi
        fi
    od;
    next = WARPS                   /* SPIN cannot leave an indivisible step by a break */
}

proctype multiprocessor() {
    atomic {
        to ? eval(MULTIPROCESSOR), _ ->
        d_step {
            begin_next_wave();
            assert(weight == 1 && (wave == 2 || rest_groups == 0));      /* one wave, once */
            look_at_body();
            go_on()
        }
    };
    do
    :: atomic {
        !over ->
        if
{%- for warp in warp_numbers %}
        :: offered[{{ warp }}] -> next = {{ warp }}
{%- endfor %}
        fi;
        d_step { execute(next); go_on() }
       }
    :: over -> break
    od;
    to ! HOST, NOBODY
}

inline start_processes() {
    run multiprocessor()
}
