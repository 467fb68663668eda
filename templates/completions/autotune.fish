# Completions of autotune for fish. The program says what may stand at the cursor.
function __autotune_complete
    set -l before (commandline -opc)
    set -l typed (commandline -ct)
    # A quote may still be open.
    set -l word (string unescape -- "$typed"; or string trim -l -c '"\'' -- "$typed")
    set -l behind (commandline -op)
    set -l first (math (count $before) + 1)
    test -n (commandline -t); and set first (math $first + 1)
    set -l program (string replace -r '^~/' "$HOME/" -- $before[1])
    set -l answer ($program complete fish (count $before) $before "$word" $behind[$first..-1] 2>/dev/null)
    test (count $answer) -ge 4; or return
    set -l fixed $answer[1]
    set -l rest $answer[2]
    test (count $answer) -gt 4; and printf '%s\n' $fixed$answer[5..-1]
    set -l found
    switch $answer[3]
        case none
            return
        case folders
            set found (__fish_complete_directories $rest '')
        case files
            set found (__fish_complete_path $rest)
        case '*'
            set -l all (__fish_complete_path $rest)
            set -l endings (string replace -a . '\.' -- $answer[3] | string replace -a ' ' '|')
            set found (string match -r -- '^[^\t]*(?:/|'$endings')(?:\t.*)?$' $all)
            test (count $found) -gt 0; or set found $all
    end
    test (count $found) -gt 0; and printf '%s\n' $fixed$found
end
complete -c autotune -e
complete -c autotune -k -f -a '(__autotune_complete)'
