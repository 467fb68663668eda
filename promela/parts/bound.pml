/* MT comes with the run: one compilation serves every bound.
 *
 * With AUTOTUNE_DESCEND the search is a branch and bound (after T. Ruys, "Optimal scheduling using branch and bound with SPIN
 * 4.0"): every run that ends before MT lowers it for the configurations that come after. MT is kept in C for that, where SPIN
 * does not undo it when it goes back to its choice, and becomes part of the state once a configuration is chosen. So each run
 * has one MT from its start to its end, no state is shared by runs of different configurations, and what is cut off has not
 * ended before a time that another run takes: the last MT is the least time of all. The search is no proof; what it finds is
 * proved by searches with a fixed MT.
 */
c_code {
    static long long bound = -1;   /* none */

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
