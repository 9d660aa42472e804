package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// SQLEffects says what a text of SQL would destroy, read, write or grant, for
// tools that hand it to a database. It is read as every dialect reads it: what
// one takes for a comment or a string another one may run. Paths are those of
// the database's machine, and commands that it would run there count too.
func SQLEffects(text string) []effect.Effect {
	var list []effect.Effect
	for _, in := range []sqlDialect{standardSQL, mySQL} {
		s := readSQL(text, in)
		for i, script := range append(s.scripts, s.fed...) {
			r := Read(script, Setting{})
			for n := range r.Effects {
				if e := &r.Effects[n]; i >= len(s.scripts) && (e.Verb == effect.Send || e.Verb == effect.Connect) && e.From == "" {
					e.Verb, e.From = effect.Send, "database"
				}
			}
			s.effects = append(s.effects, r.Effects...)
		}
		where := store{}
		s.each(&where, func(e effect.Effect) {
			e.Command, e.Remote = -1, true
			e.Scratch = e.Verb == effect.Drop && where.losesNothing(e.Object)
			if e.How == "" {
				e.How = "sql"
			}
			if len(list) < MaxEffects && !slices.Contains(list, e) {
				list = append(list, e)
			}
		})
	}
	return list
}

// sqlReading is what a text of SQL would do.
type sqlReading struct {
	in      sqlDialect
	effects []effect.Effect
	// scripts are for a shell, files hold more SQL. fed are scripts that are
	// given what is in the database.
	scripts, files, fed []string
	// temporary are the tables that end with the session.
	temporary map[string]bool
	// moves are the databases that it goes on in.
	moves []sqlMove
	depth int
}

// sqlMove is another database, and how many effects came before it.
type sqlMove struct {
	after int
	to    string
}

// moved notes that what follows is in another database.
func (s *sqlReading) moved(to string) {
	if len(s.moves) < mostSQL {
		s.moves = append(s.moves, sqlMove{len(s.effects), to})
	}
}

// each goes through the effects, in the databases that they are in.
func (s *sqlReading) each(in *store, f func(effect.Effect)) {
	moves := s.moves
	for i, e := range s.effects {
		for ; len(moves) > 0 && moves[0].after <= i; moves = moves[1:] {
			in.goes(moves[0].to)
		}
		f(e)
	}
	for _, move := range moves {
		in.goes(move.to)
	}
}

const (
	// mostSQL is how many effects a text of SQL has.
	mostSQL = 256
	// mostSQLDepth is how deep texts of SQL nest: DO, EXECUTE.
	mostSQLDepth = 4
	// mostInside is how many statements one statement may hold.
	mostInside = 32
)

func readSQL(text string, in sqlDialect) *sqlReading {
	s := &sqlReading{in: in, temporary: map[string]bool{}}
	s.text(text)
	return s
}

func (s *sqlReading) text(text string) {
	if s.depth >= mostSQLDepth {
		return
	}
	s.depth++
	statements, all := sqlStatements(s.meta(text), s.in)
	for _, statement := range statements {
		s.statement(statement)
	}
	if s.runsTexts(text, statements) {
		for _, statement := range statements {
			for _, text := range sqlTexts(statement) {
				s.text(text)
			}
		}
	}
	if !all {
		s.drop("more than can be read", true)
	}
	s.depth--
}

func (s *sqlReading) add(e effect.Effect) {
	if len(s.effects) < mostSQL && (len(s.moves) > 0 || !slices.Contains(s.effects, e)) {
		s.effects = append(s.effects, e)
	}
}

func (s *sqlReading) drop(what string, wide bool) {
	s.add(effect.Effect{Verb: effect.Drop, Object: what, Wide: wide})
}

// meta takes the lines out that are for the client: \! and .shell and the like.
func (s *sqlReading) meta(text string) string {
	var rest strings.Builder
	for full := range strings.Lines(text) {
		trimmed := strings.TrimSpace(full)
		s.connects(full)
		switch {
		case strings.HasPrefix(trimmed, "."):
			s.dot(trimmed)
			continue
		case strings.HasPrefix(trimmed, `\`):
			s.backslash(trimmed)
			continue
		case s.in.hash && len(trimmed) > 7 && strings.EqualFold(trimmed[:7], "system "):
			s.scripts = append(s.scripts, trimmed[7:])
			continue
		}
		if before, command, ok := strings.Cut(full, `\!`); ok {
			s.scripts = append(s.scripts, command)
			full = before
		}
		for _, pipe := range []string{`\g |`, `\gx |`, `\o |`} {
			if before, command, ok := strings.Cut(full, pipe); ok {
				s.scripts = append(s.scripts, command)
				full = before + ";"
			}
		}
		for _, connect := range []string{`\c `, `\connect `} {
			if before, _, ok := strings.Cut(full, connect); ok {
				full = before + ";\n"
			}
		}
		rest.WriteString(full)
	}
	return rest.String()
}

// connects looks in a line for the commands of clients that go to another
// database.
func (s *sqlReading) connects(line string) {
	if rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), ":"); ok && len(rest) > 8 && strings.EqualFold(rest[:8], "connect ") { // sqlcmd
		s.moved(rest[8:])
	}
	for {
		i := strings.IndexByte(line, '\\')
		if i < 0 {
			return
		}
		line = line[i+1:]
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "c", "connect", "u", "r":
			to, _, _ := strings.Cut(rest, `\`)
			s.moved(to)
		}
	}
}

// backslash is a line for psql, or for mysql.
func (s *sqlReading) backslash(text string) {
	if _, command, ok := strings.Cut(text, `\!`); ok {
		s.scripts = append(s.scripts, command)
		return
	}
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case `\o`, `\out`, `\g`, `\gx`, `\w`, `\write`, `\copy`:
		if i := strings.Index(rest, "|"); i == 0 {
			s.scripts = append(s.scripts, rest[1:])
		} else if word == `\copy` {
			s.text("COPY " + rest)
			s.copiesHere(rest)
		} else if rest != "" {
			s.add(effect.Effect{Verb: effect.Write, Object: strings.Trim(rest, "'")})
		}
	case `\set`: // a variable, which may be run
		if _, text, ok := strings.Cut(rest, "'"); ok {
			s.text(strings.TrimSuffix(text, "'"))
		}
	case `\i`, `\ir`, `\include`, `\.`:
		s.files = append(s.files, strings.Trim(rest, "'"))
	}
}

// copiesHere is \copy, which may name its file without quotes.
func (s *sqlReading) copiesHere(text string) {
	words := strings.Fields(text)
	depth := 0 // in a query
	for i := 0; i+1 < len(words); i++ {
		depth += strings.Count(words[i], "(") - strings.Count(words[i], ")")
		file := words[i+1]
		if depth > 0 || file[0] == '\'' || strings.EqualFold(file, "program") || strings.EqualFold(file, "stdout") || strings.EqualFold(file, "stdin") {
			continue
		}
		switch strings.ToLower(words[i]) {
		case "to":
			s.add(effect.Effect{Verb: effect.Write, Object: file})
		case "from":
			s.add(effect.Effect{Verb: effect.Read, Object: file})
		}
	}
}

// dot is a line for sqlite3 or duckdb.
func (s *sqlReading) dot(text string) {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	bare := strings.Trim(rest, `'"`)
	switch {
	case word == ".sh", word == ".she", word == ".shel", word == ".shell", word == ".sys", word == ".syst", word == ".syste", word == ".system":
		s.scripts = append(s.scripts, rest)
	case strings.HasPrefix(bare, "|"):
		s.scripts = append(s.scripts, bare[1:])
	case word == ".open", word == ".op", word == ".ope":
		s.moved(lastOf(strings.Fields(bare)))
	case word == ".read":
		s.files = append(s.files, bare)
	case word == ".output", word == ".once", word == ".backup", word == ".save", word == ".log", word == ".dump" && bare != "" && strings.Contains(bare, "/"):
		s.add(effect.Effect{Verb: effect.Write, Object: bare})
	case word == ".restore" && bare != "":
		s.drop("database", true)
	case word == ".load":
		s.add(effect.Effect{Verb: effect.Run, Object: bare})
	case word == ".import":
		file, _, _ := strings.Cut(bare, " ")
		s.add(effect.Effect{Verb: effect.Read, Object: strings.Trim(file, `'"`)})
	}
}

// sqlBegins are the words after which a statement can begin inside another one.
var sqlBegins = valued("( ) BEGIN THEN ELSE LOOP ANALYZE VERBOSE DO")

// sqlStarts are the words that are looked at there.
var sqlStarts = valued("DROP TRUNCATE DELETE UPDATE ALTER CREATE COPY GRANT DO EXECUTE EXEC PREPARE CALL MATCH MERGE RESTORE REMOVE")

// statement looks at each place where a statement begins: DELETE in a WITH is
// one too.
func (s *sqlReading) statement(tokens []sqlToken) {
	if tokens[0].upper == "EXPLAIN" && !slices.ContainsFunc(tokens[:min(8, len(tokens))], func(t sqlToken) bool { return t.upper == "ANALYZE" }) {
		return
	}
	switch tokens[0].upper {
	case "USE", "CONNECT":
		s.moved(strings.TrimSuffix(sqlJoin(tokens[1:]), ";"))
	case "ATTACH":
		for _, t := range tokens[1:] {
			if t.upper != "DATABASE" && t.upper != "IF" && t.upper != "NOT" && t.upper != "EXISTS" {
				s.moved("file:" + t.text)
				break
			}
		}
	}
	s.sqlSecrets(tokens)
	inside := 0
	for i := range tokens {
		s.calls(tokens[i:])
		if i > 0 && !sqlBegins[tokens[i-1].upper] || !sqlStarts[tokens[i].upper] {
			continue
		}
		if inside++; inside > mostInside {
			s.drop("more than can be read", true)
			return
		}
		c := &sqlCursor{tokens: tokens[i:]}
		switch c.word() {
		case "DROP":
			s.drops(c)
		case "TRUNCATE":
			s.truncates(c)
		case "DELETE", "UPDATE":
			s.changesRows(c, tokens[i].upper)
		case "ALTER":
			s.alters(c)
		case "CREATE":
			s.creates(c)
		case "COPY":
			s.copies(c.rest())
		case "GRANT":
			s.grants(c)
		case "DO", "EXECUTE", "EXEC", "PREPARE", "CALL":
			if inside > 1 && i > 0 { // the first has looked at all strings
				continue
			}
			if tokens[i].upper == "PREPARE" {
				s.prepares(c)
			}
			if tokens[i].upper == "DO" && s.inLanguage(tokens[i:]) {
				continue
			}
			for _, text := range sqlTexts(c.rest()) {
				s.text(text)
			}
		case "MERGE":
			s.merges(c)
		case "RESTORE":
			if c.peek() == "DATABASE" && sqlHas(c.tokens, "REPLACE") {
				c.at++
				s.drop("database "+c.name(), true)
			}
		case "REMOVE": // SurrealDB
			if kind := c.word(); kind == "DATABASE" || kind == "NAMESPACE" || kind == "TABLE" {
				s.drop(strings.ToLower(kind)+" "+c.name(), true)
			}
		case "MATCH":
			if sqlHas(c.tokens, "DELETE") && !sqlHas(c.tokens, "WHERE") && !sqlHas(c.tokens, ":") {
				s.drop("nodes", true)
			}
		}
	}
}

// sqlTexts are the strings among tokens, those that are put together as one. A
// name between them stands for itself.
func sqlTexts(tokens []sqlToken) []string {
	var list []string
	open, together := false, false
	for i, t := range tokens {
		joined := i > 0 && (tokens[i-1].upper == "|" || tokens[i-1].upper == "||" || tokens[i-1].upper == "+" || tokens[i-1].upper == "," && together)
		switch t.upper {
		case "CONCAT", "CONCAT_WS":
			together = true
		case ")":
			together = false
		}
		switch {
		case t.str && open && joined, open && joined && t.upper != "" && isSQLWord(t.text[0]):
			list[len(list)-1] += t.text
		case t.str:
			list = append(list, t.text)
			open = true
		case t.upper != "|" && t.upper != "||" && t.upper != "+" && (t.upper != "," || !together):
			open = false
		}
	}
	return list
}

// calls looks for functions and clauses that work on files or run programs.
func (s *sqlReading) calls(tokens []sqlToken) {
	name := tokens[0].upper
	if name == "" || len(tokens) < 2 {
		return
	}
	argument := func() string {
		for _, t := range tokens[1:min(len(tokens), 8)] {
			if t.str || t.upper == "" { // MySQL has strings in double quotes too
				return t.text
			}
		}
		return ""
	}
	switch name {
	case "ARCHIVE_COMMAND", "RESTORE_COMMAND", "SSL_PASSPHRASE_COMMAND", "ARCHIVE_CLEANUP_COMMAND", "RECOVERY_END_COMMAND":
		if tokens[1].upper == "=" || tokens[1].upper == "TO" {
			s.scripts = append(s.scripts, argument())
		}
	case "XP_CMDSHELL", "SYS_EXEC", "SYS_EVAL":
		if command := argument(); command != "" {
			s.scripts = append(s.scripts, command)
		}
	case "OUTFILE", "DUMPFILE", "LO_EXPORT":
		if file := argument(); file != "" {
			s.add(effect.Effect{Verb: effect.Write, Object: file})
		}
	case "LOAD_FILE", "PG_READ_FILE", "PG_READ_BINARY_FILE", "LO_IMPORT", "INFILE", "READ_TEXT", "READ_BLOB", "READ_CSV", "READ_CSV_AUTO", "READ_JSON", "READ_PARQUET", "PG_LS_DIR", "READFILE":
		if file := argument(); file != "" {
			s.add(effect.Effect{Verb: effect.Read, Object: file})
		}
	case "WRITEFILE":
		if file := argument(); file != "" {
			s.add(effect.Effect{Verb: effect.Write, Object: file})
		}
	}
}

func sqlJoin(tokens []sqlToken) string {
	var b strings.Builder
	for _, t := range tokens {
		if b.Len() > 0 && (isSQLWord(t.text[0])) {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}
