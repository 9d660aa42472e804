package command

import (
	"embed"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

//go:embed catalogue/*.yaml
var files embed.FS

// Catalogue is a collection of descriptions. It is safe for concurrent use.
type Catalogue struct {
	sets map[string][]string
	// entries are the descriptions by every name of their program.
	entries map[string]*entry
	// below is the catalogue that this one adds to, nil if there is none.
	below *Catalogue
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
	c := &Catalogue{entries: map[string]*entry{}, sets: map[string][]string{}}
	names, err := fs.Glob(files, "catalogue/*.yaml")
	if err != nil {
		panic(err) //nolint:forbidigo // the pattern is a constant
	}
	for _, name := range names {
		data, err := files.ReadFile(name)
		if err != nil {
			panic(err) //nolint:forbidigo // it is embedded
		}
		if err := c.index(path.Base(name), string(data)); err != nil {
			panic(err) //nolint:forbidigo // it is embedded, and read by every test
		}
	}
	return c
})

// Parse reads descriptions that add to those of another catalogue, which may be nil.
// It returns the first mistake.
func Parse(file, text string, below *Catalogue) (*Catalogue, error) {
	c := &Catalogue{entries: map[string]*entry{}, sets: map[string][]string{}, below: below}
	if below != nil {
		c.sets = maps.Clone(below.sets)
	}
	if err := c.index(file, text); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(c.entries)) {
		if _, err := c.load(name, nil); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// ParseNode is Parse for a mapping of names to descriptions that is part of a larger
// document.
func ParseNode(file string, programs *yaml.Node, below *Catalogue) (*Catalogue, error) {
	c := &Catalogue{entries: map[string]*entry{}, sets: map[string][]string{}, below: below}
	if below != nil {
		c.sets = below.sets
	}
	d := &decoder{file: file}
	err := d.pairs(programs, "programs", nil, func(names string, at, v *yaml.Node) error {
		e := &entry{names: names, file: file, line: at.Line - 1, node: [2]*yaml.Node{at, v}}
		for _, name := range namesOf(names) {
			if c.entries[name] != nil {
				return d.fail(at, "the program %s is described twice", name)
			}
			c.entries[name] = e
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(c.entries)) {
		if _, err := c.load(name, nil); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// namesOf are the names of a program, separated by blanks or commas.
func namesOf(s string) []string { return strings.Fields(strings.ReplaceAll(s, ",", " ")) }

// index notes where each description of a file begins: every line that is not
// indented is the names of a program. Only those that are asked for are parsed.
func (c *Catalogue) index(file, data string) error {
	line, begin, at := 0, -1, 0
	var names string
	var start int
	flush := func(end int) error {
		if begin < 0 {
			return nil
		}
		e := &entry{names: names, file: file, text: data[begin:end], line: start}
		if names == "sets" {
			return c.readSets(e)
		}
		for _, name := range namesOf(names) {
			if c.entries[name] != nil {
				return &Error{File: file, Line: start + 1, Column: 1, Program: name, Message: "it is described twice, here and at " + c.entries[name].file + ":" + strconv.Itoa(c.entries[name].line+1)}
			}
			c.entries[name] = e
		}
		return nil
	}
	for at < len(data) {
		end := strings.IndexByte(data[at:], '\n')
		if end < 0 {
			end = len(data) - at - 1
		}
		text := data[at : at+end+1]
		if first := text[0]; first != ' ' && first != '#' && first != '\n' && first != '\r' {
			if err := flush(at); err != nil {
				return err
			}
			key, _, _ := strings.Cut(text, ":")
			names, begin, start = strings.Trim(key, `"' `), at, line
		}
		at += end + 1
		line++
	}
	return flush(len(data))
}

func (c *Catalogue) readSets(e *entry) error {
	var doc struct{ Sets map[string]string }
	if err := yaml.Unmarshal([]byte(e.text), &doc); err != nil {
		return yamlError(e, err)
	}
	for name, list := range doc.Sets {
		c.sets[name] = strings.Fields(list)
	}
	return nil
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
// others are like.
func isBase(name string) bool { return strings.HasPrefix(name, "_") }

// Has reports whether a program is described.
func (c *Catalogue) Has(name string) bool {
	return !isBase(name) && c.entries[name] != nil || c.below != nil && c.below.Has(name)
}

// load parses the description of a program. within are those that are being parsed
// because they are like it.
func (c *Catalogue) load(name string, within []*entry) (*Program, error) {
	e := c.entries[name]
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
		d := &decoder{file: e.file, sets: c.sets, has: c.Has, other: func(name string) *Program {
			p, _ := c.load(name, nil)
			return p
		}, like: func(other string) *Program {
			p, _ := c.load(other, append(within, e))
			return p
		}}
		if e.node[0] != nil {
			e.program, e.err = d.decode(e.names, e.node[0], e.node[1])
			return
		}
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(e.text), &doc); err != nil {
			e.err = yamlError(e, err)
			return
		}
		d.offset = e.line
		if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode || len(doc.Content[0].Content) != 2 {
			e.err = &Error{File: e.file, Line: e.line + 1, Column: 1, Program: e.names, Message: "a description is written as names: {...}"}
			return
		}
		root := doc.Content[0]
		e.program, e.err = d.decode(e.names, root.Content[0], root.Content[1])
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

// yamlError says where in the file the parser stopped.
func yamlError(e *entry, err error) error {
	line, message := 1, strings.TrimPrefix(err.Error(), "yaml: ")
	if n, rest, ok := strings.Cut(strings.TrimPrefix(message, "line "), ": "); ok {
		if at, err := strconv.Atoi(n); err == nil {
			line, message = at, rest
		}
	}
	return &Error{File: e.file, Line: e.line + line, Column: 1, Program: e.names, Message: message}
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
