package command

import (
	"slices"
	"strings"
)

// FlagNames returns the other names that an option, given with or without its dashes,
// has in a command line: -f for --force of git push, and --forc where the line has
// that. They have their dashes. What the description does not have, has no other name.
func (p *Program) FlagNames(args []string, option string) []string {
	name := strings.TrimLeft(option, "-")
	if name == "" || p.syntax.slash {
		return nil
	}
	if p.syntax.anyCase {
		name = strings.ToLower(name)
	}
	var names []string
	l := p.parse(args)
	matches := p.match(&l)
	for i := range matches {
		names = p.otherNames(names, name, args, matches[i].command.flags, p.flags)
	}
	if len(matches) == 0 {
		names = p.otherNames(names, name, args, p.every)
	}
	return names
}

// otherNames adds the other names of an option to a list.
func (p *Program) otherNames(list []string, name string, args []string, tables ...flagTable) []string {
	var option *flag
	for _, t := range tables {
		if option = t[name]; option != nil {
			break
		}
	}
	if option == nil || len(option.names) == 0 {
		return list
	}
	add := func(other string) {
		dashes := "--"
		if len(other) == 1 || p.syntax.oneDash {
			dashes = "-"
		}
		if p.syntax.oneDash && len(other) == 1 && !slices.Contains(args, "-"+other) {
			return // -v is not in -var, as it is in the letters -xvf
		}
		if other != name && !slices.Contains(list, dashes+other) {
			list = append(list, dashes+other)
		}
	}
	for _, other := range option.names {
		add(other)
	}
	for _, arg := range args {
		if arg == "--" {
			break
		}
		long, isLong := strings.CutPrefix(arg, "--")
		if long, _, _ = strings.Cut(long, "="); !isLong || slices.Contains(option.names, long) {
			continue
		}
		if short := look(long, tables...); short != nil && len(short.names) > 0 && &short.names[0] == &option.names[0] {
			add(long)
		}
	}
	return list
}
