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
	local, trial, told := strings.HasPrefix(path, here), false, ""
	tell := func(s string) {
		if told == "" {
			told = s
		}
	}
	for _, a := range args {
		if a.kind != record {
			s, _ := a.whole()
			tell(s)
			continue
		}
		for _, name := range a.members().names {
			v := a.members().by[name]
			tell(e.firstText(v))
			yes, known := v.truth()
			s, _ := v.whole()
			trial = trial || cloud.IsTrial(name) && known && yes
			local = local || cloud.IsHere(name, s)
		}
	}
	links := library.Links(path)
	last := &links[len(links)-1]
	last.Text = told
	if what, object, wide := cloud.Does(links[:len(links)-1], *last); object != "" && !trial && !local {
		e.use(library.Use{What: what, Text: object, Known: true, Recursive: wide})
	}
	if !cloud.Named(links[0].Name) {
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
