#!/bin/sh
# Repeats the proof in this folder with SPIN and a C compiler alone: `sh check.sh`. The variables SPIN and CC name other
# programs than `spin` and `cc`. This folder is only read. The exit status is 0 if all claims of result.json hold.
#
# T is a time that result.json claims: that of the optimum and of its property, or another one in `top`. For each model,
# SPIN shows that
#   no run ends before T: the verdict is `errors: 0`, after an exhaustive search;
#   the runs of the kept trails end before T + 1: the verdict is `errors: 1`, and each trail is replayed;
#   each configuration ends in DONE, or in CUT at T + 1 or later: the verdict without the property is `errors: 0`.
# In at least one of the models of a place, a kept trail must show a run that takes T.
set -eu
cd "$(dirname "$0")"
here=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export AUTOTUNE_TABLES=tables.txt

fail() {
    echo "$1" >&2
    exit 1
}

# Searches: the pan, the bound, the property in words, and the number of errors that it must find.
search() {
    # shellcheck disable=SC2086 # the options are words of their own
    AUTOTUNE_MT=$2 "./$1" $search > output 2>&1 || true
    verdict=$(grep -o 'errors: [0-9]*' output) || fail "$model: no verdict of $1 at $2: $(cat output)"
    echo "  $3: $verdict"
    [ "$verdict" = "errors: $4" ] || fail "$model: 'errors: $4' was expected"
    grep -q '^Full statespace search' output || fail "$model: the search is not exhaustive"
    if [ "$4" = 0 ] && grep -q '^Warning: Search not completed' output; then fail "$model: the search was cut short"; fi
}

# Prints a run's end, given as the model's line, with the configuration's parameters; the end must be DONE at T.
show() {
    number=$(echo "$1" | sed -n 's/.*configuration \([0-9]*\) DONE at .*/\1/p')
    high=$(echo "$1" | sed -n 's/.* DONE at \([0-9]*\) \* 2^30 + [0-9]*$/\1/p')
    low=$(echo "$1" | sed -n 's/.* + \([0-9]*\)$/\1/p')
    [ -n "$number" ] && [ $(((high << 30) + low)) = "$ticks" ] || fail "$model: no run that ends at $ticks: $1"
    echo "  $(sed -n "$((number + 1))p" configurations.txt) ends at $ticks"
}

check() {
    rm -rf "$work/model"
    cp -R "$here/$model" "$work/model"
    cd "$work/model"
    . ./search.sh
    [ "$ticks" = "$claimed" ] || fail "$model/search.sh: it is about $ticks ticks, result.json claims $claimed"
    echo "$model: $(wc -l < configurations.txt) configurations"
    "${SPIN:-spin}" -a model.pml > output || fail "$model: SPIN refuses it: $(cat output)"
    # shellcheck disable=SC2086
    "${CC:-cc}" $compile -o pan pan.c
    # shellcheck disable=SC2086
    "${CC:-cc}" $compile -DNOCLAIM -DPRINTF -o pan_ends pan.c
    search pan "$ticks" "[] (DONE -> (time >= $ticks))" 0
    errors=0
    for trail in witnesses/*-$((ticks + 1))-*.trail; do
        if [ -e "$trail" ]; then errors=1; fi
    done
    search pan $((ticks + 1)) "[] (DONE -> (time >= $((ticks + 1))))" "$errors"
    for trail in witnesses/*-$((ticks + 1))-*.trail; do
        [ -e "$trail" ] || continue
        cp "$trail" kept.trail
        show "$(AUTOTUNE_MT=$((ticks + 1)) ./pan -w16 -r -S kept.trail | grep 'autotune: ')"
        witnesses=$((witnesses + 1))
    done
    search pan_ends $((ticks + 1)) "no run gets stuck" 0
    sed -n 's/.* CUT at \([0-9]*\) \* 2^30 + \([0-9]*\)$/\1 \2/p' output > cuts
    while read -r high low; do
        [ $(((high << 30) + low)) -gt "$ticks" ] || fail "$model: a run was cut at $(((high << 30) + low)), before $((ticks + 1))"
    done < cuts
    done=$(grep -c ' DONE at ' output || true)
    cut=$(grep -c ' CUT at ' output || true)
    echo "  $done in DONE, $cut in CUT"
    [ $((done + cut)) = "$(wc -l < configurations.txt)" ] || fail "$model: not every configuration was run"
    cd "$here"
}

# Checks all models of a place, and the time that is claimed for it.
place() {
    claimed=$2
    witnesses=0
    for model in "$1"/model-*; do
        [ -d "$model" ] || fail "$1: it holds no model"
        check
    done
    [ "$witnesses" -gt 0 ] || fail "$1: no trail shows a run that takes $claimed ticks"
}

# The `ticks` in a part of result.json: the part's name, and the indentation of its `ticks`.
claims() {
    sed -n "/^  \"$1\": [[{]\$/,/^  []}]/s/^$2\"ticks\": \([0-9]*\),\{0,1\}\$/\1/p" result.json
}

[ -z "$(find . ! -type f ! -type d)" ] || fail "the folder holds more than files and folders: $(find . ! -type f ! -type d)"
sha256sum -c --quiet SHA256SUMS || fail "SHA256SUMS: the folder has changed"
grep -q '^  "verdict": "proved",$' result.json || fail "result.json: it is not a proof"
proved=$(sed -n 's/^    "property": "\[\] (DONE -> (time >= \([0-9]*\)))",$/\1/p' result.json)
[ -n "$proved" ] || fail "result.json: its property is missing or not understood"
optimum=$(claims optimum '    ')
[ "$optimum" = "$proved" ] || fail "result.json: the optimum takes $optimum ticks, but the property is about $proved"
place proof "$proved"
places=1
# Configurations of equal time share a place.
for claimed in $(claims top '      ' | uniq); do
    if [ "$places" = 1 ]; then
        [ "$claimed" = "$proved" ] || fail "result.json: the first of the best takes $claimed ticks, not $proved"
    else
        place "top-$places" "$claimed"
    fi
    places=$((places + 1))
done
echo "all as result.json says"
