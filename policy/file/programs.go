package file

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/shell"
)

// describe reads the programs that the documents describe, all of them together, and runs
// their examples. It returns how many it ran.
func (l *loader) describe() (tried int) {
	var documents []*document
	var sources []command.Source
	for _, d := range l.documents {
		if d.programs != nil {
			documents, sources = append(documents, d), append(sources, command.Source{File: d.name, Programs: d.programs})
			l.described = append(l.described, d.programs)
		}
	}
	if own := l.options.Host.described(); own != nil {
		sources = append(sources, command.Source{File: "the host", Programs: own})
	}
	if len(sources) == 0 {
		return 0
	}
	programs, mistakes := command.ParseSources(command.Builtin(), func(name string) bool { return shell.Understands(name, nil) }, sources...)
	l.programs, l.mistaken = programs, len(mistakes) > 0
	for _, err := range mistakes {
		l.mistakenProgram(documents, err)
	}
	for _, d := range documents {
		n, failed := d.tryPrograms(programs, l.options.Tolerant)
		tried, l.mistaken = tried+n, l.mistaken || failed
	}
	return tried
}

// mistakenProgram reports a mistake in a description, in the document that it is in.
func (l *loader) mistakenProgram(documents []*document, err error) {
	e, ok := errors.AsType[*command.Error](err)
	if !ok {
		documents[0].fail(at(documents[0].programs), "", err.Error(), "")
		return
	}
	message := e.Message
	if e.Of != "" {
		message = e.Of + ": " + message
	}
	of := documents[max(slices.IndexFunc(documents, func(d *document) bool { return d.name == e.File }), 0)]
	of.fail(place{e.Line, e.Column}, "", message, "")
}

// tryPrograms runs the examples of the descriptions in the document, and says where one
// takes the place of what Sluice knows.
func (d *document) tryPrograms(programs *command.Catalogue, tolerant bool) (tried int, failed bool) {
	fail := d.fail
	if tolerant {
		fail = d.warn
	}
	var seen []*command.Program
	for _, name := range programs.OwnNames() {
		p := programs.Own(name)
		if p.File != d.name {
			continue
		}
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
				failed = true
				fail(place{x.Line, 1}, "", fmt.Sprintf("program %s: the example %q has the effects [%s]", p.Names[0], x.Run, strings.Join(got, "; ")), "correct the description, or want: of the example")
			}
		}
	}
	return tried, failed
}
