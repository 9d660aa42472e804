package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// runsFetched notes that a program in whatever language runs what it fetches: it
// names an address, something that fetches and something that runs a text.
func runsFetched(a *invocation.Act, program string) {
	for _, call := range [...]string{"source_url(", "include(download(", "include(Base.download(", "include(Downloads.download("} {
		if _, after, ok := strings.Cut(program, call); ok {
			address, _ := follow.QuotedText(after)
			a.Add(effect.Effect{Verb: effect.RunRemote, Object: address})
			return
		}
	}
	if !slices.ContainsFunc(fetchers, func(s string) bool { return strings.Contains(program, s) }) {
		return
	}
	for _, run := range evaluators {
		if strings.Contains(program, run) {
			a.Add(effect.Effect{Verb: effect.RunRemote, Object: a.Name})
			return
		}
	}
}

// fetchers and evaluators are how programs in languages that are only looked over
// fetch something, and run a text.
var (
	fetchers   = []string{"url-retrieve", "http::geturl", "http://", "https://", `"curl"`, `"wget"`, "url-insert-file-contents"}
	evaluators = []string{"eval_string(", "eval_file(", "compile_string(", "eval-region", "eval-buffer", "(eval (read", "eval [http", "eval [exec curl", "eval [http::data", "(load-string (slurp", "include_string(", "eval(Meta.parse", "eval(parse(", "(eval (call-with", "EVALFILE", "eval [read"}
)
