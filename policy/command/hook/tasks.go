package hook

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/project"
)

// makes reads what the command line of make runs. The makefile is followed, if the
// conversation wrote it; of others it is only known what is to be made.
func makes(a *invocation.Act, in *command.Reading) {
	targets, texts := in.Values("target"), in.Values("eval")
	for _, text := range append(texts, targets...) { // also where nothing is made
		shellCalls(a, text)
	}
	if in.Surely("just-print", "question", "version") {
		return
	}
	for _, text := range texts {
		follow.Steps(a, project.Make(project.File{Content: text}, project.MakeSetting{}), a.In)
	}
	for _, target := range targets { // make X='$(shell rm -rf /)'
		if shell, ok := strings.CutPrefix(target, "SHELL="); ok {
			a.Script(shell)
		}
	}
	if file := in.Value("file"); file == "-" || file == "/dev/stdin" || file == "/dev/fd/0" {
		switch {
		case a.In.Remote != "":
			a.Does(effect.RunRemote, a.In.Remote)
		case a.In.Known:
			follow.Steps(a, follow.Made(a)(project.File{Content: a.In.Text, Whole: true}), a.In)
			return
		}
	}
	for _, file := range follow.Makefiles(in.Value("file")) {
		if !effect.IsAbs(file) {
			file = path.Join(in.Value("directory"), file)
		}
		if a.R.File(a.Path(file)) != nil {
			return
		}
	}
	a.Does(effect.Run, strings.TrimSpace("make "+strings.Join(targets, " ")))
}

// shellCalls reads the $(shell ...) of a makefile, and the files that $(file ...) writes
// and reads.
func shellCalls(a *invocation.Act, text string) {
	for rest := text; ; {
		_, after, ok := strings.Cut(rest, "$(file ")
		if !ok {
			break
		}
		name, _, _ := strings.Cut(after, ")")
		name, _, _ = strings.Cut(name, ",")
		switch p := strings.Trim(name, "<> "); {
		case strings.HasPrefix(strings.TrimSpace(name), "<"):
			a.Looks(false, p)
		case p != "":
			a.WritesFiles(p)
		}
		rest = after
	}
	for range 8 {
		_, rest, ok := strings.Cut(text, "$(shell ")
		if !ok {
			return
		}
		line, after, _ := strings.Cut(rest, ")")
		a.Script(line)
		text = after
	}
}
