package command

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/describe"
)

var commandKeys = []string{"syntax", "flags", "operands", "after", "input", "effects", "prints", "echoes", "hook", "cases", "program"}

func (d *decoder) command(ways string, at, n *yaml.Node) (*Command, error) {
	c := &Command{ways: parseWays(ways), flags: flagTable{}, line: at.Line + d.Offset}
	for _, w := range c.ways {
		if len(w) == 0 {
			return nil, d.Fail(at, "%q names no words", ways)
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
	for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
		switch key := n.Content[i].Value; {
		case key == "wraps":
			return nil, d.Fail(n.Content[i], `wraps is for a whole program: for one command, write operands: ["run:argv..."] or after: run:argv, with syntax: first-ends`)
		case slices.Contains(programKeys, key) && !slices.Contains(commandKeys, key):
			return nil, d.Fail(n.Content[i], "%s is for a whole program, not for one of its commands", key)
		}
	}
	return c, d.Pairs(n, "a command", commandKeys, func(key string, _, v *yaml.Node) error { return d.commandKey(c, key, v) })
}

func (d *decoder) commandKey(c *Command, key string, v *yaml.Node) error {
	switch key {
	case "syntax":
		for _, e := range describe.List(v) {
			if e.Value != "first-ends" {
				return d.Fail(e, "a command has no syntax %q, only first-ends: the first operand ends the options; the others are of the whole program", e.Value)
			}
		}
		c.firstEnds, c.ahead = true, 0
	case "program":
		c.program, c.called = strings.CutSuffix(v.Value, " *")
		if !d.has(c.program) {
			return d.Fail(v, "there is no program %q", c.program)
		}
	case "flags":
		return d.flags(c.flags, v)
	case "operands":
		for _, e := range describe.List(v) {
			o, err := d.operand(e)
			if err != nil {
				return err
			}
			if o.Rest && slices.ContainsFunc(c.operands, func(o Operand) bool { return o.Rest && len(o.when)+len(o.unless) == 0 }) {
				return d.Fail(e, "only one operand can take any number of words, unless conditions say which it is")
			}
			if !o.Rest && (o.Kind == Argv || o.Kind == RemoteArgv) {
				return d.Fail(e, "%q is one word, and a command has several: write %s:%s...", o.Role, o.Role, o.Kind)
			}
			if (o.Kind == Argv || o.Kind == RemoteArgv) && !c.firstEnds { // what follows are options of that command
				c.firstEnds, c.ahead = true, c.surely()
			}
			c.operands = append(c.operands, o)
		}
	case "input":
		return d.input(c, v)
	case "hook":
		return d.hooks(c, v)
	case "cases":
		return d.cases(c, v)
	case "prints", "echoes":
		cond, err := d.condition(v)
		if err != nil {
			return d.Fail(v, "%v", err)
		}
		if key == "prints" {
			c.prints = cond
		} else {
			c.echoes = cond
		}
	case "after":
		o, err := d.operand(v)
		if err != nil {
			return err
		}
		c.after = &o
	case "effects":
		for _, e := range describe.List(v) {
			t, err := d.template(e)
			if err != nil {
				return err
			}
			c.effects = append(c.effects, t)
		}
	}
	return nil
}

// surely is how many of the operands there always are.
func (c *Command) surely() (n int) {
	for i := range c.operands {
		if o := &c.operands[i]; len(o.when)+len(o.unless) == 0 && !o.Rest {
			n++
		}
	}
	return n
}

// always reads what a program does whatever its command is: effects, and {hook: ...}.
func (d *decoder) always(c *Command, n *yaml.Node) error {
	if n.Kind == yaml.MappingNode && (valueOf(n, "effects") != nil || valueOf(n, "cases") != nil) {
		return d.Pairs(n, "always", []string{"effects", "cases", "hook"}, func(key string, _, v *yaml.Node) error { return d.commandKey(c, key, v) })
	}
	for _, e := range describe.List(n) {
		key := "effects"
		if hook := valueOf(e, "hook"); hook != nil && len(e.Content) == 2 {
			key, e = "hook", hook
		}
		if err := d.commandKey(c, key, e); err != nil {
			return err
		}
	}
	return nil
}

// input reads what a command does with its input: a kind, or {as: kind, unless: [...]}.
func (d *decoder) input(c *Command, n *yaml.Node) (err error) {
	if n.Kind == yaml.ScalarNode {
		c.input, err = d.kind(n, n.Value)
		return err
	}
	return d.Pairs(n, "input", []string{"as", "unless"}, func(key string, _, v *yaml.Node) (err error) {
		if key == "as" {
			c.input, err = d.kind(v, v.Value)
		} else {
			c.inputUnless, err = d.condition(v)
		}
		return err
	})
}

func (d *decoder) kind(n *yaml.Node, s string) (Kind, error) {
	k := Kind(s)
	if slices.Contains(kinds, k) {
		return k, nil
	}
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = string(k)
	}
	return k, d.Fail(n, "there is no kind %q%s; the kinds are %s", s, describe.Suggestion(s, names), strings.Join(names, ", "))
}

// operand reads role, role:kind and role..., and {role: {unless: [--all]}} for one that
// is not always there.
func (d *decoder) operand(n *yaml.Node) (Operand, error) {
	var o Operand
	if n.Kind == yaml.MappingNode && len(n.Content) == 2 {
		o, err := d.operand(n.Content[0])
		if err != nil {
			return o, err
		}
		return o, d.Pairs(n.Content[1], "an operand", []string{"if", "unless"}, func(key string, _, v *yaml.Node) error {
			cond, err := d.condition(v)
			if err != nil {
				return d.Fail(v, "%v", err)
			}
			if key == "if" {
				o.when = cond
			} else {
				o.unless = cond
			}
			return nil
		})
	}
	s := n.Value
	s, o.Rest = strings.CutSuffix(s, "...")
	role, kind, has := strings.Cut(s, ":")
	if before, ok := strings.CutSuffix(role, "..."); ok && has { // on either side of the kind
		role, o.Rest = before, true
	}
	if o.Role = role; role == "" || strings.ContainsAny(role, " {}[]*$") || strings.Contains(role, "...") {
		return o, d.Fail(n, "%q is not the name of a role", n.Value)
	}
	if !has {
		return o, nil
	}
	var err error
	o.Kind, err = d.kind(n, kind)
	return o, err
}

// meantVerb is which verb, or which of some other keys, an unknown word was meant to be,
// for the end of a message.
func meantVerb(word string, known []string) string {
	if verb := effect.Synonyms()[strings.ToLower(word)]; verb != "" {
		return fmt.Sprintf(" (did you mean %q?)", verb)
	}
	return describe.Suggestion(word, slices.Concat(known, verbNames()))
}

var templateKeys = []string{"from", "content", "kind", "wide", "scratch", "remote", "if", "unless"}

// template reads an effect: its verb with its object, and conditions; or only its
// verb, for the whole command line.
func (d *decoder) template(n *yaml.Node) (template, error) {
	t := template{line: n.Line + d.Offset}
	if n.Kind == yaml.ScalarNode {
		verb, wide := strings.CutSuffix(n.Value, " wide")
		if !slices.Contains(effect.Verbs(), effect.Verb(verb)) {
			return t, d.Fail(n, "there is no effect %q%s", verb, meantVerb(verb, nil))
		}
		if wide {
			t.wide = always
		}
		t.verb, t.object = effect.Verb(verb), whole
		return t, nil
	}
	var kind *yaml.Node
	err := d.Pairs(n, "an effect", nil, func(key string, at, v *yaml.Node) (err error) {
		switch key {
		case "from":
			t.from, err = parseText(v.Value)
		case "content":
			t.content, err = parseText(v.Value)
		case "kind": // the verb must be known
			kind = v
		case "wide":
			t.wide, err = d.condition(v)
		case "scratch":
			t.scratch, err = d.condition(v)
		case "remote":
			t.remote = v.Value == "true"
		case "if":
			t.when, err = d.condition(v)
		case "unless":
			t.unless, err = d.condition(v)
		default:
			if runs := Kind(key); slices.Contains(runKinds, runs) {
				return d.runs(&t, at, runs, v)
			}
			if !slices.Contains(effect.Verbs(), effect.Verb(key)) {
				return d.Fail(at, "there is no effect %q%s", key, meantVerb(key, templateKeys))
			}
			if t.verb != "" {
				return d.Fail(at, "an effect has one verb; this has %s and %s", t.verb, key)
			}
			if t.verb, t.object = effect.Verb(key), whole; v.Value != "" {
				t.object, err = parseText(v.Value)
			}
		}
		if err != nil {
			if _, ok := err.(*Error); !ok { //nolint:errorlint // made here
				err = d.Fail(v, "%v", err)
			}
		}
		return err
	})
	if err == nil && t.verb == "" && t.kind == Text {
		err = d.Fail(n, "an effect needs a verb")
	}
	if err == nil && kind != nil {
		err = d.templateKinds(&t, kind)
	}
	return t, err
}

// runs reads what is run: a text with the values of roles in it, or the words of a
// command in a list, of which "{role*}" alone is as many words as the role has values.
func (d *decoder) runs(t *template, at *yaml.Node, kind Kind, n *yaml.Node) error {
	if t.verb != "" || t.kind != Text {
		return d.Fail(at, "an effect has one verb; this runs something, too")
	}
	t.kind = kind
	for _, s := range describe.Scalars(n) {
		word, err := parseText(s)
		if err != nil {
			return d.Fail(n, "%v", err)
		}
		t.words = append(t.words, word)
		t.object.parts = append(t.object.parts, word.parts...)
	}
	if len(t.words) == 0 {
		return d.Fail(n, "%s needs a text, or a list of words", kind)
	}
	if name := t.words[0].written; (kind == Part || kind == Commands || kind == CommandFile) && !d.described(name) {
		return d.Fail(n, "there is no description %q", name)
	}
	return nil
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
	return parseCondition(describe.Scalars(n), d.sets)
}

func (d *decoder) examples(p *Program, n *yaml.Node) error {
	for _, e := range describe.List(n) {
		x := Example{Line: e.Line + d.Offset}
		err := d.Pairs(e, "an example", []string{"run", "want", "unknown"}, func(key string, _, v *yaml.Node) error {
			switch key {
			case "run":
				x.Run = v.Value
			case "want":
				x.Want = describe.Scalars(v)
			default:
				x.Unknown = v.Value == "true"
			}
			return nil
		})
		if err != nil {
			return err
		}
		if x.Run == "" {
			return d.Fail(e, "an example needs run: the command as typed")
		}
		p.examples = append(p.examples, x)
	}
	return nil
}
