package sql

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// creates reads CREATE as far as it matters: for temporary tables, for users with
// many rights, and for functions in other languages.
func (r *Reading) creates(c *cursor) {
	c.skip("OR", "REPLACE", "GLOBAL", "LOCAL")
	switch c.word() {
	case "TEMP", "TEMPORARY":
		c.skip("UNLOGGED", "TABLE", "IF", "NOT", "EXISTS")
		if name := c.name(); len(r.temporary) < maxEffects {
			r.temporary[strings.ToLower(name)] = true
		}
	case "USER", "ROLE", "LOGIN":
		r.superuser(c)
	case "FUNCTION", "PROCEDURE":
		r.inLanguage(c.rest())
	}
}

// superuser reads the rights that a user is created or altered with.
func (r *Reading) superuser(c *cursor) {
	c.skip("IF", "NOT", "EXISTS")
	name := c.name()
	for _, t := range c.rest() {
		switch t.upper {
		case "SUPERUSER", "CREATEROLE", "BYPASSRLS", "SYSADMIN", "ACCOUNTADMIN":
			r.does(effect.Grant, strings.ToLower(t.text)+" to "+name)
		}
	}
}

// grants reads GRANT of everything.
func (r *Reading) grants(c *cursor) {
	switch c.word() {
	case "ALL", "SUPER", "RDS_SUPERUSER", "SYSADMIN", "ACCOUNTADMIN", "DBA":
		r.does(effect.Grant, join(c.tokens[1:min(len(c.tokens), 16)]))
	}
}

// copies reads COPY to and from files and programs.
func (r *Reading) copies(tokens []token) {
	for i := 0; i+1 < len(tokens); i++ {
		verb := effect.Read
		switch tokens[i].upper {
		case "TO":
			verb = effect.Write
		case "FROM":
		default:
			continue
		}
		switch next := tokens[i+1]; {
		case next.upper == "PROGRAM" && i+2 < len(tokens):
			r.Code = append(r.Code, Code{Language: "shell", Text: tokens[i+2].text, Fed: verb == effect.Write})
		case next.str:
			r.does(verb, next.text)
		}
	}
}

// secrets reads statements that show the passwords of the server's own users, and
// the files that ATTACH opens as databases. Passwords of an application are its
// data, which people look at when they work on it.
func (r *Reading) secrets(tokens []token) {
	switch tokens[0].upper {
	case "ATTACH":
		for _, t := range tokens[1:min(4, len(tokens))] {
			if t.str {
				r.does(effect.Write, t.text)
			}
		}
		return
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
		case "PG_AUTHID", "PG_SHADOW", "SQL_LOGINS", "MYSQL.USER":
			users = true
		case "USER":
			users = users || i > 1 && tokens[i-1].upper == "." && tokens[i-2].upper == "MYSQL"
		case "ROLPASSWORD", "PASSWD", "AUTHENTICATION_STRING", "PASSWORD_HASH", "PASSWORD":
			passwords = true
		case "*":
			passwords = passwords || i > 0 && tokens[i-1].upper != "(" // count(*) shows none
		case "TABLE":
			passwords = passwords || i == 0
		}
	}
	if users && passwords {
		r.add(effect.Effect{Verb: effect.Reveal, Object: "passwords of the server's users", Shown: true})
	}
}
