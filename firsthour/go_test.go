//go:build unix

package firsthour_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// packages are what snippets of Go may use without importing it.
var packages = []string{
	"bytes", "cmp", "context", "encoding/json", "errors", "fmt", "io", "iter", "log", "log/slog", "net/http", "os", "strings", "time",
	"agent", "agent/mcp", "agent/memory", "agent/memory/sqlite", "agent/policies", "gateway", "llm", "model", "model/scripted",
	"policy", "policy/file", "sluicetest", "stream", "wire", "wire/recording", "wire/sse",
}

const module = "github.com/sluice-project/sluice/"

func importPath(name string) string {
	if first, _, _ := strings.Cut(name, "/"); ours[first] {
		return module + name
	}
	return name
}

var ours = map[string]bool{"agent": true, "gateway": true, "llm": true, "model": true, "policy": true, "sluicetest": true, "stream": true, "wire": true}

// exported maps packages to the files in which the Go tool keeps what they export.
var exported = sync.OnceValues(func() (map[string]string, error) {
	args := []string{"list", "-export", "-deps", "-f", "{{if .Export}}{{.ImportPath}} {{.Export}}{{end}}"}
	for _, p := range packages {
		args = append(args, importPath(p))
	}
	cmd := exec.Command("go", args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("ask the Go tool for packages: %w", err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[name] = file
	}
	return files, nil
})

var elided = regexp.MustCompile(`(?m)^\s*\.{3}\s*$`)

// typeChecks checks a snippet of Go as the compiler would. It may leave out what is
// around it: the package and its imports, the function that it is in, and lines that
// are three dots. What else it relies on is declared in its expectation and in the one
// for all snippets; either may be nil.
func typeChecks(t *testing.T, s snippet, anywhere, here *expectation) {
	t.Helper()
	var given, always []string
	if anywhere != nil {
		always = anywhere.given
	}
	if here != nil {
		given = here.given
	}
	text := elided.ReplaceAllString(s.text, "")
	if !strings.HasPrefix(text, "package ") {
		var source strings.Builder
		source.WriteString("package snippet\n")
		for _, p := range packages {
			fmt.Fprintf(&source, "import %s %q\n", path.Base(p), importPath(p))
		}
		fmt.Fprintf(&source, "%s\n", strings.Join(always, "\n"))
		if strings.HasPrefix(text, "func ") {
			fmt.Fprintf(&source, "%s\n%s\n", strings.Join(given, "\n"), text)
		} else {
			fmt.Fprintf(&source, "func _() error {\n%s\n%s\nreturn nil\n}\n", strings.Join(given, "\n"), text)
		}
		text = source.String()
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "snippet.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%s: %v\n%s", s.where, err, s.text)
	}
	config := types.Config{
		Importer: importer.ForCompiler(fset, "gc", func(name string) (io.ReadCloser, error) {
			files, err := exported()
			if err != nil {
				return nil, err
			}
			return os.Open(files[name])
		}),
		Error: func(err error) {
			// What is declared and not used, or imported and not used, is used by what the
			// snippet leaves out.
			if problem, ok := errors.AsType[types.Error](err); !ok || !problem.Soft {
				t.Errorf("%s: %v", s.where, err)
			}
		},
	}
	_, _ = config.Check("snippet", fset, []*ast.File{file}, nil)
	if t.Failed() {
		t.Logf("key: go %s: %s\n%s", s.file, firstLine(s.text), s.text)
	}
}
