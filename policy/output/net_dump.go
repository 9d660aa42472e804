package output

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// printsDump reports whether a command prints what a database holds, also one that
// runs elsewhere for it.
func printsDump(a *invocation.Act) bool {
	if says(a, "inner") {
		for i, arg := range a.Args {
			for word := range strings.FieldsSeq(arg) {
				if isDump(path.Base(word)) {
					return !leavesRows(path.Base(word), a.Args[i:])
				}
			}
		}
		return copies(a.Args)
	}
	return says(a, "rows") && copies(a.Args) || says(a, "database") && !leavesRows(a.Name, a.Args)
}

// isDump reports whether a program prints what a database holds by its nature.
func isDump(name string) bool {
	return slices.ContainsFunc(command.Builtin().Outputs(name), func(o command.Output) bool { return o.Prints == "database" && o.If == nil })
}

// leavesRows reports whether a dump is of the tables alone, without what is in
// them.
func leavesRows(name string, args []string) bool {
	return slices.ContainsFunc(args, func(s string) bool {
		return s == "-s" || s == "--schema-only" || s == "--no-data" || s == "-d" && strings.HasPrefix(name, "mysql") || strings.Contains(s, " --schema-only") || strings.Contains(s, " --no-data")
	})
}

// copies reports whether a statement prints a table for others: COPY ... TO STDOUT.
func copies(args []string) bool {
	return slices.ContainsFunc(args, func(s string) bool {
		return len(s) <= follow.MostStatement && hasFold(s, "copy") && hasFold(s, "to stdout")
	})
}

// printsRows reports whether a statement in the arguments asks for all rows of a
// table.
func printsRows(args []string) bool {
	return slices.ContainsFunc(args, func(s string) bool {
		return len(s) <= follow.MostStatement && hasFold(s, "select") && hasFold(s, "* from ") && !hasFold(s, " where ") && !hasFold(s, " limit ") && !hasFold(s, "information_schema") && !hasFold(s, "from pg_")
	})
}

// hasFold reports whether a text has a word in letters of any case. The word is in
// small ones.
func hasFold(s, word string) bool {
	for i := 0; i+len(word) <= len(s); i++ {
		if s[i]|0x20 == word[0]|0x20 && strings.EqualFold(s[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

// Watches reports whether a command prints what people type, say or see.
func Watches(a *invocation.Act) bool { return says(a, "watched") }

// showsEnvironment reports whether ps is told to show the variables of processes:
// the letter e without a dash, or -E.
func showsEnvironment(args []string) bool {
	for i, arg := range args {
		if strings.Contains(arg, "=") || i > 0 && strings.HasPrefix(args[i-1], "-") {
			continue
		}
		if body, dashes := invocation.CutDashes(arg); dashes == 0 && strings.Contains(body, "e") && strings.Trim(body, "acefghlmnrsuvwxSTUXjo") == "" || dashes == 1 && strings.Contains(body, "E") {
			return true
		}
	}
	return false
}
