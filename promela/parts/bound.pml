/* MT is given to each run of pan, so one compiled model serves every bound.
 *
 * With AUTOTUNE_DESCEND the search is a branch and bound (after T. Ruys, "Optimal scheduling using branch and bound with SPIN
 * 4.0"): every run that ends before MT lowers MT for the configurations that come after. For this, MT is kept in C, where SPIN
 * does not undo it on its way back to the choice, and becomes part of the state once a configuration is chosen. So each run has
 * one MT from its start to its end, and runs of different configurations share no state. A run that is cut off has not ended
 * before the time of another run, so the last MT is the least time of all. This search is not a proof: searches with a fixed MT
 * prove the result.
 */
c_code {
    static long long bound = -1;   /* no bound */

    static long long bound_of_run(void)
    {
        const char *given = getenv("AUTOTUNE_MT");
        if (bound < 0 && given) {
            bound = strtoll(given, NULL, 10);
        }
        return bound;
    }

    static void run_ended(long long time)
    {
        if (getenv("AUTOTUNE_DESCEND") && (bound < 0 || time < bound)) {
            bound = time;
        }
    }
}
