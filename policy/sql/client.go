package sql

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// clientLines reads the commands that are meant for the client, such as \! and
// .shell, and returns the text without them.
func (r *Reading) clientLines(text string) string {
	var rest strings.Builder
	for full := range strings.Lines(text) {
		trimmed := strings.TrimSpace(full)
		r.connects(full)
		switch {
		case strings.HasPrefix(trimmed, "."):
			r.dotCommand(trimmed)
			continue
		case strings.HasPrefix(trimmed, `\`):
			r.backslashCommand(trimmed)
			continue
		case r.in == MySQL && len(trimmed) > 7 && strings.EqualFold(trimmed[:7], "system "):
			r.shell(trimmed[7:])
			continue
		}
		if before, command, ok := strings.Cut(full, `\!`); ok {
			r.shell(command)
			full = before
		}
		for _, pipe := range []string{`\g |`, `\gx |`, `\o |`} {
			if before, command, ok := strings.Cut(full, pipe); ok {
				r.shell(command)
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

// connects looks in a line for commands that switch to another database.
func (r *Reading) connects(line string) {
	if rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), ":"); ok && len(rest) > 8 && strings.EqualFold(rest[:8], "connect ") { // sqlcmd
		r.moved(rest[8:])
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
			r.moved(to)
		}
	}
}

// backslashCommand reads a line for psql or mysql.
func (r *Reading) backslashCommand(text string) {
	if _, command, ok := strings.Cut(text, `\!`); ok {
		r.shell(command)
		return
	}
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case `\o`, `\out`, `\g`, `\gx`, `\w`, `\write`, `\copy`:
		if i := strings.Index(rest, "|"); i == 0 {
			r.shell(rest[1:])
		} else if word == `\copy` {
			r.text("COPY " + rest)
			r.copiesHere(rest)
		} else if rest != "" {
			r.does(effect.Write, strings.Trim(rest, "'"))
		}
	case `\set`: // a variable, which may be run later
		if _, text, ok := strings.Cut(rest, "'"); ok {
			r.text(strings.TrimSuffix(text, "'"))
		}
	case `\i`, `\ir`, `\include`, `\.`:
		r.Files = append(r.Files, strings.Trim(rest, "'"))
	}
}

// copiesHere reads \copy, which, unlike COPY, may name its file without quotes.
func (r *Reading) copiesHere(text string) {
	words := strings.Fields(text)
	depth := 0 // of parentheses: a query has FROM and TO of its own
	for i := 0; i+1 < len(words); i++ {
		depth += strings.Count(words[i], "(") - strings.Count(words[i], ")")
		file := words[i+1]
		if depth > 0 || file[0] == '\'' || strings.EqualFold(file, "program") || strings.EqualFold(file, "stdout") || strings.EqualFold(file, "stdin") {
			continue
		}
		switch strings.ToLower(words[i]) {
		case "to":
			r.does(effect.Write, file)
		case "from":
			r.does(effect.Read, file)
		}
	}
}

// dotCommand reads a line for sqlite3 or duckdb.
func (r *Reading) dotCommand(text string) {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	bare := strings.Trim(rest, `'"`)
	switch {
	case word == ".sh", word == ".she", word == ".shel", word == ".shell", word == ".sys", word == ".syst", word == ".syste", word == ".system":
		r.shell(rest)
	case strings.HasPrefix(bare, "|"):
		r.shell(bare[1:])
	case word == ".open", word == ".op", word == ".ope":
		file := ""
		if words := strings.Fields(bare); len(words) > 0 {
			file = words[len(words)-1]
		}
		r.moved(file)
	case word == ".read":
		r.Files = append(r.Files, bare)
	case word == ".output", word == ".once", word == ".backup", word == ".save", word == ".log", word == ".dump" && bare != "" && strings.Contains(bare, "/"):
		r.does(effect.Write, bare)
	case word == ".restore" && bare != "":
		r.drop("database", true)
	case word == ".load":
		r.does(effect.Run, bare)
	case word == ".import":
		file, _, _ := strings.Cut(bare, " ")
		r.does(effect.Read, strings.Trim(file, `'"`))
	}
}
