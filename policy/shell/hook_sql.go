package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
)

// platformSQL is a shell for a database of a platform: SQL in a flag, in a word or in
// the input.
func platformSQL(a *act, in *command.Reading) {
	for _, role := range []string{"command", "execute", "words"} {
		for _, text := range in.Values(role) {
			if strings.Contains(text, " ") {
				a.sql(text, standardSQL)
			}
		}
	}
	a.sqlFlags()
	a.sqlInput(standardSQL)
}

// wranglerSQL is wrangler d1 execute; with --local nothing is lost.
func wranglerSQL(a *act, in *command.Reading) {
	for _, text := range in.Values("command") {
		a.sqlIn(text, standardSQL, in.Has("local") && !in.Has("remote"))
	}
	for _, file := range in.Values("file") {
		a.sqlFile(file, standardSQL)
	}
}
