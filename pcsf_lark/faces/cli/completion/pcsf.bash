# Completion of pcsf for bash 4.4 and later. From `pcsf --show-completion bash`.
#
# pcsf answers lines of three fields parted by tabs: a kind, a value, what it means.
# Nothing of an answer is ever evaluated.
_pcsf() {
    local kind value typed=${COMP_WORDS[COMP_CWORD]} answered='' paths='' line
    local IFS=$'\x1f'
    local words="${COMP_WORDS[*]:1:COMP_CWORD}"
    COMPREPLY=()
    while IFS=$'\t' read -r kind value _; do
        case $kind in
        answer)
            answered=1
            typed=$value
            ;;
        value)
            [[ $value == *[=,/] ]] && compopt -o nospace 2>/dev/null
            [[ $value == *[!A-Za-z0-9_./:=@%+,~-]* ]] && printf -v value %q "$value"
            COMPREPLY+=("$value")
            ;;
        file | folder)
            paths=1
            while IFS= read -r line; do
                COMPREPLY+=("$line")
            done < <(
                [[ $kind == file ]] && compgen -f -X "!$value" -- "$typed"
                # Folders always, since what is meant may lie in one.
                [[ $value == '*' ]] || compgen -d -- "$typed"
            )
            ;;
        esac
    done < <(_PCSF_COMPLETE=complete_bash _PCSF_WORDS="$words" "${1/#\~\//$HOME/}" 2>/dev/null </dev/null)
    if [[ $paths ]]; then
        compopt -o filenames 2>/dev/null
        [[ ${COMPREPLY[*]} ]] || mapfile -t COMPREPLY < <(compgen -f -- "$typed")
    elif [[ $answered ]]; then
        # The names of files that happen to lie about are no answer.
        compopt +o default 2>/dev/null
    fi
    return 0
}

complete -o default -F _pcsf pcsf
