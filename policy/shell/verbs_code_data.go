package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/scan"
)

// Programs of any language talk to databases by calls that look alike. They are
// found by their names and by what stands around them.

// nearby is how much of a program is looked at around a name, mostStatement how
// much of a text that is given to a database.
const (
	nearby        = 64
	mostStatement = 4096
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
func (a *act) losesRows(program string) {
	eachName(program, func(name, before, after string) bool {
		if !isMember(before) || !losesAll(name, strings.TrimRight(before, " \t\n"), after) {
			return true
		}
		a.add(effect.Effect{Verb: effect.Drop, Object: "rows by " + name, Wide: true})
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
		return empty && (endsWithAny(before, ".objects.", ".objects.all().", ".objects.filter().", "::query()->", ".delete_queryset.") ||
			strings.Contains(before, "DB::table(") && strings.HasSuffix(before, ")->") && !strings.Contains(before, "where") ||
			strings.Contains(before, ".query(") && strings.HasSuffix(before, ").") && !strings.Contains(before, "filter") && !strings.Contains(before, "where"))
	case "delete_all", "destroy_all":
		return !strings.Contains(strings.SplitN(args, ")", 2)[0], "where") && isModel(before)
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
	for start > 0 && isNameByte(before[start-1]) {
		start--
	}
	return ok && start < len(before) && 'A' <= before[start] && before[start] <= 'Z'
}

func endsWithAny(s string, ends ...string) bool {
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

// cutQuote returns the text in quotes that something begins with.
func cutQuote(s string) (string, bool) {
	s = strings.TrimLeft(s, " \n\t")
	if s == "" || strings.IndexByte("\"'`", s[0]) < 0 {
		return "", false
	}
	text, _, _ := strings.Cut(s[1:], s[:1])
	return text, true
}

// queriesIn reads the texts that a program gives to a database, for languages in
// which the database is not followed.
func (a *act) queriesIn(program string) {
	left := mostQuoted
	at := 0
	eachName(program, func(name, _, after string) bool {
		at = strings.Index(program[at:], name) + at + len(name)
		switch name {
		case "query", "execute", "exec", "raw", "unsafe", "run", "prepare", "none", "any", "executeSql", "$executeRaw", "$executeRawUnsafe", "$queryRaw", "$queryRawUnsafe", "sql", "Exec", "ExecContext", "Query", "executeUpdate":
		default:
			return true
		}
		if _, ok := cutQuote(strings.TrimPrefix(strings.TrimLeft(after, " "), "(")); !ok {
			return true
		}
		text, _ := cutQuote(strings.TrimPrefix(strings.TrimLeft(program[at:min(len(program), at+mostStatement)], " "), "("))
		switch word, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(text[:min(len(text), nearby)])), " "); word {
		case "drop", "truncate", "delete", "alter", "begin", "begin;", "with", "set":
			if a.r.pay(len(text)) {
				a.sql(text, standardSQL)
			}
		}
		left--
		return left > 0
	})
}
