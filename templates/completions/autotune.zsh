#compdef autotune
# Completions of autotune for zsh. The program says what may stand at the cursor.
_autotune() {
    local -a typed answer described open endings
    local line program fixed files about ret=1
    typed=("${words[@]}")
    typed[CURRENT]=$PREFIX
    typed=("${(@Q)typed}")
    program=${typed[1]/#\~\//$HOME/}
    answer=("${(@f)$("$program" complete zsh $((CURRENT - 1)) "${(@)typed}" 2>/dev/null)}")
    ((${#answer} >= 4)) || return 1
    fixed=$answer[1] files=$answer[3]
    [[ $answer[4] == open ]] && open=(-S '')
    if [[ -n $fixed ]]; then
        compset -P "${(b)fixed}" || return 1
    fi
    for line in "${(@)answer[5,-1]}"; do
        about=${line#*$'\t'}
        described+=("${${line%%$'\t'*}//:/\\:}${about:+:$about}")
    done
    ((${#described})) && _describe -V argument described "${open[@]}" && ret=0
    case $files in
    none) ;;
    folders) _files -/ && ret=0 ;;
    files) _files && ret=0 ;;
    *)
        endings=("${(@)${=files}#.}")
        _files -g "*.(${(j:|:)endings})(-.)" && ret=0
        ;;
    esac
    return ret
}
if [[ $funcstack[1] == _autotune ]]; then
    _autotune "$@"
else
    compdef _autotune autotune
fi
