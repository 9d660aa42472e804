package file

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sluice-project/sluice/internal/words"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

// check rejects what could never be enforced as written, and fills in defaults.
func (s *statement) check(r *reader, m map[string]member) {
	if e, ok := m["except"]; ok {
		r.problemf(e.key, "write it into `when`, as in when: CONDITION && !(EXCEPTION)", "except belongs to an entry with `preset:`")
	}
	var ways []member
	for _, way := range []string{"find", "tools", "judge", "hook"} {
		if w, ok := m[way]; ok {
			ways = append(ways, w)
		}
	}
	slices.SortFunc(ways, func(a, b member) int {
		return cmp.Or(cmp.Compare(a.key.Line, b.key.Line), cmp.Compare(a.key.Column, b.key.Column))
	})
	if len(ways) > 1 {
		r.problemf(ways[1].key, "make two policies of it", "the policy has both %s and %s", ways[0].name, ways[1].name)
	}
	if s.then.action == 0 {
		return
	}
	if s.then.action == policy.Allow && len(ways) > 0 {
		r.problemf(s.then.node, "use annotate to watch", "then is allow, so %s could never do anything", ways[0].name)
	}
	if s.then.action == policy.Annotate && s.hook != nil {
		r.problemf(s.then.node, "use block and mode: shadow to watch", "then is what a block of the hook means, so it cannot be annotate")
	}
	s.fillIn()
	s.checkChange(r)
	s.checkKinds(r, m)
	asks := s.judge != nil || s.hook != nil
	if s.onUnknown == "judge" && !asks {
		r.problemf(s.unknownAt, "add `judge:`, or use ask, block or allow", "on_unknown is judge, but the policy has no judge")
	}
	if s.find != nil && s.find.signs != nil && s.applies&^policy.KindsOf(llm.ToolCall, llm.ServerTool, llm.Opaque) != 0 {
		r.problemf(m["find"].key, "use applies_to: [tool_call]", "only calls add something to files, but the policy applies to %s", words.OneOf(namesOf(s.applies)))
	}
	if s.tools != nil && s.applies&^policy.KindsOf(llm.ToolCall, llm.ServerTool) != 0 {
		r.problemf(m["tools"].key, "use applies_to: [tool_call]", "tools is about calls, but the policy applies to %s", words.OneOf(namesOf(s.applies)))
	}
}

// fillIn sets defaults. A policy that stops something also stops it when it
// cannot tell or fails; one that only observes lets it pass and annotates.
func (s *statement) fillIn() {
	guards := s.then.action > policy.Annotate
	if s.onUnknown == "" {
		switch {
		case s.judge != nil || s.hook != nil:
			s.onUnknown = "judge"
		case s.changes() && s.find != nil && !s.find.placeholder: // what is found is replaced
			s.onUnknown = s.then.action.String()
		case guards:
			s.onUnknown = "block"
		default:
			s.onUnknown = "allow"
		}
	}
	if s.onError == 0 {
		if s.onError = policy.Annotate; guards {
			s.onError = policy.Block
		}
	}
	if s.onError == policy.Block {
		s.onError = s.blocking()
	}
}

// blocking is the policy's form of block.
func (s *statement) blocking() policy.Action {
	if s.then.action.Blocks() {
		return s.then.action
	}
	return policy.Block
}

// changes reports whether the policy changes blocks instead of judging them.
func (s *statement) changes() bool {
	return s.then.action == policy.Rewrite || s.then.action == policy.Redact
}

// checkChange rejects changes that are not well defined.
func (s *statement) checkChange(r *reader) {
	if !s.changes() {
		return
	}
	word := s.then.action.String()
	if s.find != nil && s.find.placeholder && (s.then.action != policy.Rewrite || s.applies != policy.KindsOf(llm.ToolCall)) {
		r.problemf(s.then.node, "use then: restore with applies_to: [tool_call]", "placeholders are only put back, and only in calls")
	}
	if s.find != nil && s.find.signs != nil {
		r.problemf(s.then.node, "use annotate, ask or block", "additions to files can only be matched, so %s cannot change them", word)
	}
	switch {
	case s.then.set != nil && s.find != nil:
		r.problemf(s.then.node, "remove find, or write the replacement as a text", "rewrite sets arguments, which needs no find")
	case s.then.set == nil && s.find == nil:
		r.problemf(s.then.node, `add find: {pattern: "…"}`, "%s needs find, which says what is replaced", word)
	case s.then.set != nil && s.applies != policy.KindsOf(llm.ToolCall):
		r.problemf(s.then.node, "use applies_to: [tool_call]", "only calls have arguments to set")
	}
	if s.onUnknown == "ask" {
		r.problemf(s.unknownAt, "use block or allow", "on_unknown is ask, but %s is done before anybody can be asked", word)
	}
	if s.onError == policy.Ask {
		r.problemf(s.errorAt, "use block or allow", "on_error is ask, but %s is done before anybody can be asked", word)
	}
}

// checkKinds rejects actions on blocks that do not support them.
func (s *statement) checkKinds(r *reader, m map[string]member) {
	where := s.node
	if a, ok := m["applies_to"]; ok {
		where = a.value
	}
	word := s.then.action.String()
	strictest := max(s.then.action, s.onError)
	if s.onUnknown == "ask" || s.onUnknown == "block" {
		strictest = max(strictest, policy.Ask)
	}
	if s.applies.Has(llm.ServerTool) && strictest > policy.Annotate {
		r.problemf(where, `to forbid such a tool, block the requests that declare it: applies_to: [prompt], when: '"web_search" in request.tools', then: block. To watch it, use then: annotate with on_unknown and on_error: allow`,
			"server_tool blocks are run by the provider and have happened when they are seen, so they cannot be stopped or changed (%s)",
			s.strictestWord())
	}
	if s.changes() && s.applies.Has(llm.Thinking) {
		r.problemf(where, "use then: block to remove it", "thinking is whole or gone: it is signed, so %s cannot change it", word)
	}
	if s.changes() && s.applies.Has(llm.Opaque) {
		r.problemf(where, "use then: block to remove it", "opaque blocks have no text that is understood, so %s cannot change them", word)
	}
	if s.then.action == policy.BlockFeedback && s.applies.Has(llm.ToolResult) {
		r.problemf(s.then.node, "use then: block or {block: end_turn}", "block: feedback answers a call, and a tool_result is the answer to one")
	}
	if s.then.action == policy.BlockFeedback && s.applies.Has(policy.Prompt) {
		r.problemf(s.then.node, "use then: block", "block: feedback answers a call, and a prompt is what the model is asked")
	}
}

// strictestWord names the setting of the policy that would stop a block.
func (s *statement) strictestWord() string {
	switch {
	case s.then.action > policy.Annotate:
		return "then: " + s.then.action.String()
	case s.onUnknown == "ask" || s.onUnknown == "block":
		return "on_unknown: " + s.onUnknown
	default:
		return fmt.Sprintf("on_error: %s", s.onError)
	}
}
