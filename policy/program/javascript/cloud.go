package javascript

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// here begins the path of a client of a cloud that is on the same machine.
const here = "here:"

// foreign is a call of something that is not known: of a library that nobody sees, or
// of what one gave. Some methods do the same wherever they are.
func (e *evaluator) foreign(path string, args []value) value {
	if at := strings.LastIndexByte(path, '.'); at >= 0 {
		library.Run(library.Of(library.JavaScript).Call(path[at:]), library.Reader[value](&called{e, path, args}))
	}
	return e.inCloud(path, args)
}

// inCloud notes what a call of something that is not known takes away in a cloud, if
// the program has a library for one, and gives what can be asked further.
func (e *evaluator) inCloud(path string, args []value) value {
	cloud := library.Clouds()
	if !e.clouds || len(path) > maxPath {
		return value{}
	}
	parts := strings.Split(path, ".")
	links := make([]library.Link, len(parts))
	for i := range parts {
		links[i].Name = parts[i]
	}
	last := &links[len(links)-1]
	local, trial := strings.HasPrefix(path, here), false
	for _, a := range args {
		if t := a; last.Text == "" && t.kind == text && !t.partial {
			last.Text = t.text
		}
		if a.kind != record {
			continue
		}
		for _, name := range a.members().names {
			v := a.members().by[name]
			if first := e.firstText(v); last.Text == "" {
				last.Text = first
			}
			yes, known := v.truth()
			trial = trial || cloud.IsTrial(name) && known && yes
			local = local || v.kind == text && !v.partial && cloud.IsHere(name, v.text)
		}
	}
	if object, wide := cloud.Loss(links[:len(links)-1], *last); object != "" && !trial && !local {
		e.use(library.Use{What: library.Destroy, Text: object, Known: true, Recursive: wide})
	}
	if !cloud.Named(parts[0]) {
		return value{}
	}
	if local && !strings.HasPrefix(path, here) {
		path = here + path
	}
	return nativeValue(path)
}

// firstText is the first text that is known in a value.
func (e *evaluator) firstText(v value) string {
	switch {
	case v.kind == text && !v.partial:
		return v.text
	case v.kind == list && len(v.items().all) > 0:
		return e.firstText(v.items().all[0])
	}
	return ""
}
