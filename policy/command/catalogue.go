package command

import (
	"embed"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/policy/internal/describe"
)

//go:embed catalogue/*.yaml
var files embed.FS

// What is said of programs of which most do nothing else that could be described: where
// they find what they run, and what can be read in what they print.
const (
	ordersFile = "orders.yaml"
	outputFile = "output.yaml"
)

// Catalogue is a collection of descriptions. It is safe for concurrent use.
type Catalogue struct {
	// sets returns the words that descriptions call by a name.
	sets func() map[string][]string
	// tables are those sets that were asked for.
	tables sync.Map
	// entries are the descriptions by every name of their program.
	entries map[string]*entry
	// firsts are the first names of programs by their other ones.
	firsts map[string]string
	// families are the names with a wildcard: mkfs.*
	families []string
	// orders are, by their file, where programs find what they run, beside their command
	// line, and what can be read in what they print.
	orders map[string]map[string]*told
	// below is the catalogue that this one adds to, nil if there is none.
	below *Catalogue
	// understood reports whether a program is known that no catalogue describes, nil if
	// there is none.
	understood func(name string) bool
}

// entry is the text of a description until somebody asks for it.
type entry struct {
	names, file, text string
	node              [2]*yaml.Node // instead of the text: the names and the description
	line              int           // lines before the text
	once              sync.Once
	program           *Program
	err               error
}

// Builtin returns the descriptions that are part of Sluice.
var Builtin = sync.OnceValue(func() *Catalogue {
	c := &Catalogue{entries: map[string]*entry{}, sets: noSets, orders: map[string]map[string]*told{}}
	names, err := fs.Glob(files, "catalogue/*.yaml")
	if err != nil {
		panic(err) //nolint:forbidigo // the pattern is a constant
	}
	for _, name := range names {
		data, err := files.ReadFile(name)
		if err != nil {
			panic(err) //nolint:forbidigo // it is embedded
		}
		index := c.index
		if base := path.Base(name); base == ordersFile || base == outputFile {
			index = c.indexOrders
		}
		if err := index(path.Base(name), string(data)); err != nil {
			panic(err) //nolint:forbidigo // it is embedded, and read by every test
		}
	}
	return c
})

// Source is a mapping of names to descriptions that is part of a larger document.
type Source struct {
	File     string
	Programs *yaml.Node
}

// ParseSources is Parse for the descriptions of some documents, which may be like one
// another in any order. Understood reports whether a program is known that no catalogue
// describes; it may be nil. Descriptions with a mistake are left out, and every mistake is
// returned.
func ParseSources(below *Catalogue, understood func(name string) bool, sources ...Source) (*Catalogue, []error) {
	c := over(below)
	c.understood = understood
	var mistakes []error
	for _, s := range sources {
		d := &decoder{Reader: describe.Reader{File: s.File}}
		err := d.Pairs(s.Programs, "programs", nil, func(names string, at, v *yaml.Node) error {
			if err := c.enter(d, &entry{names: names, file: d.File, line: at.Line - 1, node: [2]*yaml.Node{at, v}}, at); err != nil {
				mistakes = append(mistakes, err)
			}
			return nil
		})
		if err != nil {
			mistakes = append(mistakes, err)
		}
	}
	mistakes = append(mistakes, c.loadAll()...)
	all := make([]error, 0, len(mistakes))
	for _, err := range mistakes {
		all = append(all, describe.Mistakes(err)...)
	}
	return c, all
}

// enter notes a description under its names; at is where these stand.
func (c *Catalogue) enter(d *decoder, e *entry, at *yaml.Node) error {
	for _, name := range describe.Names(e.names) {
		switch other := c.entries[name]; {
		case other == nil:
		case other.file == e.file:
			return d.Fail(at, "the program %s is described twice", name)
		default:
			return d.Fail(at, "the program %s is described at %s:%d, too: put both descriptions into one file", name, other.file, other.line+1)
		}
		if base := name[strings.LastIndexAny(name, `/\\`)+1:]; base != name {
			return d.Fail(at, "a program is described by its name without its directory: write %s", base)
		}
		if strings.Contains(name, "*") {
			c.families = append(c.families, name)
		}
	}
	for _, name := range describe.Names(e.names) {
		c.entries[name] = e
	}
	c.noteFirst(e.names)
	return nil
}

// noteFirst notes which of the names of each program comes first.
func (c *Catalogue) noteFirst(names string) {
	if !strings.Contains(names, "|") {
		return
	}
	if c.firsts == nil {
		c.firsts = map[string]string{}
	}
	for group := range strings.FieldsFuncSeq(names, func(r rune) bool { return r == ',' || r == ' ' }) {
		first, rest, _ := strings.Cut(group, "|")
		for other := range strings.SplitSeq(rest, "|") {
			c.firsts[other] = first
		}
	}
}

// FirstName is the first of the names of the program that has a name: that of kubectl where
// somebody has called k.
func (c *Catalogue) FirstName(name string) string {
	for ; c != nil; c = c.below {
		if c.entries[name] == nil {
			continue
		}
		if first := c.firsts[name]; first != "" {
			return first
		}
		return name
	}
	return name
}

// over is a catalogue that adds to another, which may be nil.
func over(below *Catalogue) *Catalogue {
	c := &Catalogue{entries: map[string]*entry{}, sets: noSets, below: below}
	if below != nil {
		c.sets = below.sets
	}
	return c
}

// loadAll parses every description and leaves out those with a mistake, each of which is
// returned once.
func (c *Catalogue) loadAll() (mistakes []error) {
	for _, name := range slices.Sorted(maps.Keys(c.entries)) {
		if _, err := c.load(name, nil); err != nil {
			if !slices.Contains(mistakes, err) {
				mistakes = append(mistakes, err)
			}
			delete(c.entries, name)
		}
	}
	return mistakes
}

// index notes where each description of a file begins. Only those that are asked for
// are parsed.
func (c *Catalogue) index(file, data string) error {
	return describe.Entries(data, func(names, text string, line int) error {
		e := &entry{names: names, file: file, text: text, line: line}
		if names == "sets" {
			c.readSets(e)
			return nil
		}
		return c.enter(&decoder{Reader: describe.Reader{File: file, Offset: line, Of: "program " + names}}, e, &yaml.Node{Line: 1, Column: 1})
	})
}

func noSets() map[string][]string { return nil }

// readSets adds sets, which are parsed when the first description needs one.
func (c *Catalogue) readSets(e *entry) {
	before := c.sets
	c.sets = sync.OnceValue(func() map[string][]string {
		sets := maps.Clone(before())
		if sets == nil {
			sets = map[string][]string{}
		}
		var doc struct{ Sets map[string]string }
		if err := yaml.Unmarshal([]byte(e.text), &doc); err != nil {
			e.err = (&describe.Reader{File: e.file, Offset: e.line, Of: e.names}).Refused(err)
		}
		for name, list := range doc.Sets {
			sets[name] = strings.Fields(list)
		}
		return sets
	})
}

// Program returns the description of a program, nil if there is none.
func (c *Catalogue) Program(name string) *Program {
	if isBase(name) {
		return nil
	}
	p, err := c.load(name, nil)
	if err != nil {
		panic(err) //nolint:forbidigo // those of the catalogue are embedded and tested, others were loaded before
	}
	return p
}

// Set returns the words that descriptions call by a name.
func (c *Catalogue) Set(name string) []string { return c.sets()[name] }

// In reports whether a word is in a set.
func (c *Catalogue) In(set, word string) bool {
	_, in := c.Table(set)[word]
	return in
}

// Table is a set by its words, with what belongs to them: word=this,that.
func (c *Catalogue) Table(set string) map[string][]string {
	known, ok := c.tables.Load(set)
	if !ok {
		table := map[string][]string{}
		for _, word := range c.Set(set) {
			word, more, _ := strings.Cut(word, "=")
			table[word] = strings.Split(more, ",")
		}
		known, _ = c.tables.LoadOrStore(set, table)
	}
	table, _ := known.(map[string][]string)
	return table
}

// Part returns a description whose name begins with _: of a part of command lines that
// code takes out of them, as a setting of git or a request to a web server, or of how
// programs are called that have too many names to list.
func (c *Catalogue) Part(name string) *Program {
	p, err := c.load(name, nil)
	if err != nil {
		panic(err) //nolint:forbidigo // those of the catalogue are embedded and tested
	}
	return p
}

// Own returns the description of a program that this catalogue adds to the one below,
// nil if it has none.
func (c *Catalogue) Own(name string) *Program {
	if c == nil || c.entries[name] == nil {
		return nil
	}
	return c.Program(name)
}

// OwnNames are the names of the programs that it adds.
func (c *Catalogue) OwnNames() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(c.entries)), isBase)
}

// isBase reports whether a name is that of no program, but of a description that
// others are like, or of a family of programs.
func isBase(name string) bool { return strings.HasPrefix(name, "_") || strings.Contains(name, "*") }

// entry is the description of a program: by its name, or that of its family.
func (c *Catalogue) entry(name string) *entry {
	if e := c.entries[name]; e != nil {
		return e
	}
	for _, family := range c.families {
		if describe.Wild(family, name) {
			return c.entries[family]
		}
	}
	return nil
}

// Has reports whether a program is described.
func (c *Catalogue) Has(name string) bool {
	return !isBase(name) && c.entry(name) != nil || c.below != nil && c.below.Has(name)
}

// load parses the description of a program. within are those that are being parsed
// because they are like it.
func (c *Catalogue) load(name string, within []*entry) (*Program, error) {
	e := c.entry(name)
	if e == nil {
		if c.below != nil {
			return c.below.load(name, nil)
		}
		return nil, nil //nolint:nilnil // there is none, which is no mistake
	}
	if slices.Contains(within, e) {
		return nil, nil //nolint:nilnil // it cannot be like itself
	}
	e.once.Do(func() {
		d := &decoder{Reader: describe.Reader{File: e.file, Of: e.names}, sets: c.sets, has: c.Has, described: func(name string) bool { return c.entry(name) != nil || c.below != nil && c.below.entry(name) != nil }, other: func(name string) *Program {
			p, _ := c.load(name, nil)
			return p
		}, like: func(other string) *Program {
			p, _ := c.load(other, append(within, e))
			return p
		}}
		if c.below != nil {
			d.below, d.knows = c.below.Program, func(name string) bool {
				return c.below.Has(name) || c.understood != nil && c.understood(name)
			}
			d.own = func(name string) bool { return c.entry(name) != nil }
		}
		names, described := e.node[0], e.node[1]
		if names == nil {
			d.Offset = e.line
			if names, described, e.err = d.Parse(e.text); e.err != nil {
				return
			}
		}
		e.program, e.err = d.decode(e.names, names, described)
	})
	return e.program, e.err
}

// resolveAliases puts what they stand for in the place of aliases. It returns one that
// stands for something with aliases in it, which could be without end.
func resolveAliases(n *yaml.Node) *yaml.Node {
	for i, child := range n.Content {
		if child.Kind == yaml.AliasNode {
			if hasAlias(child.Alias) {
				return child
			}
			n.Content[i] = child.Alias
		} else if bad := resolveAliases(child); bad != nil {
			return bad
		}
	}
	return nil
}

func hasAlias(n *yaml.Node) bool {
	return slices.ContainsFunc(n.Content, func(child *yaml.Node) bool { return child.Kind == yaml.AliasNode || hasAlias(child) })
}

// Names are those of all programs, sorted.
func (c *Catalogue) Names() []string {
	names := c.OwnNames()
	if c.below != nil {
		names = append(names, c.below.Names()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Check parses every description and returns the first mistake.
func (c *Catalogue) Check() error {
	for _, name := range slices.Sorted(maps.Keys(c.entries)) {
		if _, err := c.load(name, nil); err != nil {
			return err
		}
	}
	return nil
}
