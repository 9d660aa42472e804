package rule

import (
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/internal/advice"
	"github.com/sluice-project/sluice/policy/internal/celvalue"
)

// A call can pass others on: a dispatcher, or a program that calls tools. A condition is
// about each of them as well, and holds for the subject if it holds for one of them.

// others are the views of the calls that the subject's passes on.
func (v *view) others() []*view {
	if v.passed != nil || v.subject == nil || !advice.CallKinds.Has(v.subject.Block.Kind) {
		return nil
	}
	v.inside.once.Do(func() {
		passed := v.read().Passed
		for i := range passed {
			other := newView(v.subject, v.exchange, v.programs)
			other.passed = &passed[i]
			v.inside.views = append(v.inside.views, other)
		}
	})
	return v.inside.views
}

// Inner is a call that the subject's call passes on.
type Inner struct {
	*call.Passed

	view *view
}

// Inner are the calls that the subject's call passes on.
func (p *Program) Inner(s *policy.Subject) []Inner {
	others := viewOf(s, p.programs).others()
	list := make([]Inner, len(others))
	for i, v := range others {
		list[i] = Inner{v.passed, v}
	}
	return list
}

// PassesOn reports whether the call itself passes calls on, which are inner calls of the
// subject, too.
func (in *Inner) PassesOn() bool { return len(in.view.read().Passed) > 0 }

// MatchInner is Match for an inner call by itself.
func (p *Program) MatchInner(in *Inner) (Outcome, string, error) { return p.match(in.view) }

// ValueInner is Value for an inner call.
func (p *Program) ValueInner(in *Inner) (any, error) { return p.valueOf(in.view) }

// toolKnown is yes if the tool that is called is known.
func (v *view) toolKnown() answer {
	if v.passed != nil && v.passed.Name == "" {
		return unknownOf(callName)
	}
	return yes
}

// serverKnown is yes if it is known of which server the tool is, or that it is of none.
func (v *view) serverKnown() answer {
	if v.read().ServerUnknown {
		return unknownOf(callServer)
	}
	return v.toolKnown()
}

// argsKnown is yes if the arguments are known as a whole.
func (v *view) argsKnown() answer {
	if v.passed != nil && len(v.passed.Partial) > 0 {
		return unknownOf(callArgs)
	}
	return yes
}

// args are the parsed arguments of a call. Calls that take free text and blocks
// that are not calls have none; arguments that are not one JSON object are unknown.
func (v *view) args() value {
	if v.subject == nil || !advice.CallKinds.Has(v.subject.Block.Kind) {
		return noArgs
	}
	args := v.read().Args()
	switch p := v.passed; {
	case p == nil && args == nil && v.subject.Block.Freeform(), p != nil && p.Freeform && len(p.Partial) == 0:
		return noArgs
	case args == nil, p != nil && !p.Known("..."):
		return value{is: unknownOf(callArgs)}
	}
	all := types.NewStringInterfaceMap(celvalue.Adapter{}, args)
	if v.argsKnown() != yes {
		all = &partialArgs{all, v.passed}
	}
	return value{is: yes, of: all}
}

var noArgs = value{is: yes, of: types.NewStringInterfaceMap(celvalue.Adapter{}, map[string]any{})}

// partialArgs are arguments of which some members are not known.
type partialArgs struct {
	traits.Mapper

	of *call.Passed
}

// isOpen reports whether a member of a value is one of arguments that are not known.
func isOpen(of, key ref.Val) bool {
	args, ok := of.(*partialArgs)
	name, isText := key.(types.String)
	return ok && isText && !args.of.Known(string(name))
}
