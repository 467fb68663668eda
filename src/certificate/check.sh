#!/bin/sh
# Repeats the searches of this folder's proof with SPIN and a C compiler alone: `sh check.sh`. The variables SPIN and CC
# name other programs than `spin` and `cc`. This folder is only read. The exit status is 0 if SPIN finds the times and
# the configurations that result.json names: the optimum, its ties, and the best in `top`.
#
# T is a time that result.json claims: that of the optimum and of its property, or another one in `top`. For each model,
# SPIN shows that
#   no run ends before T: the verdict is `errors: 0`, after an exhaustive search;
#   the runs of the kept trails end before T + 1: the verdict is `errors: 1`, and each trail is replayed;
#   each configuration ends once, in DONE at T or later, or in CUT at T + 1 or later: without the property, the verdict
#   is `errors: 0`.
# In at least one of the models of a place, a kept trail must show a run that takes T. The configurations that end at T
# are those that result.json names. One that is in no model must be listed as equal to one that ends at T: this script
# does not show that the two are equal, check.py does.
set -eu
export LC_ALL=C AUTOTUNE_TABLES=tables.txt
cd "$(dirname "$0")"
here=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A folder of what was compiled before: that of a script that checks several proofs, in one run.
compiled=${1:-$work/compiled}

# The limits of a folder: the bytes of a file, the bytes of all files, and the number of files.
file_bytes=1073741824
all_bytes=4294967296
most_files=100000

fail() {
    echo "$1" >&2
    exit 1
}

# Checks by their names and sizes that the files are those that SHA256SUMS names, and then hashes them.
check_files() {
    [ -z "$(find . -name '*[[:cntrl:]]*')" ] || fail "the folder holds a name with control characters"
    others=$(find . ! -type f ! -type d)
    [ -z "$others" ] || fail "the folder holds more than files and folders: $others"
    large=$(find . -type f -size +"$file_bytes"c)
    [ -z "$large" ] || fail "$large: it has more than $file_bytes bytes"
    find . -type f -exec ls -ln {} + | awk -v most="$all_bytes" -v files="$most_files" '
        { bytes += $5 }
        END { exit !(bytes <= most && NR <= files) }
    ' || fail "the folder has more than $all_bytes bytes or $most_files files"
    find . -type f ! -path ./SHA256SUMS | sed 's|^\./||' | sort > "$work/files"
    sed 's/^[0-9a-f]\{64\}  //' SHA256SUMS | sort > "$work/sealed"
    cmp -s "$work/files" "$work/sealed" || fail "SHA256SUMS: it does not have a line for each file of the folder"
    sha256sum -c --quiet SHA256SUMS || fail "SHA256SUMS: the folder has changed"
}

# Prints the claims of result.json, one a line, between tabs: the part, a time or a status, a configuration, and the
# configuration that it equals. Reads the form in which autotune writes JSON, and refuses any other.
claims() {
    awk '
        function refuse(why) {
            print "result.json: line " NR ": " why > "/dev/stderr"
            exit refused = 1
        }
        function take(name, value, pattern) {
            if (value !~ pattern) refuse("`" name "` is not understood")
            return value
        }
        function begin() { first = second = third = "" }
        # A record is the optimum, or an entry of a list; `depth` is the level of its values.
        function note(name, value) {
            if (level == 1 && name == "ties_omitted") omitted = take(name, value, "^[0-9]+$")
            if (level == 1 && name == "verdict") print name "\t" value
            if (level == 2 && keys[1] == "proof" && name == "property") print name "\t" value
            if (level == 2 && keys[1] == "schedules" && name == "verdict") print "orders\t" value
            if (level == 4 && keys[1] == "schedules" && keys[2] == "may_win" && name == "ticks" && !rivals++)
                print "rival\t" take(name, value, "^[0-9]+$")
            if (level == 6 && keys[1] == "schedules" && keys[2] == "explored" && keys[4] == "waves" && name ~ /^(least|greatest)$/)
                print "wave\t" explored "/wave-" wave "\t" name "\t" take(name, value, "^[0-9]+$")
            if (level == depth && name == "ticks" && keys[1] != "configurations") first = take(name, value, "^[0-9]+$")
            if (level == depth && name == "status") first = take(name, value, "^\"[a-z]+\"$")
            holder = keys[1] == "ties" && level == depth ? "parameters" : level == depth + 1 ? keys[depth] : ""
            if (holder != "parameters" && holder != "same_as") return
            one = take(name, name, "^[A-Za-z_][A-Za-z_0-9]*$") "=" take(name, value, "^-?[0-9]+$")
            if (holder == "parameters") second = second (second == "" ? "" : " ") one
            else third = third (third == "" ? "" : " ") one
        }
        {
            text = $0
            sub(/^ */, "", text)
            closes = text ~ /^[]}],?$/
            level -= closes
            if (length($0) - length(text) != 2 * level) refuse("it is not written as autotune writes JSON")
            sub(/,$/, "", text)
            if (closes) {
                if (text != closing[level]) refuse("a bracket does not close what was opened")
                if (depth && level == depth - 1) print keys[1] "\t" first "\t" second "\t" third
                next
            }
            if (NR > 1 && level == 0 || NR == 1 && text != "{") refuse("it is not one object")
            key = ""
            if (level > 0 && closing[level - 1] == "}") {
                if (!match(text, /^"[^"\\]*": /)) refuse("it has no name")
                key = substr(text, 2, RLENGTH - 4)
                text = substr(text, RLENGTH + 1)
                if (seen[level, key] == objects[level - 1]) refuse("`" key "` is there twice")
                seen[level, key] = objects[level - 1]
            }
            keys[level] = key
            if (level == 1) depth = key == "optimum" ? 2 : key ~ /^(ties|top|configurations)$/ ? 3 : 0
            if (depth && level == depth - 1) begin()
            if (text ~ /^[[{]$/) {
                closing[level] = text == "{" ? "}" : "]"
                if (level == 3 && keys[1] == "schedules" && keys[2] == "explored") { explored++; wave = 0 }
                if (level == 5 && keys[1] == "schedules" && keys[4] == "waves") wave++
                objects[level++] = NR
            } else note(key, text)
        }
        END {
            if (refused) exit 1
            if (level != 0) refuse("its end is missing")
            print "omitted\t" omitted + 0
        }
    ' result.json > "$work/claims"
}

# Prints the column of the claims of a part: the part, and the column.
claimed() {
    awk -F '\t' -v part="$1" -v column="$2" '$1 == part { print $column }' "$work/claims"
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

# Replays a kept trail: its run must end in DONE at T.
replay() {
    cp "$1" kept.trail
    AUTOTUNE_MT=$((ticks + 1)) ./pan -w16 -r -S kept.trail > output 2>&1 || true
    end=$(grep 'autotune: ' output) || fail "$model/$1: its replay shows no end of a run"
    at=" DONE at $((ticks >> 30)) \* 2^30 + $((ticks & 1073741823))\$"
    number=$(echo "$end" | sed -n "s/^autotune: configuration \([0-9]*\)$at/\1/p")
    [ -n "$number" ] || fail "$model/$1: its run does not end at $ticks: $end"
    echo "  $(sed -n "$((number + 1))p" configurations.txt) ends at $ticks"
}

# Checks that each configuration ends once and not before T, and notes those that end at T.
check_ends() {
    awk -v high=$((ticks >> 30)) -v low=$((ticks & 1073741823)) -v model="$model" '
        function refuse(why) {
            print model ": " why > "/dev/stderr"
            exit refused = 1
        }
        FILENAME == "configurations.txt" { label[FNR - 1] = $0; next }
        !/^autotune: / { next }
        !/^autotune: configuration [0-9]+ (DONE|CUT) at [0-9]+ \* 2\^30 \+ [0-9]+$/ { refuse("not understood: " $0) }
        !($3 in label) { refuse("it has no configuration " $3) }
        $3 in ended { refuse(label[$3] " ends twice") }
        { ended[$3] }
        $6 < high || $6 == high && $10 < low { refuse("a run ends before T: " $0) }
        $6 == high && $10 == low && $4 == "CUT" { refuse("a run was cut before T + 1: " $0) }
        $6 == high && $10 == low { print label[$3] }
        END {
            if (refused) exit 1
            for (number in label) if (!(number in ended)) refuse(label[number] " was not run")
        }
    ' configurations.txt output > ends
    cat ends >> "$work/fastest"
    cat configurations.txt >> "$work/searched"
    echo "  $(wc -l < ends) end at $ticks, $(($(wc -l < configurations.txt) - $(wc -l < ends))) later"
}

# Compiles the two programs of a model, each once for equal texts and options: models differ in their tables alone, which a
# program reads when it runs. Both are compiled at a time, in a folder that has nothing but what SPIN made.
compile() {
    made=$compiled/$({ echo "$compile"; cat pan.?; } | sha256sum | cut -c 1-64)
    if [ ! -x "$made/pan_ends" ]; then
        mkdir -p "$made"
        cp pan.? "$made"
        (
            cd "$made"
            # shellcheck disable=SC2086
            "${CC:-cc}" $compile -o pan pan.c &
            # shellcheck disable=SC2086
            "${CC:-cc}" $compile -DNOCLAIM -DPRINTF -o ends pan.c || fail "$model: it cannot be compiled"
            wait $! || fail "$model: it cannot be compiled"
            mv ends pan_ends
        ) || exit 1
    fi
    cp "$made/pan" "$made/pan_ends" .
}

# Copies a model, enters the copy, and reads its options.
enter() {
    [ -f "$model/search.sh" ] || fail "$model: it has no search.sh"
    rm -rf "$work/model"
    cp -R "$here/$model" "$work/model"
    cd "$work/model"
    . ./search.sh
}

# Has SPIN translate the model, and compiles it.
build() {
    "${SPIN:-spin}" -a model.pml > output || fail "$model: SPIN refuses it: $(cat output)"
    compile
}

check() {
    enter
    [ "$ticks" = "$claimed" ] || fail "$model/search.sh: it is about $ticks ticks, result.json claims $claimed"
    echo "$model: $(wc -l < configurations.txt) configurations"
    build
    search pan "$ticks" "[] (DONE -> (time >= $ticks))" 0
    errors=0
    for trail in witnesses/*-$((ticks + 1))-*.trail; do
        if [ -e "$trail" ]; then errors=1; fi
    done
    search pan $((ticks + 1)) "[] (DONE -> (time >= $((ticks + 1))))" "$errors"
    for trail in witnesses/*-$((ticks + 1))-*.trail; do
        [ -e "$trail" ] || continue
        replay "$trail"
        witnesses=$((witnesses + 1))
    done
    search pan_ends $((ticks + 1)) "no run gets stuck" 0
    check_ends
    cd "$here"
}

# Checks all models of a place, and the time that is claimed for it.
place() {
    claimed=$2
    [ "${#claimed}" -le 19 ] || fail "result.json: $claimed is not a number of ticks"
    witnesses=0
    : > "$work/fastest"
    : > "$work/searched"
    for model in "$1"/model-*; do
        [ -d "$model" ] || fail "$1: it holds no model"
        check
    done
    [ "$witnesses" -gt 0 ] || fail "$1: no trail shows a run that takes $claimed ticks"
    sort -o "$work/fastest" "$work/fastest"
    sort -o "$work/searched" "$work/searched"
    [ -z "$(uniq -d "$work/searched")" ] || fail "$1: $(uniq -d "$work/searched"): it is searched twice"
}

# Checks that the configurations of a claim end at T; with `all`, that it names all of them. The claim is on standard
# input: configurations, each with the one that it equals.
check_named() {
    awk -F '\t' -v work="$work" -v all="$1" '
        function refuse(why) {
            print "result.json: " why > "/dev/stderr"
            exit refused = 1
        }
        FILENAME == work "/fastest" { fastest[$1]; next }
        FILENAME == work "/searched" { searched[$1]; next }
        { twin = $2 == "" || $1 in searched ? $1 : $2 }
        $1 in named { refuse($1 " is named twice") }
        !(twin in fastest) { refuse($1 " is named, but no model shows that it takes this time") }
        { named[$1]; equal += twin != $1 }
        END {
            if (refused) exit 1
            for (label in fastest) if (all && !(label in named)) refuse(label " takes this time, but is not named")
            if (equal) print "  " equal " more are named, which result.json says to be equal to one of these"
        }
    ' "$work/fastest" "$work/searched" -
}

# Checks the optimum and its ties: the same are listed as optimal, each once.
check_ties() {
    awk -F '\t' '$1 == "configurations" && $2 == "\"optimum\"" { print $3 "\t" $4 }' "$work/claims" > "$work/optimal"
    cut -f 1 "$work/optimal" | sort > "$work/listed"
    { claimed optimum 3; claimed ties 3; } | sort > "$work/named"
    [ -z "$(comm -13 "$work/listed" "$work/named")" ] ||
        fail "result.json: $(comm -13 "$work/listed" "$work/named"): it is named as optimal, but not listed as such"
    [ "$(wc -l < "$work/listed")" = $(($(wc -l < "$work/named") + $(claimed omitted 2))) ] ||
        fail "result.json: the optimum and its ties are not the configurations that are listed as optimal"
    check_named all < "$work/optimal"
}

# Replays the trail of the last search: its run must end behind the bound, at the time that is expected if one is.
replay_slow() {
    AUTOTUNE_MT=$1 ./pan -w16 -N greatest -r > output 2>&1 || true
    # shellcheck disable=SC2046
    set -- "$1" "$2" $(sed -n 's/^ *autotune: configuration 0 DONE at \([0-9]*\) \* 2^30 + \([0-9]*\)$/\1 \2/p' output)
    [ "$#" = 4 ] || fail "$model: the replay shows no end of a run"
    end=$((($3 << 30) + $4))
    [ "$end" -gt "$1" ] || fail "$model: its run ends at $end"
    [ -z "$2" ] || [ "$end" = "$2" ] || fail "$model: its run ends at $end, result.json says $2"
    echo "  a run of the optimum's wave takes $end"
}

# Checks the run of a configuration that may win, if only its own is known: it takes the claimed time.
rival() {
    model=schedules/rival/launch
    [ -f "$model/search.sh" ] || return 0
    enter
    build
    search pan_ends $(($1 + 1)) "the run of $(cat configuration.txt) ends" 0
    at="DONE at $(($1 >> 30)) \* 2^30 + $(($1 & 1073741823))\$"
    grep -q "^autotune: configuration 0 $at" output || fail "$model: its run does not take $1 ticks"
    echo "  $(cat configuration.txt) takes $1"
    cd "$here"
}

# Checks a slow run: of a wave of the optimum, longer than the bound in its search.sh.
slow() {
    model=$1
    enter
    build
    search="$search -N greatest"
    search pan "$greatest" "no order ends after $greatest" 1
    replay_slow "$greatest" "$2"
    cd "$here"
}

# Checks a wave in every order: its model, its least time and its greatest time. With the optimum, SPIN shows that no order ends
# before the least time or behind the greatest one; with another configuration, that none ends before its least time.
wave() {
    model=schedules/$1
    enter
    build
    search pan_ends "$3" "no order gets stuck" 0
    awk '
        !/^autotune: / { next }
        !/^autotune: configuration 0 DONE at [0-9]+ \* 2\^30 \+ [0-9]+$/ { exit refused = 1 }
        { print $6, $10 }
        END { if (refused) print "refused" }
    ' output | sort -n -k 1,1 -k 2,2 > ends
    if [ ! -s ends ] || grep -q refused ends; then fail "$model: the ends of its orders are not understood"; fi
    # shellcheck disable=SC2046
    set -- "$@" $(head -n 1 ends) $(tail -n 1 ends)
    found="$((($4 << 30) + $5)) $((($6 << 30) + $7))"
    [ "$found" = "$2 $3" ] || fail "$model: its orders take $found ticks, result.json says $2 $3"
    options=$search
    search="$options -N least"
    search pan "$2" "no order ends before $2" 0
    case $1 in
    1/*)
        search="$options -N greatest"
        search pan "$3" "no order ends after $3" 0
        ;;
    esac
    cd "$here"
}

# Checks the waves that were explored in every order, or the slow runs of an optimum that another configuration may beat. The sums of waves, the bounds of other configurations and the runs of those
# that may win check.py shows.
check_schedules() {
    [ "$(claimed orders 2)" != '"open"' ] || return 0
    if [ "$(claimed orders 2)" = '"some"' ]; then
        awk -F '\t' '$1 == "wave" && $3 == "greatest" { print $2, $4 }' "$work/claims" > "$work/waves"
        grep '^1/' "$work/waves" > "$work/slow" || echo "slow/wave-1 " > "$work/slow"
        while read -r name greatest; do
            slow "schedules/$name" "$greatest"
        done < "$work/slow"
        rival "$(claimed rival 2)"
        return 0
    fi
    awk -F '\t' '$1 == "wave" { time[$2, $3] = $4; if ($3 == "least") order[++n] = $2 }
        END { for (i = 1; i <= n; i++) print order[i], time[order[i], "least"], time[order[i], "greatest"] }
    ' "$work/claims" > "$work/waves"
    [ -s "$work/waves" ] || fail "result.json: no wave was explored"
    while read -r name least greatest; do
        wave "$name" "$least" "$greatest"
    done < "$work/waves"
    echo "  $(wc -l < "$work/waves") waves take their least and greatest times in every order of simultaneous events"
}

check_files
claims
[ "$(claimed verdict 2)" = '"proved"' ] || fail "result.json: it is not a proof"
proved=$(claimed property 2 | sed -n 's/^"\[\] (DONE -> (time >= \([0-9]*\)))"$/\1/p')
[ -n "$proved" ] || fail "result.json: its property is missing or not understood"
optimum=$(claimed optimum 2)
[ "$optimum" = "$proved" ] || fail "result.json: the optimum takes $optimum ticks, but the property is about $proved"
place proof "$proved"
check_ties
places=1
last=$(claimed top 2 | tail -n 1)
# Configurations of equal time share a place.
for time in $(claimed top 2 | uniq); do
    if [ "$places" = 1 ]; then
        [ "$time" = "$proved" ] || fail "result.json: the first of the best takes $time ticks, not $proved"
    else
        comm -23 "$work/searched" "$work/fastest" > "$work/slower"
        place "top-$places" "$time"
        cmp -s "$work/slower" "$work/searched" || fail "top-$places: its models are not of all that are slower"
    fi
    all=1
    [ "$time" != "$last" ] || all=
    awk -F '\t' -v time="$time" '$1 == "top" && $2 == time { print $3 "\t" $4 }' "$work/claims" | check_named "$all"
    places=$((places + 1))
done
[ -z "$(claimed orders 2)" ] || check_schedules
echo "the times and configurations are those of result.json: the optimum, its ties, and the best in top"
