package hook

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
	"github.com/sluice-project/sluice/policy/sql"
)

// sqlVariables reads statements that psql is given as variables and told to put in where
// the text names them.
func sqlVariables(a *invocation.Act, in *command.Reading) {
	texts := append(in.Values("statement"), a.In.Text)
	for _, assignment := range follow.Few(a, in.Values("variable")) {
		name, value, ok := strings.Cut(assignment, "=")
		if !ok || !strings.Contains(value, " ") {
			continue
		}
		for _, text := range texts {
			if strings.Contains(text, ":"+name) {
				a.SQL(value, invocation.StandardSQL)
				break
			}
		}
	}
}

// sqlFileClient is a client of a database in a file: sqlite3 FILE SQL.
func sqlFileClient(a *invocation.Act, in *command.Reading) {
	files := make([]string, 0, 1)
	for _, file := range in.Values("file") {
		if strings.HasPrefix(file, "file:") { // an address, with settings behind the path
			file, _, _ = strings.Cut(file, "?")
		}
		files = append(files, file)
	}
	scratch := true
	for _, file := range files {
		a.Data().InFile(file)
		p := a.Path(file)
		scratch = scratch && (file == ":memory:" || file == "" || strings.HasPrefix(p, "/tmp/") || strings.HasPrefix(p, "/private/tmp/"))
	}
	texts := append(in.Values("statement"), in.Values("sql")...)
	for _, text := range texts {
		if follow.EndsWithAny(text, invocation.DatabaseFileNames...) && !strings.Contains(text, " ") { // the file was the value of a flag
			a.Data().InFile(text)
			scratch = false
		}
	}
	for _, text := range texts {
		a.SQLIn(text, invocation.StandardSQL, scratch)
	}
	for _, script := range in.Values("script") {
		a.SQLFile(script, invocation.StandardSQL)
	}
	switch {
	case len(texts) > 0:
	case a.In.Known:
		a.SQLIn(a.In.Text, invocation.StandardSQL, scratch)
	case !scratch:
		a.SQLInput(invocation.StandardSQL)
	}
	for _, file := range files {
		if file != ":memory:" {
			follow.ReadsFiles(a, file)
		}
	}
}

// storeLanguages are the languages of clients that have one of their own.
var storeLanguages = map[string]sql.Language{
	"mysqlsh": sql.MySQLX, "arangosh": sql.Arango, "hbase": sql.HBase, "zkCli.sh": sql.ZooKeeper, "fdbcli": sql.FoundationDB, "asinfo": sql.Aerospike, "asadm": sql.Aerospike,
}

// storeScript reads what a script in such a language drops.
func storeScript(a *invocation.Act, in *command.Reading) {
	text := strings.Join(append(append(in.Values("options"), in.Values("words")...), a.In.Text), "\n")
	if !a.R.Pay(len(text)) {
		return
	}
	if lost := sql.Lost(text, storeLanguages[in.Name]); lost != "" {
		a.Drops(lost)
	}
}

// mongo looks for the calls in a script that delete whole collections.
func mongo(a *invocation.Act, in *command.Reading) {
	texts := in.Values("statement")
	scripts := in.Values("script")
	s := a.Data()
	for _, place := range in.Values("place") {
		host, name, ok := strings.Cut(place, "/")
		switch {
		case strings.HasSuffix(place, ".js"):
			scripts = append(scripts, place)
		case ok && !strings.Contains(place, "://"):
			s.On(host)
			s.In(name)
			a.Contacts(invocation.HostOf(host))
		default:
			s.In(place)
			if strings.Contains(place, "://") {
				a.Contacts(invocation.HostOf(place))
			}
		}
	}
	for _, script := range scripts {
		texts = append(texts, a.Runs(script))
	}
	if a.In.Known {
		texts = append(texts, a.In.Text)
	} else if a.In.Piped && len(texts) == 0 {
		a.Doubt(invocation.Pipe)
	}
	for _, text := range texts {
		if !a.R.Pay(len(text)) {
			s.Live = true
			break
		}
		s.SwitchMongo(text)
	}
	for _, text := range texts {
		mongoScript(a, text)
	}
}

// mongoScript adds what a script for MongoDB's shell does.
func mongoScript(a *invocation.Act, text string) {
	r := sql.MongoScript(text)
	for _, e := range r.Effects {
		a.Add(e)
	}
	a.SQLCode(r)
}

// streams is ffmpeg and the like, which send what they record themselves.
func streams(a *invocation.Act) {
	if !output.Watches(a) {
		return
	}
	for _, arg := range follow.Few(a, a.Args) {
		if strings.Contains(arg, "://") && invocation.IsOutside(invocation.HostOf(arg)) {
			a.Add(effect.Effect{Verb: effect.Send, Object: arg, From: invocation.Secret})
		}
	}
}
