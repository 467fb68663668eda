/* Asynchronous starts, and waits for them.
 *
 * A warp has queues. Its future depends, for each queue, on the last P starts, which a wait may leave pending, and on the latest
 * of the older ones. Each has a slot: first that of the older ones, then those of the last ones, oldest first. A slot holds the
 * ticks from now until the start is done (narrow.pml, wide.pml). START has the number of the queue's slots, WAIT that of the
 * slots that it waits for.
 */

#define matrix(warp)   (DISPATCHER + dispatchers + (warp) % dispatchers)

/* The server of the start that the warp makes. */
#define started(warp) \
    (kind(counter[warp]) == START_MATRIX -> matrix(warp) : \
    (kind(counter[warp]) == START_DISPATCHER -> dispatcher(warp) : kind(counter[warp]) - START_MEMORY))

hidden short started_at;           /* scratch: SPIN takes no conditional expression for an argument of nested inlines */

#define first_slot(warp)  ((warp) * SLOTS + slot(counter[warp]))
#define behind_slots(warp)  (first_slot(warp) + slots(counter[warp]))

/* The start that is done `ahead` enters its queue; the oldest of the last ones becomes one of the older ones. */
inline enter_queue(warp) {
    i = first_slot(warp);
    if
    :: slots(counter[warp]) == 1 -> done_not_before_ahead(i)
    :: else ->
        done_not_before_next(i);
        i++;
        do
        :: i + 1 < behind_slots(warp) -> done_as_next(i); i++
        :: else -> break
        od;
        done_ahead(i)
    fi
}

/* start: the server serves it as a use; it is done at the end of the latency; the warp goes on now */
inline start(server, warp) {
    queue(server, counter[warp]);
    enter_queue(warp);
    wake_now(warp);
    row = counter[warp] + 1;
    settle(warp)
}

/* wait: the warp goes on when the starts in these slots are done */
inline wait(warp) {
    look_now();
    i = first_slot(warp);
    do
    :: i < behind_slots(warp) -> look_not_before_done(i); i++
    :: else -> break
    od;
    proceed(warp)
}

/* end of the body: the warp has finished when all its starts are done */
inline finish_behind_starts(warp) {
    look_now();
    i = (warp) * SLOTS;
    do
    :: i < (warp + 1) * SLOTS -> look_not_before_done(i); i++
    :: else -> break
    od;
    if
    :: ahead_is_now -> finish(warp)
    :: else -> wake_ahead(warp)
    fi
}

inline no_starts() {
    i = 0;
    do
    :: i < warps * SLOTS -> done_now(i); i++
    :: else -> break
    od
}

/* Time passes for all starts. */
inline starts_sooner() {
    i = 0;
    do
    :: i < warps * SLOTS -> done_sooner(i); i++
    :: else -> break
    od
}
