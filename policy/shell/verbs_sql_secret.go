package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// sqlSecrets notes the passwords of a server's own users that a statement shows,
// and the files that it opens as further databases. Those of an application are
// its data, which people look at when they work on it.
func (s *sqlReading) sqlSecrets(tokens []sqlToken) {
	if tokens[0].upper == "ATTACH" {
		for _, t := range tokens[1:min(4, len(tokens))] {
			if t.str {
				s.add(effect.Effect{Verb: effect.Write, Object: t.text})
			}
		}
		return
	}
	switch tokens[0].upper {
	case "SELECT", "WITH", "TABLE", "COPY", "SHOW":
	default:
		return
	}
	users, passwords := false, false
	for i := range tokens {
		name := strings.TrimPrefix(strings.TrimPrefix(tokens[i].upper, "PG_CATALOG."), "SYS.")
		if name == "" && !tokens[i].str {
			name = strings.ToUpper(tokens[i].text)
		}
		switch name {
		case "PG_AUTHID", "PG_SHADOW", "SQL_LOGINS":
			users = true
		case "USER":
			users = users || i > 1 && tokens[i-1].upper == "." && tokens[i-2].upper == "MYSQL"
		case "MYSQL.USER":
			users = true
		case "ROLPASSWORD", "PASSWD", "AUTHENTICATION_STRING", "PASSWORD_HASH", "PASSWORD":
			passwords = true
		case "*":
			passwords = passwords || i > 0 && tokens[i-1].upper != "(" // how many there are says nothing
		case "TABLE":
			passwords = passwords || i == 0
		}
	}
	if users && passwords {
		s.add(effect.Effect{Verb: effect.Reveal, Object: "passwords of the server's users", Shown: true})
	}
}

// redisSecret is CONFIG GET of what redis asks for before it answers.
func (a *act) redisSecret(words []string) {
	if len(words) > 2 && strings.EqualFold(words[0], "CONFIG") && strings.EqualFold(words[1], "GET") {
		for _, name := range words[2:] {
			if name = strings.ToLower(name); name == "requirepass" || name == "masterauth" || name == "*pass*" || name == "tls-key-file-pass" {
				a.reveals("password of redis")
			}
		}
	}
	if len(words) > 1 && strings.EqualFold(words[0], "ACL") && (strings.EqualFold(words[1], "LIST") || strings.EqualFold(words[1], "GETUSER")) {
		a.reveals("password hashes of redis")
	}
}
