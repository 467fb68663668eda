/* One wave of any kernel on any GPU, in every order of simultaneous events: the program is read from a file when pan starts.
 *
 * DONE is set when the wave is over, at its time. G(DONE -> time >= MT) holds when no behaviour ends before MT,
 * G(DONE -> time <= MT) when none ends after it.
 *
 *   spin -a FILE && cc -DSAFETY -DVECTORSZ={{ vector_bytes }} -o pan pan.c
 *   AUTOTUNE_TABLES=TABLES AUTOTUNE_MT=9408 ./pan -N least      the property for MT = 9408; or -N greatest
 */

#define WARPS    {{ warps }}          /* of the wave */
#define GROUPS   {{ groups }}          /* of the wave */
#define SERVERS  {{ servers }}          /* memory, local, dispatchers */
{%- if queues %}
#define SLOTS    {{ slots }}          /* of a warp's starts; matrix units are servers behind the dispatchers */
{%- endif %}
#define LEVELS   {{ levels }}          /* of nested loops */
#define ROWS     {{ rows }}          /* of the program */

#define chosen      0      /* the program in the table, which holds only one */

#define ROW         {{ row }}      /* numbers of a row */
#define PROGRAM     {% if wide %}9{% else %}8{% endif %}      /* numbers of a program */

{% include "parts/program.pml" %}
{% include "parts/machine.pml" %}
{% if wide %}{% include "parts/wide.pml" %}{% else %}{% include "parts/narrow.pml" %}{% endif %}
{% if queues %}{% include "parts/queues.pml" %}
{% endif %}{% include "parts/file.pml" %}
{% include "parts/clock.pml" %}
{% include "parts/waves.pml" %}
{% include "parts/choices.pml" %}
{% include "parts/bound.pml" %}
{% include "parts/host.pml" -%}
