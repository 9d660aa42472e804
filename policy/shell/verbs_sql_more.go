package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/sql"
)

// mysqlShell runs SQL, or JavaScript or Python that calls the server.
func mysqlShell(a *act) {
	sqlClient(mySQL, "e execute exe sqle", "f file")(a)
	l := cutLine(a.Args, valued("e execute f file u user h host P port D schema uri"), shortens)
	for _, text := range append(l.values("e", "execute"), a.in.text) {
		if !a.r.pay(len(text)) {
			return
		}
		if lost := sql.Lost(text, sql.MySQLX); lost != "" {
			a.drops(lost)
			return
		}
	}
}

// sqlOperands is for clients that are given SQL as words: db2 drop table x.
func sqlOperands(a *act) {
	l := a.line(valued("f r z l output search-path workspace-database"))
	words := l.operands
	switch a.Name {
	case "steampipe":
		words = l.from(1)
	case "sqlite-utils":
		if l.operand(0) == "drop-table" {
			a.add(effect.Effect{Verb: effect.Drop, Object: "table " + l.operand(2)})
			return
		}
		words = nil
		for _, word := range l.operands {
			if strings.Contains(word, " ") {
				words = append(words, word)
			}
		}
	case "db2":
		for _, arg := range a.Args {
			if flags, ok := strings.CutPrefix(arg, "-"); ok && strings.HasSuffix(flags, "f") && len(words) > 0 { // -tvf FILE
				a.sqlFile(words[0], standardSQL)
				return
			}
		}
	}
	if len(words) > 0 {
		a.sql(strings.Join(words, " "), standardSQL)
		return
	}
	a.sqlInput(standardSQL)
}

// dataFlags are the flags by which the command lines of clouds are given SQL.
var dataFlags = valued("sql sqls sql-statements statement statements query-string ddl querytext sql-query sql-text sql-command")

// sqlFlags reads SQL that the command line of a cloud hands to a database of it.
func (a *act) sqlFlags() {
	for i := 0; i < len(a.Args); i++ {
		name, text, attached := strings.Cut(a.Args[i], "=")
		flag, long := strings.CutPrefix(name, "--")
		short := name == "-q" && a.Name == "az"
		if !short && (!long || !dataFlags[flag]) {
			continue
		}
		if attached {
			a.sql(text, standardSQL)
		}
		for !attached && i+1 < len(a.Args) && !strings.HasPrefix(a.Args[i+1], "--") {
			i++
			a.sql(a.Args[i], standardSQL)
		}
	}
}
