package sql

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// isTemporary reports whether a table ends with the session. One that is dropped is
// forgotten: the next table of that name is another one.
func (r *Reading) isTemporary(name string, dropped bool) bool {
	key := strings.ToLower(name)
	is := r.temporary[key] || strings.HasPrefix(name, "#") || strings.HasPrefix(key, "pg_temp.") || strings.HasPrefix(key, "tempdb.") || strings.HasPrefix(key, "temp.")
	if dropped {
		delete(r.temporary, key)
	}
	return is
}

func (r *Reading) drops(c *cursor) {
	kind := c.word()
	switch kind {
	case "TEMPORARY":
		return
	case "FOREIGN", "EXTERNAL", "MATERIALIZED": // the data is elsewhere
		return
	}
	c.skip("IF", "EXISTS")
	switch kind {
	case "TABLE":
		for _, name := range c.names() {
			if !r.isTemporary(name, true) {
				r.drop("table "+name, false)
			}
		}
	case "DATABASE", "SCHEMA", "KEYSPACE", "OWNED", "TABLESPACE", "BUCKET", "GRAPH":
		c.skip("BY")
		for _, name := range c.names() {
			r.drop(strings.ToLower(kind)+" "+name, true)
		}
	case "USER", "ROLE", "LOGIN", "MEASUREMENT", "STREAM", "COLUMNFAMILY", "COLLECTION", "SHARE":
		for _, name := range c.names() {
			r.drop(strings.ToLower(kind)+" "+name, false)
		}
	case "SERIES":
		r.drop("series", true)
	case "TYPE", "DOMAIN", "EXTENSION":
		names := c.names()
		if c.peek() == "CASCADE" {
			for _, name := range names {
				r.drop("columns of "+strings.ToLower(kind)+" "+name, true)
			}
		}
	}
}

func (r *Reading) truncates(c *cursor) {
	if c.peek() == "(" { // the function
		return
	}
	c.skip("TABLE", "ALL", "TABLES", "FROM", "DATABASE", "IF", "EXISTS", "ONLY")
	for _, name := range c.names() {
		if !r.isTemporary(name, false) {
			r.drop("rows of "+name, true)
		}
	}
}

// changesRows reads DELETE and UPDATE. Those of all rows of a table count.
func (r *Reading) changesRows(c *cursor, verb string) {
	if c.peek() == "TOP" {
		c.at++
		for c.at < len(c.tokens) && c.word() != ")" { //nolint:revive // word takes what it looks at
		}
	}
	c.skip("LOW_PRIORITY", "QUICK", "IGNORE", "FROM", "ONLY")
	if c.peek() == "OR" { // UPDATE OR REPLACE
		c.at += 2
	}
	name := c.name()
	if name == "" || name == "SET" {
		return
	}
	depth, sets := 0, false
	for i, t := range c.rest() {
		switch t.upper {
		case "(":
			depth++
		case ")":
			depth--
		case "SET":
			sets = true
		case "WHERE":
			if depth == 0 {
				if !holdsForAll(c.rest()[i+1:]) {
					return
				}
				depth = -1
			}
		}
		if depth < 0 {
			break
		}
	}
	if (verb == "DELETE" || sets) && !r.isTemporary(name, false) {
		r.drop("rows of "+name, true)
	}
}

func (r *Reading) alters(c *cursor) {
	switch c.word() {
	case "TABLE", "COLUMNFAMILY":
	case "USER", "ROLE":
		r.superuser(c)
		return
	default:
		return
	}
	c.skip("IF", "EXISTS", "ONLY")
	table := c.name()
	depth := 0
	for c.at < len(c.tokens) {
		switch c.word() {
		case "(":
			depth++
		case ")":
			depth--
		case "DELETE": // ClickHouse
			if c.peek() == "WHERE" && holdsForAll(c.tokens[c.at+1:]) {
				r.drop("rows of "+table, true)
			}
		case "DISABLE":
			if c.peek() == "ROW" {
				r.does(effect.Disarm, "row level security of "+table)
			}
		case "DROP":
			if depth == 0 {
				r.dropsPart(c, table)
			}
		}
	}
}

// dropsPart reads what follows ALTER TABLE x DROP.
func (r *Reading) dropsPart(c *cursor, table string) {
	switch c.peek() {
	case "CONSTRAINT", "INDEX", "KEY", "PRIMARY", "FOREIGN", "DEFAULT", "NOT", "CHECK", "EXPRESSION", "IDENTITY", "PROJECTION", "STATISTICS", "UNIQUE":
		return
	case "PARTITION":
		r.drop("partition of "+table, true)
		return
	}
	c.skip("COLUMN", "COLUMNS", "IF", "EXISTS")
	columns := []string{c.name()}
	if c.peek() == "(" {
		c.at++
		columns = c.names()
	}
	for _, column := range columns {
		if column != "" && !r.isTemporary(table, false) {
			r.drop("column "+column+" of "+table, false)
		}
	}
}

// merges reads MERGE: with ON true, WHEN MATCHED THEN DELETE deletes every row.
func (r *Reading) merges(c *cursor) {
	c.skip("INTO", "ONLY")
	table := c.name()
	on, when := -1, -1
	for i, t := range c.tokens {
		switch {
		case t.upper == "ON" && on < 0:
			on = i + 1
		case t.upper == "WHEN" && when < 0:
			when = i
		case t.upper == "DELETE" && i > 1 && c.tokens[i-1].upper == "THEN":
			matched := c.tokens[i-2].upper == "MATCHED" || c.tokens[i-2].upper == "SOURCE"
			if on >= 0 && when > on && matched && (holdsForAll(c.tokens[on:when]) || holdsForNone(c.tokens[on:when])) {
				r.drop("rows of "+table, true)
				return
			}
		}
	}
}
