#!/bin/sh
# Repeats the searches of this folder's proofs with SPIN and a C compiler alone: `sh check.sh`. Each scenario has its own
# kept proofs (`optimum`, `best`, `others`), and each has a check.sh, which this script runs. The variables SPIN and CC name
# other programs than `spin` and `cc`. The exit status is 0 if every one succeeds, no configuration that is assigned to a
# scenario is faster there than the bound of fleet.json, the scenarios' optima are those of fleet.json, its weights are those of
# kept.json, and nothing is missing:
#   each scenario of fleet.json has a folder;
#   of one configuration for all, `best` and all `others` together are the configurations that each scenario's `optimum` is
#   about, each once, and `best` is about the optimum and the ties of fleet.json;
#   of several variants, `best` and `others` are among those of the scenario's `optimum`, and all `best` together are about the
#   variants of fleet.json.
#
# This script does not show that the bounds follow from the times, nor what tree.json shows, and it does not compare the times
# and slowdowns of fleet.json behind the scenarios' optima: check.py does.
set -eu
export LC_ALL=C
cd "$(dirname "$0")"
here=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "$1" >&2
    exit 1
}

# Prints the optimum's ticks of a kept proof.
ticks() {
    awk '/^  "optimum": \{$/ { inside = 1 } inside && /^    "ticks": / { gsub(/[^0-9]/, ""); print; exit }' "$1/result.json"
}

# Prints a number of each scenario, in their order: of the list at `begin`, the values of `name`, in fleet.json or a file.
listed() {
    awk -v begin="$1" -v name="\"$2\": " '
        index($0, begin) == 1 { inside = 1; next }
        inside && /^  []}]/ || inside && /^    \]/ && begin ~ /^    / { exit }
        inside && index($0, name) { sub(/.*: /, ""); gsub(/[^0-9]/, ""); print }
    ' "${3:-fleet.json}"
}

# Prints the configurations under a key of a result, one a line, as programs.jsonl.gz has them.
named() {
    awk -v begin="  \"$1\": " '
        index($0, begin) == 1 && !/\[\],?$/ { inside = 1 }
        inside && /"parameters": \{$/ { taken = 1; text = ""; next }
        taken && /^ *\},?$/ { taken = 0; print text; next }
        taken { gsub(/^ +/, ""); sub(/": /, "\":"); text = text $0 }
        /^  []}],?$/ { inside = 0 }
    ' "$2"
}

# Writes the configurations that a kept proof is about to a file, one a line, sorted.
configurations() {
    gzip -dc "$1/programs.jsonl.gz" > "$work/programs" || fail "$1/programs.jsonl.gz: it cannot be read"
    awk '
        { begin = "{\"configurations\":[{"; end = index($0, "}],\"program\":{") }
        index($0, begin) != 1 || !end { exit 1 }
        { count = split(substr($0, length(begin) + 1, end - length(begin) - 1), each, "},{")
          for (one = 1; one <= count; one++) print each[one] }
    ' "$work/programs" > "$work/found" || fail "$1/programs.jsonl.gz: a line is not understood"
    sort "$work/found" > "$2"
    [ -z "$(uniq -d "$2")" ] || fail "$1/programs.jsonl.gz: a configuration is there twice"
}

sha256sum -c --quiet SHA256SUMS || fail "SHA256SUMS: the folder has changed"
grep -q '^  "verdict": "proved",$' fleet.json || fail "fleet.json: it is not a proof"
[ "$(listed '  "scenarios": [' weight)" = "$(listed '  "scenarios": [' weight kept.json)" ] ||
    fail "fleet.json: its weights are not those of kept.json"
mkdir "$work/compiled"
number=0
: > "$work/all"
: > "$work/assigned"
: > "$work/chosen"
while [ -d "scenario-$number" ]; do
    scenario="scenario-$number"
    for part in optimum best others; do
        [ -d "$scenario/$part" ] || [ "$part" = others ] || fail "$scenario/$part: it is missing"
        [ -d "$scenario/$part" ] || continue
        echo "$scenario/$part"
        sh "$scenario/$part/check.sh" "$work/compiled" || fail "$scenario/$part: it is not confirmed"
        cd "$here"
        configurations "$scenario/$part" "$work/$part"
        strangers=$(comm -23 "$work/$part" "$work/optimum")
        [ -z "$strangers" ] || fail "$scenario/$part: a configuration is not in the scenario's space"
    done
    cat "$work/optimum" >> "$work/all"
    [ ! -d "$scenario/others" ] || cat "$work/others" >> "$work/assigned"
    if [ "$number" = 0 ]; then
        cp "$work/best" "$work/first"
        cat "$work/best" >> "$work/assigned"
    elif ! grep -q '^  "most_variants": ' fleet.json; then
        cmp -s "$work/best" "$work/first" || fail "$scenario/best: it is about other configurations than in scenario-0"
    fi
    optimum=$(listed '  "scenarios": [' ticks | sed -n "$((number + 1))p")
    [ "$(ticks "$scenario/optimum")" = "$optimum" ] || fail "$scenario: its optimum is not the one of fleet.json"
    parameters=$(named scenarios fleet.json | sed -n "$((number + 1))p")
    [ "$(named optimum "$scenario/optimum/result.json")" = "$parameters" ] ||
        fail "$scenario: its optimum is not the configuration of fleet.json"
    cat "$work/best" >> "$work/chosen"
    bound=$(listed '    "scenarios": [' bound | sed -n "$((number + 1))p")
    [ -n "$bound" ] && [ "${#bound}" -le 19 ] || fail "$scenario: fleet.json has no bound that is understood"
    if [ -d "$scenario/others" ]; then
        least=$(ticks "$scenario/others")
        [ "$least" -ge "$bound" ] || fail "$scenario: a configuration takes $least ticks, less than $bound"
    fi
    number=$((number + 1))
done
[ "$number" -gt 0 ] || fail "there is no scenario"
[ "$number" = "$(listed '  "scenarios": [' ticks | wc -l)" ] || fail "fleet.json: it has other scenarios"
sort -u "$work/chosen" > "$work/proved"
for key in optimum ties variants; do
    named "$key" fleet.json
done | sort > "$work/claimed"
cmp -s "$work/proved" "$work/claimed" || fail "fleet.json: its optimum and ties, or its variants, are not those of \`best\`"
if ! grep -q '^  "most_variants": ' fleet.json; then
    sort "$work/all" | uniq -c | awk -v all="$number" '$1 == all { sub(/^ *[0-9]+ /, ""); print }' > "$work/common"
    sort "$work/assigned" > "$work/sorted"
    [ -z "$(uniq -d "$work/sorted")" ] || fail "a configuration is assigned twice, or is one of the best too"
    cmp -s "$work/common" "$work/sorted" || fail "the assigned configurations and the best are not all common ones"
fi
echo "not compared: the times and slowdowns of fleet.json, and whether bounds and tree.json follow from them"
echo "the optima are those of fleet.json, no assigned configuration is faster than its bound, and nothing is missing"
