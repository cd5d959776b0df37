package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// This file mends cobra's script for bash, which is made for words without commas, and
// for shells that have the package bash-completion.

// bashHelpers are the functions that the script calls in place of bash's own and of those
// of bash-completion.
const bashHelpers = `
# Quotes words for the command line, a line each, as printf %q does, but for commas: that
# puts a backslash before each, which nobody types, so that no list would go on.
__rtcluster_quote()
{
    local word quoted
    for word in "$@"; do
        printf -v quoted "%q" "$word"
        __rtcluster_bare_commas quoted
        printf "%s\n" "$quoted"
    done
}

# Takes the backslashes before commas from the quoted word in a variable. In $'...' there
# are none.
__rtcluster_bare_commas()
{
    [[ ${!1} == \$* ]] || printf -v "$1" "%s" "${!1//\\,/,}"
}

# Completes names of files, of any ending where bash-completion is missing.
__rtcluster_filedir()
{
    if declare -F _filedir >/dev/null; then
        _filedir "$@"
    fi
}

# Sets cur, prev, words and cword as _get_comp_words_by_ref -n =: does, for a shell that
# lacks it: words that bash parts at = and : are one.
__rtcluster_words()
{
    local rest=${COMP_LINE:0:COMP_POINT} blanks word i
    words=() cword=-1
    for ((i = 0; i <= COMP_CWORD; i++)); do
        blanks=${rest%%[![:space:]]*}
        rest=${rest#"$blanks"}
        word=${COMP_WORDS[i]}
        if ((i == COMP_CWORD)); then
            word=$rest # what is behind the cursor does not count
        fi
        if ((i == 0)) || [[ -n $blanks ]]; then
            words[++cword]=$word
        else
            words[cword]+=$word
        fi
        rest=${rest#"$word"}
    done
    cur=${words[cword]} prev=
    if ((cword > 0)); then
        prev=${words[cword-1]}
    fi
}
`

// completeBash has the command that cobra brings write the mended script.
func (a *app) completeBash(completion *cobra.Command) {
	bash, _, err := completion.Find([]string{"bash"})
	if err != nil {
		return
	}
	bash.RunE = func(cmd *cobra.Command, _ []string) error {
		plain, err := cmd.Flags().GetBool("no-descriptions")
		if err != nil {
			return err
		}
		var script bytes.Buffer
		if err := cmd.Root().GenBashCompletionV2(&script, !plain); err != nil {
			return fmt.Errorf("completion for bash: %w", err)
		}
		_, err = a.out.Write([]byte(mendBash(script.String())))
		return writeError("-", err)
	}
}

// mendBash lets cobra's script offer words with commas, and do without bash-completion.
func mendBash(script string) string {
	first, rest, _ := strings.Cut(script, "\n") // what script it is
	return first + "\n" + bashHelpers + strings.NewReplacer(
		// The words offered, and the one chosen.
		`printf "%q\n" "`, `__rtcluster_quote "`,
		`=$(printf "%q" "`, `=$(__rtcluster_quote "`,
		`        [[ $comp == "$cur"* ]]`, "        __rtcluster_bare_commas comp\n"+`        [[ $comp == "$cur"* ]]`,
		// What bash-completion has.
		` _filedir`, ` __rtcluster_filedir`,
		`"_filedir`, `"__rtcluster_filedir`,
		`    _get_comp_words_by_ref "$@" cur prev words cword`, `    if declare -F _get_comp_words_by_ref >/dev/null; then
        _get_comp_words_by_ref "$@" cur prev words cword
    else
        __rtcluster_words
    fi`,
	).Replace(rest)
}
