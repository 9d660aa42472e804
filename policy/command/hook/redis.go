package hook

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/command/hook/fileops"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/sql"
)

// redis reads the commands that its client is given as words, as a script or on its
// input. Numbers of databases and ports say nothing of what is in them.
func redis(a *invocation.Act, in *command.Reading) {
	s := a.Data()
	for _, socket := range in.Values("socket") {
		s.In(socket[strings.LastIndexByte(socket, '/')+1:])
	}
	for _, address := range in.Values("address") {
		if invocation.Unknown(address) {
			s.In(address)
			a.Contacts(address)
		} else {
			s.On(invocation.HostOf(address))
			a.Contacts(invocation.HostOf(address))
		}
	}
	for _, file := range in.Values("script") {
		if content, known := a.FileGiven(file); known {
			fileops.RedisCommand(a, []string{"EVAL", content})
		}
	}
	words := slices.DeleteFunc(in.Values("word"), func(word string) bool { return strings.HasPrefix(word, "--") })
	for i := range words { // the first may be the value of an option
		fileops.RedisCommand(a, words[i:])
		for _, secret := range sql.RedisSecrets(words[i:]) {
			guard.Reveals(a, secret)
		}
		if !in.Maybe("word", i) {
			return
		}
	}
	switch {
	case a.In.Known:
		for text := range strings.Lines(a.In.Text) {
			fileops.RedisCommand(a, strings.Fields(text))
		}
	case a.In.Piped:
		a.Doubt(invocation.Pipe)
	}
}
