/* The state and steps of a lockstep GPU, for models of granularity `element`.
 *
 * The model plays each multiprocessor that gets a group, and each of its processing elements that gets a work item. Time is one
 * word: it passes tick by tick, and a run to a time beyond one word would take too long.
 */

/* The chosen configuration's number of processing elements of a multiprocessor, and of work items of a group. */
#define processing_elements  lanes[configuration * 2]
#define work_group           lanes[configuration * 2 + 1]

#define least(a, b)          ((a) < (b) -> (a) : (b))
#define warp_size            (processing_elements / dispatchers)

/* The states of a processing element. */
#define IDLE     0                 /* it does not have a work item */
#define READY    1                 /* it has yet to act at this instant */
#define WORKING  2                 /* it works until the clock ticks */
#define WAITING  3                 /* it waits at the barrier */

short configuration;               /* SPIN's choice */
int time;                          /* of the launch, in ticks */
int mt = 2147483647;               /* MT; this value means: no bound */
byte used_multiprocessors;         /* those that get a group */
byte used_elements;                /* of a multiprocessor: those that get a work item */
byte running;                      /* elements that are READY or WORKING */
byte worked;                       /* elements that are WORKING */
byte turn;                         /* the element that acts next, unless a later one is the first that is READY */
byte state[ELEMENTS];
short counter[ELEMENTS];           /* the row that the element executes, or begins next, or waits at */
int ticks_left[ELEMENTS];          /* until the statement is over; 0: it begins next */
int iterations_left[ELEMENTS * LEVELS];
bool DONE;

/* False before MT; without a bound, MT is later than every time. */
#define time_is_at_least_MT  (time >= mt)

mtype = { go,                              /* from above: start to work */
          started,                         /* from below: all elements are at work */
          done,                            /* from below: the work is done; to a barrier: arrived */
          act,                             /* the turn; to the clock: all elements have had theirs */
          cut };                           /* from the clock: it has stopped at MT */

chan to = [0] of { byte, mtype, byte };    /* partner, message, multiprocessor that it comes from */
byte partner;                              /* of the send that follows */
mtype message;                             /* of the send that follows, or the one received */

/* Partners. The partners of one kind have consecutive numbers. */
#define HOST                 0
#define CLOCK                1
#define MULTIPROCESSOR       2                                             /* and the multiprocessors from here on */
#define BARRIER_OF           (MULTIPROCESSOR + used_multiprocessors)       /* and their barriers */
#define DISPATCHER_OF        (BARRIER_OF + used_multiprocessors)           /* and their dispatchers, one for each warp */
#define ELEMENT              (DISPATCHER_OF + used_multiprocessors * warps_per_group)    /* and their elements */
{%- if grid %}
#define GRID                 (ELEMENT + used_multiprocessors * used_elements)              /* the grid's barrier */
{%- endif %}

#define first_dispatcher(multiprocessor)  (DISPATCHER_OF + (multiprocessor) * warps_per_group)
#define first_element(multiprocessor)     ((multiprocessor) * used_elements)

/* Scratch of one indivisible step; no state depends on it between steps. */
hidden int i;
hidden short row;

/* The element gets a turn at this instant. */
inline make_ready(element) {
    state[element] = READY;
    running++
}

/* The next message gives the turn to the first element that is READY; if no element is, it goes to the clock. */
inline pass_turn() {
    message = act;
    if
    :: worked == running -> partner = CLOCK
    :: else ->
        do
        :: state[turn] == READY -> break
        :: else -> turn = (turn + 1) % (used_multiprocessors * used_elements)
        od;
        partner = ELEMENT + turn
    fi
}

/* The element goes on after its statement. */
inline proceed(element) {
    row = counter[element] + 1;
    settle(element)
}

inline begin_body(element) {
    row = body;
    settle(element);
    make_ready(element)
}

/* All elements of the group's pass have arrived at its barrier. */
inline open_barrier(multiprocessor) {
    i = first_element(multiprocessor);
    do
    :: i < first_element(multiprocessor + 1) ->
        proceed(i);
        make_ready(i);
        i++
    :: else -> break
    od
}

{% if grid %}/* All elements of the launch have arrived at the grid's barrier. */
inline open_grid_barrier() {
    i = 0;
    do
    :: i < used_multiprocessors * used_elements ->
        proceed(i);
        make_ready(i);
        i++
    :: else -> break
    od
}

{% endif -%}
/* The element stops running and sends `done` to the listener. */
inline rest(element, as, listener) {
    state[element] = as;
    running--;
    message = done;
    partner = listener
}

/* The element's turn: a tick of its statement has passed, or its next statement begins. */
inline take_turn(element, multiprocessor, dispatcher) {
    if
    :: ticks_left[element] > 1 ->
        ticks_left[element] = ticks_left[element] - 1
    :: ticks_left[element] == 1 ->
        ticks_left[element] = 0;
        proceed(element)
    :: else
    fi;
    do
    :: kind(counter[element]) == DISPATCHER && ticks_left[element] == 0 && latency(counter[element]) == 0 ->
        proceed(element)
    :: else ->
        break
    od;
    if
    :: kind(counter[element]) == DISPATCHER ->
        if
        :: ticks_left[element] == 0 -> ticks_left[element] = latency(counter[element])
        :: else
        fi;
        state[element] = WORKING;
        worked++;
        pass_turn()
    :: kind(counter[element]) == BARRIER ->
        rest(element, WAITING, BARRIER_OF + multiprocessor)
{%- if grid %}
    :: kind(counter[element]) == GRID_BARRIER ->
        rest(element, WAITING, GRID)
{%- endif %}
    :: kind(counter[element]) == END ->
        rest(element, IDLE, DISPATCHER_OF + dispatcher)
    fi
}

/* A tick passes: all that have worked through it get a turn. */
inline tick() {
    time++;
    worked = 0;
    turn = 0;
    i = 0;
    do
    :: i < used_multiprocessors * used_elements ->
        if
        :: state[i] == WORKING -> state[i] = READY
        :: else
        fi;
        i++
    :: else -> break
    od;
    pass_turn()
}
