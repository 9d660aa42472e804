package sql

import (
	"slices"
	"strings"
)

// runs reads DO, EXECUTE, PREPARE and CALL, which run what stands in their strings.
func (r *Reading) runs(tokens []token) {
	c := &cursor{tokens: tokens}
	switch c.word() {
	case "PREPARE":
		r.prepares(c)
	case "DO":
		if r.inLanguage(tokens) {
			return
		}
	}
	for _, text := range stringsIn(c.rest()) {
		r.text(text)
	}
}

// prepares reads the statement in PREPARE x AS DELETE ...
func (r *Reading) prepares(c *cursor) {
	for i, t := range c.rest() {
		if t.upper == "AS" && i+1 < len(c.rest()) && r.depth < maxDepth {
			r.depth++
			r.statement(c.rest()[i+1:])
			r.depth--
			return
		}
	}
}

// runsStrings reports whether a text runs what stands in its strings: through a
// variable that is prepared or executed, or row by row.
func runsStrings(text string, statements [][]token) bool {
	if strings.Contains(text, `\gexec`) {
		return true
	}
	for _, tokens := range statements {
		for i, t := range tokens {
			switch t.upper {
			case "PREPARE", "EXECUTE", "EXEC", "SP_EXECUTESQL", "IMMEDIATE":
				if slices.ContainsFunc(tokens[i+1:min(len(tokens), i+5)], func(t token) bool { return strings.HasPrefix(t.upper, "@") }) {
					return true
				}
			}
		}
	}
	return false
}

// stringsIn returns the strings among tokens. Strings that are concatenated are
// one, and a name between them stands for itself.
func stringsIn(tokens []token) []string {
	var list []string
	open, concat := false, false
	for i, t := range tokens {
		joined := i > 0 && (tokens[i-1].upper == "|" || tokens[i-1].upper == "||" || tokens[i-1].upper == "+" || tokens[i-1].upper == "," && concat)
		switch t.upper {
		case "CONCAT", "CONCAT_WS":
			concat = true
		case ")":
			concat = false
		}
		switch {
		case t.str && open && joined, open && joined && t.upper != "" && isWordByte(t.text[0]):
			list[len(list)-1] += t.text
		case t.str:
			list = append(list, t.text)
			open = true
		case t.upper != "|" && t.upper != "||" && t.upper != "+" && (t.upper != "," || !concat):
			open = false
		}
	}
	return list
}

// languages are the procedural languages of PostgreSQL that reach the machine.
var languages = []struct{ prefix, language string }{
	{"plpython", "python"}, {"plperl", "perl"}, {"plruby", "ruby"}, {"plsh", "shell"}, {"pltcl", "tcl"},
}

// inLanguage reads a block or function in one of languages, and reports whether it
// is one.
func (r *Reading) inLanguage(tokens []token) bool {
	name, body := "", ""
	for i, t := range tokens {
		if t.upper == "LANGUAGE" && i+1 < len(tokens) {
			name = strings.ToLower(tokens[i+1].text)
		} else if t.str && len(t.text) > len(body) {
			body = t.text
		}
	}
	for _, of := range languages {
		if strings.HasPrefix(name, of.prefix) {
			r.Code = append(r.Code, Code{Language: of.language, Text: body})
			return true
		}
	}
	return false
}
