/* A lockstep GPU played by its parts: host, multiprocessors, their dispatchers, barriers and processing elements, a clock.
 *
 * All talk through one rendezvous channel whose first field names the partner. A rendezvous hands over control within one
 * indivisible sequence, so a whole run is one chain. SPIN stores only the end of the chain, and explores one order of
 * simultaneous events, that of the elements' numbers. A send stands last, directly before `od`: elsewhere the chain would break.
 */

/* A processing element: runs one work item in each pass. */
proctype element(byte me, multiprocessor, dispatcher) {
end_idle:
    do
    :: atomic {
        to ? eval(ELEMENT + me), _, _ ->
        d_step { take_turn(me, multiprocessor, dispatcher) };
        to ! partner, message, multiprocessor
       }
    od
}

/* A barrier: opens when all elements of the pass have arrived. They belong to one group, whose passes follow one another. */
proctype barrier(byte me) {
    byte arrived;
end_idle:
    do
    :: atomic {
        to ? eval(BARRIER_OF + me), _, _ ->
        d_step {
            arrived++;
            if
            :: arrived == used_elements ->
                arrived = 0;
                open_barrier(me)
            :: else
            fi;
            pass_turn()
        };
        to ! partner, message, me
       }
    od
}

{% if grid %}/* The grid's barrier: opens when all elements of the launch have arrived. All groups run at the same time. */
proctype grid_barrier() {
    byte arrived;
end_idle:
    do
    :: atomic {
        to ? eval(GRID), _, _ ->
        d_step {
            arrived++;
            if
            :: arrived == used_multiprocessors * used_elements ->
                arrived = 0;
                open_grid_barrier()
            :: else
            fi;
            pass_turn()
        };
        to ! partner, message, 0
       }
    od
}

{% endif -%}
/* A dispatcher plays a warp: `go` puts its elements to work; when all have ended, it sends `done` to the multiprocessor. */
proctype dispatcher(byte me, multiprocessor, its_elements) {
    byte ended;
end_idle:
    do
    :: atomic {
        to ? eval(DISPATCHER_OF + me), message, _ ->
        d_step {
            if
            :: message == go ->
                i = first_element(multiprocessor) + (me % warps_per_group) * warp_size;
                ended = 0;
                do
                :: ended < its_elements ->
                    begin_body(i);
                    i++;
                    ended++
                :: else -> break
                od;
                ended = 0;
                message = started;
                partner = MULTIPROCESSOR + multiprocessor
            :: else ->
                ended++;
                if
                :: ended == its_elements -> partner = MULTIPROCESSOR + multiprocessor
                :: else -> pass_turn()
                fi
            fi
        };
        to ! partner, message, multiprocessor
       }
    od
}

inline call_dispatcher() {
    message = go;
    partner = first_dispatcher(me) + called;
    called++
}

inline begin_pass() {
    called = 0;
    ended = 0;
    call_dispatcher()
}

/* A multiprocessor runs a group in passes, one after the other; in each pass the dispatchers put their warps to work. */
proctype multiprocessor(byte me) {
    int pass;
    byte called, ended;            /* its dispatchers, in this pass */
end_idle:
    do
    :: atomic {
        to ? eval(MULTIPROCESSOR + me), message, _ ->
        d_step {
            if
            :: message == go -> pass = 1; begin_pass()
            :: message == started && called < warps_per_group -> call_dispatcher()
            :: message == started && called == warps_per_group ->
                if
                :: pass == 1 -> partner = HOST
                :: else -> pass_turn()
                fi
            :: message == done ->
                ended++;
                if
                :: ended < warps_per_group -> pass_turn()
                :: ended == warps_per_group && pass < passes -> pass++; begin_pass()
                :: ended == warps_per_group && pass == passes -> partner = HOST
                fi
            fi
        };
        to ! partner, message, me
       }
    od
}

/* The clock: a tick passes when all running elements have worked. */
proctype clock() {
end_idle:
    do
    :: atomic {
        to ? eval(CLOCK), _, _ ->
        d_step {
            assert(running > 0);   /* else elements wait at a barrier that cannot open */
            if  /* A run that has not ended by MT cannot end before it. */
            :: time_is_at_least_MT -> message = cut; partner = HOST
            :: else -> tick()
            fi
        };
        to ! partner, message, 0
       }
    od
}

/* Starts each processing element that gets a work item, and the parts above it. */
inline start_machine() {
    run clock();
{%- if grid %}
    run grid_barrier();
{%- endif %}
    do
    :: n < used_multiprocessors ->
        run multiprocessor(n);
        run barrier(n);
        d = 0;
        do
        :: d < warps_per_group ->
            its_elements = least(warp_size, used_elements - d * warp_size);
            run dispatcher(n * warps_per_group + d, n, its_elements);
            e = 0;
            do
            :: e < its_elements ->
                run element(first_element(n) + d * warp_size + e, n, n * warps_per_group + d);
                e++
            :: else -> break
            od;
            d++
        :: else -> break
        od;
        n++
    :: else -> break
    od
}

inline hand_out_to(number) {
    message = go;
    partner = MULTIPROCESSOR + number;
    handed_out++
}

/* The host hands each multiprocessor a group, and the next group as soon as that is done, until all groups are done. */
active proctype host() {
    int handed_out, over;          /* groups */
    byte sender;
    byte n, d, e, its_elements;
    atomic {
        choose_configuration();
        c_code {
            long long mt = bound_of_run();
            if (mt >= 0) {
                now.mt = mt > 2147483647 ? 2147483647 : (int) mt;
            }
        };
        time = launch;
        used_multiprocessors = least(groups, multiprocessors);
        used_elements = least(work_group, processing_elements);
        start_machine();
        hand_out_to(0);
        to ! partner, message, 0
    };
    do
    :: atomic {
        to ? eval(HOST), message, sender ->
        d_step {
            if
            :: message == started && handed_out < used_multiprocessors -> hand_out_to(handed_out)
            :: message == started && handed_out >= used_multiprocessors -> pass_turn()
            :: message == done ->
                over++;
                if
                :: handed_out < groups -> hand_out_to(sender)
                :: else -> pass_turn()
                fi
            :: message == cut
            fi
        };
        if
        :: message == cut ->
            printf("autotune: configuration %d CUT at %d * 2^30 + %d\n", configuration, 0, time);
            goto end_cut
        :: over == groups ->
            printf("autotune: configuration %d DONE at %d * 2^30 + %d\n", configuration, 0, time);
            d_step { c_code { run_ended(now.time); }; DONE = true };
            assert(DONE);      /* else the property would not cover this run */
            goto end_done
        :: else
        fi;
        to ! partner, message, 0
       }
    od;
end_cut:
    false;
end_done:
    false
}

ltl optimum { [] (DONE -> time_is_at_least_MT) }
