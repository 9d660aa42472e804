package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/sql"
)

// mongo looks for the calls in a script that delete whole collections.
func mongo(a *act) {
	l := a.line(valued("eval f file host port u username p password authenticationDatabase db"))
	texts := l.values("eval")
	for _, operand := range l.operands {
		if strings.HasSuffix(operand, ".js") {
			if content, known := a.file(operand); known {
				texts = append(texts, content)
			} else {
				a.does(effect.Run, a.path(operand))
			}
		}
	}
	if a.in.known {
		texts = append(texts, a.in.text)
	} else if a.in.piped && len(texts) == 0 {
		a.doubt(Pipe)
	}
	a.mongoPlace(&l, texts)
	for _, text := range texts {
		a.mongoScript(text)
	}
}

// mongoScript adds what a script for MongoDB's shell does.
func (a *act) mongoScript(text string) {
	r := sql.MongoScript(text)
	for _, e := range r.Effects {
		a.add(e)
	}
	a.sqlCode(r)
}

var redisTakes = valued("h p a n u r i s d D x-cmd user pass cacert cert key sni tls-ciphers eval memkeys-samples pattern count")

func redis(a *act) {
	l := cutLine(a.Args, redisTakes, firstEnds)
	a.redisPlace(&l)
	for i, arg := range a.Args {
		if i == 0 || a.Args[i-1] != "--eval" {
			continue
		}
		if made := a.words()[i].made; made != nil && made.known {
			a.redisCommand([]string{"EVAL", made.text})
		} else if content, known := a.file(arg); known {
			a.redisCommand([]string{"EVAL", content})
		}
	}
	switch {
	case len(l.operands) > 0:
		a.redisCommand(l.operands)
		for _, secret := range sql.RedisSecrets(l.operands) {
			a.reveals(secret)
		}
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
	l := cutLine(a.Args, redisTakes, firstEnds)
	pattern := l.value("pattern")
	if strings.EqualFold(l.operand(0), "KEYS") {
		pattern = l.operand(1)
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
