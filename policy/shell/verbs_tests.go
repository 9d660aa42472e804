package shell

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// testFiles are the files that a program takes for tests by their names.
type testFiles struct {
	// program runs them, "" for those of compilers.
	program string
	// names are patterns of their paths below a directory, always those that
	// run with any of them.
	names, always []string
	// values are flags with a value.
	values []string
}

var (
	pythonTests = &testFiles{
		program: "python3", names: []string{"**/test_*.py", "**/*_test.py", "**/tests.py"}, always: []string{"**/conftest.py"},
		values: []string{"k", "m", "n", "p", "c", "W", "o", "maxfail", "rootdir", "cov", "s", "t", "junitxml", "tb", "durations", "timeout", "ignore"},
	}
	nodeTests = &testFiles{
		program: "node", names: []string{
			"**/*.test.?s", "**/*.test.?sx", "**/*.test.m?s", "**/*.spec.?s", "**/*.spec.?sx", "**/*.spec.m?s", "**/*-test.?s", "**/*_test.?s", "**/*_test.?sx", "**/test-*.?s",
			"**/__tests__/**/*.?s", "**/__tests__/**/*.?sx", "**/test.?s", "**/test/**/*.?s", "**/test/**/*.m?s",
		}, always: []string{
			"**/jest.setup.?s", "**/setupTests.?s", "**/vitest.setup.?s", "**/jest.config.?s", "**/vitest.config.?s", "**/vite.config.?s", "**/.mocharc.?s", "**/globalSetup.?s",
		},
		values: []string{"t", "c", "config", "testNamePattern", "test-name-pattern", "reporter", "test-reporter", "require", "r", "w", "maxWorkers", "grep", "g", "timeout", "project", "workspace", "filter", "import"},
	}
	rubyTests = &testFiles{
		program: "ruby", names: []string{"**/*_spec.rb", "**/*_test.rb", "**/test_*.rb"}, always: []string{"**/spec_helper.rb", "**/rails_helper.rb", "**/test_helper.rb"},
		values: []string{"e", "t", "tag", "f", "format", "I", "r", "n"},
	}
	phpTests  = &testFiles{program: "php", names: []string{"**/*Test.php"}, always: []string{"**/tests/bootstrap.php"}, values: []string{"c", "filter", "testsuite", "group"}}
	shTests   = &testFiles{program: "bash", names: []string{"**/*.bats", "**/*_test.sh", "**/test_*.sh"}, values: []string{"f", "j", "filter"}}
	goTests   = &testFiles{names: []string{"**/*_test.go"}, values: []string{"run", "bench", "count", "timeout", "tags", "coverprofile", "p", "parallel", "cpu", "benchtime", "fuzz", "fuzztime", "o", "C", "ldflags", "coverpkg", "exec", "skip"}}
	rustTests = &testFiles{names: []string{"**/tests/**/*.rs", "**/src/**/*.rs", "**/benches/*.rs"}, values: []string{"p", "package", "test", "features", "j", "manifest-path", "target", "profile", "bench", "example", "bin"}}
)

// testVerbs are programs that run tests and nothing else: what these do is read
// by tests, also where they are called by a path.
var testVerbs = func() map[string]verb {
	table := map[string]verb{}
	for _, name := range []string{"pytest", "py.test", "nose2", "tox", "nox", "jest", "vitest", "mocha", "ava", "jasmine", "rspec", "phpunit", "pest", "bats", "gotestsum", "ginkgo"} {
		table[name] = func(*act) {}
	}
	return table
}()

// isNodeRunner reports whether a program runs tests in JavaScript.
func isNodeRunner(name string) bool {
	switch name {
	case "jest", "vitest", "mocha", "ava", "jasmine", "tap", "c8", "nyc", "karma", "cypress", "playwright", "wtr":
		return true
	}
	return false
}

// tests reads the test files of the conversation that a command runs.
func (r *reader) tests(a *act) {
	if isNodeRunner(a.Name) {
		r.testsOf(a, nodeTests, without(a.Operands(nodeTests.values...), "run"))
		return
	}
	switch a.Name {
	case "pytest", "py.test", "nose2", "nosetests", "trial", "ward":
		r.testsOf(a, pythonTests, a.Operands(pythonTests.values...))
	case "tox", "nox":
		r.testsOf(a, pythonTests, nil)
	case "node", "nodejs", "bun", "deno", "tsx":
		if a.Has("--test") || a.Sub == "test" {
			r.testsOf(a, nodeTests, without(a.Operands(nodeTests.values...), "test"))
		}
	case "npm", "pnpm", "yarn", "turbo", "nx", "lerna":
		if slices.ContainsFunc(a.Args, func(s string) bool {
			return s == "t" || s == "tst" || strings.HasPrefix(s, "test") || isNodeRunner(s)
		}) {
			r.testsOf(a, nodeTests, nil)
		}
	case "rspec", "minitest", "m":
		r.testsOf(a, rubyTests, a.Operands(rubyTests.values...))
	case "rails", "rake":
		if strings.HasPrefix(a.Sub, "test") || strings.HasPrefix(a.Sub, "spec") || a.Sub == "" && a.Name == "rake" {
			r.testsOf(a, rubyTests, nil)
		}
	case "phpunit", "pest", "paratest":
		r.testsOf(a, phpTests, a.Operands(phpTests.values...))
	case "artisan", "composer":
		if a.Sub == "test" {
			r.testsOf(a, phpTests, nil)
		}
	case "manage.py", "django-admin":
		if a.Sub == "test" {
			r.testsOf(a, pythonTests, nil)
		}
	case "bats", "shellspec", "shunit2":
		r.testsOf(a, shTests, a.Operands(shTests.values...))
	case "go", "gotestsum", "ginkgo", "richgo":
		if a.Sub == "test" || a.Name != "go" {
			r.testsOf(a, goTests, packagesIn(without(a.Operands(goTests.values...), "test")))
		}
	case "cargo":
		if a.Sub == "test" || a.Sub == "t" || a.Sub == "nextest" || a.Sub == "bench" {
			r.testsOf(a, rustTests, nil)
		}
	default:
		if strings.HasPrefix(a.Name, "python") || a.Name == "coverage" || a.Name == "py" {
			r.pythonModuleTests(a)
		}
	}
}

// pythonModuleTests is tests for python -m pytest and the like.
func (r *reader) pythonModuleTests(a *act) {
	at := slices.Index(a.Args, "-m")
	if at < 0 || at+1 >= len(a.Args) {
		return
	}
	switch a.Args[at+1] {
	case "pytest":
		c := Command{Args: a.Args[at+2:]}
		r.testsOf(a, pythonTests, c.Operands(pythonTests.values...))
	case "unittest", "nose2", "tox", "nox", "xdist":
		r.testsOf(a, pythonTests, nil)
	}
}

// packagesIn are the directories that patterns of Go packages mean.
func packagesIn(patterns []string) []string {
	var dirs []string
	for _, p := range patterns {
		if dir, all := strings.CutSuffix(p, "..."); all {
			dirs = append(dirs, path.Clean(dir))
		} else if p == "." || strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") || strings.HasPrefix(p, "/") {
			dirs = append(dirs, p)
		}
	}
	return dirs
}

// without is a list without a word.
func without(list []string, word string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == word })
}

// searchSteps is what it costs to look for files by a pattern.
const searchSteps = 1000

// fileSteps is what one file costs there that the text wrote itself.
const fileSteps = 60

// testsOf reads the tests in some places: files, or directories with all in them.
// Without any, they lie where the command runs.
func (r *reader) testsOf(a *act, of *testFiles, places []string) {
	if !r.hasFiles() {
		return
	}
	all := strings.Join(of.names, "|")
	patterns := make([]string, 0, len(places)+2)
	for _, p := range a.few(places) {
		p, _, _ = strings.Cut(p, "::") // a test in a file
		if path.Ext(p) != "" && !strings.HasSuffix(p, "/") && path.Base(p) != "." && path.Base(p) != ".." {
			patterns = append(patterns, p)
			continue
		}
		patterns = append(patterns, strings.TrimSuffix(p, "/")+"/"+all)
	}
	if len(places) == 0 {
		patterns = append(patterns, all)
	}
	if len(of.always) > 0 {
		patterns = append(patterns, strings.Join(of.always, "|"))
	}
	read := map[string]bool{}
	for _, p := range patterns {
		if !r.pay(searchSteps) {
			return
		}
		f := r.file(a.path(p))
		if f == nil || read[f.Content] || !r.pay(len(f.Content)) {
			continue
		}
		read[f.Content] = true
		before := len(r.reading.Effects)
		if f.Remote != "" {
			a.does(effect.RunRemote, f.Remote)
		}
		switch in := interpreters[strings.TrimSuffix(of.program, "3")]; {
		case in != nil:
			a.program(in, f.Content, -1, nil)
		case of.program != "":
			a.script(batsRun.ReplaceAllString(batsTest.ReplaceAllString(f.Content, "{"), "$1"))
		default:
			a.compiledCalls(f.Content)
		}
		r.ofTests(before, f.Content)
	}
}

// batsTest is the line that begins a test of bats: a block with a name. batsRun is
// its word for running the command that follows.
var (
	batsTest = regexp.MustCompile(`(?m)^[ \t]*@test[ \t].*\{[ \t]*$`)
	batsRun  = regexp.MustCompile(`(?m)^([ \t]*)run[ \t]+(?:(?:-[0-9]+|!|--separate-stderr|--keep-empty-lines|--)[ \t]+)*`)
)

// ofTests leaves out what tests do to databases and, where they say so, to clouds
// that are made for them.
func (r *reader) ofTests(before int, program string) {
	made := false
	for _, word := range []string{"moto", "mock", "Mock", "localhost", "localstack", "127.0.0.1", "testcontainers", "responses", "vcr", "fake", "stub"} {
		made = made || strings.Contains(program, word)
	}
	for i := before; i < len(r.reading.Effects); {
		switch e := &r.reading.Effects[i]; {
		case e.Verb == effect.Drop, e.Verb == effect.Destroy && made:
			r.reading.Effects = slices.Delete(r.reading.Effects, i, i+1)
		default:
			i++
		}
	}
}
