package syntax

import (
	"slices"
	"strings"
	"testing"

	"github.com/tdewolff/parse/v2/js"
)

// What the parser stops at is mended, so that the rest of a program is read: types, and with
// a doubt all that is no program.
func TestProgramsAreMended(t *testing.T) {
	for program, want := range map[string]string{
		"const x: {a: string} = 1; function f(a: number, b?: T): P<void> {} const h = (x: any): void => {}; last()": "",
		"return 5; last()":                 "",
		"f('x'; last()":                    Syntax,
		"foo bar; last()":                  Syntax,
		"x = y as any; last()":             Syntax,
		"interface A { b: c }\nlast()":     Syntax,
		"let c = 1; let c = 2; last()":     Syntax,
		"a.b(c d e); last()":               Syntax,
		"x = 'a\n; last()":                 Syntax,
		"if (x) { f('it\"s'); last()":      Syntax,
		"y = [1, {a: last(`x${1}":          Syntax,
		"/* a */ last() /* b":              Syntax,
		"last() }":                         Syntax,
		"x <!-- y\n; last()":               Syntax,
		"'<!--'; last()":                   "",
		"import {a as b} from 'c'; last()": "",
	} {
		steps := 10_000
		list, doubts := Parse(program, &steps)
		if want == "" && len(doubts) > 0 || want != "" && !slices.Contains(doubts, want) {
			t.Errorf("%s: doubts %q, want %q", program, doubts, want)
		}
		if tree := (js.BlockStmt{List: list}); !strings.Contains(tree.String(), "last(") {
			t.Errorf("%s: the call is not read", program)
		}
	}
}
