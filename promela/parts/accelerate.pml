/* Exact acceleration: a repetition in a wave is run once or twice, then counted.
 *
 * Waits and rests are ticks from now. So the future of a wave follows from `counter`, the iterations left, `wake`{% if queues %}, `done`{% endif %} and `busy`
 * alone; `arrived` and `finished` follow from the counters. Let all these be as they were at an earlier moment, except that each
 * warp may have fewer iterations left of one loop. Then the wave repeats the events since that moment, in the same time, as often
 * as these loops have iterations left for it. A repetition changes only the iterations left and the time.
 *
 * An *edge* is a warp's way from the end of a loop's body back to its begin. The states after edges of a level are compared with
 * a snapshot of one of them. The snapshot is renewed when twice as many edges as the last time have not led back to it
 * (R. P. Brent), so a period of any length is found.
 *
 * Snapshots are hidden: they are not part of SPIN's states. That is sound because begin_wave forgets them and a wave is a chain
 * of steps without a choice: searching depth first, SPIN never goes back into a wave to leave it by another way. Nor does a chain
 * end at a state seen before: the configuration is part of the state, and counters and iterations only go forward.
 */

#define NO_WARP  WARPS             /* marks a level without a snapshot */

/* A snapshot for each level: the warp whose edge it was, the time of the launch, and the state. Its waits stand beside the waits. */
hidden short seen_warp[LEVELS];
hidden int seen_high[LEVELS], seen_low[LEVELS];
hidden short seen_counter[LEVELS * WARPS];
hidden int seen_left[LEVELS * WARPS * LEVELS];
hidden int edges[LEVELS];          /* of all warps since the snapshot */
hidden int patience[LEVELS];       /* edges after which the snapshot is renewed */

#define then_counter(warp)     seen_counter[edge * WARPS + (warp)]
#define then_left(warp, loop)  seen_left[(edge * WARPS + (warp)) * LEVELS + (loop)]

/* Scratch of one indivisible step. */
hidden int j;
hidden int gone;                   /* iterations since the snapshot */
hidden byte loops_differ;          /* loops of a warp with fewer iterations left */
hidden int again;                  /* possible repetitions of the events since the snapshot */
hidden int span_high, span_low;    /* ticks of the launch since the snapshot */

inline forget_snapshots() {
    edge = NO_EDGE;
    for (i : 0 .. LEVELS - 1) {
        seen_warp[i] = NO_WARP;
        patience[i] = warps;
        edges[i] = warps - 1       /* the next edge takes a snapshot */
    }
}

inline take_snapshot() {
    seen_warp[edge] = edge_warp;
    seen_high[edge] = time_high;
    seen_low[edge] = time_low;
    for (i : 0 .. warps - 1) {
        then_counter(i) = counter[i];
        keep_wake(i);
{%- if queues %}
        for (j : 0 .. SLOTS - 1) {
            keep_done(i * SLOTS + j)
        }
{%- endif %}
        for (j : 0 .. LEVELS - 1) {
            then_left(i, j) = left(i, j)
        }
    }
    for (i : 0 .. 1 + {% if queues %}2 * {% endif %}dispatchers) {
        keep_busy(i)
    }
    edges[edge] = 0;
    patience[edge] = 2 * patience[edge]
}

/* again = the number of repetitions that this warp's loops allow, if that is less; 0 if more than one loop differs
 *
 * A warp must keep one iteration: at the end of its last iteration it leaves the loop. Only one loop may differ: if the inner one
 * of two is at another iteration, the warp will leave it for the outer one at another moment than the last time.
 */
inline compare_left(warp) {
    loops_differ = 0;
    for (j : 0 .. LEVELS - 1) {
        gone = then_left(warp, j) - left(warp, j);
        if
        :: gone != 0 ->
            loops_differ++;
            assert(loops_differ > 1 || gone > 0);        /* the outermost loop that differs has gone forward */
            if
            :: loops_differ > 1 -> again = 0
            :: loops_differ == 1 && (left(warp, j) - 1) / gone < again -> again = (left(warp, j) - 1) / gone
            :: else
            fi
        :: else
        fi
    }
}

/* again = the number of times that the events since the snapshot can be repeated; 0 if the state differs */
inline compare_with_snapshot() {
    again = (seen_warp[edge] == edge_warp -> NEVER : 0);
    i = 0;
    do
    :: again > 0 && i < warps ->
        if
        :: counter[i] == then_counter(i) && same_wake(i) -> compare_left(i)
        :: else -> again = 0
        fi;
        i++
    :: else -> break
    od;
{%- if queues %}
    i = 0;
    do
    :: again > 0 && i < warps * SLOTS ->
        if
        :: same_done(i)
        :: else -> again = 0
        fi;
        i++
    :: else -> break
    od;
{%- endif %}
    i = 0;
    do
    :: again > 0 && i < 2 + {% if queues %}2 * {% endif %}dispatchers ->
        if
        :: same_busy(i)
        :: else -> again = 0
        fi;
        i++
    :: else -> break
    od
}

/* time += again * (time - the snapshot's), by halving `again`; the sum stays below 2^60, as the wave's own time does */
inline add_skipped_time() {
    span_high = time_high - seen_high[edge];
    span_low = time_low - seen_low[edge];
    do
    :: again > 0 ->
        if
        :: span_low < 0 -> span_high--; span_low = span_low + BASE
        :: span_low >= BASE -> span_high++; span_low = span_low - BASE
        :: else
        fi;
        if
        :: again % 2 == 1 -> time_high = time_high + span_high; add_low(span_low)
        :: else
        fi;
        again = again / 2;
        span_high = 2 * span_high;
        span_low = 2 * span_low
    :: else -> break
    od
}

inline skip_repetitions() {
    for (i : 0 .. warps - 1) {
        for (j : 0 .. LEVELS - 1) {
            left(i, j) = left(i, j) - again * (then_left(i, j) - left(i, j))
        }
    }
    add_skipped_time();
    patience[edge] = warps
}

/* Called after each event. If time passes MT here, the clock cuts the run at the next event: the run ends later still. */
inline accelerate() {
    if
    :: ACCELERATE && edge != NO_EDGE ->
        edges[edge] = edges[edge] + 1;
        compare_with_snapshot();
        if
        :: again > 0 -> skip_repetitions(); take_snapshot()
        :: again == 0 && edges[edge] >= patience[edge] -> take_snapshot()
        :: else
        fi;
        edge = NO_EDGE
    :: else
    fi
}
