package policy

import (
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// addToolset adds what clients read that know the set of tools that a call belongs to.
func (e *Engine) addToolset(r *ruling) {
	for _, s := range slices.Clip(r.versions) {
		if set, ok := ofToolset(&s.Block); ok {
			r.versions = append(r.versions, e.subject(r, set))
		}
	}
}

// checkToolset blocks a call if policies have changed it in a way in which it cannot be
// written: the tool and the set have the same arguments.
func (e *Engine) checkToolset(r *ruling) {
	set, ok := ofToolset(&r.versions[0].Block)
	if !ok || slices.ContainsFunc(r.versions, func(s *Subject) bool {
		return s.Block.Name == set.Name && s.Block.Arguments == set.Arguments
	}) {
		return
	}
	r.votes = append(r.votes, Verdict{
		Action: Block, Policy: enginePolicy, Cause: CauseUnreadable,
		Reason: "a policy changes the call of the tool or that of the set it belongs to, and not both alike",
	})
}

// ofToolset is a call of a tool that belongs to a set of tools, as clients read it that
// know the set and not its tools: a call of the set whose action is the tool's name. ok is
// false if the call belongs to no set.
//
// A member named action in the arguments takes the place of the name, as in those clients.
func ofToolset(b *llm.Block) (set llm.Block, ok bool) {
	if b.Kind != llm.ToolCall || len(b.Raw) == 0 {
		return llm.Block{}, false
	}
	raw, _, ok := jsonscan.Get(b.Raw, "toolset_name")
	if !ok || isNothing(raw) {
		return llm.Block{}, false
	}
	set = *b
	set.Name = string(inQuotes(raw))
	if set.Name == "" {
		set.Name = string(raw) // no text: nobody's tool, but it is told what it is
	}
	set.Arguments = withAction(b.Name, b.Arguments)
	return set, true
}

// withAction adds the name of an action to arguments that are an object and have none.
func withAction(name, arguments string) string {
	if isNothing([]byte(arguments)) {
		arguments = "{}"
	}
	if _, _, has := jsonscan.Get([]byte(arguments), "action"); has || !jsonscan.IsObject(arguments) {
		return arguments
	}
	var s jsonscan.Scanner
	s.Reset([]byte(arguments))
	s.Object()
	_, more := s.Key()
	out := jsonscan.AppendString([]byte(`{"action":`), name)
	if more {
		out = append(out, ',')
	}
	start := 0
	for arguments[start] != '{' {
		start++
	}
	return string(append(out, arguments[start+1:]...))
}
