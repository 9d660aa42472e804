package fileops

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Dd copies bytes: if=file of=file.
func Dd(a *invocation.Act, in *command.Reading) {
	from := a.CameFrom()
	sources, how := in.Values("source"), strings.Join(in.Values("how"), ",")
	for _, p := range sources {
		if a.Looks(false, p); !invocation.IsNoFile(p) {
			from = a.Path(p)
		}
	}
	endless := slices.ContainsFunc(sources, isEndless) && len(in.Values("count=")) == 0 && !isTimed(a)
	for _, p := range in.Values("target") {
		if endless && !strings.HasPrefix(p, "/dev/") && !invocation.IsNoFile(p) && !invocation.Unknown(p) && p != "/" {
			a.Does(effect.Exhaust, "disk of "+p)
		}
		switch {
		case p == "/": // a disk that was looked up: of=$(df / | awk ...)
			p = "/dev/$(df)"
		case slices.Contains(sources, "/dev/null"), IsRecord(a.Path(p)) && !strings.Contains(how, "notrunc") && !strings.Contains(how, "append"):
			follow.Emptied(a, p)
		}
		if from == "" && a.In.Known && len(sources) == 0 && !invocation.IsDevice(p) && !invocation.IsDevice(a.Path(p)) {
			follow.Adds(a, p, a.In.Text, !strings.Contains(how, "notrunc") && !strings.Contains(how, "append"))
			continue
		}
		a.Put(p, from)
	}
}
