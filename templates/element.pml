/* {{ kernel }} on {{ gpu }}: {{ programs | length }} configurations, granularity `element`.
 *
 * SPIN chooses a configuration and runs its program on all multiprocessors of a lockstep GPU that get a group, with a process
 * for each processing element that gets a work item. DONE is set when the launch is over, at its time; G(DONE -> time >= MT)
 * holds when no configuration ends before MT.
 *
 *   spin FILE                                          one run of one configuration
 *   spin -a FILE && cc -DSAFETY -DVECTORSZ={{ vector_bytes }} -o pan pan.c
 *   AUTOTUNE_MT=1000 ./pan -m{{ depth }}                    the property for MT = 1000
 */

#define ELEMENTS  {{ elements }}          /* of all multiprocessors that get a group: those that get a work item */
#define LEVELS    {{ levels }}          /* of nested loops */
#define LAST      {{ programs | length - 1 }}          /* configuration */

#define ROW       3          /* numbers of a row */
#define PROGRAM   8          /* numbers of a program */

{% include "parts/program.pml" %}
{% include "tables.pml" %}
/* processing elements of a multiprocessor, work items of a group */
hidden int lanes[{{ lanes | length * 2 }}] = {
{%- for pair in lanes %}
    {{ pair }}{% if not loop.last %},{% endif %}    /* {{ loop.index0 }} */
{%- endfor %}
};

{% include "parts/lockstep.pml" %}
{% include "parts/bound.pml" %}
{% include "parts/element.pml" -%}
