package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/sql"
)

// drops notes that data is deleted for good.
func (a *act) drops(what string) {
	a.add(effect.Effect{Verb: effect.Drop, Object: strings.TrimSpace(what), Wide: true})
}

// sqlSends notes what is put into statements for a server elsewhere from files
// and the environment. Files of SQL are what such servers are given every day.
func (a *act) sqlSends(l *line) {
	host := l.value("h", "host", "server", "S")
	for _, operand := range l.operands {
		if strings.Contains(operand, "://") {
			host = hostOf(operand)
		}
	}
	if host == "" || unknown(host) || strings.HasPrefix(host, "/") || isInside(hostOf(host)) {
		return
	}
	for i := range a.words() {
		if i < len(a.Args) && strings.Contains(a.Args[i], "://") { // how it is reached
			continue
		}
		for _, source := range a.words()[i].sources {
			a.add(effect.Effect{Verb: effect.Send, Object: reachable(host), From: source})
		}
	}
	for _, source := range a.in.sources {
		if !strings.HasSuffix(source, ".sql") {
			a.add(effect.Effect{Verb: effect.Send, Object: reachable(host), From: source})
		}
	}
}

// dropsCluster is for programs that throw a cluster of PostgreSQL away.
func dropsCluster(a *act) {
	if operands := a.Operands("D", "pgdata"); (len(operands) > 0 || a.Has("D")) && !a.Has("n") && !a.Has("--dry-run") {
		a.drops("cluster " + strings.Join(operands, " "))
	}
}

func neo4j(a *act) {
	words := a.Operands("from-path", "to-path")
	text := strings.Join(words, " ")
	switch {
	case strings.HasPrefix(text, "database delete"), strings.HasPrefix(text, "unbind"), strings.HasPrefix(text, "server unbind"):
		a.drops("database " + lastOf(words))
	case strings.HasPrefix(text, "database load") && a.Has("--overwrite-destination"), strings.HasPrefix(text, "load") && a.Has("--force"), strings.Contains(text, "import") && a.Has("--overwrite-destination"):
		a.drops("database " + lastOf(words))
	}
}

// rabbit is RabbitMQ: its queues hold what nobody else has.
func rabbit(a *act) {
	words := a.Operands("n", "node", "p", "vhost", "t", "timeout", "u", "username", "H", "host", "P", "port")
	if len(words) == 0 {
		return
	}
	switch rest := strings.Join(words[1:], " "); words[0] {
	case "reset", "force_reset":
		a.drops("queues")
	case "purge_queue", "delete_queue", "delete_vhost":
		a.drops(strings.TrimPrefix(strings.TrimPrefix(words[0], "purge_"), "delete_") + " " + rest)
	case "delete", "purge":
		a.drops(rest)
	case "stop_app", "stop", "shutdown":
		a.stops("rabbitmq")
	case "add_user", "set_permissions", "set_user_tags", "change_password":
		a.does(effect.Grant, "rabbitmq "+words[0]+" "+firstOr(words[1:], ""))
	}
}

func nodetool(a *act) {
	switch a.Sub {
	case "clearsnapshot", "decommission", "removenode", "assassinate", "truncatehints":
		a.drops("node " + a.Sub)
	}
}

// natsTool keeps streams.
func natsTool(a *act) {
	words := a.Operands("s", "server", "creds", "context")
	if len(words) < 2 {
		return
	}
	switch words[1] {
	case "rm", "del", "delete", "purge":
		a.drops(words[0] + " " + strings.Join(words[2:], " "))
	}
}

// kafka deletes topics and records.
func kafka(a *act) {
	switch {
	case strings.HasPrefix(a.Name, "kafka-delete-records"):
		a.drops("records")
	case a.Has("--delete"):
		a.drops("topic " + a.Flag("topic"))
	}
}

func rpk(a *act) {
	if words := a.Operands("brokers", "X"); len(words) > 1 && (words[1] == "delete" || words[1] == "trim-prefix") && words[0] != "group" {
		a.drops(words[0] + " " + strings.Join(words[2:], " "))
	}
}

// hadoop is hdfs dfs -rm and hadoop fs -rm: the word after is a flag.
func hadoop(a *act) {
	recursive := a.Has("r") || a.Has("R") || a.Has("rmr") || a.Has("expunge")
	for i, arg := range a.Args {
		switch arg {
		case "-rm", "-rmr", "-expunge":
			paths := (&Command{Args: a.Args[i+1:]}).Operands()
			a.add(effect.Effect{Verb: effect.Destroy, Object: strings.TrimSpace("hdfs " + strings.Join(paths, " ")), Wide: recursive})
			return
		case "-put", "-copyFromLocal", "-moveFromLocal":
			if paths := (&Command{Args: a.Args[i+1:]}).Operands(); len(paths) > 1 {
				for _, p := range a.few(paths[:len(paths)-1]) {
					a.ships("hdfs", p, mayBeDirectory(p))
				}
			}
			return
		case "namenode":
			if a.Has("format") {
				a.drops("hdfs")
			}
		}
	}
}

func hbase(a *act) { a.dropsIn(a.in.text+" "+strings.Join(a.Args, " "), sql.HBase) }

func zookeeper(a *act) { a.dropsIn(a.in.text+" "+strings.Join(a.Args, " "), sql.ZooKeeper) }

func dolt(a *act) {
	if a.Sub == "sql" {
		l := a.line(valued("q query file"))
		for _, text := range l.values("q", "query") {
			a.sql(text, mySQL)
		}
		a.sqlInput(mySQL)
	}
}

// sqlVariables reads statements that psql is given as variables and told to put
// in where the text names them.
func (a *act) sqlVariables(given, texts []string) {
	for _, assignment := range a.few(given) {
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

// arango reads what a script deletes.
func arango(a *act) {
	l := cutLine(a.Args, valued("javascript.execute-string"), gnu)
	a.dropsIn(strings.Join(append(l.values("javascript.execute-string"), a.in.text), "\n"), sql.Arango)
}

func foundationDB(a *act) { a.dropsIn(a.in.text+" "+strings.Join(a.Args, " "), sql.FoundationDB) }

func aerospike(a *act) { a.dropsIn(a.in.text+" "+strings.Join(a.Args, " "), sql.Aerospike) }
