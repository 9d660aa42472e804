package script

import (
	"maps"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/script/lexer"
	"github.com/sluice-project/sluice/policy/program/values"
)

// imports reads Python's import statements.
func (r *reader) imports() {
	from, module := r.peek(0).Text == "from", ""
	r.i++
	var known map[string]value
	if from {
		module = r.dotted()
		known = r.module(module)
		module += "."
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
			maps.Copy(r.names, known)
			r.i++
			return
		}
		name := r.dotted()
		alias, renamed := name, r.peek(0).Word("as")
		if renamed {
			alias = r.peek(1).Text
			r.i += 2
		}
		of := r.module(module + name)
		for member, v := range of {
			r.names[module+name+"."+member] = v
		}
		if v, is := known[name]; is {
			r.names[alias] = v
		} else if name != "" && (from || renamed) {
			r.names[alias] = values.Name(module + name)
		}
		if name == "" || !r.peek(0).Is(",") {
			return
		}
		r.i++
	}
}

// module is what a module of the program's own gives its names. What it does is read by
// those who know its text; its functions can be called.
func (r *reader) module(name string) map[string]value {
	if r.given.Load == nil || name == "" || r.evals >= MaxEval {
		return nil
	}
	text := r.given.Load(strings.ReplaceAll(strings.TrimLeft(name, "."), ".", "/"))
	if text == "" || len(text) > r.Bytes {
		return nil
	}
	r.Bytes -= len(text)
	outer, uses := r.names, len(r.uses)
	r.names = map[string]value{}
	r.evals++
	r.program(text)
	r.evals--
	given := r.names
	r.names, r.uses = outer, r.uses[:uses]
	maps.DeleteFunc(given, func(_ string, v value) bool { return v.Use != 0 }) // which are gone
	return given
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
		} else if t := r.peek(0); t.Kind == lexer.Text && t.Parts == nil {
			r.notes(word, &call{args: []argument{{value: values.Text(t.Text)}}})
		}
	case r.language == library.PHP:
		r.i++
		r.runFile(r.expr(0))
	default:
		return false
	}
	return true
}
