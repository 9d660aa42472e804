package follow

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/scan"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Firm is a value that stands for itself, as written, and is not empty.
func Firm(written string) invocation.Value {
	return invocation.Value{Texts: []invocation.Text{{As: written, Bare: written}}}
}

// Programs of any language talk to databases by calls that look alike. They are
// found by their names and by what stands around them.

// nearby is how much of a program is looked at around a name, mostStatement how
// much of a text that is given to a database.
const (
	nearby        = 64
	MostStatement = 4096
)

// eachName calls f for each name in a program, with a little of what stands before
// and after it, until f returns false.
func eachName(program string, f func(name, before, after string) bool) {
	eachNameWith(program, nearby, f)
}

// eachNameWith is eachName with more of what stands after a name.
func eachNameWith(program string, reach int, f func(name, before, after string) bool) {
	scan.Names(program, reach, f)
}

// losesRows notes that a program deletes all of something in a database.
func losesRows(a *invocation.Act, program string) {
	eachName(program, func(name, before, after string) bool {
		if !isMember(before) || !losesAll(name, strings.TrimRight(before, " \t\n"), after) {
			return true
		}
		a.Add(effect.Effect{Verb: effect.Drop, Object: "rows by " + name, Wide: true})
		return false
	})
}

// isMember reports whether a name is one of something.
func isMember(before string) bool {
	return strings.HasSuffix(before, ".") || strings.HasSuffix(before, "->") || strings.HasSuffix(before, "::")
}

// losesAll reports whether a call by which a library for databases deletes is
// for all that there is.
func losesAll(name, before, after string) bool {
	args, called := strings.CutPrefix(after, "(")
	first := strings.TrimLeft(args, " \n\t")
	empty := called && strings.HasPrefix(first, ")")
	switch name {
	case "delete", "_raw_delete", "forceDelete":
		return empty && (EndsWithAny(before, ".objects.", ".objects.all().", ".objects.filter().", "::query()->", ".delete_queryset.") || isWhole(before))
	case "delete_all", "destroy_all":
		return isModel(before)
	case "truncate":
		return empty && !strings.HasSuffix(before, ".")
	case "deleteMany", "delete_many", "remove_all":
		return empty || called && strings.HasPrefix(strings.NewReplacer(" ", "", "\n", "").Replace(first), "{})")
	case "dropDatabase", "drop_database", "drop_collection", "drop_all", "dropAllTables", "dropSchema", "dropTable", "drop_table", "drop_tables", "dropIfExists", "flushall", "flushdb", "flushAll", "flushDb":
		return called
	case "drop":
		return called && (strings.HasSuffix(before, "Schema::") || strings.Contains(before, ".collection(") && strings.HasSuffix(before, ").") || empty && strings.Contains(before, "db."))
	case "destroy":
		return called && switchesOn(first, "truncate")
	case "sync":
		return called && switchesOn(first, "force")
	}
	return false
}

// switchesOn reports whether the options of a call switch something on.
func switchesOn(options, name string) bool {
	options, _, _ = strings.Cut(options, "}")
	_, value, ok := strings.Cut(options, name)
	return ok && strings.HasPrefix(strings.TrimLeft(value, " :"), "true")
}

// isModel reports whether what stands before a call is a model itself, not some
// of its rows.
func isModel(before string) bool {
	for _, all := range []string{".unscoped.", ".all.", ".in_batches."} {
		if rest, ok := strings.CutSuffix(before, all); ok {
			before = rest + "."
		}
	}
	before, ok := strings.CutSuffix(before, ".")
	start := len(before)
	for start > 0 && invocation.IsNameByte(before[start-1]) {
		start--
	}
	return ok && start < len(before) && 'A' <= before[start] && before[start] <= 'Z'
}

// isWhole reports whether the calls before a call are about a table, and none of them
// chooses some of its rows. What is in their parentheses says nothing.
func isWhole(before string) bool {
	links, depth, start := []string{}, 0, -1
	for i := range len(before) {
		switch c := before[i]; {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0 && invocation.IsNameByte(c):
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			links = append(links, before[start:i])
		}
		start = -1
	}
	last := invocation.LastOf(links)
	return last == "query" || last == "table" && slices.Contains(links, "DB")
}

// EndsWithAny reports whether a text ends with one of some endings.
func EndsWithAny(s string, ends ...string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(s, end) })
}

// isScratch reports whether a database is in memory or among temporary files.
func isScratch(database string) bool {
	switch database {
	case ":memory:", "sqlite://", "sqlite:///:memory:", "sqlite::memory:", "sqlite+aiosqlite://":
		return true
	}
	return isTemporary(strings.TrimPrefix(database, "sqlite:///"))
}

// isTemporary reports whether a path is below the directory for temporary files, and
// stays there.
func isTemporary(p string) bool {
	return strings.HasPrefix(p, "/tmp/") && !strings.Contains(p, "..")
}

// CutQuote returns the text in quotes that something begins with.
func CutQuote(s string) (string, bool) {
	s = strings.TrimLeft(s, " \n\t")
	if s == "" || strings.IndexByte("\"'`", s[0]) < 0 {
		return "", false
	}
	text, _, _ := strings.Cut(s[1:], s[:1])
	return text, true
}

// After is the value that follows a word of the command: the of in
// openssl -in key.pem. Programs with one dash before long options take them so.
func After(a *invocation.Act, names ...string) []string {
	var list []string
	for i := 0; i+1 < len(a.Args); i++ {
		if slices.Contains(names, a.Args[i]) {
			i++
			list = append(list, a.Args[i])
		}
	}
	return list
}

// MostAddresses is how many addresses, or mounts, of one command are looked at.
const MostAddresses = 64

// Few are as many as are looked at.
func Few(a *invocation.Act, list []string) []string {
	if len(list) > MostAddresses {
		a.Doubt(invocation.Many)
		list = list[:MostAddresses]
	}
	return list
}
