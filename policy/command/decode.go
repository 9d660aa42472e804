package command

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/policy/internal/describe"
)

// Error is a mistake in a description.
type Error = describe.Error

// decoder reads the description of one program.
type decoder struct {
	describe.Reader
	sets  func() map[string][]string
	like  func(name string) *Program
	has   func(name string) bool // a program is described
	other func(name string) *Program
	// described reports whether there is a description, also of a part of command lines.
	described func(name string) bool
	// Of the catalogue that this one adds to, nil if there is none: its description of a
	// program, and whether a program is known there at all.
	below func(name string) *Program
	knows func(name string) bool
	own   func(name string) bool // this catalogue describes it
}

var programKeys = []string{"about", "like", "syntax", "flags", "variables", "commands", "harmless", "operands", "after", "input", "place", "effects", "prints", "echoes", "hook", "cases", "examples", "replace", "always", "program", "wraps", "common", "kinds"}

// decode reads the description that stands under the names of a program.
func (d *decoder) decode(names string, at, n *yaml.Node) (*Program, error) {
	p := &Program{Names: describe.Names(names), key: names, File: d.File, Line: at.Line + d.Offset, flags: flagTable{}, other: d.other}
	p.always.line = p.Line
	if len(p.Names) == 0 {
		return nil, d.Fail(at, "a program needs a name")
	}
	d.Of = "program " + p.Names[0]
	if bad := resolveAliases(n); bad != nil {
		return nil, d.Fail(bad, "what an alias stands for must have no alias in it")
	}
	self := &Command{ways: []way{{}}, flags: flagTable{}, line: p.Line}
	described := false
	if p.base = d.baseOf(p, n); p.base != "" { // first of all: the rest adds to it
		p.builtOn(d.below(p.base))
	} else if v := valueOf(n, "like"); v != nil {
		for _, name := range describe.List(v) {
			of, err := d.inherit(p, name)
			if err != nil {
				return nil, err
			}
			if of != nil {
				of.line, self, described = self.line, of, true
			}
		}
		if valueOf(n, "operands") != nil {
			self.operands = nil
		}
	}
	err := d.Pairs(n, "the description", programKeys, func(key string, at, v *yaml.Node) error {
		switch key {
		case "about":
			p.About = v.Value
		case "like": // it was read
		case "syntax":
			return d.syntax(p, v)
		case "flags":
			own := flagTable{}
			err := d.flags(own, v)
			maps.Copy(p.flags, own)
			return err
		case "variables":
			return d.Pairs(v, "variables", nil, func(name string, _, role *yaml.Node) error {
				o, err := d.operand(role)
				for name := range strings.FieldsSeq(name) {
					p.variables = append(p.variables, variable{name, o.Role, o.Kind})
				}
				return err
			})
		case "commands":
			return d.Pairs(v, "commands", nil, func(ways string, at, v *yaml.Node) error {
				c, err := d.command(ways, at, v)
				if err == nil {
					p.extend(c)
				}
				p.commands = append(p.commands, c)
				return err
			})
		case "place":
			p.place = v.Value
		case "wraps":
			return d.wraps(p, v)
		case "common":
			p.Common = v.Value == "true"
		case "kinds":
			return d.kindsOf(p, v)
		case "always":
			return d.always(&p.always, v)
		case "harmless":
			c := &Command{flags: flagTable{}, line: at.Line + d.Offset}
			for _, text := range describe.Scalars(v) {
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
		if c.below {
			continue
		}
		c.declare(p.flags)
		c.places = c.whereOf(p.flags)
	}
	p.helps = d.below == nil || p.base != "" || p.every["help"] != nil
	p.leading = p.every.disputed(p.flags)
	p.index = indexOf(p.commands)
	return p, d.check(p, n)
}

// declare lists the roles of the command's flags and operands that would otherwise be
// those that every invocation has. A flag of the whole program that merely has such a
// name, -command, does not take the role from its subcommands.
func (c *Command) declare(common flagTable) {
	c.declared = nil
	for _, role := range []string{roleProgram, roleCommand, roleWords, roleAfter, roleOptions} {
		own := c.flags.gives(role, false) || c.after != nil && c.after.Role == role ||
			slices.ContainsFunc(c.operands, func(o Operand) bool { return o.Role == role })
		if own || common.gives(role, true) {
			c.declared = append(c.declared, role)
		}
	}
}

// whereOf are the roles by which a command is told what database it works in.
func (c *Command) whereOf(flags flagTable) []Operand {
	var places []Operand
	note := func(role string, kind Kind) {
		o := Operand{Role: role, Kind: kind}
		if (kind == Server || kind == Database) && !slices.ContainsFunc(places, func(p Operand) bool { return p.Role == role }) {
			places = append(places, o)
		}
	}
	for _, table := range []flagTable{flags, c.flags} {
		for _, name := range slices.Sorted(maps.Keys(table)) {
			note(table[name].role, table[name].kind)
		}
	}
	for i := range c.operands {
		note(c.operands[i].Role, c.operands[i].Kind)
	}
	return places
}

// valueOf is the value of a key of a mapping, nil if it has none.
func valueOf(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// baseOf is the program of the catalogue below that a description adds to: the program
// itself, or the one that it is like and whose operands it keeps. It is empty if there is
// none.
func (d *decoder) baseOf(p *Program, n *yaml.Node) string {
	if d.knows == nil {
		return ""
	}
	if v := valueOf(n, "replace"); v != nil && v.Value == "true" {
		return ""
	}
	like := valueOf(n, "like")
	if like == nil {
		if i := slices.IndexFunc(p.Names, d.knows); i >= 0 {
			return p.Names[i]
		}
		return ""
	}
	if like.Kind == yaml.ScalarNode && d.knows(like.Value) && !d.own(like.Value) && valueOf(n, "operands") == nil {
		p.like = true
		return like.Value
	}
	return ""
}

// builtOn begins with how another program is called, so that what is added to it is found
// in the same places. What its commands do is not repeated: that program says it. It is
// nil if nobody has described it.
func (p *Program) builtOn(of *Program) {
	if of == nil {
		return
	}
	p.syntax, p.place, p.wraps, p.About = of.syntax, of.place, of.wraps, of.About
	p.variables, p.kinds = slices.Clip(of.variables), maps.Clone(of.kinds)
	maps.Copy(p.flags, of.flags)
	for _, c := range of.commands {
		copied := *c
		copied.below = true
		p.commands = append(p.commands, &copied)
	}
}

// extend gives a command what the one has that it adds to: its options, and its operands
// unless it has its own. What becomes of them that program says by itself.
func (p *Program) extend(c *Command) {
	i := slices.IndexFunc(p.commands, func(of *Command) bool {
		return of.below && slices.ContainsFunc(of.ways, func(w way) bool { return w.covers(c.ways[0]) })
	})
	if i < 0 {
		return
	}
	of, plain := p.commands[i], map[*flag]*flag{}
	for name, f := range of.flags {
		if c.flags[name] != nil {
			continue
		}
		if plain[f] == nil {
			copied := *f
			copied.kind, plain[f] = Text, &copied
		}
		c.flags[name] = plain[f]
	}
	if !c.firstEnds {
		c.firstEnds, c.ahead = of.firstEnds, of.ahead
	}
	if len(c.operands) == 0 {
		for _, o := range of.operands {
			o.Kind = Text
			c.operands = append(c.operands, o)
		}
	}
	if c.after == nil && of.after != nil {
		c.after = &Operand{Role: of.after.Role, Rest: of.after.Rest}
	}
}

// inherit begins with what another program has. It returns a copy of what that program
// does without a subcommand, nil if that is nothing.
func (d *decoder) inherit(p *Program, n *yaml.Node) (*Command, error) {
	var of *Program
	if d.like != nil {
		of = d.like(n.Value)
	}
	if of == nil {
		if d.knows != nil && d.knows(n.Value) {
			return nil, d.Fail(n, "%s has no description whose operands could be replaced: leave out operands, or like", n.Value)
		}
		return nil, d.Fail(n, "there is no program %q to be like", n.Value)
	}
	if p.syntax == (syntax{}) {
		p.syntax = of.syntax
	}
	var self *Command
	for _, c := range of.commands {
		copied := *c
		if len(c.ways) == 1 && len(c.ways[0]) == 0 && !c.below {
			copied.flags, copied.operands = maps.Clone(c.flags), slices.Clip(c.operands)
			copied.effects, copied.hooks, copied.cases = slices.Clip(c.effects), slices.Clip(c.hooks), slices.Clip(c.cases)
			self = &copied
		} else {
			p.commands = append(p.commands, &copied)
		}
	}
	p.variables = append(p.variables, of.variables...)
	for verb, kind := range of.kinds {
		p.addKind(verb, kind)
	}
	p.always.effects = append(p.always.effects, of.always.effects...)
	p.always.cases = append(p.always.cases, of.always.cases...)
	p.always.hooks = append(p.always.hooks, of.always.hooks...)
	if of.place != "" {
		p.place = of.place
	}
	if of.wraps != nil {
		p.wraps = of.wraps
	}
	if p.base == "" && of.base != "" { // it is like a program that is
		p.base, p.like = of.base, true
	}
	if p.About == "" {
		p.About = of.About
	}
	for name, f := range of.flags { // its own flags count more
		if p.flags[name] == nil {
			p.flags[name] = f
		}
	}
	return self, nil
}

func (d *decoder) syntax(p *Program, n *yaml.Node) error {
	for _, e := range describe.List(n) {
		switch e.Value {
		case "one-dash":
			p.syntax.oneDash = true
		case "first-ends":
			p.syntax.firstEnds = true
		case "bundled":
			p.syntax.bundled = true
		case "any-case":
			p.syntax.anyCase = true
		case "as-written":
			p.syntax.asWritten = true
		case "separated":
			p.syntax.separated = true
		case "slash":
			p.syntax.slash, p.syntax.oneDash, p.syntax.anyCase = true, true, true
		default:
			return d.Fail(e, "there is no syntax %q; one-dash: -name is --name; first-ends: the first operand ends the options; bundled: the first word may be letters without a dash; any-case: capitals mean the same; as-written: what is not known counts as it is written; separated: a semicolon ends a command; slash: /name is --name", e.Value)
		}
	}
	return nil
}

// flags reads value: [n namespace, {f file: path:read}], ends for those with a value behind
// which there are no options, switch, optional, maybe and dry, and letters: abc for switches
// of one letter.
func (d *decoder) flags(t flagTable, n *yaml.Node) error {
	return d.Pairs(n, "flags", []string{"value", "ends", "optional", "maybe", "switch", "letters", "dry"}, func(key string, _, v *yaml.Node) error {
		if key == "letters" {
			for i := range len(v.Value) {
				name := v.Value[i : i+1]
				if twice := t.add(&flag{names: []string{name}, role: name, arity: plain}); twice != "" {
					return d.Fail(v, "the flag %q is listed twice", twice)
				}
			}
			return nil
		}
		for _, e := range describe.List(v) {
			f := &flag{arity: map[string]arity{"value": valued, "ends": valued, "optional": optional, "maybe": ambiguous, "switch": plain, "dry": optional}[key], dry: key == "dry", ends: key == "ends"}
			names, role := e, ""
			if e.Kind == yaml.MappingNode && len(e.Content) == 2 {
				names, role = e.Content[0], e.Content[1].Value
			} else if e.Kind != yaml.ScalarNode {
				return d.Fail(e, "a flag is written as its names, or as {names: role}")
			}
			for name := range strings.FieldsSeq(names.Value) {
				f.names = append(f.names, strings.TrimLeft(name, "-"))
			}
			if len(f.names) == 0 {
				return d.Fail(e, "a flag needs a name")
			}
			f.role = f.names[len(f.names)-1]
			if role != "" {
				f.explicit = true
				at := f // of several roles each is that of one word
				for i, one := range strings.Fields(role) {
					n := *e.Content[1]
					n.Value = one
					o, err := d.operand(&n)
					if err != nil {
						return err
					}
					if i > 0 {
						at.then = &flag{names: f.names, arity: valued}
						at = at.then
					}
					at.role, at.kind, at.rest = o.Role, o.Kind, o.Rest
				}
			}
			if twice := t.add(f); twice != "" {
				return d.Fail(e, "the flag %q is listed twice", twice)
			}
		}
		return nil
	})
}
