package fileops

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Parallel runs a command for each argument after ::: or line of its input.
func Parallel(a *invocation.Act, in *command.Reading) {
	a.Passes(invocation.Flow{Piped: true, By: a.Name})
	if len(in.Values("line")) == 0 {
		parallelOnce(a, in, nil)
	}
	for words := range in.Begins("line") {
		parallelOnce(a, in, words)
	}
}

func parallelOnce(a *invocation.Act, by *command.Reading, words []string) {
	r, items := a.R, items(a)
	for _, sign := range []string{":::", "::::", ":::+"} {
		if i := slices.Index(words, sign); i >= 0 {
			items, words = words[i+1:], words[:i]
		}
	}
	from := a.Origin()
	from.Remote = from.Remote || by.Has("sshlogin")
	if len(words) == 0 { // the lines are the commands
		if len(items) == 0 {
			a.Does(effect.RunHidden, a.In.By)
		}
		for _, line := range items {
			r.Shell.Inner(line, from, invocation.Flow{})
		}
		return
	}
	script := strings.Join(words, " ")
	if by.Has("pipe") { // it reads what parallel is given
		in := a.In
		if file := by.Value("arg-file"); file != "" {
			in = r.Shell.FromFiles([]string{file})
		}
		r.Shell.Inner(script, from, in)
		return
	}
	if len(items) == 0 {
		from.More = true
		r.Mark(invocation.More)
		r.Shell.Inner(script, from, invocation.Flow{})
		return
	}
	for _, item := range items[:min(len(items), MostFilled)] {
		if strings.Contains(script, "{") {
			r.Shell.Inner(strings.NewReplacer("{}", item, "{.}", item, "{/}", item, "{//}", item, "{1}", item).Replace(script), from, invocation.Flow{})
		} else {
			r.Shell.Inner(script+" "+item, from, invocation.Flow{})
			if strings.ContainsAny(item, " \t") { // it is one word
				r.Shell.Inner(script+" "+invocation.Quote(item), from, invocation.Flow{})
			}
		}
	}
}

// items are the lines of a command's input, as far as they are known.
func items(a *invocation.Act) []string {
	if a.In.Known {
		return Lines(a.In.Text)
	}
	return a.In.Roots
}
