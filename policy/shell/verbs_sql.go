package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/sql"
)

// The dialects of the clients below.
const (
	standardSQL = sql.Standard
	mySQL       = sql.MySQL
)

// sqlVerbs are the clients of databases and the tools that keep their tables.
var sqlVerbs = map[string]verb{
	"psql": sqlClient(standardSQL, "c command com co", "f file fil fi"), "pgcli": sqlClient(standardSQL, "c command com co", "f file fil fi"), "usql": sqlClient(standardSQL, "c command com co", "f file fil fi"),
	"mysql": sqlClient(mySQL, "e execute exe ex init-command", ""), "mariadb": sqlClient(mySQL, "e execute exe ex init-command", ""), "mycli": sqlClient(mySQL, "e execute", ""), "litecli": sqlClient(standardSQL, "e execute", ""),
	"clickhouse-client": sqlClient(mySQL, "q query", "queries-file"), "clickhouse": sqlClient(mySQL, "q query", "queries-file"), "clickhouse-local": sqlClient(mySQL, "q query", "queries-file"),
	"sqlcmd": sqlClient(standardSQL, "Q q query", "i"), "cockroach": sqlClient(standardSQL, "e execute", "f file"), "cqlsh": sqlClient(standardSQL, "e execute", "f file"),
	"snowsql": sqlClient(mySQL, "q query", "f filename"), "snow": sqlClient(mySQL, "q query", "f filename"), "cypher-shell": sqlClient(mySQL, "", "f file"),
	"beeline": sqlClient(mySQL, "e", "f"), "hive": sqlClient(mySQL, "e", "f"), "trino": sqlClient(standardSQL, "execute", "f file"), "presto": sqlClient(standardSQL, "execute", "f file"),
	"mysqlsh": mysqlShell, "tsql": sqlClient(standardSQL, "", ""), "mssql-cli": sqlClient(standardSQL, "Q q query", "i"), "vsql": sqlClient(standardSQL, "c command", "f file"), "gsql": sqlClient(standardSQL, "c command", "f file"), "ysqlsh": sqlClient(standardSQL, "c command", "f file"),
	"spark-sql": sqlClient(mySQL, "e", "f"), "impala-shell": sqlClient(mySQL, "q query", "f query_file"), "ksql": sqlClient(standardSQL, "e execute", "f file"), "rman": sqlClient(standardSQL, "", "cmdfile"), "surreal": sqlClient(standardSQL, "q query", ""), "steampipe": sqlOperands, "db2": sqlOperands, "sqlite-utils": sqlOperands, "questdb": nothing,
	"sqlplus": sqlClient(standardSQL, "", ""), "osql": sqlClient(standardSQL, "Q q", "i"), "isql": sqlClient(standardSQL, "", "i"),
	"sqlite3": sqlFileClient, "sqlite": sqlFileClient, "duckdb": sqlFileClient, "libsql": sqlFileClient, "sqlcipher": sqlFileClient,
	"mongosh": mongo, "mongo": mongo,
	"redis-cli": redis, "valkey-cli": redis, "keydb-cli": redis,
	"bq": bigQuery, "dropdb": dropsNamed("database "), "dropuser": dropsNamed("user "),
	"mysqladmin": mysqlAdmin, "mariadb-admin": mysqlAdmin, "pg_restore": restore, "mongorestore": restore, "mongoimport": restore,
	"influx": influx, "etcdctl": etcd, "arangosh": arango, "fdbcli": foundationDB, "asinfo": aerospike, "asadm": aerospike,
	"pg_dropcluster": dropsCluster, "pg_resetwal": dropsCluster, "neo4j-admin": neo4j, "rabbitmqctl": rabbit, "rabbitmqadmin": rabbit, "nodetool": nodetool, "nats": natsTool,
	"kafka-topics": kafka, "kafka-topics.sh": kafka, "kafka-delete-records": kafka, "kafka-delete-records.sh": kafka, "kcat": nothing, "rpk": rpk, "hdfs": hadoop, "hadoop": hadoop, "hbase": hbase, "zkCli.sh": zookeeper, "dolt": dolt,
}

// sqlClientTakes are the flags with a value that clients have in common.
var sqlClientTakes = valued(`d dbname database D h host p port U username user u o output v set variable F field-separator R record-separator T table-attr P pset L log-file
	S socket default-character-set tee pager login-path defaults-file defaults-extra-file password format multiquery url a w l t W r x X s m b certs-dir k keyspace account role warehouse`)

// sqlClient is a client whose flags in queries hold SQL, and those in files the
// names of files with SQL. Its input is SQL too.
func sqlClient(in sql.Dialect, queries, files string) verb {
	values := takes{}
	for _, names := range []takes{sqlClientTakes, valued(queries), valued(files)} {
		for name := range names {
			values[name] = true
		}
	}
	if in == mySQL { // -pSECRET, -w, -t, -s have no value of their own word in mysql
		values = values.without("p", "w", "t", "s", "r", "v", "L", "W", "X", "b")
	} else {
		values = values.without("a", "w", "l", "t", "W", "r", "x", "X", "s", "b")
	}
	queryFlags, fileFlags := strings.Fields(queries), strings.Fields(files)
	return func(a *act) {
		l := cutLine(a.Args, values, shortens)
		a.sqlPlace(&l)
		said := false
		for _, text := range append(l.values("init-command"), l.values(queryFlags...)...) {
			a.sqlIn(text, in, a.Name == "psql" && sql.IsRolledBack(text) && !a.data().IsLive())
			said = true
		}
		a.sqlFetched()
		for _, file := range l.values(fileFlags...) {
			if file != "-" {
				a.sqlFile(file, in)
				said = true
			}
		}
		switch a.Name {
		case "psql", "pgcli", "usql":
			a.writes(l.values("o", "output", "L", "log-file")...)
			a.sqlVariables(l.values("v", "set", "variable"), append(l.values(queryFlags...), a.in.text))
		case "mysql", "mariadb":
			a.writes(l.values("tee")...)
			if pager := l.value("pager"); pager != "" {
				a.script(pager)
			}
		case "cypher-shell":
			for _, text := range l.operands {
				a.sql(text, in)
			}
		}
		if !said {
			a.sqlInput(in)
		}
		a.sqlSends(&l)
	}
}

// sqlInput reads what a client is given on its input.
func (a *act) sqlInput(in sql.Dialect) {
	switch {
	case a.in.remote != "":
		a.does(effect.RunRemote, a.in.remote)
	case a.in.known:
		a.sql(a.in.text, in)
	case len(a.in.sources) > 0:
		for _, file := range a.in.sources {
			a.sqlFile(file, in)
		}
	case a.in.piped:
		a.doubt(Pipe)
		a.sqlMade()
	}
}

// sqlMade notes statements that another query makes and that are run at once:
// select 'drop table ' || name from tables.
func (a *act) sqlMade() {
	for i := range a.r.reading.Commands {
		c := &a.r.reading.Commands[i]
		if slices.Contains(c.Args, "sqlflush") || slices.Contains(c.Args, "sqlclear") { // as Django makes them
			a.drops("tables of Django")
			return
		}
		if !c.Is("psql", "mysql", "mariadb", "sqlcmd", "sqlite3", "duckdb", "clickhouse-client", "cockroach") {
			continue
		}
		for _, arg := range c.Args {
			if !a.r.pay(len(arg)) {
				return
			}
			if sql.MakesStatements(arg) {
				a.drops("tables that a query names")
				return
			}
		}
	}
}

// sqlFile reads SQL in a file that somebody wrote before, or notes that nobody
// has seen it.
func (a *act) sqlFile(file string, in sql.Dialect) {
	switch {
	case strings.Contains(file, "://"):
		a.does(effect.RunRemote, file)
		return
	case file == "/dev/stdin":
		a.sqlInput(in)
		return
	}
	for i := range a.words() {
		if made := a.words()[i].made; made != nil && i < len(a.Args) && strings.HasSuffix(a.Args[i], file) {
			if made.known {
				a.sql(made.text, in)
			}
			return
		}
	}
	if content, known := a.file(file); known {
		a.sql(content, in)
		return
	}
	a.does(effect.Run, a.path(file))
}

// sqlFetched notes statements that come from the network.
func (a *act) sqlFetched() {
	for i := range a.words() {
		if from := a.words()[i].remote; from != "" {
			a.does(effect.RunRemote, from)
			return
		}
		if made := a.words()[i].made; made != nil && made.remote != "" {
			a.does(effect.RunRemote, made.remote)
			return
		}
	}
}

var sqlFileTakes = valued("cmd init separator newline nullvalue maxsize mmap vfs heap lookaside pagecache c s f escape key")

// sqlFileClient is a client of a database in a file: sqlite3 FILE SQL.
func sqlFileClient(a *act) {
	l := cutLine(a.Args, sqlFileTakes, oneDash)
	file := l.operand(0)
	a.data().InFile(file)
	for _, operand := range l.from(1) {
		if endsWithAny(operand, databaseFileNames...) && !strings.Contains(operand, " ") { // the first was the value of a flag
			a.data().InFile(operand)
		}
	}
	scratch := file == ":memory:" || file == "" || strings.HasPrefix(a.path(file), "/tmp/") || strings.HasPrefix(a.path(file), "/private/tmp/")
	read := func(text string) { a.sqlIn(text, standardSQL, scratch) }
	texts := append(l.values("cmd", "c", "s"), l.from(1)...)
	for _, text := range texts {
		read(text)
	}
	for _, script := range l.values("init", "f") {
		a.sqlFile(script, standardSQL)
	}
	if len(texts) == 0 {
		if a.in.known {
			read(a.in.text)
		} else if !scratch {
			a.sqlInput(standardSQL)
		}
	}
	if file != "" && file != ":memory:" {
		a.reads(file)
	}
}

func dropsNamed(what string) verb {
	return func(a *act) {
		l := a.line(valued("h host p port U username maintenance-db"))
		if l.has("help", "version") {
			return
		}
		a.data().On(l.values("h", "host")...)
		for _, name := range l.operands {
			a.add(effect.Effect{Verb: effect.Drop, Object: what + name, Wide: what == "database "})
		}
		if a.More && len(l.operands) == 0 {
			a.add(effect.Effect{Verb: effect.Drop, Object: what + "*", Wide: true})
		}
	}
}

func mysqlAdmin(a *act) {
	l := a.line(valued("u user h host P port S socket"))
	a.data().On(l.values("h", "host", "S", "socket")...)
	for i, word := range l.operands {
		switch word {
		case "drop":
			a.add(effect.Effect{Verb: effect.Drop, Object: "database " + l.operand(i+1), Wide: true})
		case "shutdown":
			a.does(effect.Stop, "mysql")
		}
	}
}

// restore is pg_restore --clean and mongorestore --drop.
func restore(a *act) {
	l := a.line(valued("d dbname h host p port U username f file n schema t table j jobs uri db collection nsInclude nsExclude archive F format L use-list"))
	if a.Name == "pg_restore" && (l.exact("c") || l.has("clean")) && (l.has("d", "dbname")) || a.Name != "pg_restore" && l.has("drop") {
		a.data().On(l.values("h", "host")...)
		a.data().In(l.values("d", "dbname", "db", "uri")...)
		a.add(effect.Effect{Verb: effect.Drop, Object: strings.TrimSpace("database " + l.value("d", "dbname", "db")), Wide: true})
	}
}

func influx(a *act) {
	l := a.line(valued("bucket start stop predicate org o t token host n name i id execute database"))
	switch sub := l.operand(0) + " " + l.operand(1); {
	case l.operand(0) == "delete":
		a.add(effect.Effect{Verb: effect.Drop, Object: "rows of " + l.value("bucket"), Wide: l.value("predicate", "p") == ""})
	case sub == "bucket delete":
		a.add(effect.Effect{Verb: effect.Drop, Object: "bucket " + l.value("n", "name", "i", "id"), Wide: true})
	}
	if text := l.value("execute"); text != "" {
		a.sql(text, standardSQL)
	}
}

func etcd(a *act) {
	l := a.line(valued("endpoints cacert cert key user password command-timeout dial-timeout w write-out"))
	if l.operand(0) == "del" {
		a.add(effect.Effect{Verb: effect.Drop, Object: "key " + l.operand(1), Wide: l.has("prefix", "from-key") || len(l.operands) > 2})
	}
}

func bigQuery(a *act) {
	l := a.line(valued("project_id dataset_id location format destination_table job_id max_rows n"))
	switch l.operand(0) {
	case "query":
		for _, text := range l.from(1) {
			a.sql(text, mySQL)
		}
		a.sqlFetched()
		if len(l.operands) == 1 {
			a.sqlInput(mySQL)
		}
	case "rm":
		a.add(effect.Effect{Verb: effect.Drop, Object: strings.Join(l.from(1), " "), Wide: l.exact("r") || l.has("recursive")})
	case "extract":
		a.does(effect.Send, l.operand(2))
	}
}
