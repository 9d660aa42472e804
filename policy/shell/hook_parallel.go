package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// parallel runs a command for each argument after ::: or line of its input.
func parallel(a *act, in *command.Reading) {
	a.passes(flow{piped: true, by: a.Name})
	if len(in.Values("line")) == 0 {
		a.parallelOnce(in, nil)
	}
	for words := range in.Begins("line") {
		a.parallelOnce(in, words)
	}
}

func (a *act) parallelOnce(by *command.Reading, words []string) {
	r, items := a.r, a.items()
	for _, sign := range []string{":::", "::::", ":::+"} {
		if i := slices.Index(words, sign); i >= 0 {
			items, words = words[i+1:], words[:i]
		}
	}
	from := a.origin()
	from.remote = from.remote || by.Has("sshlogin")
	if len(words) == 0 { // the lines are the commands
		if len(items) == 0 {
			a.does(effect.RunHidden, a.in.by)
		}
		for _, line := range items {
			r.inner(line, from, flow{})
		}
		return
	}
	script := strings.Join(words, " ")
	if by.Has("pipe") { // it reads what parallel is given
		in := a.in
		if file := by.Value("arg-file"); file != "" {
			in = r.fromFiles([]string{file})
		}
		r.inner(script, from, in)
		return
	}
	if len(items) == 0 {
		from.more = true
		r.mark(More)
		r.inner(script, from, flow{})
		return
	}
	for _, item := range items[:min(len(items), mostFilled)] {
		if strings.Contains(script, "{") {
			r.inner(strings.NewReplacer("{}", item, "{.}", item, "{/}", item, "{//}", item, "{1}", item).Replace(script), from, flow{})
		} else {
			r.inner(script+" "+item, from, flow{})
			if strings.ContainsAny(item, " \t") { // it is one word
				r.inner(script+" "+quote(item), from, flow{})
			}
		}
	}
}

// items are the lines of a command's input, as far as they are known.
func (a *act) items() []string {
	if a.in.known {
		return lines(a.in.text)
	}
	return a.in.roots
}
