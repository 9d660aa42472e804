package file

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/shell"
)

// describe reads the programs that the documents describe, one file on top of the
// other, and runs their examples. It returns how many it ran.
func (l *loader) describe() (tried int) {
	for _, d := range l.documents {
		if d.programs == nil {
			continue
		}
		below := l.programs
		if below == nil {
			below = command.Builtin()
		}
		programs, err := command.ParseNode(d.name, d.programs, below)
		if err != nil {
			d.mistaken(d.programs, err)
			l.mistaken = true
			continue
		}
		if l.programs != nil { // a program that two files describe
			for _, name := range programs.OwnNames() {
				if other := l.programs.Own(name); other != nil {
					p := programs.Own(name)
					d.fail(place{p.Line, 1}, "", fmt.Sprintf("the program %s is described at %s:%d, too", name, other.File, other.Line), "put both descriptions into one file")
				}
			}
		}
		l.programs, l.described = programs, append(l.described, d.programs)
		tried += d.tryPrograms(programs)
	}
	return tried
}

func (d *document) mistaken(n *yaml.Node, err error) {
	if e, ok := errors.AsType[*command.Error](err); ok {
		message := e.Message
		if e.Of != "" {
			message = e.Of + ": " + message
		}
		d.fail(place{e.Line, e.Column}, "", message, "")
		return
	}
	d.fail(at(n), "", err.Error(), "")
}

// tryPrograms runs the examples of descriptions, and says where one takes the place
// of what Sluice knows.
func (d *document) tryPrograms(programs *command.Catalogue) (tried int) {
	var seen []*command.Program
	for _, name := range programs.OwnNames() {
		p := programs.Own(name)
		if p.Replaces && shell.Knows(name) {
			d.warn(place{p.Line, 1}, "", fmt.Sprintf("the description of %s takes the place of what is known of it: policies see only what it says", name), "leave `replace: true` out to add to what is known")
		}
		if slices.Contains(seen, p) {
			continue
		}
		seen = append(seen, p)
		for _, x := range p.Examples() {
			tried++
			in := invocation.Setting{Place: workplace, Programs: programs}
			r := shell.Read(x.Run, in)
			var got []string
			for i := range r.Effects {
				got = append(got, r.Effects[i].String())
			}
			slices.Sort(got)
			got = slices.Compact(got)
			if want := slices.Sorted(slices.Values(x.Want)); !slices.Equal(got, want) {
				d.fail(place{x.Line, 1}, "", fmt.Sprintf("program %s: the example %q has the effects [%s]", p.Names[0], x.Run, strings.Join(got, "; ")), "correct the description, or want: of the example")
			}
		}
	}
	return tried
}
