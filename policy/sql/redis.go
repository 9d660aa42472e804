package sql

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// concatenated makes one text of those that a Lua script puts together, and writes
// all quotes as single ones.
var concatenated = strings.NewReplacer("'..'", "", `".."`, "", `"..'`, "", `'.."`, "", `"`, "'")

// Redis says what a command of redis does. anyKeys says that the keys of the
// command are not known, and may be all of them.
func Redis(words []string, anyKeys bool) []effect.Effect {
	if len(words) == 0 {
		return nil
	}
	word := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	var list []effect.Effect
	does := func(verb effect.Verb, object string) {
		list = append(list, effect.Effect{Verb: verb, Object: object, Wide: verb == effect.Drop})
	}
	switch strings.ToUpper(words[0]) {
	case "FLUSHALL", "FLUSHDB":
		does(effect.Drop, "database")
	case "DEL", "UNLINK":
		if anyKeys {
			does(effect.Drop, "keys")
		}
	case "CONFIG":
		if key := strings.ToLower(word(2)); strings.EqualFold(word(1), "SET") && (key == "dir" || key == "dbfilename") {
			list = append(list, effect.Effect{Verb: effect.Write, Object: word(3), Wide: key == "dir"})
			if dir := strings.TrimRight(word(3), "/"); strings.HasSuffix(dir, "/.ssh") {
				does(effect.Write, dir+"/authorized_keys")
			}
		}
	case "REPLICAOF", "SLAVEOF": // the data of another server replaces its own
		if !strings.EqualFold(word(1), "no") && word(1) != "" {
			does(effect.Drop, "database")
		}
	case "EVAL":
		if deletesAll(word(1)) {
			does(effect.Drop, "database")
		}
	case "MODULE":
		if strings.EqualFold(word(1), "LOAD") {
			does(effect.Run, word(2))
		}
	case "SHUTDOWN":
		does(effect.Stop, "redis")
	}
	return list
}

// deletesAll reports whether a Lua script for redis empties it.
func deletesAll(script string) bool {
	script = concatenated.Replace(strings.Map(func(c rune) rune {
		if c == ' ' || c == '\t' || c == '\n' || c == ';' {
			return -1
		}
		return c
	}, strings.ToUpper(script)))
	return strings.Contains(script, "FLUSHALL") || strings.Contains(script, "FLUSHDB") || strings.Contains(script, "'DEL'") && strings.Contains(script, "'KEYS'")
}

// RedisSecrets says which secrets of the server a command of redis shows.
func RedisSecrets(words []string) []string {
	var list []string
	if len(words) > 2 && strings.EqualFold(words[0], "CONFIG") && strings.EqualFold(words[1], "GET") {
		for _, name := range words[2:] {
			switch strings.ToLower(name) {
			case "requirepass", "masterauth", "*pass*", "tls-key-file-pass":
				list = append(list, "password of redis")
			}
		}
	}
	if len(words) > 1 && strings.EqualFold(words[0], "ACL") && (strings.EqualFold(words[1], "LIST") || strings.EqualFold(words[1], "GETUSER")) {
		list = append(list, "password hashes of redis")
	}
	return list
}
