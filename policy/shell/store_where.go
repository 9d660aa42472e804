package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// goes is for commands of a session that go on in another database: \c, USE,
// ATTACH. The one before still counts, since it may be used again.
func (s *store) goes(to string) {
	to = strings.TrimSpace(to)
	if file, ok := strings.CutPrefix(to, "file:"); ok {
		s.inFile(file)
		return
	}
	if strings.Contains(to, "=") || strings.Contains(to, "://") {
		s.in(strings.Trim(to, `"'`))
		return
	}
	words := strings.Fields(strings.TrimRight(to, ";"))
	for i, word := range words {
		word = strings.Trim(word, "\"'`[];")
		switch {
		case word == "-" || word == "":
		case i == 0:
			s.in(word)
		case i == 2:
			s.on(word)
		default:
			s.live = s.live || isLive(word)
		}
	}
}

// sqlPlace says where the client of a database finds it.
func (a *act) sqlPlace(l *line) {
	s := a.data()
	s.on(l.values("h", "host", "S", "socket", "server")...)
	s.in(l.values("d", "dbname", "database", "D", "k", "keyspace", "url", "schema")...)
	variables := ""
	switch a.Name {
	case "psql", "pgcli", "usql", "vsql", "gsql", "ysqlsh":
		s.schemas = true
		s.in(l.operands...)
		variables = "PGDATABASE PGHOST PGSERVICE"
	case "cockroach":
		s.schemas = false
		variables = "COCKROACH_URL COCKROACH_DATABASE COCKROACH_HOST"
	case "mysql", "mariadb", "mycli":
		s.in(l.operands...)
		variables = "MYSQL_DATABASE MYSQL_HOST"
	default:
		for _, operand := range l.operands {
			if strings.Contains(operand, "://") {
				s.in(operand)
			}
		}
	}
	for name := range strings.FieldsSeq(variables) {
		switch value, set := a.setVariable(name); {
		case !set:
		case strings.HasSuffix(name, "HOST"):
			if len(s.hosts) == 0 {
				s.on(value)
			}
		case len(s.databases) == 0:
			s.in(value)
		}
	}
}

// mongoPlace says where MongoDB's shell finds its database, and where its script
// goes.
func (a *act) mongoPlace(l *line, texts []string) {
	s := a.data()
	s.on(l.values("host")...)
	s.in(l.values("db")...)
	for _, place := range l.operands {
		if strings.HasSuffix(place, ".js") {
			continue
		}
		if host, database, ok := strings.Cut(place, "/"); ok && !strings.Contains(place, "://") {
			s.on(host)
			s.in(database)
		} else {
			s.in(place)
		}
	}
	for _, text := range texts {
		if !a.r.pay(len(text)) {
			s.live = true
			return
		}
		for line := range strings.Lines(text) {
			if to, ok := strings.CutPrefix(strings.TrimSpace(line), "use "); ok {
				s.mongoGoes(to, strings.HasPrefix(strings.TrimSpace(text), "use "))
			}
		}
		for _, call := range []string{"getSiblingDB", "getDB", "connect", "Mongo"} {
			rest := text
			for {
				before, after, ok := strings.Cut(rest, call)
				if !ok {
					break
				}
				rest = after
				after, called := strings.CutPrefix(strings.TrimLeft(after, " "), "(")
				if !called {
					continue
				}
				to, known := cutQuote(after)
				if !known {
					to = "?"
				}
				s.mongoGoes(to, strings.Trim(before, "db =\t\n") == "." || strings.Trim(before, "db =.\t\n") == "")
			}
		}
	}
}

// mongoGoes adds a database that a script goes to. Where it does so first, it is
// the one that all of it is about.
func (s *store) mongoGoes(to string, first bool) {
	if first || len(s.databases) > 0 {
		s.goes(to)
	} else if isLive(to) {
		s.live = true
	}
}

// boxName is the name of the container, which stands last or before the dashes.
func boxName(args []string) string {
	if n := len(args) - 1; n >= 0 && args[n] == "--" {
		if r := command.Builtin().Program("kubectl").Read(&command.Invocation{Args: args[:n]}); r != nil {
			return firstOr(r.Values("words"), "")
		}
		return ""
	}
	return lastOf(args)
}

// inBox says what is known of the container that a command line leads into.
func (a *act) inBox(args []string) *box {
	in := &box{here: a.Is("docker", "podman", "nerdctl", "docker-compose", "podman-compose")}
	for _, name := range []string{"DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINER_HOST"} {
		if value, set := a.setVariable(name); set {
			in.here = false
			in.purpose |= effect.PurposeOf(value) & effect.ForUse
		}
	}
	in.purpose |= effect.PurposeOf(boxName(args))
	starts := slices.Index(args, "exec")
	for i := 0; i < len(args); i++ {
		body, dashes := cutDashes(args[i])
		name, value, given := strings.Cut(body, "=")
		in.purpose |= effect.PurposeOf(args[i]) & effect.ForUse
		switch {
		case dashes == 0:
			continue
		case !given && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-"):
			value = args[i+1]
		}
		switch name {
		case "f", "file", "p", "project-name":
			if i > starts {
				continue
			}
			in.purpose |= effect.PurposeOf(value[strings.LastIndexByte(value, '/')+1:])
		case "H", "host", "c", "context", "connection", "url":
			if i < starts {
				in.here = false
			}
		case "e", "env":
			if variable, value, ok := strings.Cut(value, "="); ok && len(in.env) < maxEnv {
				if in.env == nil {
					in.env = map[string]string{}
				}
				in.env[variable] = value
			}
		case "u", "user", "w", "workdir", "env-file", "index", "n", "namespace", "container", "profile":
		default:
			continue
		}
		if !given && dashes > 0 && value != "" {
			in.purpose |= effect.PurposeOf(value) & effect.ForUse
			i++
		}
	}
	if a.Is("kubectl", "oc") {
		if r := a.reading(a.Name, args); r != nil && a.kubeLocal(r) {
			in.purpose |= effect.ForTests
		}
	}
	return in
}
