#define chosen  configuration      /* the program in the table */

/* multiprocessors, dispatchers, groups, resident groups, warps per group, passes, launch, first row of the body{% if wide %}, high word of
 * launch{% endif %} */
hidden int programs[{{ programs | length }} * PROGRAM] = {
{%- for program in programs %}
    {{ program.numbers }}{% if not loop.last %},{% endif %}    /* {{ loop.index0 }}: {{ program.configuration }} */
{%- endfor %}
};

/* kind, then occupancy, cost, count or first row, then latency or level{% if wide %}, then the high words of both{% endif %} */
hidden int rows[{{ rows | length }} * ROW] = {
{%- for row in rows %}
    {{ row }}{% if not loop.last %},{% endif %}    /* {{ loop.index0 }} */
{%- endfor %}
};

inline choose_configuration() {
{%- if programs | length <= 400 %}
    if
    {%- for program in programs %}
    :: configuration = {{ loop.index0 }}    /* {{ program.configuration }} */
    {%- endfor %}
    fi
{%- else %}
    do
    :: break
    :: configuration < LAST -> configuration++
    od
{%- endif %}
}
