package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/effect"
)

// isEndless reports whether the condition of a loop is always the same: while true, until
// false.
func isEndless(c *syntax.WhileClause) bool {
	if len(c.Cond) != 1 {
		return false
	}
	call, ok := c.Cond[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) != 1 {
		return false
	}
	switch call.Args[0].Lit() {
	case "true", ":":
		return !c.Until
	case "false":
		return c.Until
	}
	return false
}

// startsEndlessly notes a loop without an end that starts programs and waits for none of
// them, as a fork bomb does.
func (r *reader) startsEndlessly(body []*syntax.Stmt) {
	if len(body) > 0 && !slices.ContainsFunc(body, func(s *syntax.Stmt) bool { return !s.Background }) {
		r.Effect(effect.Effect{Verb: effect.Exhaust, Object: "processes", How: "loop", Command: -1})
	}
}

// isConditional reports whether a statement of a loop is anything but a command, which runs
// for each of what the loop is for.
func isConditional(s *syntax.Stmt) bool {
	_, simple := s.Cmd.(*syntax.CallExpr)
	return !simple
}
