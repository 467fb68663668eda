/* Any kernel on any GPU, granularity `warp`: the programs are read from {% if header %}tables.h when pan is compiled{% else %}a file when pan starts{% endif %}.
 *
 * SPIN chooses a configuration and runs its program on the most loaded multiprocessor of an abstract GPU. DONE is set when
 * the launch is over, at its time; G(DONE -> time >= MT) holds when no configuration ends before MT.
 *
 *   spin -a FILE && cc -DSAFETY -DVECTORSZ={{ vector_bytes }} -o pan pan.c
 *   {% if not header %}AUTOTUNE_TABLES=TABLES {% endif %}AUTOTUNE_MT=9408 ./pan{% if header %} -m{{ depth }}{% endif %}      the property for MT = 9408
 */

#define WARPS    {{ warps }}          /* of a wave, at most */
#define GROUPS   {{ groups }}          /* of a wave, at most */
#define SERVERS  {{ servers }}          /* memory, local, dispatchers, at most */
{%- if queues %}
#define SLOTS    {{ slots }}          /* of a warp's starts, at most; matrix units are servers behind the dispatchers */
{%- endif %}
#define LEVELS   {{ levels }}          /* of nested loops, at most */
#define ROWS     {{ rows }}          /* of a program, at most */

{% if header %}#define TABLES_IN_HEADER

{% endif -%}
#define ACCELERATE  1      /* 0: repetitions are not skipped */
#define CUT         1      /* 0: the clock does not stop at MT */

#define chosen      0      /* the program in the table, which holds only one */

#define ROW         {{ row }}      /* numbers of a row */
#define PROGRAM     {% if wide %}9{% else %}8{% endif %}      /* numbers of a program */

{% include "parts/program.pml" %}
{% include "parts/machine.pml" %}
{% if wide %}{% include "parts/wide.pml" %}{% else %}{% include "parts/narrow.pml" %}{% endif %}
{% if queues %}{% include "parts/queues.pml" %}
{% endif %}{% include "parts/file.pml" %}
{% include "parts/accelerate.pml" %}
{% include "parts/clock.pml" %}
{% include "parts/waves.pml" %}
{% if form == "wave" %}{% include "parts/wave.pml" %}{% else %}{% include "parts/roles.pml" %}{% endif %}
{% include "parts/bound.pml" %}
{% include "parts/host.pml" -%}
