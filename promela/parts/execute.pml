/* Runs the warp's statement by the part that it needs: its server, its group's barrier, or at the end of its body the clock. */
inline execute(warp) {
    if
    :: kind(counter[warp]) < DISPATCHER -> serve(kind(counter[warp]), warp)
    :: kind(counter[warp]) == DISPATCHER -> serve(dispatcher(warp), warp)
    :: kind(counter[warp]) == BARRIER -> arrive(group(warp), warp)
{%- if grid %}
    :: kind(counter[warp]) == GRID_BARRIER -> arrive_at_grid(warp)
{%- endif %}
{%- if queues %}
    :: kind(counter[warp]) == MATRIX -> serve(matrix(warp), warp)
    :: is_start(counter[warp]) -> started_at = started(warp); start(started_at, warp)
    :: kind(counter[warp]) == WAIT -> wait(warp)
    :: else -> finish_behind_starts(warp)
{%- else %}
    :: else -> finish(warp)
{%- endif %}
    fi
}
