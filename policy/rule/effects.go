package rule

import (
	"path"
	"slices"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/asked"
	"github.com/sluice-project/sluice/policy/invocation"
)

// effect is the effect that a node is.
func (f *frame) effect(n *node) (*effect.Effect, answer) {
	if n.op == opLocal {
		if v := &f.locals[n.slot]; v.is == yes {
			if e, ok := v.of.(*effect.Effect); ok {
				return e, yes
			}
		}
	}
	v := n.eval(f)
	if e, ok := v.of.(*effect.Effect); ok && v.is == yes {
		return e, yes
	}
	if v.is == yes {
		v.is = f.fail(errOtherType)
	}
	return nil, f.whole(v)
}

// ofOne is a field of an effect, a command or a message.
func (n *node) ofOne(f *frame) value {
	v := n.kids[0].eval(f)
	switch of := v.of.(type) {
	case *effect.Effect:
		switch {
		case v.is != yes && n.text == "how": // all that is known of what a stranger does
			return known(of.How)
		case v.is != yes:
			return value{is: v.is}
		case n.text == "object" && of.IsDefault():
			return value{is: unknownOf(effectObject)}
		}
		field := n.ofEffect(of)
		if n.open && !f.written && effect.Expands(field.text) {
			field.is = partly
		}
		return field
	case *invocation.Command:
		return n.ofCommand(of)
	case *asked.Message:
		return n.ofMessage(of)
	}
	if v.is == yes {
		v.is = f.fail(errOtherType)
	}
	return value{is: f.whole(v)}
}

// pathsOf are the paths that a node compares with.
func (n *node) pathsOf(f *frame) (*effect.Paths, answer) {
	if n.paths != nil {
		return n.paths, yes
	}
	list, a := n.kids[1].strings(f)
	if a != yes {
		return nil, a
	}
	if !f.spend(8 * len(list)) {
		return nil, tooMuch
	}
	return effect.NewPaths(list), yes
}

// reaches reports whether an effect is about some paths.
func (n *node) reaches(f *frame, e *effect.Effect) answer {
	paths, a := n.pathsOf(f)
	if a != yes {
		return a
	}
	if f.view == nil {
		return unknownOf(anything)
	}
	object := e.Object
	if n.op == opCarries {
		object = e.From
	}
	if !f.spend(paths.Steps(object)) {
		return tooMuch
	}
	if n.op == opCarries && object == "" {
		return no
	}
	place := f.place()
	f.path.Set(object, place)
	wide := e.Wide || n.op == opAround
	if n.op == opCarries {
		wide = e.FromWide(place)
	}
	if paths.Touched(&f.path, wide) {
		return yes
	}
	if n.op == opAround { // what lies in it is only asked for where something may
		wide = e.Wide || mayHold(e)
	}
	// Objects that are no files could not be the paths: addresses, branches, tables.
	isFile := e.Verb.OfFile() || object == e.From && e.From != ""
	switch {
	case f.written || !isFile || !paths.Could(object, wide, place):
		return no
	case effect.Expands(object):
		return unknownOf(effectPath)
	default:
		return unknownOf(effectInside)
	}
}

// mayHold reports whether the object of an effect may be a directory: what is written, read or
// changed alone is a file, unless it comes from elsewhere as a whole.
func mayHold(e *effect.Effect) bool {
	switch e.Verb {
	case effect.Write:
		return e.How == "mv" || e.From != "" && path.Ext(e.From) == "" && !slices.Contains([]string{"cp", "dd", "tee", "redirection"}, e.How)
	case effect.Read, effect.Mode, effect.Run:
		return false
	default:
		return true
	}
}

// lies reports whether all of an effect is in the directories.
func (n *node) lies(f *frame, e *effect.Effect) answer {
	dirs := n.dirs
	if dirs == nil {
		list, a := n.kids[1].strings(f)
		if a != yes {
			return a
		}
		if !f.spend(16 * len(list)) {
			return tooMuch
		}
		dirs = effect.NewDirs(list)
	}
	if f.view == nil {
		return unknownOf(anything)
	}
	if !f.spend(dirs.Steps()) {
		return tooMuch
	}
	lies := dirs.Within(e, f.place())
	if a := missing(lies); a != yes {
		return a
	}
	return answerOf(lies == effect.Inside)
}

// missing is what would have to be known to say where a path lies, yes if nothing.
func missing(lies effect.Lies) answer {
	switch lies {
	case effect.NoCwd:
		return unknownOf(sessionCwd)
	case effect.NoHome:
		return unknownOf(sessionHome)
	case effect.NoPath:
		return unknownOf(effectPath)
	default:
		return yes
	}
}

// areaSteps is the cost of finding out where an effect takes place.
const areaSteps = 256

// area is where an effect takes place.
func (n *node) area(f *frame) value {
	e, a := f.effect(n.kids[0])
	switch {
	case a != yes:
		return value{is: a}
	case f.view == nil:
		return value{is: unknownOf(anything)}
	case !f.spend(areaSteps):
		return value{is: tooMuch}
	}
	area, lies := e.Area(f.place())
	return value{is: missing(lies), text: string(area)}
}

// effectsOf are the effects of a command, and of those that it runs, which follow it and lie
// deeper.
func (f *frame) effectsOf(c *invocation.Command, s *list) answer {
	if f.view == nil {
		return unknownOf(anything)
	}
	in := f.view.read()
	if !f.spend(len(in.Commands) + len(in.Effects)) {
		return tooMuch
	}
	first := 0
	for first < len(in.Commands) && &in.Commands[first] != c {
		first++
	}
	end := first + 1
	for end < len(in.Commands) && in.Commands[end].Depth > c.Depth {
		end++
	}
	s.effects = []effect.Effect{}
	for i := range in.Effects {
		e := &in.Effects[i]
		ofIt := first <= e.Command && e.Command < end
		guessed := e.Command < 0 && e.Guess && e.How == c.Name // under an assumption that nobody wrote as a command
		if ofIt || guessed {
			s.effects = append(s.effects, *e)
		}
	}
	if s.more = complete(!in.Incomplete.Commands, someEffects); s.more != yes || f.written {
		return yes
	}
	for i := first; i < min(end, len(in.Commands)); i++ {
		if name := in.Commands[i].Name; slices.Contains(in.Strange, name) && !slices.Contains(s.strange, name) {
			s.strange, s.more = append(s.strange, name), unknownOf(someEffects)
		}
	}
	return yes
}
