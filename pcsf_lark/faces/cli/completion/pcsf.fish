# Completion of pcsf for fish 3 and later. From `pcsf --show-completion fish`.
#
# pcsf answers lines of three fields parted by tabs: a kind, a value, what it means.
# Nothing of an answer is ever evaluated.
function __pcsf_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l called (string replace -r '^~/' "$HOME/" -- $words[1])
    set -l sent (string join \x1f -- $words[2..-1] "$typed")
    set -l option (string match -r '^--[^=]+=' -- $typed)
    set -l rest (string replace -r '^--[^=]+=' '' -- "$typed")
    set -l patterns
    for line in (_PCSF_COMPLETE=complete_fish _PCSF_WORDS="$sent" command $called 2>/dev/null </dev/null)
        set -l fields (string split -m 2 \t -- $line)
        switch "$fields[1]"
            case value
                printf '%s\t%s\n' $fields[2] "$fields[3]"
            case file
                set -a patterns $fields[2]
            case folder
                set -a patterns '*/'
        end
    end
    set -q patterns[1]
    or return
    set -l paths (complete -C "__pcsf_files $rest" | string replace -r '\t.*' '')
    # Folders always, since what is meant may lie in one; else what there is.
    set -l fitting
    for path in $paths
        for pattern in $patterns '*/'
            if string match -q -- $pattern $path
                set -a fitting $path
                break
            end
        end
    end
    set -q fitting[1]
    or set fitting $paths
    for path in $fitting
        printf '%s\n' "$option$path"
    end
end

complete -c pcsf -f -a '(__pcsf_complete)'
