package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/sql"
)

// redis reads the commands that its client is given as words, as a script or on its
// input. Numbers of databases and ports say nothing of what is in them.
func redis(a *act, in *command.Reading) {
	s := a.data()
	for _, socket := range in.Values("socket") {
		s.In(socket[strings.LastIndexByte(socket, '/')+1:])
	}
	for _, address := range in.Values("address") {
		if unknown(address) {
			s.In(address)
		} else {
			s.On(hostOf(address))
		}
	}
	for _, file := range in.Values("script") {
		at := slices.Index(a.Args, file)
		if made := a.words()[max(at, 0)].made; made != nil && made.known {
			a.redisCommand([]string{"EVAL", made.text})
		} else if content, known := a.file(file); known {
			a.redisCommand([]string{"EVAL", content})
		}
	}
	words := slices.DeleteFunc(in.Values("word"), func(word string) bool { return strings.HasPrefix(word, "--") })
	for i := range words { // the first may be the value of an option
		a.redisCommand(words[i:])
		for _, secret := range sql.RedisSecrets(words[i:]) {
			a.reveals(secret)
		}
		if !in.Maybe("word", i) {
			return
		}
	}
	switch {
	case a.in.known:
		for text := range strings.Lines(a.in.text) {
			a.redisCommand(strings.Fields(text))
		}
	case a.in.piped:
		a.doubt(Pipe)
	}
}

// redisLists is the pattern of the keys that redis-cli lists, empty if it lists
// none or all of them.
func redisLists(a *act) string {
	in := a.reading("redis-cli", a.Args)
	pattern := in.Value("pattern")
	if words := in.Values("word"); len(words) > 1 && strings.EqualFold(words[0], "KEYS") {
		pattern = words[1]
	}
	if strings.Trim(pattern, "*?[]^-") == "" || unknown(pattern) {
		return ""
	}
	return pattern
}

// redisSome reports whether the keys that a command is given are those of a
// pattern that leaves others out.
func (a *act) redisSome() bool {
	for i := range a.words() {
		if strings.ContainsAny(a.words()[i].about, "*?[") && strings.Trim(a.words()[i].about, "*?[]^-") != "" {
			return true
		}
	}
	return false
}

// redisCommand adds what a command of redis does.
func (a *act) redisCommand(words []string) {
	anyKeys := (a.More || len(words) > 1 && strings.Contains(words[1], "$(")) && !a.redisSome()
	for _, e := range sql.Redis(words, anyKeys) {
		a.addStored(e)
	}
}
