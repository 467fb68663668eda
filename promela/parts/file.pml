/* The tables come from a file when pan starts, named by AUTOTUNE_TABLES: one compiled model serves all programs that fit into its
 * arrays. The file holds only numbers: the number of programs, the number of rows, then both tables in the form in which a model
 * that holds its own tables has them (program.pml).
 *
 * The chosen configuration's program is copied into the arrays below, which are hidden: they are not part of SPIN's states. That
 * is sound because every branch copies right after its choice, before the arrays are read, and they do not change afterwards:
 * when SPIN goes back to the choice, the next branch copies anew. Every other step of the model is plain Promela.
 *
 * All numbers are checked before the search, so that none leads out of an array or beyond 32 bits. If a check fails, pan ends
 * with a message and without a verdict.
 */

hidden int programs[PROGRAM];
hidden int rows[ROWS * ROW];
hidden int last;                   /* configuration */

c_code {
    static int *file_programs, *file_rows, rows_in_file;
    static char *unread;

    static void refuse(const char *what, long long value)
    {
        fprintf(stderr, "autotune: %s in the table file: %lld\n", what, value);
        exit(2);
    }

    static int next_number(const char *what, long long least, long long most)
    {
        char *end;
        long long value = strtoll(unread, &end, 10);
        if (end == unread || value < least || value > most) {
            refuse(what, value);
        }
        unread = end;
        return (int) value;
    }

    static int *next_table(int lines, int width, const char *what)
    {
        int number;
        int *table = malloc((size_t) lines * width * sizeof(int));
        if (!table) {
            refuse("too many lines", lines);
        }
        for (number = 0; number < lines * width; number++) {
            table[number] = next_number(what, 0, 2147483647);
        }
        return table;
    }

#ifdef TABLES_IN_HEADER
    /* The text of the tables, as `char tables[]`, for a model that stands alone. */
    \#include "tables.h"

    static void load(void)
    {
        unread = tables;
    }
#else
    static void load(void)
    {
        long size;
        const char *name = getenv("AUTOTUNE_TABLES");
        FILE *file = name ? fopen(name, "r") : NULL;
        if (!file || fseek(file, 0, SEEK_END) || (size = ftell(file)) < 0 || fseek(file, 0, SEEK_SET)) {
            fprintf(stderr, "autotune: cannot read the table file %s\n", name ? name : "(AUTOTUNE_TABLES is not set)");
            exit(2);
        }
        unread = calloc((size_t) size + 1, 1);
        if (!unread || fread(unread, 1, (size_t) size, file) != (size_t) size) {
            refuse("bytes that cannot be read", size);
        }
        fclose(file);
    }
#endif

    /* Checks the longest wait of a warp: all others are served before it. */
    static void check_wait(long long sharing, long long ticks, long long to_the_end)
    {
        if (ticks > to_the_end || to_the_end >= WAITS || (ticks > 0 && sharing - 1 > (WAITS - 1 - to_the_end) / ticks)) {
            refuse("a wait that is too long", to_the_end);
        }
    }

    /* Checks the low words of a use or a barrier. */
    static void check_words(int one, int other)
    {
        if (one >= BASE || other >= BASE) {
            refuse("a wait that is too long", one >= BASE ? one : other);
        }
    }

    /* Checks that loops nest and that each holds a statement{% if queues %}, that slots are there, and how long waits can be{% endif %}. */
    static void check_rows(int length, long long all_warps)
    {
        int at, depth = 0, begin[LEVELS];
{%- if queues %}
        /* A warp may stand at a server with all of its starts, but no wait is longer than all latencies of the wave. */
        long double times[LEVELS + 1], all_ticks = 0;
        long long ticks;
        int starts = 0;
        times[0] = all_warps;
{%- endif %}
        for (at = 0; at < length; at++) {
{%- if queues %}
            if (is_start(at) || kind(at) == WAIT) {
                if (slots(at) < 1 || slots(at) > SLOTS || slot(at) > SLOTS - slots(at)) {
                    refuse("a wrong slot", at);
                }
            }
            if (kind(at) <= BARRIER || kind(at) == MATRIX || is_start(at){% if grid %} || kind(at) == GRID_BARRIER{% endif %}) {
                ticks = kind(at) == BARRIER{% if grid %} || kind(at) == GRID_BARRIER{% endif %} ? all_cost(at) : all_latency(at);
                all_ticks += ticks > 0 ? times[depth] * ticks : 0;
            }
            if (is_start(at)) {
                starts++;
                check_words(occupancy(at), latency(at));
                check_wait(1, all_occupancy(at), all_latency(at));
            } else if (kind(at) == WAIT) {
                continue;
            } else if (kind(at) == MATRIX) {
                check_words(occupancy(at), latency(at));
                check_wait((all_warps - 1) / dispatchers + 1, all_occupancy(at), all_latency(at));
            } else if (kind(at) <= DISPATCHER) {
{%- else %}
            if (kind(at) <= DISPATCHER) {
{%- endif %}
                check_words(occupancy(at), latency(at));
                check_wait(kind(at) == DISPATCHER ? (all_warps - 1) / dispatchers + 1 : all_warps, all_occupancy(at), all_latency(at));
{%- if grid %}
            } else if (kind(at) == GRID_BARRIER && most_groups > resident_groups) {
                refuse("a barrier that never opens", most_groups);
            } else if (kind(at) == BARRIER || kind(at) == GRID_BARRIER) {
{%- else %}
            } else if (kind(at) == BARRIER) {
{%- endif %}
                check_words(cost(at), 0);
                check_wait(1, 0, all_cost(at));
            } else if (kind(at) == LOOP) {
                if (depth == LEVELS || level(at) != depth || count(at) < 1) {
                    refuse("a wrong loop", at);
                }
                begin[depth++] = at + 1;
{%- if queues %}
                times[depth] = times[depth - 1] * count(at);
{%- endif %}
            } else if (kind(at) != AGAIN || depth == 0 || level(at) != --depth || first(at) != begin[depth] || first(at) == at) {
                refuse("a wrong row", at);
            }
        }
        if (depth > 0) {
            refuse("a wrong end", length);
        }
{%- if queues %}
        if (starts > 0 && all_ticks >= WAITS) {
            refuse("waits that are too long", length);
        }
{%- endif %}
    }

    static void check_program(int length)
    {
        long long wave, all_warps;
        if (multiprocessors < 1 || dispatchers < 1 || dispatchers > {% if queues %}(SERVERS - 2) / 2{% else %}SERVERS - 2{% endif %}) {
            refuse("a wrong number of multiprocessors or dispatchers", dispatchers);
        }
        if (groups < 1 || resident_groups < 1 || warps_per_group < 1 || passes < 1) {
            refuse("a program without groups, warps or passes", groups);
        }
        wave = full_waves > 0 ? resident_groups : rest_groups;
        all_warps = wave * warps_per_group;
        if (wave > GROUPS || all_warps > WARPS) {
            refuse("a wave that is too large", all_warps);
        }
        if ((long long) (full_waves > 0 ? full_waves : 1) * passes >= BASE) {
            refuse("a weight that is too large", full_waves);
        }
        if (launch_is_too_long) {
            refuse("a launch that is too long", launch);
        }
        check_rows(length, all_warps);
    }

    /* Copies a program; the copy's rows begin at 0. */
    static void take_program(int number)
    {
        int offset, at = 0;
        memcpy(programs, file_programs + PROGRAM * (size_t) number, sizeof(programs));
        offset = body;
        body = 0;
        do {
            if (at == ROWS || at + offset >= rows_in_file) {
                refuse("a body that is too long", offset);
            }
            memcpy(rows + ROW * at, file_rows + ROW * (size_t) (at + offset), ROW * sizeof(int));
            if (kind(at) == AGAIN) {
                first(at) -= offset;
            }
        } while (kind(at++) != END);
        check_program(at - 1);
    }

    static void read_tables(void)
    {
        int number;
        load();
        last = next_number("a wrong number of programs", 1, 1 << 24) - 1;
        rows_in_file = next_number("a wrong number of rows", 1, 1 << 26);
        file_programs = next_table(last + 1, PROGRAM, "a wrong number of a program");
        file_rows = next_table(rows_in_file, ROW, "a wrong number of a row");
        if (*unread != '\n' || unread[1]) {
            refuse("more than the tables", *unread);
        }
        for (number = 0; number <= last; number++) {
            take_program(number);
        }
    }
};

inline choose_configuration() {
    c_code { read_tables(); };
    do
    :: break
    :: configuration < last -> configuration++
    od;
    c_code { take_program(now.configuration); }
}
