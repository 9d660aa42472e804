package fileops

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Renamed is rename, whose expression is a program in one of its kinds, and a text that the
// next word takes the place of in the other.
func Renamed(a *invocation.Act, in *command.Reading) {
	paths := in.Values("path")
	for _, expression := range in.Values("expression") {
		if strings.Contains(expression, "system") || strings.ContainsAny(expression, "`") {
			a.Doubt(invocation.Eval)
		}
		if in.Name == "mmv" { // of which both words are patterns of paths
			continue
		}
		for i, p := range paths {
			dir, base := path.Split(p)
			if to, ok := follow.Substituted(a, base, []string{expression}); ok {
				renamed(a, p, dir+to)
			} else if i > 0 && expression != "" {
				renamed(a, p, dir+strings.Replace(base, expression, paths[0], 1))
			}
		}
	}
}

func renamed(a *invocation.Act, from, to string) {
	if from == to || invocation.IsNoFile(from) {
		return
	}
	a.Add(effect.Effect{Verb: effect.Write, Object: a.Path(to), From: a.Path(from)})
	if !follow.IsPattern(from) {
		a.DeletesFiles(false, from)
	}
}

// Lands is what a move makes of its sources where the description says what becomes of them.
func Lands(a *invocation.Act, in *command.Reading) {
	a.As(effect.Move, func() {
		for _, to := range destinations(in) {
			for _, source := range in.Values("source") {
				lands(a, source, to.target, to.dir, false, true)
			}
		}
	})
}
