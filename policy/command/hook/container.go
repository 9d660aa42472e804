package hook

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// containerExecutes runs the words behind the name of a container, pod or machine, or
// behind --, in it. The directory there is not known.
func containerExecutes(a *invocation.Act, in *command.Reading) {
	if words := in.Values("after"); len(words) > 0 {
		inContainer(a, in, words)
		return
	}
	for words := range in.From("container") {
		inContainer(a, in, words[1:])
	}
}

func inContainer(a *invocation.Act, in *command.Reading, words []string) {
	if len(words) == 0 {
		return
	}
	if slices.ContainsFunc(in.Values("words"), func(s string) bool { return strings.HasPrefix(s, "node/") || s == "node" }) {
		words = slices.Clone(words)
		for i, w := range words { // the files of the node lie there
			words[i] = strings.ReplaceAll(w, "/host/", "/")
		}
	}
	words = withVariables(a, in.Values("env"), words)
	r, from, outer := a.R, a.Origin(), a.R.Scope
	from.Remote, from.Within = true, inBox(a, in, a.Args[:max(len(a.Args)-len(words), 0)])
	r.Scope = r.Sub(outer)
	r.Scope.At, r.Scope.Dir, r.Scope.Lost = effect.Place{}, "", false
	r.Shell.Argv(words, from, a.In)
	r.Scope = outer
}

// withVariables are words with the variables that they are given before them: NAME=value, and
// NAME, which has the value that it has here.
func withVariables(a *invocation.Act, variables, words []string) []string {
	return slices.Concat(follow.Assignments(a, variables), words)
}

// firstOr is the first of a list, or something else if it is empty.
func firstOr(list []string, other string) string {
	if len(list) > 0 {
		return list[0]
	}
	return other
}
