# Completions of autotune for bash. The program says what may stand at the cursor.
_autotune() {
    local answer line fixed rest files cut='' candidate path found=() listed=() kind=-f is_mixed='' is_quoted=''
    COMPREPLY=()
    mapfile -t answer < <("${1/#\~\//$HOME/}" complete bash "${COMP_LINE:0:COMP_POINT}" "${COMP_LINE:COMP_POINT}" 2>/dev/null)
    ((${#answer[@]} >= 4)) || return 0
    fixed=${answer[0]} rest=${answer[1]} files=${answer[2]}
    # Bash replaces a part of the word: $2.
    if [[ $fixed$rest == *"$2" ]]; then
        cut=$fixed$rest cut=${cut%"$2"}
    else
        # The word was typed with quotes. What takes its place needs quotes, too, but within a quote that is still open.
        local singles=${2//[^\']/} doubles=${2//[^\"]/}
        [[ $singles && $doubles ]] && return 0
        is_quoted=closed
        (((${#singles} + ${#doubles}) % 2)) && is_quoted=open
    fi
    for line in "${answer[@]:4}"; do
        candidate=$fixed${line%%$'\t'*}
        [[ $candidate == "$fixed$rest"* ]] || continue
        candidate=${candidate#"$cut"}
        [[ $is_quoted == closed ]] && printf -v candidate %q "$candidate"
        COMPREPLY+=("$candidate")
    done
    [[ ${answer[3]} == open ]] && compopt -o nospace 2>/dev/null
    [[ $files == none ]] && return 0
    [[ $files == folders ]] && kind=-d
    # Bash quotes files and ends folders with a slash, if nothing but files may stand there.
    ((${#COMPREPLY[@]})) && is_mixed=1
    while IFS= read -r path; do
        if [[ -d ${path/#\~\//$HOME/} ]]; then
            [[ $fixed || $is_mixed ]] && path+=/
            listed+=("$path")
        elif [[ $files != .* || " $files " == *" .${path##*.} "* ]]; then
            listed+=("$path")
        fi
        found+=("$path")
    done < <(compgen "$kind" -- "$rest")
    ((${#listed[@]})) || listed=("${found[@]}")
    for path in "${listed[@]}"; do
        case $is_mixed$is_quoted in
        1closed) printf -v path %q "$fixed$path" ;;
        1) printf -v path %q "$path" && path=$fixed${path/#\\\~/\~} ;;
        *) path=$fixed$path ;;
        esac
        COMPREPLY+=("${path#"$cut"}")
    done
    [[ $is_mixed ]] || compopt -o filenames 2>/dev/null
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == */ ]] && compopt -o nospace 2>/dev/null
    return 0
}
complete -o nosort -F _autotune autotune 2>/dev/null || complete -F _autotune autotune
