/* The host begins and ends a run; the property is about the end. */

active proctype host() {
    byte n;
    atomic {
        choose_configuration();
        c_code {
            long long mt = bound_of_run();
            if (mt >= 0) {
                now.mt_high = (int) (mt >> 30);
                now.mt_low = (int) (mt & ((1LL << 30) - 1));
            }
        };
        add_launch();
        start_processes();
        to ! MULTIPROCESSOR, NOBODY
    };
    atomic {
        to ? eval(HOST), _ ->
        if
        :: cut ->
            printf("autotune: configuration %d CUT at %d * 2^30 + %d\n", configuration, time_high, time_low);
            goto end_cut
        :: else ->
            printf("autotune: configuration %d DONE at %d * 2^30 + %d\n", configuration, time_high, time_low);
            d_step { c_code { run_ended(((long long) now.time_high << 30) + now.time_low); }; DONE = true };
            assert(DONE);      /* else the property would not cover this run */
            goto end_done
        fi
    };
end_cut:
    false;
end_done:
    false
}

{% if form == "any" -%}
ltl least { [] (DONE -> time_is_at_least_MT) }
ltl greatest { [] (DONE -> time_is_at_most_MT) }
{%- else -%}
ltl optimum { [] (DONE -> time_is_at_least_MT) }
{%- endif %}
