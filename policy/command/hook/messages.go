package hook

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/hook/fileops"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// carries is a program that gives messages to a service: what its arguments were made
// from, and the files with private names. The keys by which it says who it is are used,
// not sent. That there is a message alone is none of it.
func carries(a *invocation.Act, in *command.Reading) {
	words := append(in.Values("options"), in.Values("message")...)
	to := in.Name
	if i := slices.IndexFunc(words, func(word string) bool { return fileops.HostNamed(word) != "" }); i >= 0 {
		to = fileops.HostNamed(words[i])
	}
	carriesTo(a, to, words)
}

// carriesFiles is for clients of stores that are told to upload something.
func carriesFiles(a *invocation.Act, in *command.Reading) {
	carriesTo(a, in.Name, append(in.Values("options"), in.Values("message")...))
}

// carriesImage is oras push REFERENCE FILE...
func carriesImage(a *invocation.Act, in *command.Reading) {
	carriesTo(a, invocation.HostOf(in.Value("target")), in.Values("file"))
}

func carriesTo(a *invocation.Act, to string, words []string) {
	from := follow.ContentsGiven(a)
	for _, word := range follow.Few(a, words) {
		if file := invocation.SentFile(word); file != "" && !strings.Contains(file, "{") && invocation.MayBePrivate(file) {
			from = invocation.With(from, a.Path(file))
		}
	}
	for _, source := range from {
		a.Add(effect.Effect{Verb: effect.Send, Object: to, From: source})
	}
}

// servesFiles shows a directory to whoever connects.
func servesFiles(a *invocation.Act, in *command.Reading) {
	dir := "."
	for _, word := range in.Values("dir") {
		if strings.Trim(word, "0123456789") != "" { // no port
			dir = word
			break
		}
	}
	address := in.Value("address")
	if address == "" || strings.Trim(address, "0123456789") == "" {
		address = ":" + strings.TrimPrefix(in.Value("port")+address, ":")
	}
	a.Serves(address, dir)
}
