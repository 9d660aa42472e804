package library

import (
	"embed"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/policy/internal/describe"
)

//go:embed *.yaml
var files embed.FS

// Table is what is known of the calls of one language. It is safe for concurrent
// use.
type Table struct {
	entries map[string]*entry
	// open are the names with a star in them.
	open []string
	// constants are names with the text that they stand for, aliases other names of
	// modules and calls, harmless the names of what only computes.
	constants, aliases map[string]string
	harmless           map[string]bool
	// ways are lists of words by their names.
	ways     map[string][]string
	examples []Example
}

// Example is a program with all that it does.
type Example struct {
	Program string
	Want    []string
	Line    int
}

// entry is the text of a description until somebody asks for it.
type entry struct {
	names, file, text string
	line              int
	once              sync.Once
	calls             []*Call
	err               error
}

// Of returns the table of a language. It has no calls for one that is not described.
func Of(language Language) *Table {
	if language < Python || int(language) >= len(tables) {
		return &Table{}
	}
	return tables[language]()
}

var tables = func() (list [Cmd + 1]func() *Table) {
	for language := range list {
		list[language] = sync.OnceValue(func() *Table {
			name := Language(language).String() + ".yaml"
			data, err := files.ReadFile(name)
			if err != nil {
				return &Table{}
			}
			t, err := parse(name, string(data))
			if err != nil {
				panic(err) //nolint:forbidigo // it is embedded, and read by every test
			}
			return t
		})
	}
	return list
}()

// parse notes where the descriptions of a file begin. Only those that are asked for
// are parsed.
func parse(file, data string) (*Table, error) {
	t := &Table{entries: map[string]*entry{}, constants: map[string]string{}, aliases: map[string]string{}, harmless: map[string]bool{}, ways: map[string][]string{}}
	return t, describe.Entries(data, func(names, text string, line int) error {
		e := &entry{names: names, file: file, text: text, line: line}
		if slices.Contains(sections, names) {
			return t.section(e)
		}
		for _, name := range describe.Names(names) {
			if before := t.entries[name]; before != nil {
				return &describe.Error{File: file, Line: line + 1, Column: 1, Of: "call " + name, Message: "it is described twice, here and at line " + strconv.Itoa(before.line+1)}
			}
			t.entries[name] = e
			if strings.Contains(name, "*") && file != "javascript.yaml" { // which looks for them itself
				t.open = append(t.open, name)
			}
		}
		return nil
	})
}

// section reads what is no description.
func (t *Table) section(e *entry) error {
	r := &describe.Reader{File: e.file, Offset: e.line, Of: e.names}
	_, n, err := r.Parse(e.text)
	if err != nil {
		return err
	}
	switch e.names {
	case "harmless":
		for _, name := range describe.Scalars(n) {
			t.harmless[name] = true
		}
	case "constants", "aliases":
		into := t.constants
		if e.names == "aliases" {
			into = t.aliases
		}
		return r.Pairs(n, e.names, nil, func(key string, _, v *yaml.Node) error {
			for name := range strings.FieldsSeq(key) {
				into[name] = v.Value
			}
			return nil
		})
	case "examples":
		for _, e := range describe.List(n) {
			x := Example{Line: e.Line + r.Offset}
			err := r.Pairs(e, "an example", []string{"program", "want"}, func(key string, _, v *yaml.Node) error {
				if key == "program" {
					x.Program = v.Value
				} else {
					x.Want = describe.Scalars(v)
				}
				return nil
			})
			if err != nil {
				return err
			}
			t.examples = append(t.examples, x)
		}
	default:
		t.ways[e.names] = describe.Scalars(n)
	}
	return nil
}

// Call returns the descriptions of a call, of which the first that fits counts; none
// if it is not described. A star in a name stands for anything.
func (t *Table) Call(name string) []*Call {
	if t.entries[name] == nil {
		for _, pattern := range t.open {
			if matches(name, pattern) {
				name = pattern
				break
			}
		}
	}
	calls, err := t.load(name)
	if err != nil {
		panic(err) //nolint:forbidigo // they are embedded and tested
	}
	return calls
}

func (t *Table) load(name string) ([]*Call, error) {
	e := t.entries[name]
	if e == nil {
		return nil, nil
	}
	e.once.Do(func() { e.calls, e.err = t.parsed(name, 0) })
	return e.calls, e.err
}

// mostLike is how many descriptions can be like each other.
const mostLike = 4

func (t *Table) parsed(name string, depth int) ([]*Call, error) {
	e := t.entries[name]
	if e == nil || depth > mostLike {
		return nil, nil
	}
	r := &describe.Reader{File: e.file, Offset: e.line, Of: "call " + name}
	_, n, err := r.Parse(e.text)
	if err != nil {
		return nil, err
	}
	return t.decode(r, n, depth)
}

// Has reports whether a call is described.
func (t *Table) Has(name string) bool { return t.entries[name] != nil }

// Begins reports whether a call is described whose name begins so.
func (t *Table) Begins(begin string) bool {
	for name := range t.entries {
		if strings.HasPrefix(name, begin) {
			return true
		}
	}
	return false
}

// Constant is the text that a name stands for.
func (t *Table) Constant(name string) (string, bool) {
	text, ok := t.constants[name]
	return text, ok
}

// Alias is the name under which a module or call is described.
func (t *Table) Alias(name string) (string, bool) {
	other, ok := t.aliases[name]
	return other, ok
}

// Harmless reports whether a name is that of something that only computes.
func (t *Table) Harmless(name string) bool { return t.harmless[name] }

// Way is a list of how the language does something: "argv" and "args" are the names of
// the arguments of a program, with its own name before them or not, "endings" what the
// language adds to the name of a file that a program loads, in the order in which it
// tries, "loads" the calls by which programs load one by its name alone, and "prints" those
// by which they print a text.
func (t *Table) Way(name string) []string { return t.ways[name] }

// Guarded reports whether a module has members that run or delete, so that one whose
// name is not known may be one of them.
func (t *Table) Guarded(module string) bool { return slices.Contains(t.ways["modules"], module) }

// Examples are those of the table, with all effects that they must have.
func (t *Table) Examples() []Example { return t.examples }

// Missing are the operations that its descriptions name and a reader does not have.
func (t *Table) Missing(operation func(name string) bool) []string {
	missing := map[string]bool{}
	for name := range t.entries {
		for _, c := range t.Call(name) {
			named := c.Gives.operations()
			for i := range c.Does {
				named = append(named, c.Does[i].operations()...)
			}
			for _, name := range named {
				if name != "" && !operation(name) {
					missing[name] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(missing))
}

// Check parses every description and returns the first mistake.
func (t *Table) Check() error {
	for _, name := range slices.Sorted(maps.Keys(t.entries)) {
		if _, err := t.load(name); err != nil {
			return err
		}
	}
	return nil
}

// sections are the entries of a file that are no descriptions: all but the first four
// are lists of words.
var sections = []string{"constants", "aliases", "harmless", "examples", "modules", "endings", "loads", "prints", "argv", "args", "verbs", "switches", "valued", "protectors", "autostarts", "guards", "parts", "options", "tellers", "members", "startups", "controls", "machines"}
