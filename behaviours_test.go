package sluice_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	behavioursFile   = "docs/behaviours.md"
	behavioursTotal  = 135
	behavioursUpdate = "run: SLUICE_UPDATE=1 go test -run Behaviours ."
)

const behavioursHead = `# Behaviours

The tool-calling advisor, the chat memory and the tool manager of Spring AI are specified by their tests. The agent
runtime takes these behaviours, 1 to 135, as its bar: each is a test of its own here, or differs on purpose and says
how. The sentences are the comments of the tests.

Generated from the tests; do not edit. To regenerate it, ` + behavioursUpdate + `

| Number | Here | What holds | Test |
|---|---|---|---|
`

const behavioursGaps = `
## What no test there covers

| What holds | Test |
|---|---|
`

// behaviour is a test of one behaviour.
type behaviour struct {
	number    int // 0 for one that has none
	different bool
	holds     string
	pkg, name string
}

var (
	numberedTest = regexp.MustCompile(`^Test(Behaviour|Different)(\d{3})(\p{Lu}\w*)$`)
	gapTest      = regexp.MustCompile(`^TestGap\p{Lu}\w*$`)
	almostTest   = regexp.MustCompile(`^Test(Behaviour|Different|Gap)(\d|$)`)
)

// docs/behaviours.md is generated from the tests, and every behaviour has a
// test.
func TestBehavioursAreDocumented(t *testing.T) {
	t.Parallel()

	all := behaviours(t)

	var missing []string

	for n := 1; n <= behavioursTotal; n++ {
		if !slices.ContainsFunc(all, func(b behaviour) bool { return b.number == n }) {
			missing = append(missing, strconv.Itoa(n))
		}
	}

	if len(missing) > 0 {
		t.Errorf("no test of the behaviours %s: write TestBehaviourNNN… or TestDifferentNNN… for each", strings.Join(missing, ", "))
	}

	want := renderBehaviours(all)

	if os.Getenv("SLUICE_UPDATE") != "" {
		if err := os.WriteFile(behavioursFile, want, 0o644); err != nil {
			t.Fatal(err)
		}

		return
	}

	have, err := os.ReadFile(behavioursFile)
	if err != nil || !bytes.Equal(have, want) {
		t.Errorf("%s is not what the tests say (%v); %s", behavioursFile, err, behavioursUpdate)
	}
}

// behaviours collects the tests of behaviours, in the order in which they are shown.
func behaviours(t *testing.T) []behaviour {
	t.Helper()

	var all []behaviour

	for _, root := range []string{"agent", "internal"} {
		err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}

			if entry.IsDir() && outside(name) {
				return filepath.SkipDir
			}

			if !entry.IsDir() && strings.HasSuffix(name, "_test.go") {
				all = append(all, behavioursOf(t, name)...)
			}

			return nil
		})
		if err != nil {
			t.Fatalf("walking %s: %v", root, err)
		}
	}

	slices.SortStableFunc(all, func(a, b behaviour) int {
		switch {
		case a.number != b.number:
			return a.number - b.number
		case a.different != b.different && b.different:
			return -1
		case a.different != b.different:
			return 1
		default:
			return strings.Compare(a.pkg+a.name, b.pkg+b.name)
		}
	})

	return all
}

// behavioursOf reads the tests of behaviours in one file.
func behavioursOf(t *testing.T, name string) []behaviour {
	t.Helper()

	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Errorf("%s: %v", name, err)

		return nil
	}

	var found []behaviour

	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Recv != nil {
			continue
		}

		b := behaviour{pkg: path.Dir(filepath.ToSlash(name)), name: f.Name.Name, holds: strings.Join(strings.Fields(f.Doc.Text()), " ")}

		switch parts := numberedTest.FindStringSubmatch(b.name); {
		case parts != nil:
			b.different = parts[1] == "Different"
			b.number, _ = strconv.Atoi(parts[2])
		case gapTest.MatchString(b.name):
		case almostTest.MatchString(b.name):
			t.Errorf("%s: %s: its name must be TestBehaviour or TestDifferent, three digits and words, or TestGap and words", name, b.name)

			continue
		default:
			continue
		}

		if b.holds == "" || strings.HasPrefix(b.holds, b.name) || !strings.HasSuffix(b.holds, ".") {
			t.Errorf("%s: %s: its comment must be a sentence that says what holds", name, b.name)
		}

		if b.number > behavioursTotal || b.number == 0 && !gapTest.MatchString(b.name) {
			t.Errorf("%s: %s: there are the behaviours 1 to %d", name, b.name, behavioursTotal)

			continue
		}

		found = append(found, b)
	}

	return found
}

// renderBehaviours writes the document.
func renderBehaviours(all []behaviour) []byte {
	var page, gaps bytes.Buffer

	page.WriteString(behavioursHead)

	for _, b := range all {
		holds := strings.ReplaceAll(b.holds, "|", `\|`)
		test := "`" + b.pkg + "` " + b.name

		if b.number == 0 {
			fmt.Fprintf(&gaps, "| %s | %s |\n", holds, test)

			continue
		}

		how := "the same"
		if b.different {
			how = "different"
		}

		fmt.Fprintf(&page, "| %d | %s | %s | %s |\n", b.number, how, holds, test)
	}

	page.WriteString(behavioursGaps)
	page.Write(gaps.Bytes())

	return page.Bytes()
}
