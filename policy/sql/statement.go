package sql

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// beforeStatement are the words after which a statement can begin inside of
// another one.
var beforeStatement = set("( ) BEGIN THEN ELSE LOOP ANALYZE VERBOSE DO")

// statementWords are the first words of the statements that matter.
var statementWords = set("DROP TRUNCATE DELETE UPDATE ALTER CREATE COPY GRANT DO EXECUTE EXEC PREPARE CALL MATCH MERGE RESTORE REMOVE")

// statement reads a statement, and every further one inside of it: a DELETE in a
// WITH is one too.
func (r *Reading) statement(tokens []token) {
	if tokens[0].upper == "EXPLAIN" && !hasWord(tokens[:min(8, len(tokens))], "ANALYZE") {
		return
	}
	r.switches(tokens)
	r.secrets(tokens)
	inner := 0
	for i := range tokens {
		r.calls(tokens[i:])
		if i > 0 && !beforeStatement[tokens[i-1].upper] || !statementWords[tokens[i].upper] {
			continue
		}
		if inner++; inner > maxInner {
			r.drop(unreadable, true)
			return
		}
		switch tokens[i].upper {
		case "DO", "EXECUTE", "EXEC", "PREPARE", "CALL":
			if inner == 1 || i == 0 { // the first of them has read all strings
				r.runs(tokens[i:])
			}
		default:
			r.changes(tokens[i:])
		}
	}
}

// switches reads USE, CONNECT and ATTACH.
func (r *Reading) switches(tokens []token) {
	switch tokens[0].upper {
	case "USE", "CONNECT":
		r.moved(strings.TrimSuffix(join(tokens[1:]), ";"))
	case "ATTACH":
		for _, t := range tokens[1:] {
			if t.upper != "DATABASE" && t.upper != "IF" && t.upper != "NOT" && t.upper != "EXISTS" {
				r.moved("file:" + t.text)
				break
			}
		}
	}
}

// changes reads a statement that changes data, tables or rights.
func (r *Reading) changes(tokens []token) {
	c := &cursor{tokens: tokens}
	switch word := c.word(); word {
	case "DROP":
		r.drops(c)
	case "TRUNCATE":
		r.truncates(c)
	case "DELETE", "UPDATE":
		r.changesRows(c, word)
	case "ALTER":
		r.alters(c)
	case "CREATE":
		r.creates(c)
	case "COPY":
		r.copies(c.rest())
	case "GRANT":
		r.grants(c)
	case "MERGE":
		r.merges(c)
	case "RESTORE":
		if c.peek() == "DATABASE" && hasWord(c.tokens, "REPLACE") {
			c.at++
			r.drop("database "+c.name(), true)
		}
	case "REMOVE": // SurrealDB
		if kind := c.word(); kind == "DATABASE" || kind == "NAMESPACE" || kind == "TABLE" {
			r.drop(strings.ToLower(kind)+" "+c.name(), true)
		}
	case "MATCH": // Neo4j
		if hasWord(c.tokens, "DELETE") && !hasWord(c.tokens, "WHERE") && !hasWord(c.tokens, ":") {
			r.drop("nodes", true)
		}
	}
}

// firstWords begin texts of SQL that may change something.
var firstWords = set("drop truncate delete update alter merge with begin exec execute do call create copy grant replace insert set declare prepare match restore select")

// IsStatement reports whether a text begins as SQL does that may change something.
func IsStatement(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n(;")
	if strings.HasPrefix(text, "--") || strings.HasPrefix(text, "/*") {
		return true
	}
	end := strings.IndexAny(text, " \t\r\n/(")
	return end > 0 && end <= 8 && firstWords[strings.ToLower(text[:end])]
}

func hasWord(tokens []token, word string) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return t.upper == word })
}

// join is the text of some tokens.
func join(tokens []token) string {
	var b strings.Builder
	for _, t := range tokens {
		if b.Len() > 0 && (isWordByte(t.text[0])) {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}

// calls looks at one place of a statement for a function or clause that works with
// files or runs programs.
func (r *Reading) calls(tokens []token) {
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
	verb := effect.Read
	switch name {
	case "ARCHIVE_COMMAND", "RESTORE_COMMAND", "SSL_PASSPHRASE_COMMAND", "ARCHIVE_CLEANUP_COMMAND", "RECOVERY_END_COMMAND":
		if tokens[1].upper == "=" || tokens[1].upper == "TO" {
			r.shell(argument())
		}
		return
	case "XP_CMDSHELL", "SYS_EXEC", "SYS_EVAL":
		if command := argument(); command != "" {
			r.shell(command)
		}
		return
	case "OUTFILE", "DUMPFILE", "LO_EXPORT", "WRITEFILE":
		verb = effect.Write
	case "LOAD_FILE", "PG_READ_FILE", "PG_READ_BINARY_FILE", "LO_IMPORT", "INFILE", "READ_TEXT", "READ_BLOB", "READ_CSV", "READ_CSV_AUTO", "READ_JSON", "READ_PARQUET", "PG_LS_DIR", "READFILE":
	default:
		return
	}
	if file := argument(); file != "" {
		r.does(verb, file)
	}
}
