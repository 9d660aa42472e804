package sluice_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// packageOrder is the order of the packages. A package may import only packages of rows above its
// own, and packages of its own row. "name/..." stands for name and everything below it. The rules
// hold for non-test files.
//
// A new package needs a row here; put it as high as its imports allow.
var packageOrder = []row{
	{pkg: ".", stdAndModuleOnly: true}, // a map of the packages: documentation, no code
	{pkg: "internal/jsonscan", stdAndModuleOnly: true},
	{pkg: "internal/schema", stdAndModuleOnly: true},
	{pkg: "internal/words", stdAndModuleOnly: true},
	{pkg: "internal/ownfile", stdAndModuleOnly: true},
	{pkg: "internal/plain", stdAndModuleOnly: true},
	{pkg: "internal/sbom", stdAndModuleOnly: true}, // a program for releases
	{pkg: "internal/pgtest"},                       // for tests only
	{pkg: "llm", stdAndModuleOnly: true},
	{pkg: "store/..."},
	{pkg: "stream", stdAndModuleOnly: true},
	{pkg: "wire/...", stdAndModuleOnly: true},
	{pkg: "model/..."},
	{pkg: "policy/internal/bloom", stdAndModuleOnly: true},
	{pkg: "policy/internal/scan", stdAndModuleOnly: true},
	{pkg: "policy/internal/arena", stdAndModuleOnly: true},
	{pkg: "policy/internal/partial", stdAndModuleOnly: true},
	{pkg: "policy/internal/pattern", stdAndModuleOnly: true, only: []string{"policy/internal/partial"}},
	{pkg: "policy/internal/describe", only: []string{"internal/words"}},
	{pkg: "policy/internal/document", only: []string{"policy/internal/describe"}},
	{pkg: "policy/effect", stdAndModuleOnly: true, only: []string{"policy/internal/bloom"}},
	{pkg: "policy/internal/where", stdAndModuleOnly: true, only: []string{"policy/effect", "policy/internal/partial"}},
	{pkg: "policy/internal/celtree", only: []string{}},
	{pkg: "policy/internal/celvalue", only: []string{}},
	{pkg: "policy/sql", stdAndModuleOnly: true, only: []string{"policy/effect"}},
	{pkg: "policy/project", only: []string{"policy/effect", "policy/internal/scan"}},
	{pkg: "policy/text"},
	{pkg: "policy/secret"},
	{pkg: "policy/command"},
	{pkg: "policy/program/..."},
	{pkg: "policy/invocation"},
	{pkg: "policy/follow"},
	{pkg: "policy/command/guard"},
	{pkg: "policy/output"},
	{pkg: "policy/command/hook/fileops"},
	{pkg: "policy/command/hook"},
	{pkg: "policy/shell"},
	{pkg: "policy/..."},
	{pkg: "evasion"}, // suites of calls, for tests
	{pkg: "agent/..."},
	{pkg: "history"},
	{pkg: "gateway/..."},
	{pkg: "connect"},
	{pkg: "service"},
	{pkg: "console"},
	{pkg: "sluicetest/...", only: []string{"internal/jsonscan", "llm", "stream", "wire/...", "policy/..."}},
	{pkg: "cmd/sluice"},
	{pkg: "examples/..."},
	{pkg: "firsthour"}, // a test of what a new user does
}

// notOrdered lists directories of this repository that the order does not cover.
var notOrdered = []string{"bench", "testdata", "vendor"}

// row is one line of packageOrder.
type row struct {
	// pkg is a directory of the module, "." for its root, with "/..." at the end for a whole tree.
	pkg string

	// stdAndModuleOnly refuses third-party imports.
	stdAndModuleOnly bool

	// only, when set, narrows the rows above to the ones it names.
	only []string
}

func TestPackagesImportOnlyWhatStandsAboveThem(t *testing.T) {
	t.Parallel()

	module := modulePath(t)

	for dir, files := range packages(t) {
		if _, known := rowOf(dir); !known {
			t.Errorf("package %s is not in the order of packages: add a row for it to the list `packageOrder` at the top of "+
				"package_order_test.go, as high as its imports allow, and describe it in doc.go", dir)

			continue
		}

		for _, file := range files {
			for _, imported := range importsOf(t, file) {
				if err := mayImport(module, dir, imported); err != nil {
					t.Errorf("%s: %v", file, err)
				}
			}
		}
	}
}

func TestEveryPackageIntroducesItself(t *testing.T) {
	t.Parallel()

	for dir := range packages(t) {
		name := filepath.Join(filepath.FromSlash(dir), "doc.go")

		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly|parser.ParseComments)

		switch {
		case errors.Is(err, fs.ErrNotExist):
			t.Errorf("package %s has no doc.go: add one whose package comment explains the package to a newcomer", dir)
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case !introduces(file):
			t.Errorf("%s: the package comment is missing or does not start with %q: write it right above the package clause",
				name, "Package "+file.Name.Name+" ")
		}
	}
}

// The rules themselves, by example.
func TestPackageOrderRules(t *testing.T) {
	t.Parallel()

	const module = "example.org/m"

	for _, tc := range []struct {
		name     string
		from     string
		imported string
		refused  string // part of the message; empty when the import is allowed
	}{
		{"the standard library is open to all", "llm", "encoding/json", ""},
		{"a row above", "stream", module + "/llm", ""},
		{"several rows above", "wire/anthropic", module + "/internal/jsonscan", ""},
		{"a sibling of the same row", "wire/anthropic", module + "/wire/sse", ""},
		{"the root of the same row", "policy/rule", module + "/policy", ""},
		{"a third party where it is allowed", "cmd/sluice", "example.com/flags", ""},
		{"the test kit reads streams", "sluicetest", module + "/wire/gemini", ""},

		{"a row below", "llm", module + "/stream", "which is below"},
		{"a row far below", "wire/sse", module + "/gateway", "which is below"},
		{"the bottom imports no package of the module", "internal/jsonscan", module + "/llm", "which is below"},
		{"a third party in the core", "stream", "example.com/x", "standard library"},
		{"a third party in a dialect", "wire/gemini", "example.com/x", "standard library"},
		{"the test kit knows no agents", "sluicetest", module + "/agent", "may import only"},
		{"a package without a row", "stream", module + "/helpers", "no row"},
		{"a name that only begins like a row", "stream", module + "/llmx", "no row"},
		{"a tree that only begins like a row", "model", module + "/wirex", "no row"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			err := mayImport(module, tc.from, tc.imported)

			switch {
			case tc.refused == "" && err != nil:
				t.Errorf("%s imports %s: want allowed, got: %v", tc.from, tc.imported, err)
			case tc.refused != "" && err == nil:
				t.Errorf("%s imports %s: want refused, got allowed", tc.from, tc.imported)
			case tc.refused != "" && !strings.Contains(err.Error(), tc.refused):
				t.Errorf("%s imports %s: want a message with %q, got: %v", tc.from, tc.imported, tc.refused, err)
			}
		})
	}
}

// mayImport says why the package in directory from may not import a path; nil when it may.
func mayImport(module, from, imported string) error {
	at, known := rowOf(from)
	if !known {
		return fmt.Errorf("package %s has no row in package_order_test.go: add one", from)
	}

	target, inModule := directoryOf(module, imported)
	if !inModule {
		if packageOrder[at].stdAndModuleOnly && !isStandard(imported) {
			return fmt.Errorf("imports %s, but %s may use only the standard library and this module: "+
				"move the code that needs it to a package below, or write the few lines here", imported, from)
		}

		return nil
	}

	to, known := rowOf(target)

	switch {
	case !known:
		return fmt.Errorf("imports %s, which has no row in package_order_test.go: add one", target)
	case to > at:
		return fmt.Errorf("imports %s, which is below %s in the order of packages: invert the dependency "+
			"(a small interface in %s that %s implements) or move the code", target, from, from, target)
	case to < at && packageOrder[at].only != nil && !slices.Contains(packageOrder[at].only, packageOrder[to].pkg):
		return fmt.Errorf("imports %s, but %s may import only %s: move the code that needs it",
			target, from, strings.Join(packageOrder[at].only, ", "))
	}

	return nil
}

// rowOf finds the row of a directory.
func rowOf(dir string) (int, bool) {
	at := slices.IndexFunc(packageOrder, func(r row) bool {
		tree, isTree := strings.CutSuffix(r.pkg, "/...")

		return dir == tree || isTree && strings.HasPrefix(dir, tree+"/")
	})

	return at, at >= 0
}

// directoryOf maps an import path of this module to its directory.
func directoryOf(module, imported string) (string, bool) {
	if imported == module {
		return ".", true
	}

	return strings.CutPrefix(imported, module+"/")
}

// isStandard recognises the standard library by its first path element, which never has a dot.
func isStandard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")

	return !strings.Contains(first, ".")
}

// introduces reports whether a file carries a package comment in the form that go doc expects. Commands
// may begin in any way.
func introduces(file *ast.File) bool {
	comment := file.Doc.Text()
	if file.Name.Name == "main" {
		return comment != ""
	}

	return strings.HasPrefix(comment, "Package "+file.Name.Name+" ")
}

// packages maps each package directory of the module to its non-test Go files.
func packages(t *testing.T) map[string][]string {
	t.Helper()

	found := map[string][]string{}

	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}

		if entry.IsDir() {
			if name != "." && outside(name) {
				return filepath.SkipDir
			}

			return nil
		}

		if base := entry.Name(); strings.HasSuffix(base, ".go") && !strings.HasSuffix(base, "_test.go") &&
			!strings.HasPrefix(base, ".") && !strings.HasPrefix(base, "_") {
			dir := path.Dir(filepath.ToSlash(name))
			found[dir] = append(found[dir], name)
		}

		return nil
	})
	if err != nil {
		t.Fatalf("walking the module: %v", err)
	}

	return found
}

// outside reports whether a directory is not covered by the order: hidden, ignored by the go
// command, another module, or listed in notOrdered.
func outside(dir string) bool {
	base := filepath.Base(dir)
	if strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || slices.Contains(notOrdered, base) {
		return true
	}

	_, err := os.Stat(filepath.Join(dir, "go.mod"))

	return err == nil
}

func importsOf(t *testing.T, name string) []string {
	t.Helper()

	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
	if err != nil {
		t.Errorf("%s: cannot read its imports: %v", name, err)

		return nil
	}

	imported := make([]string, 0, len(file.Imports))

	for _, spec := range file.Imports {
		value, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Errorf("%s: import %s: %v", name, spec.Path.Value, err)

			continue
		}

		imported = append(imported, value)
	}

	return imported
}

func modulePath(t *testing.T) string {
	t.Helper()

	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatalf("the test must run in the module's root: %v", err)
	}

	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "module "); ok {
			return strings.TrimSpace(name)
		}
	}

	t.Fatal("go.mod has no module line")

	return ""
}
