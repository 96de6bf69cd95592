# Completion of pcsf for bash 4.4 and later. From `pcsf --show-completion bash`.
#
# pcsf answers lines of three fields parted by tabs: a kind, a value, what it means.
# Nothing of an answer is ever evaluated.
_pcsf() {
    local kind value help typed=${COMP_WORDS[COMP_CWORD]} answered=
    local IFS=$'\x1f'
    local words="${COMP_WORDS[*]:1:COMP_CWORD}"
    COMPREPLY=()
    while IFS=$'\t' read -r kind value help; do
        case $kind in
        answer)
            answered=1
            typed=$value
            ;;
        value)
            [[ $value == *[!A-Za-z0-9_./:=@%+,~-]* ]] && printf -v value %q "$value"
            COMPREPLY+=("$value")
            [[ $value == *[=,/] ]] && compopt -o nospace 2>/dev/null
            ;;
        file)
            compopt -o filenames 2>/dev/null
            while IFS= read -r value; do
                COMPREPLY+=("$value")
            done < <(compgen -f -X "!$value" -- "$typed"; [[ $value == '*' ]] || compgen -d -- "$typed")
            ;;
        folder)
            compopt -o filenames 2>/dev/null
            while IFS= read -r value; do
                COMPREPLY+=("$value")
            done < <(compgen -d -- "$typed")
            ;;
        esac
    done < <(_PCSF_COMPLETE=bash _PCSF_WORDS="$words" "${1/#\~\//$HOME/}" 2>/dev/null </dev/null)
    # Where pcsf has answered, the names of files that happen to lie about are no answer.
    [[ $answered ]] && compopt +o default 2>/dev/null
    return 0
}

complete -o default -F _pcsf pcsf
