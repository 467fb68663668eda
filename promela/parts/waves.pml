/* The waves of the most loaded multiprocessor, one after the other. */

#define NO_WAVE  3

/* Starts all warps of `number` groups now, at the beginning of the body, with all servers free. */
inline begin_wave(number) {
    warps = (number) * warps_per_group;
    finished = 0;
    i = 0;
    do
    :: i < 2 + {% if queues %}2 * {% endif %}dispatchers -> free_now(i); i++
    :: else -> break
    od;
{%- if queues %}
    no_starts();
{%- endif %}
    i = 0;
    do
    :: i < warps ->
        wake_now(i);
        row = body;
        settle(i);
        i++
    :: else -> break
    od{% if form != "any" %};
    forget_snapshots(){% endif %}
}

/* Begins the next wave, if one is left. Waves start from equal states, so one full wave runs and counts `full_waves` times. */
inline begin_next_wave() {
    wave++;
    if
    :: wave == 1 && full_waves == 0 -> wave = 2
    :: else
    fi;
    if
    :: wave == 2 && rest_groups == 0 -> wave = NO_WAVE
    :: else
    fi;
    if
    :: wave == 1 -> weight = full_waves * passes; begin_wave(resident_groups)
    :: wave == 2 -> weight = passes; begin_wave(rest_groups)
    :: else
    fi
}
