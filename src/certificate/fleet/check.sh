#!/bin/sh
# Repeats the searches of this folder's proofs with SPIN and a C compiler alone: `sh check.sh`. Each scenario has its own
# kept proofs (`optimum`, `best`, `others`), and each has a check.sh, which this script runs. The variables SPIN and CC name
# other programs than `spin` and `cc`. The exit status is 0 if every one succeeds, no configuration that is assigned to a
# scenario is faster there than the bound of fleet.json, and the optima are those of fleet.json.
#
# This script does not show that the configurations of `best` and `others` together are all common ones, nor that the
# bounds follow from the times: check.py does.
set -eu
export LC_ALL=C
cd "$(dirname "$0")"
here=$(pwd)

fail() {
    echo "$1" >&2
    exit 1
}

# Prints the optimum's ticks of a kept proof.
ticks() {
    awk '/^  "optimum": \{$/ { inside = 1 } inside && /^    "ticks": / { gsub(/[^0-9]/, ""); print; exit }' "$1/result.json"
}

# Prints a number of each scenario, in their order: of the list at `begin`, the values of `name`.
listed() {
    awk -v begin="$1" -v name="\"$2\": " '
        index($0, begin) == 1 { inside = 1; next }
        inside && /^  []}]/ || inside && /^    \]/ && begin ~ /^    / { exit }
        inside && index($0, name) { sub(/.*: /, ""); gsub(/[^0-9]/, ""); print }
    ' fleet.json
}

sha256sum -c --quiet SHA256SUMS || fail "SHA256SUMS: the folder has changed"
grep -q '^  "verdict": "proved",$' fleet.json || fail "fleet.json: it is not a proof"
listed '  "scenarios": [' ticks > /dev/null
number=0
while [ -d "scenario-$number" ]; do
    scenario="scenario-$number"
    for part in optimum best others; do
        [ -d "$scenario/$part" ] || continue
        echo "$scenario/$part"
        sh "$scenario/$part/check.sh" || fail "$scenario/$part: it is not confirmed"
        cd "$here"
    done
    optimum=$(listed '  "scenarios": [' ticks | sed -n "$((number + 1))p")
    [ "$(ticks "$scenario/optimum")" = "$optimum" ] || fail "$scenario: its optimum is not the one of fleet.json"
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
echo "the optima are those of fleet.json, and no assigned configuration is faster than its bound"
