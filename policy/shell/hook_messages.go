package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// sentFile is the file that a value names which is sent: file, @file, name=@file or
// file:///file. It is empty for a text.
func sentFile(value string) string {
	if i := strings.LastIndex(value, "=@"); i >= 0 {
		value = value[i+1:]
	}
	value = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(value, "@"), "fileb://"), "file://")
	if strings.Contains(value, "://") || strings.ContainsAny(value, " \n") {
		return ""
	}
	return value
}

// carries is a program that gives messages to a service: what its arguments were made
// from, and the files with private names. The keys by which it says who it is are used,
// not sent. That there is a message alone is none of it.
func carries(a *act, in *command.Reading) {
	words := append(in.Values("options"), in.Values("message")...)
	to := in.Name
	if i := slices.IndexFunc(words, func(word string) bool { return hostNamed(word) != "" }); i >= 0 {
		to = hostNamed(words[i])
	}
	a.carriesTo(to, words)
}

// carriesFiles is for clients of stores that are told to upload something.
func carriesFiles(a *act, in *command.Reading) {
	a.carriesTo(in.Name, append(in.Values("options"), in.Values("message")...))
}

// carriesImage is oras push REFERENCE FILE...
func carriesImage(a *act, in *command.Reading) {
	a.carriesTo(hostOf(in.Value("target")), in.Values("file"))
}

func (a *act) carriesTo(to string, words []string) {
	from := a.contentsGiven()
	for _, word := range a.few(words) {
		if file := sentFile(word); file != "" && !strings.Contains(file, "{") && mayBePrivate(file) {
			from = with(from, a.path(file))
		}
	}
	for _, source := range from {
		a.add(effect.Effect{Verb: effect.Send, Object: to, From: source})
	}
}

// servesFiles shows a directory to whoever connects.
func servesFiles(a *act, in *command.Reading) {
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
	a.serves(address, dir)
}

// tunnels makes a port of this machine public, or a directory.
func tunnels(a *act, in *command.Reading) {
	where := append(in.Values("what"), in.Values("url")...)
	for _, what := range where {
		if dir, files := strings.CutPrefix(what, "file://"); files || strings.HasPrefix(what, "/") {
			a.serves(in.Name, dir)
			return
		}
	}
	words := slices.Concat([]string{in.Name}, in.Values("command"), where, in.Values("port"))
	a.does(effect.Listen, "public address of "+strings.Join(words, " "))
}
