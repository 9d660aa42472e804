package command

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/internal/words"
	"github.com/sluice-project/sluice/policy/effect"
)

// Error is a mistake in a description.
type Error struct {
	File         string
	Line, Column int
	// Program is the one whose description it is in, if that is known.
	Program string
	Message string
}

func (e *Error) Error() string {
	where := fmt.Sprintf("%s:%d:%d: ", e.File, e.Line, e.Column)
	if e.Program != "" {
		where += "program " + e.Program + ": "
	}
	return where + e.Message
}

// decoder reads the description of one program.
type decoder struct {
	file    string
	offset  int // lines before the text that was parsed
	program string
	sets    map[string][]string
	like    func(name string) *Program
	has     func(name string) bool // a program is described
	other   func(name string) *Program
}

func (d *decoder) fail(n *yaml.Node, format string, args ...any) error {
	return &Error{File: d.file, Line: n.Line + d.offset, Column: n.Column, Program: d.program, Message: fmt.Sprintf(format, args...)}
}

// pairs calls f with every key of a mapping and its value. Keys that f does not know
// are refused with a suggestion.
func (d *decoder) pairs(n *yaml.Node, what string, known []string, f func(key string, at, value *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return d.fail(n, "%s must be a mapping", what)
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, v := n.Content[i], n.Content[i+1]
		if seen[key.Value] {
			return d.fail(key, "%s has %q twice", what, key.Value)
		}
		seen[key.Value] = true
		if known != nil && !slices.Contains(known, key.Value) {
			return d.fail(key, "%s has no key %q%s; the keys are %s", what, key.Value, suggestion(key.Value, known), strings.Join(known, ", "))
		}
		if err := f(key.Value, key, v); err != nil {
			return err
		}
	}
	return nil
}

func suggestion(word string, known []string) string {
	if near := words.Nearest(word, known, len(word)/2+1); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

// list returns the elements of a sequence; a scalar is a list of one.
func list(n *yaml.Node) []*yaml.Node {
	if n.Kind == yaml.SequenceNode {
		return n.Content
	}
	return []*yaml.Node{n}
}

func scalars(n *yaml.Node) []string {
	nodes := list(n)
	texts := make([]string, len(nodes))
	for i, e := range nodes {
		texts[i] = e.Value
	}
	return texts
}

var programKeys = []string{"about", "like", "syntax", "flags", "commands", "harmless", "operands", "after", "effects", "hook", "examples", "replace"}

// decode reads the description that stands under the names of a program.
func (d *decoder) decode(names string, at, n *yaml.Node) (*Program, error) {
	p := &Program{Names: namesOf(names), File: d.file, Line: at.Line + d.offset, flags: flagTable{}, other: d.other}
	if len(p.Names) == 0 {
		return nil, d.fail(at, "a program needs a name")
	}
	d.program = p.Names[0]
	if bad := resolveAliases(n); bad != nil {
		return nil, d.fail(bad, "what an alias stands for must have no alias in it")
	}
	self := &Command{ways: []way{{}}, flags: flagTable{}, line: p.Line}
	described := false
	err := d.pairs(n, "the description", programKeys, func(key string, at, v *yaml.Node) error {
		switch key {
		case "about":
			p.About = v.Value
		case "like":
			return d.inherit(p, v)
		case "syntax":
			return d.syntax(p, v)
		case "flags":
			own := flagTable{}
			err := d.flags(own, v)
			maps.Copy(p.flags, own)
			return err
		case "commands":
			return d.pairs(v, "commands", nil, func(ways string, at, v *yaml.Node) error {
				c, err := d.command(ways, at, v)
				p.commands = append(p.commands, c)
				return err
			})
		case "harmless":
			c := &Command{flags: flagTable{}, line: at.Line + d.offset}
			for _, text := range scalars(v) {
				c.ways = append(c.ways, parseWays(text)...)
			}
			p.commands = append(p.commands, c)
		case "examples":
			return d.examples(p, v)
		case "replace":
			p.Replaces = v.Value == "true"
		default: // what the program does without a subcommand
			described = true
			return d.commandKey(self, key, v)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if described || len(p.commands) == 0 {
		p.commands = append(p.commands, self)
	}
	p.every = flagTable{}
	p.every.merge(p.flags)
	for _, c := range p.commands {
		p.every.merge(c.flags)
	}
	return p, d.check(p, n)
}

// inherit begins with what another program has.
func (d *decoder) inherit(p *Program, n *yaml.Node) error {
	var of *Program
	if d.like != nil {
		of = d.like(n.Value)
	}
	if of == nil {
		return d.fail(n, "there is no program %q to be like", n.Value)
	}
	p.syntax, p.commands = of.syntax, slices.Clone(of.commands)
	if p.About == "" {
		p.About = of.About
	}
	for name, f := range of.flags { // its own flags count more
		if p.flags[name] == nil {
			p.flags[name] = f
		}
	}
	return nil
}

func (d *decoder) syntax(p *Program, n *yaml.Node) error {
	for _, e := range list(n) {
		switch e.Value {
		case "one-dash":
			p.syntax.oneDash = true
		case "first-ends":
			p.syntax.firstEnds = true
		default:
			return d.fail(e, "there is no syntax %q; one-dash: -name is --name; first-ends: the first operand ends the options", e.Value)
		}
	}
	return nil
}

// flags reads value: [n namespace, {f file: path:read}], switch, optional and dry.
func (d *decoder) flags(t flagTable, n *yaml.Node) error {
	return d.pairs(n, "flags", []string{"value", "optional", "switch", "dry"}, func(key string, _, v *yaml.Node) error {
		for _, e := range list(v) {
			f := &flag{arity: map[string]arity{"value": valued, "optional": optional, "switch": plain, "dry": optional}[key], dry: key == "dry"}
			names, role := e, ""
			if e.Kind == yaml.MappingNode && len(e.Content) == 2 {
				names, role = e.Content[0], e.Content[1].Value
			} else if e.Kind != yaml.ScalarNode {
				return d.fail(e, "a flag is written as its names, or as {names: role}")
			}
			for name := range strings.FieldsSeq(names.Value) {
				f.names = append(f.names, strings.TrimLeft(name, "-"))
			}
			if len(f.names) == 0 {
				return d.fail(e, "a flag needs a name")
			}
			f.role = f.names[len(f.names)-1]
			if role != "" {
				o, err := d.operand(e.Content[1])
				if err != nil {
					return err
				}
				f.role, f.kind = o.Role, o.Kind
			}
			if twice := t.add(f); twice != "" {
				return d.fail(e, "the flag %q is listed twice", twice)
			}
		}
		return nil
	})
}

var commandKeys = []string{"syntax", "flags", "operands", "after", "effects", "hook", "program"}

func (d *decoder) command(ways string, at, n *yaml.Node) (*Command, error) {
	c := &Command{ways: parseWays(ways), flags: flagTable{}, line: at.Line + d.offset}
	for _, w := range c.ways {
		if len(w) == 0 {
			return nil, d.fail(at, "%q names no words", ways)
		}
	}
	if n.Kind == yaml.ScalarNode && n.Value != "" {
		t, err := d.template(n)
		c.effects = []template{t}
		return c, err
	}
	if n.Kind == yaml.ScalarNode || n.Kind == yaml.MappingNode && len(n.Content) == 0 {
		return c, nil
	}
	return c, d.pairs(n, "a command", commandKeys, func(key string, _, v *yaml.Node) error { return d.commandKey(c, key, v) })
}

func (d *decoder) commandKey(c *Command, key string, v *yaml.Node) error {
	switch key {
	case "syntax":
		if v.Value != "first-ends" {
			return d.fail(v, "a command has no syntax %q; first-ends: the first operand ends the options", v.Value)
		}
		c.firstEnds = true
	case "program":
		if c.program = v.Value; !d.has(v.Value) {
			return d.fail(v, "there is no program %q", v.Value)
		}
	case "flags":
		return d.flags(c.flags, v)
	case "operands":
		for _, e := range list(v) {
			o, err := d.operand(e)
			if err != nil {
				return err
			}
			if o.Rest && slices.ContainsFunc(c.operands, func(o Operand) bool { return o.Rest }) {
				return d.fail(e, "only one operand can take any number of words")
			}
			c.operands = append(c.operands, o)
		}
	case "hook":
		c.hooks = append(c.hooks, scalars(v)...)
	case "after":
		o, err := d.operand(v)
		if err != nil {
			return err
		}
		c.after = &o
	case "effects":
		for _, e := range list(v) {
			t, err := d.template(e)
			if err != nil {
				return err
			}
			c.effects = append(c.effects, t)
		}
	}
	return nil
}

// operand reads role, role:kind and role...
func (d *decoder) operand(n *yaml.Node) (Operand, error) {
	var o Operand
	s := n.Value
	s, o.Rest = strings.CutSuffix(s, "...")
	role, kind, has := strings.Cut(s, ":")
	if o.Role = role; role == "" || strings.ContainsAny(role, " {}[]*$") {
		return o, d.fail(n, "%q is not the name of a role", n.Value)
	}
	if o.Kind = Kind(kind); has && !slices.Contains(kinds, o.Kind) {
		names := make([]string, len(kinds))
		for i, k := range kinds {
			names[i] = string(k)
		}
		return o, d.fail(n, "there is no kind %q%s; the kinds are %s", kind, suggestion(kind, names), strings.Join(names, ", "))
	}
	return o, nil
}

var templateKeys = []string{"from", "wide", "scratch", "if", "unless"}

// template reads an effect: its verb with its object, and conditions; or only its
// verb, for the whole command line.
func (d *decoder) template(n *yaml.Node) (template, error) {
	t := template{line: n.Line + d.offset}
	if n.Kind == yaml.ScalarNode {
		verb, wide := strings.CutSuffix(n.Value, " wide")
		if !slices.Contains(effect.Verbs(), effect.Verb(verb)) {
			return t, d.fail(n, "there is no effect %q", verb)
		}
		if wide {
			t.wide = always
		}
		t.verb, t.object = effect.Verb(verb), whole
		return t, nil
	}
	err := d.pairs(n, "an effect", nil, func(key string, at, v *yaml.Node) (err error) {
		switch key {
		case "from":
			t.from, err = parseText(v.Value)
		case "wide":
			t.wide, err = d.condition(v)
		case "scratch":
			t.scratch, err = d.condition(v)
		case "if":
			t.when, err = d.condition(v)
		case "unless":
			t.unless, err = d.condition(v)
		default:
			if !slices.Contains(effect.Verbs(), effect.Verb(key)) {
				known := slices.Clone(templateKeys)
				for _, verb := range effect.Verbs() {
					known = append(known, string(verb))
				}
				return d.fail(at, "there is no effect %q%s", key, suggestion(key, known))
			}
			if t.verb != "" {
				return d.fail(at, "an effect has one verb; this has %s and %s", t.verb, key)
			}
			if t.verb, t.object = effect.Verb(key), whole; v.Value != "" {
				t.object, err = parseText(v.Value)
			}
		}
		if err != nil {
			if _, ok := err.(*Error); !ok { //nolint:errorlint // made here
				err = d.fail(v, "%v", err)
			}
		}
		return err
	})
	if err == nil && t.verb == "" {
		err = d.fail(n, "an effect needs a verb")
	}
	return t, err
}

// always is a condition that is true.
var always = condition{nil}

func (d *decoder) condition(n *yaml.Node) (condition, error) {
	if n.Tag == "!!bool" {
		if n.Value == "true" {
			return always, nil
		}
		return nil, nil
	}
	return parseCondition(scalars(n), d.sets)
}

func (d *decoder) examples(p *Program, n *yaml.Node) error {
	for _, e := range list(n) {
		x := Example{Line: e.Line + d.offset}
		err := d.pairs(e, "an example", []string{"run", "want", "unknown"}, func(key string, _, v *yaml.Node) error {
			switch key {
			case "run":
				x.Run = v.Value
			case "want":
				x.Want = scalars(v)
			default:
				x.Unknown = v.Value == "true"
			}
			return nil
		})
		if err != nil {
			return err
		}
		if x.Run == "" {
			return d.fail(e, "an example needs run: the command as typed")
		}
		p.examples = append(p.examples, x)
	}
	return nil
}
