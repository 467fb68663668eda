# Completions of autotune for fish. The program says what may stand at the cursor. fish does not show what stands behind it.
function __autotune_complete
    set -l before (commandline -opc)
    set -l typed (commandline -ct)
    # A quote may still be open.
    set -l word (string unescape -- "$typed"; or string trim -l -c '"\'' -- "$typed")
    set -l program (string replace -r '^~/' "$HOME/" -- $before[1])
    set -l answer ($program complete fish (count $before) $before "$word" 2>/dev/null)
    test (count $answer) -ge 4; or return
    set -l fixed $answer[1]
    set -l rest $answer[2]
    test (count $answer) -gt 4; and printf '%s\n' $fixed$answer[5..-1]
    # fish's own functions look for a folder that is called ~.
    set -l at (string replace -r '^~/' "$HOME/" -- "$rest")
    set -l found
    switch $answer[3]
        case none
            return
        case folders
            set found (__fish_complete_directories (string escape -- "$at") '')
        case files
            set found (__fish_complete_path "$at")
        case '*'
            set -l all (__fish_complete_path "$at")
            set -l endings (string replace -a . '\.' -- $answer[3] | string replace -a ' ' '|')
            set found (string match -r -- '^[^\t]*(?:/|'$endings')(?:\t.*)?$' $all)
            test (count $found) -gt 0; or set found $all
    end
    test "$at" = "$rest"; or set found (string replace -- "$HOME/" '~/' $found)
    test (count $found) -gt 0; and printf '%s\n' $fixed$found
end
complete -c autotune -e
complete -c autotune -k -f -a '(__autotune_complete)'
