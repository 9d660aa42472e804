package command

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/policy/internal/describe"
)

// Orders says where a program finds what it runs, beside its command line: in a file of
// the project, in one that it is given, in a text, on its input.
type Orders struct {
	// Files are the names of the files, those with wildcards read together, and Always
	// those that are read with any of them.
	Files, Always []string
	// Flags are the options that name another file, Endings those of operands that do,
	// "any" for all of them, Text the options whose value is no file, but the text itself.
	// Input: it is also read from the input; Named: where the command line has "-" for
	// that; Made: from what the shell makes of the output of another command, <(command).
	Flags, Endings, Text []string
	Input, Named, Made   bool
	// Dir are the options that name the directory in which the files lie. Under: operands
	// are files, or directories with the files in them. Local: files of packages that the
	// command line names by their directories count, too.
	Dir          []string
	Under, Local bool
	// If are words of which the command line must have one, with wildcards, or "none" for
	// no operands; nil if it need not.
	If []string
	// As is the language of the text, or the way in which commands are found in it.
	As string
	// Beside are the words beside which commands stand, Within those that begin the parts
	// in which they count; Of is the language of what stands there.
	Beside, Within []string
	Of             string
	// Tasks: of the functions that are tasks those run that are named. Tests: what they do
	// to databases is done to those that are made for tests.
	Tasks, Tests bool
	Line         int
}

// IsInFiles reports whether what is read is in files alone, which have fixed names or are
// operands.
func (o *Orders) IsInFiles() bool {
	return len(o.Flags)+len(o.Text) == 0 && !o.Input && !o.Named && !o.Made && len(o.Files)+len(o.Always)+len(o.Endings) > 0
}

// orders are the entries under some names, with examples of what they do, parsed when they are asked for.
type orders struct {
	entry

	list     []Orders
	outputs  []Output
	examples Program
}

// Output says what can be read in what a program prints.
type Output struct {
	Prints string
	// If are words of which the command line must have one, nil if it need not, Unless those
	// of which it must have none.
	If, Unless []string
	// Keeps: keys that the program is given are used, and not shown.
	Keeps bool
	Line  int
}

// indexOrders notes which programs the entries of a file are of.
func (c *Catalogue) indexOrders(file, data string) error {
	if c.orders[file] == nil {
		c.orders[file] = map[string]*told{}
	}
	return describe.Entries(data, func(names, text string, line int) error {
		o := &orders{entry: entry{names: names, file: file, text: text, line: line}}
		for _, name := range describe.Names(names) {
			t := c.orders[file][name]
			if t == nil {
				t = &told{}
				c.orders[file][name] = t
			}
			t.entries = append(t.entries, o)
		}
		return nil
	})
}

// Ordered are the names of the programs that take orders from files.
func (c *Catalogue) Ordered() []string {
	return slices.Sorted(maps.Keys(c.orders[ordersFile]))
}

// Printing are the names of the programs of which it is said what they print.
func (c *Catalogue) Printing() []string {
	return slices.Sorted(maps.Keys(c.orders[outputFile]))
}

// told are the entries that a program has in a file, joined when they are asked for.
type told struct {
	entries []*orders
	once    sync.Once
	orders  []Orders
	outputs []Output
}

// join makes one list of the entries; t may be nil.
func (c *Catalogue) join(t *told) ([]Orders, []Output) {
	if t == nil {
		return nil, nil
	}
	t.once.Do(func() {
		for _, o := range t.entries {
			if err := c.loadOrders(o); err != nil {
				panic(err) //nolint:forbidigo // they are embedded and tested
			}
			t.orders, t.outputs = append(t.orders, o.list...), append(t.outputs, o.outputs...)
		}
	})
	return t.orders, t.outputs
}

// Orders are those that a program takes. The list is shared.
func (c *Catalogue) Orders(name string) []Orders {
	list, _ := c.join(c.orders[ordersFile][name])
	return list
}

// Outputs are what can be read in what a program prints. The list is shared.
func (c *Catalogue) Outputs(name string) []Output {
	_, list := c.join(c.orders[outputFile][name])
	return list
}

func (c *Catalogue) loadOrders(o *orders) error {
	o.once.Do(func() {
		d := &decoder{Reader: describe.Reader{File: o.file, Offset: o.line, Of: "orders of " + o.names}, sets: c.sets}
		var described *yaml.Node
		if _, described, o.err = d.Parse(o.text); o.err != nil {
			return
		}
		for _, n := range describe.List(described) {
			if valueOf(n, "run") != nil {
				if o.err = d.examples(&o.examples, n); o.err != nil {
					return
				}
				continue
			}
			if o.file == outputFile {
				one := Output{Line: n.Line + o.line}
				if o.err = d.output(&one, n); o.err != nil {
					return
				}
				o.outputs = append(o.outputs, one)
				continue
			}
			one := Orders{Line: n.Line + o.line}
			if o.err = d.orders(&one, n); o.err != nil {
				return
			}
			o.list = append(o.list, one)
		}
	})
	return o.err
}

var orderKeys = []string{"file", "always", "flag", "ending", "text", "input", "made", "dir", "under", "local", "if", "as", "beside", "within", "of", "tasks", "tests"}

// orders reads one entry: {file: tasks.py, flag: [-f], as: python}. The name of a set stands for its
// words.
func (d *decoder) orders(o *Orders, n *yaml.Node) error {
	err := d.Pairs(n, "an entry of orders", orderKeys, func(key string, _, v *yaml.Node) error {
		switch words := d.words(v); key {
		case "file":
			o.Files = words
		case "always":
			o.Always = words
		case "flag":
			o.Flags = words
		case "text":
			o.Text = words
		case "dir":
			o.Dir = words
		case "if":
			o.If = words
		case "beside":
			o.Beside = words
		case "within":
			o.Within = describe.Scalars(v)
		case "ending":
			o.Endings = words
		case "as":
			o.As = v.Value
		case "of":
			o.Of = v.Value
		default:
			if o.Named = o.Named || v.Value == "named"; o.Named && key != "input" {
				return d.Fail(v, "only the input can be named")
			}
			*map[string]*bool{"input": &o.Input, "made": &o.Made, "under": &o.Under, "local": &o.Local, "tasks": &o.Tasks, "tests": &o.Tests}[key] = v.Value == "true"
		}
		return nil
	})
	if err == nil && o.As == "" {
		err = d.Fail(n, "an entry of orders needs as: the language of the text, or the way in which commands are found in it")
	}
	return err
}

// printed are what Output can say that a program prints.
var printed = []string{"contents", "words", "code", "named", "database", "rows", "environment", "history", "secret", "repository", "watched", "inner", "nothing"}

// output reads one entry: {prints: database, unless: [--schema-only]}.
func (d *decoder) output(o *Output, n *yaml.Node) error {
	return d.Pairs(n, "an entry of output", []string{"prints", "if", "unless", "keeps"}, func(key string, _, v *yaml.Node) error {
		switch key {
		case "prints":
			if o.Prints = v.Value; !slices.Contains(printed, o.Prints) {
				return d.Fail(v, "nothing prints %q%s", o.Prints, describe.Suggestion(o.Prints, printed))
			}
		case "if":
			o.If = d.words(v)
		case "unless":
			o.Unless = d.words(v)
		default:
			o.Keeps = v.Value == "true"
		}
		return nil
	})
}

// words are those of a list or of a text with blanks; the name of a set stands for its own.
func (d *decoder) words(n *yaml.Node) []string {
	var words []string
	for _, text := range describe.Scalars(n) {
		for word := range strings.FieldsSeq(text) {
			if set, ok := d.sets()[word]; ok {
				words = append(words, set...)
			} else {
				words = append(words, word)
			}
		}
	}
	return slices.Clip(words)
}

// CheckOrders parses the orders of every program and returns them with their examples, or
// the first mistake.
func (c *Catalogue) CheckOrders() (all []Orders, examples []Example, err error) {
	seen := map[*orders]bool{}
	for _, file := range []string{ordersFile, outputFile} {
		for _, name := range slices.Sorted(maps.Keys(c.orders[file])) {
			for _, o := range c.orders[file][name].entries {
				if seen[o] {
					continue
				}
				seen[o] = true
				if err := c.loadOrders(o); err != nil {
					return nil, nil, err
				}
				all, examples = append(all, o.list...), append(examples, o.examples.examples...)
			}
		}
	}
	return all, examples, nil
}
