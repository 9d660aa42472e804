package javascript

import (
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/sluice-project/sluice/policy/program/javascript/syntax"
	"github.com/sluice-project/sluice/policy/program/library"
)

// eval reads a text as a program.
func (e *evaluator) eval(v value) value {
	s, known := v.whole()
	u := library.Use{What: library.Eval, Text: s, Known: known}
	switch {
	case !known:
		if v.kind != text {
			u.Text = Unknown
		}
		e.use(u)
		e.doubt(syntax.Reach)
	case e.evals >= maxEvals || !e.step(1+len(s)/16):
		e.use(u)
		e.doubt(syntax.Nesting)
	default:
		e.evals++
		defer func() { e.evals-- }()
		return e.program(s)
	}
	return value{}
}

// newFunction reads a function that is made from texts: its parameters and its
// body.
func (e *evaluator) newFunction(_ string, args []value) value {
	texts := make([]string, 0, len(args))
	for _, a := range args {
		s, ok := e.toText(a).whole()
		if !ok {
			return e.eval(value{})
		}
		texts = append(texts, s)
	}
	body := ""
	if n := len(texts); n > 0 {
		body, texts = texts[n-1], texts[:n-1]
	}
	scope := e.scope
	e.scope = e.top
	v := e.eval(textValue("(async function(" + strings.Join(texts, ",") + "\n){" + body + "\n})"))
	e.scope = scope
	return v
}

// evalArg is eval and its relatives.
func (e *evaluator) evalArg(path string, args []value) value {
	v := arg(args, 0)
	if path == "eval" && (isPlain(v) || v.kind == list || v.kind == record || v.kind == function) {
		return v
	}
	return e.eval(v)
}

func (e *evaluator) requires(_ string, args []value) value {
	return e.requireValue(e.toText(arg(args, 0)))
}

// imported is what import(...) gives: a module by its name, or a program that
// stands in its address, data:text/javascript,... What is not known of such a
// program runs all the same.
func (e *evaluator) imported(v value) value {
	kind, program, ok := strings.Cut(v.text, ",")
	kind = strings.ToLower(kind)
	if v.kind != text || !ok || !strings.HasPrefix(kind, "data:") {
		return e.requireValue(v)
	}
	if strings.HasSuffix(kind, ";base64") {
		decoded, err := base64.StdEncoding.DecodeString(program)
		program, v.partial = string(decoded), v.partial || err != nil
	} else if plain, err := url.PathUnescape(program); err == nil {
		program = plain
	}
	if v.partial {
		return e.eval(value{})
	}
	return e.eval(textValue(program))
}
