package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// sqlCursor walks over the tokens of a statement.
type sqlCursor struct {
	tokens []sqlToken
	at     int
}

// word takes the next word.
func (c *sqlCursor) word() string {
	if c.at >= len(c.tokens) {
		return ""
	}
	c.at++
	return c.tokens[c.at-1].upper
}

// peek is the next word.
func (c *sqlCursor) peek() string {
	if c.at >= len(c.tokens) {
		return ""
	}
	return c.tokens[c.at].upper
}

// skip takes the words if they are next.
func (c *sqlCursor) skip(words ...string) {
	for _, word := range words {
		if c.peek() == word {
			c.at++
		}
	}
}

func (c *sqlCursor) rest() []sqlToken { return c.tokens[min(c.at, len(c.tokens)):] }

// name takes a name of one or several parts: schema.table.
func (c *sqlCursor) name() string {
	var b strings.Builder
	for c.at < len(c.tokens) {
		t := c.tokens[c.at]
		switch {
		case t.upper == "#" || t.upper == "%" || t.upper == "." || t.upper == "?" || t.upper == ":" && b.Len() == 0:
		case t.upper != "" && !isSQLWord(t.text[0]):
			return b.String()
		}
		b.WriteString(t.text)
		c.at++
		if t.upper != "#" && t.upper != "." && t.upper != ":" && c.peek() != "." {
			break
		}
	}
	return b.String()
}

// names takes a list of names.
func (c *sqlCursor) names() []string {
	var list []string
	for {
		name := c.name()
		if name == "" {
			return list
		}
		list = append(list, name)
		if c.peek() != "," || len(list) >= mostSQL {
			return list
		}
		c.at++
		c.skip("ONLY")
	}
}

// isTemporary reports whether a table ends with the session, and forgets it if
// it is dropped: the next of that name is another one.
func (s *sqlReading) isTemporary(name string, dropped bool) bool {
	key := strings.ToLower(name)
	is := s.temporary[key] || strings.HasPrefix(name, "#") || strings.HasPrefix(key, "pg_temp.") || strings.HasPrefix(key, "tempdb.") || strings.HasPrefix(key, "temp.")
	if dropped {
		delete(s.temporary, key)
	}
	return is
}

func (s *sqlReading) drops(c *sqlCursor) {
	kind := c.word()
	if kind == "TEMPORARY" {
		return
	}
	if kind == "FOREIGN" || kind == "EXTERNAL" || kind == "MATERIALIZED" { // the data is elsewhere
		return
	}
	c.skip("IF", "EXISTS")
	switch kind {
	case "TABLE":
		for _, name := range c.names() {
			if !s.isTemporary(name, true) {
				s.drop("table "+name, false)
			}
		}
	case "DATABASE", "SCHEMA", "KEYSPACE", "OWNED", "TABLESPACE", "BUCKET", "GRAPH":
		c.skip("BY")
		for _, name := range c.names() {
			s.drop(strings.ToLower(kind)+" "+name, true)
		}
	case "USER", "ROLE", "LOGIN", "MEASUREMENT", "STREAM", "COLUMNFAMILY", "COLLECTION", "SHARE":
		for _, name := range c.names() {
			s.drop(strings.ToLower(kind)+" "+name, false)
		}
	case "SERIES":
		s.drop("series", true)
	case "TYPE", "DOMAIN", "EXTENSION":
		names := c.names()
		if c.peek() == "CASCADE" {
			for _, name := range names {
				s.drop("columns of "+strings.ToLower(kind)+" "+name, true)
			}
		}
	}
}

func (s *sqlReading) truncates(c *sqlCursor) {
	if c.peek() == "(" {
		return
	}
	c.skip("TABLE", "ALL", "TABLES", "FROM", "DATABASE", "IF", "EXISTS", "ONLY")
	for _, name := range c.names() {
		if !s.isTemporary(name, false) {
			s.drop("rows of "+name, true)
		}
	}
}

// changesRows notes a DELETE or UPDATE of all rows.
func (s *sqlReading) changesRows(c *sqlCursor, verb string) {
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
				if !alwaysTrue(c.rest()[i+1:]) {
					return
				}
				depth = -1
			}
		}
		if depth < 0 {
			break
		}
	}
	if (verb == "DELETE" || sets) && !s.isTemporary(name, false) {
		s.drop("rows of "+name, true)
	}
}

func (s *sqlReading) alters(c *sqlCursor) {
	switch kind := c.word(); kind {
	case "TABLE", "COLUMNFAMILY":
	case "USER", "ROLE":
		s.superuser(c)
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
			if c.peek() == "WHERE" && alwaysTrue(c.tokens[c.at+1:]) {
				s.drop("rows of "+table, true)
			}
		case "DISABLE":
			if c.peek() == "ROW" {
				s.add(effect.Effect{Verb: effect.Disarm, Object: "row level security of " + table})
			}
		case "DROP":
			if depth == 0 {
				s.dropsPart(c, table)
			}
		}
	}
}

// dropsPart is what follows ALTER TABLE x DROP.
func (s *sqlReading) dropsPart(c *sqlCursor, table string) {
	switch c.peek() {
	case "CONSTRAINT", "INDEX", "KEY", "PRIMARY", "FOREIGN", "DEFAULT", "NOT", "CHECK", "EXPRESSION", "IDENTITY", "PROJECTION", "STATISTICS", "UNIQUE":
		return
	case "PARTITION":
		s.drop("partition of "+table, true)
		return
	}
	c.skip("COLUMN", "COLUMNS", "IF", "EXISTS")
	columns := []string{c.name()}
	if c.peek() == "(" {
		c.at++
		columns = c.names()
	}
	for _, column := range columns {
		if column != "" && !s.isTemporary(table, false) {
			s.drop("column "+column+" of "+table, false)
		}
	}
}

func (s *sqlReading) creates(c *sqlCursor) {
	c.skip("OR", "REPLACE", "GLOBAL", "LOCAL")
	switch c.word() {
	case "TEMP", "TEMPORARY":
		c.skip("UNLOGGED", "TABLE", "IF", "NOT", "EXISTS")
		if name := c.name(); len(s.temporary) < mostSQL {
			s.temporary[strings.ToLower(name)] = true
		}
	case "USER", "ROLE", "LOGIN":
		s.superuser(c)
	case "FUNCTION", "PROCEDURE":
		s.inLanguage(c.rest())
	}
}

func (s *sqlReading) superuser(c *sqlCursor) {
	c.skip("IF", "NOT", "EXISTS")
	name := c.name()
	for _, t := range c.rest() {
		switch t.upper {
		case "SUPERUSER", "CREATEROLE", "BYPASSRLS", "SYSADMIN", "ACCOUNTADMIN":
			s.add(effect.Effect{Verb: effect.Grant, Object: strings.ToLower(t.text) + " to " + name})
		}
	}
}

func (s *sqlReading) grants(c *sqlCursor) {
	if first := c.word(); first != "ALL" && first != "SUPER" && first != "RDS_SUPERUSER" && first != "SYSADMIN" && first != "ACCOUNTADMIN" && first != "DBA" {
		return
	}
	s.add(effect.Effect{Verb: effect.Grant, Object: sqlJoin(c.tokens[1:min(len(c.tokens), 16)])})
}

// copies is COPY: to and from files and programs.
func (s *sqlReading) copies(tokens []sqlToken) {
	for i := 0; i+1 < len(tokens); i++ {
		verb := effect.Read
		switch tokens[i].upper {
		case "TO":
			verb = effect.Write
		case "FROM":
		default:
			continue
		}
		switch next := tokens[i+1]; {
		case next.upper == "PROGRAM" && i+2 < len(tokens):
			if verb == effect.Write {
				s.fed = append(s.fed, tokens[i+2].text)
			} else {
				s.scripts = append(s.scripts, tokens[i+2].text)
			}
		case next.str:
			s.add(effect.Effect{Verb: verb, Object: next.text})
		}
	}
}
