/* {{ kernel }} on {{ gpu }}: {{ programs | length }} configurations, granularity `warp`.
 *
 * SPIN chooses a configuration and runs its program on the most loaded multiprocessor of an abstract GPU. DONE is set when
 * the launch is over, at its time; G(DONE -> time >= MT) holds when no configuration ends before MT.
 *
 *   spin FILE                                          one run of one configuration
 *   spin -a FILE && cc -DSAFETY -DVECTORSZ={{ vector_bytes }} -o pan pan.c
 *   AUTOTUNE_MT=9408 ./pan -m{{ depth }}                    the property for MT = 9408
 */

#define WARPS    {{ warps }}          /* of the largest wave */
#define GROUPS   {{ groups }}          /* of the largest wave */
#define SERVERS  {{ servers }}          /* memory, local, dispatchers */
{%- if queues %}
#define SLOTS    {{ slots }}          /* of a warp's starts; matrix units are servers behind the dispatchers */
{%- endif %}
#define LEVELS   {{ levels }}          /* of nested loops */
#define LAST     {{ programs | length - 1 }}          /* configuration */

#define ACCELERATE  1      /* 0: repetitions are not skipped */
#define CUT         1      /* 0: the clock does not stop at MT */

#define ROW         {{ row }}      /* numbers of a row */
#define PROGRAM     {% if wide %}9{% else %}8{% endif %}      /* numbers of a program */

{% include "parts/program.pml" %}
{% include "tables.pml" %}
{% include "parts/machine.pml" %}
{% if wide %}{% include "parts/wide.pml" %}{% else %}{% include "parts/narrow.pml" %}{% endif %}
{% if queues %}{% include "parts/queues.pml" %}
{% endif %}{% include "parts/accelerate.pml" %}
{% include "parts/clock.pml" %}
{% include "parts/waves.pml" %}
{% if form == "wave" %}{% include "parts/wave.pml" %}{% else %}{% include "parts/roles.pml" %}{% endif %}
{% include "parts/bound.pml" %}
{% include "parts/host.pml" -%}
