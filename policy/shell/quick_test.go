package shell

import (
	"fmt"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/invocation"
)

// quickly parses a text as a reader does.
func quickly(src string) ([]*syntax.Stmt, bool) {
	r := newReader(invocation.Setting{}, len(src))
	r.Src = src
	return r.quickly()
}

// drawn writes a tree down: each node with its place, texts and signs.
func drawn(list []*syntax.Stmt) string {
	var b strings.Builder
	for _, s := range list {
		syntax.Walk(s, func(n syntax.Node) bool {
			if n == nil {
				b.WriteString(")")
				return true
			}
			fmt.Fprintf(&b, "\n(%T %d-%d", n, n.Pos().Offset(), n.End().Offset())
			switch n := n.(type) {
			case *syntax.Stmt:
				fmt.Fprint(&b, n.Semicolon.IsValid(), n.Negated, n.Background, n.Coprocess, n.Disown, len(n.Comments))
				if n.Semicolon.IsValid() {
					fmt.Fprint(&b, n.Semicolon.Offset())
				}
			case *syntax.Lit:
				fmt.Fprintf(&b, " %q", n.Value)
			case *syntax.SglQuoted:
				fmt.Fprintf(&b, " %q %t", n.Value, n.Dollar)
			case *syntax.DblQuoted:
				fmt.Fprint(&b, n.Dollar)
			case *syntax.BinaryCmd:
				fmt.Fprint(&b, n.Op, n.OpPos.Offset())
			case *syntax.Redirect:
				fmt.Fprint(&b, n.Op, n.OpPos.Offset(), n.N != nil, n.Hdoc != nil)
			}
			return true
		})
	}
	return b.String()
}

// slowly parses a text with the whole syntax.
func slowly(src string) ([]*syntax.Stmt, error) {
	var list []*syntax.Stmt
	for s, err := range syntax.NewParser(syntax.Variant(syntax.LangBash)).StmtsSeq(strings.NewReader(src)) {
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

func sameTree(t *testing.T, src string) {
	t.Helper()
	list, ok := quickly(src)
	if !ok {
		return
	}
	want, err := slowly(src)
	if err != nil {
		t.Fatalf("%q: read quickly, but it is %v", src, err)
	}
	if got, want := drawn(list), drawn(want); got != want {
		t.Errorf("%q is read as%s\nand not as%s", src, got, want)
	}
}

func TestUsualTextsAreReadQuickly(t *testing.T) {
	for _, src := range []string{
		"", " \n\t\n", "ls -la src", "git status --short", "cd /repo && go test ./... 2>&1 | tail -20", "a|b|c&&d||e;f\ng;",
		"grep -rn 'a b' . --include=*.go > out.txt 2>/dev/null", `echo "a b" '' "" 'x\n y' >> log; wc -l <in`, "make &&\n\n make test |\n head -5\n", "sort 3< a 4>b c", "cat > a.md <<'EOF'\nsome $text `here`\n\nEOF\nwc -l a.md", "cat <<\"E\"\nE", "python3 - <<'E'\na\n E\nEE\nE\n\n", "ls ~ ~/x a#b a=b -x=~/y ?.go",
	} {
		if _, ok := quickly(src); !ok {
			t.Errorf("%q is not read quickly", src)
		}
		sameTree(t, src)
	}
}

// What needs more of the syntax is left to the parser that has it.
func TestOtherTextsAreNotReadQuickly(t *testing.T) {
	for _, src := range []string{
		"a &", "a |& b", "a & b", "$a", "`a`", "a $(b)", "a <<E\nE", "a <<'E'", "a <<'E'\nb", "a <<-'E'\nE", "a <<'E' | b\nE", "a <<'E'; b\nE", "a <<'E' <<'F'\nE\nF", "a <<''\n\n", "a <<< b", "a <(b)", "(a)", "{ a; }", "a=b", "a=b c", "a+=b", "a[1]=b", "! a", "if a; then b; fi", "export a=b",
		"time a", "a\\ b", `a "b$c"`, "a 'b'c", `a b"c"`, "a #b", "#a", "a;;b", "; a", "a && ", "a | ", "&& a", "> a", "2>&1 a", "a 'b", `a "b`, "a >", "a >& ", "a <> b", "a >| b", "a &> b", "a {b,c}", "a [b]", "a\r\nb", "a \x00", "é", "[[ a ]]", "a() b", "~/a b", "*", "a !b", "a ^b",
	} {
		if list, ok := quickly(src); ok {
			t.Errorf("%q is read quickly as %s", src, drawn(list))
		}
	}
}

func FuzzQuickTree(f *testing.F) {
	for _, e := range everyday {
		f.Add(e.text)
	}
	for _, src := range []string{"a>b", "a 1>&2", "a12>b", "a 'b' \"c\" | d; e && f || g\n", "a >>b<c 2>&1", "a>\nb", "else a", "in", "a ; ; b", "a\t&&\tb", "a >&-", "a 2>&1>b", "a 1 2>b", "a\n\n|b", "a 'b\nc'\nd", "a <<'E'\nb\\\nE\nE\n", "a <<'E' 2>&1\nb\nE\nc", "a <<'E F'\nb\nE F", "a <<'E'\n\tE\nE"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) < 1<<12 {
			sameTree(t, src)
		}
	})
}
