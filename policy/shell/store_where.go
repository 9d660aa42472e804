package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// sqlPlace says where the client of a database finds it.
func (a *act) sqlPlace(l *line) {
	s := a.data()
	s.On(l.values("h", "host", "S", "socket", "server")...)
	s.In(l.values("d", "dbname", "database", "D", "k", "keyspace", "url", "schema")...)
	variables := ""
	switch a.Name {
	case "psql", "pgcli", "usql", "vsql", "gsql", "ysqlsh":
		s.Schemas = true
		s.In(l.operands...)
		variables = "PGDATABASE PGHOST PGSERVICE"
	case "cockroach":
		s.Schemas = false
		variables = "COCKROACH_URL COCKROACH_DATABASE COCKROACH_HOST"
	case "mysql", "mariadb", "mycli":
		s.In(l.operands...)
		variables = "MYSQL_DATABASE MYSQL_HOST"
	default:
		for _, operand := range l.operands {
			if strings.Contains(operand, "://") {
				s.In(operand)
			}
		}
	}
	for name := range strings.FieldsSeq(variables) {
		switch value, set := a.setVariable(name); {
		case !set:
		case strings.HasSuffix(name, "HOST"):
			if len(s.Hosts) == 0 {
				s.On(value)
			}
		case len(s.Databases) == 0:
			s.In(value)
		}
	}
}

// mongoPlace says where MongoDB's shell finds its database, and where its script
// goes.
func (a *act) mongoPlace(l *line, texts []string) {
	s := a.data()
	s.On(l.values("host")...)
	s.In(l.values("db")...)
	for _, place := range l.operands {
		if strings.HasSuffix(place, ".js") {
			continue
		}
		if host, database, ok := strings.Cut(place, "/"); ok && !strings.Contains(place, "://") {
			s.On(host)
			s.In(database)
		} else {
			s.In(place)
		}
	}
	for _, text := range texts {
		if !a.r.pay(len(text)) {
			s.Live = true
			return
		}
		s.SwitchMongo(text)
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
