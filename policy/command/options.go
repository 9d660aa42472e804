package command

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/describe"
)

// Option is an option as it was asked for, where it stands in a command line.
type Option struct {
	// Value is its value; Valued says that it has one.
	Value  string
	Valued bool
	// Maybe: in another reading of the command line it is not there, or is the value of
	// an option that is not known.
	Maybe bool
	// At is the argument that its value is in, or itself.
	At int
}

// Options are those of a command line that have a name, as [Program.Options] finds them with
// all descriptions of the program.
func (c *Catalogue) Options(program string, args []string, name string) (options []Option, end int) {
	described := c.described(program)
	if len(described) == 0 {
		return undescribed(args, name)
	}
	for _, p := range described {
		found, last := p.Options(&Invocation{Name: program, Args: args}, name)
		end = max(end, last)
		for _, o := range found {
			i := slices.IndexFunc(options, o.same)
			if i < 0 {
				options = append(options, o)
			} else {
				options[i].Maybe = options[i].Maybe && o.Maybe
			}
		}
	}
	if len(described) > 1 {
		slices.SortStableFunc(options, func(a, b Option) int { return a.At - b.At })
	}
	return options, end
}

// Subcommands are the words that can be the subcommand of a program, at least one: more
// than one if words that stand in front may be values of options that are not known. It is
// empty if there is none.
func (c *Catalogue) Subcommands(program string, args []string) []string {
	var subs []string
	described := c.described(program)
	for _, p := range described {
		for _, sub := range p.subcommands(p.parse(args)) {
			if !slices.Contains(subs, sub) {
				subs = append(subs, sub)
			}
		}
	}
	if len(described) == 0 {
		subs = (*Program)(nil).subcommands(parse(args, syntax{}))
	}
	if len(subs) == 0 {
		return []string{""}
	}
	return subs
}

// subcommands are the words that can be the subcommand: those of the description, if there
// are any.
func (p *Program) subcommands(l line) []string {
	var known, all []string
	for i := range l.operands {
		o := &l.operands[i]
		if all = append(all, o.text); p != nil && p.index.begins(o.key) {
			known = append(known, o.text)
		}
		if !o.maybe {
			break
		}
	}
	switch {
	case len(known) > 0:
		return known
	case p != nil && len(all) > 1: // the first that is surely an operand
		return all[len(all)-1:]
	default:
		return all
	}
}

// described are the descriptions of a program that count: its own, and the one that it
// adds to.
func (c *Catalogue) described(program string) []*Program {
	var list []*Program
	for ; c != nil; c = c.below {
		if isBase(program) || c.entry(program) == nil {
			continue
		}
		p, err := c.load(program, nil)
		if err != nil || p == nil { // it was refused when it was loaded
			continue
		}
		if list = append(list, p); p.Replaces || p.base == program { // it has all that the other has
			break
		}
	}
	return list
}

// Flags are the names of all options of a program, its subcommands and the programs that it
// hands a command line on to, without dashes. There are none if one of them is not described.
func (c *Catalogue) Flags(program string) []string {
	var names []string
	for _, p := range c.described(program) {
		for _, q := range append([]*Program{p}, p.handsOnTo()...) {
			if q == nil || len(q.every) == 0 {
				return nil
			}
			for name := range q.every {
				names = append(names, strings.TrimSuffix(name, "="))
			}
		}
	}
	return names
}

// SubcommandNames are the words with which a command line of a program can begin, according to
// its description. There are none if it takes any.
func (c *Catalogue) SubcommandNames(program string) []string {
	var names []string
	for _, p := range c.described(program) {
		for word := range p.index.words {
			names = append(names, word)
		}
	}
	return names
}

// handsOnTo are the programs to which commands of a program hand their words on.
func (p *Program) handsOnTo() []*Program {
	var list []*Program
	for _, command := range p.commands {
		if command.program != "" {
			list = append(list, p.other(command.program))
		}
	}
	return list
}

// MarksScratch reports whether a description of somebody's own says of effects with a verb
// when they are for tests.
func (c *Catalogue) MarksScratch(verb effect.Verb) bool {
	for _, name := range c.OwnNames() {
		p := c.Own(name)
		if p == nil {
			continue
		}
		for _, command := range p.all() {
			if slices.ContainsFunc(command.effects, func(t template) bool { return t.verb == verb && len(t.scratch) > 0 }) {
				return true
			}
		}
	}
	return false
}

// SameAs are the names of the program that has a name, and that name itself.
func (c *Catalogue) SameAs(name string) []string {
	same := []string{name}
	for ; c != nil; c = c.below {
		e := c.entry(name)
		if e == nil || isBase(name) {
			continue
		}
		for _, other := range describe.Same(e.names, name) {
			if !slices.Contains(same, other) {
				same = append(same, other)
			}
		}
	}
	return same
}

// Options are those of a command line that have a name, given with or without its dashes,
// or another name of the same option: -f for --force of git push. They are found in every
// way in which the command line can be read. From the argument end on, the program has no
// options. Who asks for an option that the description does not have says that it has a
// value.
func (p *Program) Options(in *Invocation, name string) (options []Option, end int) {
	name = strings.TrimLeft(name, "-")
	if p.syntax.slash {
		name = strings.TrimLeft(name, "-/")
	}
	if p.syntax.anyCase {
		name = strings.ToLower(name)
	}
	if name == "" || !p.syntax.bundled && !slices.ContainsFunc(in.Args, mayBeOption) {
		return nil, len(in.Args)
	}
	for from, part := range p.separate(in) {
		var found []Option
		var times []int // in how many readings each is
		readings := 0
		p.eachLine(part, placesFrom(from, len(part.Args)), nil, 0, func(l *line, at, _ []int) {
			readings++
			if l.end == len(at) && l.end > 0 {
				end = max(end, at[l.end-1]+1)
			} else if l.end < len(at) {
				end = max(end, at[l.end])
			}
			for _, one := range l.named(name, at) {
				if i := slices.IndexFunc(found, one.same); i >= 0 {
					times[i]++
					found[i].Maybe = found[i].Maybe || one.Maybe
				} else {
					found, times = append(found, one), append(times, 1)
				}
			}
		})
		for i, n := range times {
			found[i].Maybe = found[i].Maybe || n < readings
		}
		options = append(options, found...)
	}
	slices.SortStableFunc(options, func(a, b Option) int { return a.At - b.At })
	return options, end
}

// same reports whether another option is this one in another reading.
func (o *Option) same(other Option) bool {
	return o.At == other.At && o.Value == other.Value && o.Valued == other.Valued
}

// mayBeOption reports whether a word can be an option in any syntax.
func mayBeOption(word string) bool {
	return word != "" && (word[0] == '-' || word[0] == '+' || word[0] == '/' || strings.Contains(word, "="))
}

// named are the options of one reading that have a name; at says where its arguments stand.
func (l *line) named(name string, at []int) (list []Option) {
	for i := range l.options {
		o := &l.options[i]
		if o.name != name && strings.TrimSuffix(o.name, "=") != name && (o.flag == nil || !slices.Contains(o.names, name)) {
			continue
		}
		one := Option{Value: o.value, Valued: o.valued, Maybe: o.maybe || o.behind, At: at[o.at]}
		if o.doubt && strings.HasPrefix(o.value, "-") && !o.behind && o.at != o.in { // the next word is an option by itself
			one.Value, one.Valued, one.At = "", false, at[o.in]
		}
		list = append(list, one)
	}
	return list
}

// undescribed are the options with a name of a program that is not described. Any word
// with dashes may be one, and the letters of such a word options each, or the first of
// them one with the rest as its value.
func undescribed(args []string, name string) (options []Option, end int) {
	end = slices.Index(args, "--")
	if end < 0 {
		end = len(args)
	}
	asked := strings.TrimLeft(name, "-")
	if asked == "" {
		return nil, end
	}
	l := parse(args[:end], syntax{}, flagTable{asked: {names: []string{asked}, arity: ambiguous}})
	for i := range l.options {
		o := &l.options[i]
		if o.name != asked || strings.HasPrefix(name, "--") && !strings.HasPrefix(args[o.in], "--") {
			continue
		}
		one := Option{Value: o.value, Valued: o.valued, Maybe: o.behind, At: o.at}
		if o.at != o.in && strings.HasPrefix(o.value, "-") {
			one.Value, one.Valued, one.At = "", false, o.in
		}
		options = append(options, one)
	}
	return options, end
}
