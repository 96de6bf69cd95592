#compdef pcsf
# Completion of pcsf for zsh 5 and later. From `pcsf --show-completion zsh`.
#
# pcsf answers lines of three fields parted by tabs: a kind, a value, what it means.
# Nothing of an answer is ever evaluated.
_pcsf() {
    local line kind value help command=${(Q)words[1]} answered= folders=
    local -a before fields plain open globs
    [[ $command == '~/'* ]] && command=$HOME/${command#'~/'}
    before=("${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}")
    for line in "${(@f)$(_PCSF_COMPLETE=complete_zsh _PCSF_WORDS=${(pj:\x1f:)before} command $command 2>/dev/null </dev/null)}"; do
        fields=("${(@ps:\t:)line}")
        kind=$fields[1] value=$fields[2] help=$fields[3]
        case $kind in
        (answer) answered=1 ;;
        (value)
            line=${value//(#m)[\\:]/\\$MATCH}${help:+:${help//\\/\\\\}}
            if [[ $value == *[=,/] ]]; then open+=($line); else plain+=($line); fi
            ;;
        (file) globs+=($value) ;;
        (folder) folders=1 ;;
        esac
    done
    local found=1
    (( $#plain )) && _describe -t values value plain && found=0
    (( $#open )) && _describe -t more value open -S '' && found=0
    if (( $#globs )); then
        compset -P '--[^=]##='
        if [[ ${globs[(r)\*]} == '*' ]]; then
            _files && found=0
        else
            { _files -g "(${(j:|:)globs})(-.)" || _files } && found=0
        fi
    elif [[ -n $folders ]]; then
        compset -P '--[^=]##='
        _files -/ && found=0
    fi
    [[ -z $answered ]] && _files && found=0
    return found
}

if [[ $funcstack[1] == _pcsf ]]; then
    _pcsf "$@"
else
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
    compdef _pcsf pcsf
fi
