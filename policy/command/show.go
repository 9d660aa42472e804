package command

import (
	"slices"
	"strings"
)

// Summary is what is known of a program, for people and programs.
type Summary struct {
	Names    []string         `json:"names"`
	Title    string           `json:"title"` // the names, with vertical lines between those of one program
	About    string           `json:"about,omitempty"`
	From     string           `json:"from"` // the file
	Flags    []string         `json:"flags,omitempty"`
	Commands []Subcommand     `json:"commands"`
	Examples []ExampleSummary `json:"examples"`
}

// Subcommand is one command of a program; the program itself has no words.
type Subcommand struct {
	Words    []string `json:"words,omitempty"`
	Flags    []string `json:"flags,omitempty"`
	Operands []string `json:"operands,omitempty"`
	Effects  []string `json:"effects,omitempty"`
}

// ExampleSummary is an invocation and what it does.
type ExampleSummary struct {
	Run     string   `json:"run"`
	Effects []string `json:"effects"`
}

// Summary tells what the description says.
func (p *Program) Summary() Summary {
	s := Summary{Names: p.Names, Title: strings.Join(strings.Fields(strings.ReplaceAll(p.key, ",", " ")), ", "), About: p.About, From: p.File, Flags: p.flags.list()}
	if every := p.always.summary(); len(every) > 0 {
		s.Commands = append(s.Commands, Subcommand{Words: []string{"**"}, Effects: every})
	}
	if p.wraps != nil {
		one := Subcommand{Effects: []string{"what the command in its arguments does"}}
		for i := range p.wraps.self.effects {
			one.Effects = append(one.Effects, p.wraps.self.effects[i].summary())
		}
		s.Commands = append(s.Commands, one)
	}
	for _, c := range p.commands {
		one := Subcommand{Flags: c.flags.list()}
		for _, w := range c.ways {
			if len(w) > 0 {
				one.Words = append(one.Words, w.String())
			}
		}
		operands := c.operands
		if c.after != nil {
			operands = append(slices.Clip(operands), Operand{Role: "-- " + c.after.Role, Kind: c.after.Kind, Rest: true})
		}
		for _, o := range operands {
			one.Operands = append(one.Operands, o.String())
		}
		one.Effects = append(one.Effects, c.summary()...)
		s.Commands = append(s.Commands, one)
	}
	for _, x := range p.examples {
		s.Examples = append(s.Examples, ExampleSummary{x.Run, x.Want})
	}
	return s
}

// summary are the effects of the command.
func (c *Command) summary() []string {
	var all []string
	for i := range c.effects {
		all = append(all, c.effects[i].summary())
	}
	for _, of := range c.cases {
		all = append(all, of.effects()...)
	}
	for _, hook := range c.hooks {
		all = append(all, "further effects, which code works out ("+hook.name+")"+conditional(hook.when, hook.unless))
	}
	return all
}

// effects are those of all cases, with the form of the value that has them.
func (of *choice) effects() []string {
	var all []string
	for i := range of.list {
		one, form := &of.list[i], of.role
		if one.written != "" {
			form += " " + one.written
		}
		for _, effect := range one.then.summary() {
			all = append(all, effect+" (of "+form+")")
		}
	}
	return all
}

// list are the options as a person writes them, sorted.
func (t flagTable) list() []string {
	var all []*flag
	for _, f := range t {
		if !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	texts := make([]string, 0, len(all))
	for _, f := range all {
		var names []string
		for _, name := range f.names {
			switch {
			case name == "+", strings.HasSuffix(name, "="): // they have no dash
				names = append(names, name)
			case len(name) == 1:
				names = append(names, "-"+name)
			default:
				names = append(names, "--"+name)
			}
		}
		text := strings.Join(names, ", ")
		switch {
		case f.dry:
			text += " (dry run)"
		case f.arity == valued:
			text += " " + strings.ToUpper(f.role)
		case f.arity == optional:
			text += "[=" + strings.ToUpper(f.role) + "]"
		}
		texts = append(texts, text)
	}
	slices.Sort(texts)
	return texts
}

// String writes the way as a description has it.
func (w way) String() string {
	words := make([]string, len(w))
	for i := range w {
		if words[i] = strings.Join(w[i].words, "|"); w[i].any {
			words[i] = "**"
		}
	}
	return strings.Join(words, " ")
}

// String writes the operand as a description has it.
func (o *Operand) String() string {
	s := o.Role
	if o.Kind != Text {
		s += ":" + string(o.Kind)
	}
	if o.Rest {
		s += "..."
	}
	return s
}

// summary writes the effect with its conditions, for people.
func (t *template) summary() string {
	s := t.String()
	switch {
	case len(t.wide) == 0:
	case t.wide.String() == "":
		s += ", and everything in it"
	default:
		s += ", and everything in it if " + t.wide.String()
	}
	if len(t.scratch) > 0 {
		s += ", for tests"
		if t.scratch.String() != "" {
			s += " if " + t.scratch.String()
		}
	}
	return s + conditional(t.when, t.unless)
}

// conditional writes the conditions of what is done.
func conditional(when, unless condition) string {
	s := ""
	if len(when) > 0 && when.String() != "" {
		s += ", if " + when.String()
	}
	if len(unless) > 0 {
		s += ", unless " + unless.String()
	}
	return s
}

// String writes the effect as a description has it, without its conditions.
func (t *template) String() string {
	if t.kind != Text {
		words := make([]string, len(t.words))
		for i := range t.words {
			words[i] = t.words[i].written
		}
		if t.runs() {
			return "runs " + strings.Join(words, " ")
		}
		s := "install " + strings.Join(words, " ")
		if from := t.from.written; from != "" && !strings.HasPrefix(from, "{@") { // what is found elsewhere is no role
			s += " from " + from
		}
		return s
	}
	s := string(t.verb) + " " + t.object.written
	if t.from.written != "" {
		s += " from " + t.from.written
	}
	if t.content.written != "" {
		s += " as " + t.content.written
	}
	return s
}
