package shell

import "github.com/sluice-project/sluice/policy/invocation"

// reader reads one text with all that is in it.
type reader struct {
	invocation.Reader
}

var _ invocation.Shell = &reader{}

// Apart is a reader for a text that runs elsewhere, with what is left of the budget.
func (r *reader) Apart() *invocation.Reader {
	apart := &reader{}
	apart.Shell = apart
	apart.Known, apart.Hooks, apart.Contexts = r.Known, r.Hooks, r.Contexts
	apart.Scope = &apart.Outermost
	apart.Units, apart.Budget, apart.Depth = r.Units, r.Budget, r.Depth
	return &apart.Reader
}
