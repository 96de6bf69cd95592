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
    for line in (_PCSF_COMPLETE=fish _PCSF_WORDS="$sent" command $called 2>/dev/null </dev/null)
        set -l fields (string split -m 2 \t -- $line)
        switch "$fields[1]"
            case value
                printf '%s\t%s\n' $fields[2] "$fields[3]"
            case file
                # Folders always, since what is meant may lie in one.
                for found in (complete -C "__pcsf_files $rest")
                    set -l path (string split -m 1 \t -- $found)[1]
                    string match -q -- $fields[2] $path
                    or string match -q -- '*/' $path
                    and printf '%s\n' "$option$path"
                end
            case folder
                for found in (complete -C "__pcsf_files $rest")
                    set -l path (string split -m 1 \t -- $found)[1]
                    string match -q -- '*/' $path
                    and printf '%s\n' "$option$path"
                end
        end
    end
end

complete -c pcsf -f -a '(__pcsf_complete)'
