package shell

import (
	"slices"
	"strings"
)

func sqlHas(tokens []sqlToken, word string) bool {
	return slices.ContainsFunc(tokens, func(t sqlToken) bool { return t.upper == word })
}

// runsTexts reports whether a text runs what stands in its strings: through a
// variable that is prepared or executed, or row by row.
func (s *sqlReading) runsTexts(text string, statements [][]sqlToken) bool {
	if strings.Contains(text, `\gexec`) {
		return true
	}
	for _, tokens := range statements {
		for i, t := range tokens {
			switch t.upper {
			case "PREPARE", "EXECUTE", "EXEC", "SP_EXECUTESQL", "IMMEDIATE":
				if slices.ContainsFunc(tokens[i+1:min(len(tokens), i+5)], func(t sqlToken) bool { return strings.HasPrefix(t.upper, "@") }) {
					return true
				}
			}
		}
	}
	return false
}

// prepares reads the statement of PREPARE x AS DELETE ...
func (s *sqlReading) prepares(c *sqlCursor) {
	for i, t := range c.rest() {
		if t.upper == "AS" && i+1 < len(c.rest()) && s.depth < mostSQLDepth {
			s.depth++
			s.statement(c.rest()[i+1:])
			s.depth--
			return
		}
	}
}

// inLanguage reads a block or function in another language than SQL, and reports
// whether it is one.
func (s *sqlReading) inLanguage(tokens []sqlToken) bool {
	language, body := "", ""
	for i, t := range tokens {
		if t.upper == "LANGUAGE" && i+1 < len(tokens) {
			language = strings.ToLower(tokens[i+1].text)
		} else if t.str && len(t.text) > len(body) {
			body = t.text
		}
	}
	var program []string
	switch {
	case strings.HasPrefix(language, "plpython"):
		program = []string{"python3", "-c", body}
	case strings.HasPrefix(language, "plperl"):
		program = []string{"perl", "-e", body}
	case strings.HasPrefix(language, "plruby"):
		program = []string{"ruby", "-e", body}
	case strings.HasPrefix(language, "plsh"):
		program = []string{"sh", "-c", body}
	case strings.HasPrefix(language, "pltcl"):
		program = []string{"tclsh", "-c", body}
	default:
		return false
	}
	s.scripts = append(s.scripts, quoted(program))
	return true
}

// merges notes MERGE ... ON true ... WHEN MATCHED THEN DELETE, which deletes every
// row.
func (s *sqlReading) merges(c *sqlCursor) {
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
			if on >= 0 && when > on && matched && (alwaysTrue(c.tokens[on:when]) || isFalse(c.tokens[on:when])) {
				s.drop("rows of "+table, true)
				return
			}
		}
	}
}

// isFalse reports whether a condition holds for no row: with NOT MATCHED BY SOURCE
// that means all of them.
func isFalse(tokens []sqlToken) bool {
	if len(tokens) == 1 {
		return tokens[0].upper == "FALSE" || tokens[0].upper == "0"
	}
	return len(tokens) == 3 && tokens[1].upper == "=" && isSQLNumber(tokens[0].text) && isSQLNumber(tokens[2].text) && tokens[0].text != tokens[2].text
}
