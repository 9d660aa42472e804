package rule

import (
	"path"
	"slices"

	"github.com/sluice-project/sluice/policy/effect"
)

// effect is the effect that a node is about.
func (n *node) effect(f *frame) (*effect.Effect, answer) {
	if n.slot >= 0 {
		at := &f.slots[n.slot]
		return at.effect, at.is
	}
	value, a := n.of.general(f)
	if a != yes {
		return nil, a
	}
	if o, ok := value.(*object); ok {
		if e, ok := o.native.(*effect.Effect); ok {
			return e, yes
		}
	}
	return nil, f.fail(errOtherType)
}

// ofEffect is a mark of an effect, or whether it touches some paths.
func (n *node) ofEffect(f *frame) answer {
	e, a := n.effect(f)
	if a != yes {
		return a
	}
	switch n.op {
	case opEffectIs:
		return answerOf(n.effectMark(e))
	case opWithin:
		return n.lies(f, e)
	default:
		return n.reaches(f, e)
	}
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
	if !f.written && couldTouch(e, paths, object, wide, place) {
		return unknownOf(leftOpen(object))
	}
	return no
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

// leftOpen is what would have to be known of a path that could touch others.
func leftOpen(object string) attribute {
	if effect.Expands(object) {
		return effectPath
	}
	return effectInside
}

// couldTouch reports whether an effect that touches none of the paths could. Objects
// that are no files do not: addresses, branches, tables.
func couldTouch(e *effect.Effect, paths *effect.Paths, object string, wide bool, at effect.Place) bool {
	return (e.Verb.OfFile() || object == e.From && e.From != "") && paths.Could(object, wide, at)
}

// lies reports whether all of an effect is in the directories.
func (n *node) lies(f *frame, e *effect.Effect) answer {
	dirs := n.dirs
	if dirs == nil {
		list, a := n.kids[0].strings(f)
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
func (n *node) area(f *frame) (string, answer) {
	e, a := n.effect(f)
	if a != yes {
		return "", a
	}
	if f.view == nil {
		return "", unknownOf(anything)
	}
	if !f.spend(areaSteps) {
		return "", tooMuch
	}
	area, lies := e.Area(f.place())
	return string(area), missing(lies)
}
