package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/sql"
)

// The dialects of statements.
const (
	standardSQL = sql.Standard
	mySQL       = sql.MySQL
)

// sqlAddress says that a client works at the address among its words.
func sqlAddress(a *act, in *command.Reading) {
	for _, word := range in.Values("words") {
		if strings.Contains(word, "://") {
			a.data().In(word)
		}
	}
}

// sqlVariables reads statements that psql is given as variables and told to put in where
// the text names them.
func sqlVariables(a *act, in *command.Reading) {
	texts := append(in.Values("statement"), a.in.text)
	for _, assignment := range a.few(in.Values("variable")) {
		name, value, ok := strings.Cut(assignment, "=")
		if !ok || !strings.Contains(value, " ") {
			continue
		}
		for _, text := range texts {
			if strings.Contains(text, ":"+name) {
				a.sql(value, standardSQL)
				break
			}
		}
	}
}

// sqlFileClient is a client of a database in a file: sqlite3 FILE SQL.
func sqlFileClient(a *act, in *command.Reading) {
	files := in.Values("file")
	scratch := true
	for _, file := range files {
		a.data().InFile(file)
		p := a.path(file)
		scratch = scratch && (file == ":memory:" || file == "" || strings.HasPrefix(p, "/tmp/") || strings.HasPrefix(p, "/private/tmp/"))
	}
	texts := append(in.Values("statement"), in.Values("sql")...)
	for _, text := range texts {
		if endsWithAny(text, databaseFileNames...) && !strings.Contains(text, " ") { // the file was the value of a flag
			a.data().InFile(text)
			scratch = false
		}
	}
	for _, text := range texts {
		a.sqlIn(text, standardSQL, scratch)
	}
	for _, script := range in.Values("script") {
		a.sqlFile(script, standardSQL)
	}
	switch {
	case len(texts) > 0:
	case a.in.known:
		a.sqlIn(a.in.text, standardSQL, scratch)
	case !scratch:
		a.sqlInput(standardSQL)
	}
	for _, file := range files {
		if file != ":memory:" {
			a.reads(file)
		}
	}
}

// sentences reads the words with blanks in them as statements.
func (a *act) sentences(words []string) {
	for _, word := range words {
		if strings.Contains(word, " ") {
			a.sql(word, standardSQL)
		}
	}
}

// storeLanguages are the languages of clients that have one of their own.
var storeLanguages = map[string]sql.Language{
	"mysqlsh": sql.MySQLX, "arangosh": sql.Arango, "hbase": sql.HBase, "zkCli.sh": sql.ZooKeeper, "fdbcli": sql.FoundationDB, "asinfo": sql.Aerospike, "asadm": sql.Aerospike,
}

// storeScript reads what a script in such a language drops.
func storeScript(a *act, in *command.Reading) {
	text := strings.Join(append(append(in.Values("options"), in.Values("words")...), a.in.text), "\n")
	if !a.r.pay(len(text)) {
		return
	}
	if lost := sql.Lost(text, storeLanguages[in.Name]); lost != "" {
		a.drops(lost)
	}
}

// drops notes that data is deleted for good.
func (a *act) drops(what string) {
	a.add(effect.Effect{Verb: effect.Drop, Object: strings.TrimSpace(what), Wide: true})
}

// opensDatabase is manage.py dbshell -- ARGUMENTS, which starts the client of the database.
func opensDatabase(a *act, in *command.Reading) {
	if client := in.Values("client"); len(client) > 0 {
		a.argv(append([]string{"psql"}, client...))
		return
	}
	a.sqlInput(standardSQL)
}

// hdfsPuts is hdfs dfs -put FILE... TARGET.
func hdfsPuts(a *act, in *command.Reading) {
	paths := in.Values("path")
	if len(paths) < 2 || !in.Has("put") && !in.Has("copyFromLocal") && !in.Has("moveFromLocal") {
		return
	}
	for _, p := range a.few(paths[:len(paths)-1]) {
		a.ships("hdfs", p, mayBeDirectory(p))
	}
}

// mongo looks for the calls in a script that delete whole collections.
func mongo(a *act, in *command.Reading) {
	texts := in.Values("statement")
	scripts := in.Values("script")
	s := a.data()
	for _, place := range in.Values("place") {
		host, name, ok := strings.Cut(place, "/")
		switch {
		case strings.HasSuffix(place, ".js"):
			scripts = append(scripts, place)
		case ok && !strings.Contains(place, "://"):
			s.On(host)
			s.In(name)
		default:
			s.In(place)
		}
	}
	for _, script := range scripts {
		if content, known := a.file(script); known {
			texts = append(texts, content)
		} else {
			a.does(effect.Run, a.path(script))
		}
	}
	if a.in.known {
		texts = append(texts, a.in.text)
	} else if a.in.piped && len(texts) == 0 {
		a.doubt(Pipe)
	}
	for _, text := range texts {
		if !a.r.pay(len(text)) {
			s.Live = true
			break
		}
		s.SwitchMongo(text)
	}
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
