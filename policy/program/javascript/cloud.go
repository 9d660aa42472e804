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
	if !e.clouds || len(path) > maxPath {
		return value{}
	}
	links, said := library.Links(path), []library.Argument{}
	told := &links[len(links)-1].Text
	for _, a := range args {
		if *told == "" && a.kind != record {
			*told, _ = a.whole()
		} else if a.kind == record {
			for _, name := range a.members().names {
				v := a.members().get(name)
				if *told == "" {
					*told = e.firstText(v)
				}
				yes, known := v.truth()
				s, _ := v.whole()
				said = append(said, library.Argument{Name: name, Text: s, Known: known, True: yes})
			}
		}
	}
	use, does, local := library.Clouds().Call(links, said, strings.HasPrefix(path, here))
	if does {
		e.use(use)
	}
	if !library.Clouds().Named(links[0].Name) {
		return value{}
	}
	if local && !strings.HasPrefix(path, here) {
		path = here + path
	}
	return nativeValue(path)
}

// firstText is the first text that is known in a value.
func (e *evaluator) firstText(v value) string {
	for v.kind == list && len(v.items().all) > 0 && e.step(1) {
		v = v.items().all[0]
	}
	s, known := v.whole()
	if !known {
		return ""
	}
	return s
}
