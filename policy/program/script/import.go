package script

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/script/lexer"
	"github.com/sluice-project/sluice/policy/program/values"
)

// imports reads Python's import statements.
func (r *reader) imports() {
	from, module := r.peek(0).Text == "from", ""
	r.i++
	if from {
		module = r.dotted() + "."
		if !r.peek(0).Word("import") {
			return
		}
		r.i++
	}
	if r.peek(0).Is("(") {
		r.i++
	}
	for r.i < r.limit && r.Step() {
		if from && r.peek(0).Is("*") {
			r.stars = append(r.stars, strings.TrimSuffix(module, "."))
			r.i++
			return
		}
		name := r.dotted()
		alias, renamed := name, r.peek(0).Word("as")
		if renamed {
			alias = r.peek(1).Text
			r.i += 2
		}
		if name != "" && (from || renamed) {
			r.names[alias] = values.Name(module + name)
		}
		if name == "" || !r.peek(0).Is(",") {
			return
		}
		r.i++
	}
}

func (r *reader) dotted() string {
	var name strings.Builder
	for r.peek(0).Kind == lexer.Name || r.peek(0).Is(".") {
		if r.peek(0).Word("as") || r.peek(0).Word("import") || name.Len() > mostName {
			break
		}
		name.WriteString(r.peek(0).Text)
		r.i++
	}
	return name.String()
}

// loads reads the statements that load libraries. What they load from a file or
// an address is run.
func (r *reader) loads() bool {
	word := r.peek(0).Text
	switch {
	case r.language == library.Perl && (word == "use" || word == "no" || word == "package"), r.language == library.PHP && word == "use":
		r.skipTo(r.limit, ";", "{")
	case r.language == library.Ruby && word == "include":
		r.stars = append(r.stars, r.peek(1).Text)
		r.i += 2
	case r.language == library.Ruby || r.language == library.Perl:
		if r.i++; r.peek(0).Kind == lexer.Name {
			r.i++
		}
	case r.language == library.PHP:
		r.i++
		r.runFile(r.expr(0))
	default:
		return false
	}
	return true
}
