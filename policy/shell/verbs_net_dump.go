package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// dumpPrograms print, or save, what a database holds.
var dumpPrograms = valued(`pg_dump pg_dumpall pg_basebackup mysqldump mysqlpump mariadb-dump mydumper mongodump mongoexport cockroach-dump slapcat elasticdump couchbackup dumpdata
	influx_inspect neo4j-admin sql-dump sql:dump exp expdp`)

// printsDump reports whether a command prints what a database holds, also one that
// runs elsewhere for it.
func printsDump(a *act) bool {
	switch a.Name {
	case "docker", "podman", "nerdctl", "kubectl", "oc", "docker-compose", "podman-compose", "ssh", "heroku", "fly", "flyctl", "railway", "ddev", "lando", "sail", "lxc", "vagrant", "nsenter", "crictl":
		for i, arg := range a.Args {
			for word := range strings.FieldsSeq(arg) {
				if dumpPrograms[path.Base(word)] {
					return !leavesRows(path.Base(word), a.Args[i:])
				}
			}
		}
		if copies(a.Args) {
			return true
		}
	case "psql", "mysql", "mariadb", "sqlcmd", "clickhouse-client", "clickhouse", "cqlsh", "duckdb":
		return copies(a.Args)
	case "sqlite3":
		return slices.ContainsFunc(a.Args, func(s string) bool { return strings.Contains(s, ".dump") }) || copies(a.Args)
	case "redis-cli", "valkey-cli", "keydb-cli":
		return a.Has("--rdb") || a.Has("--functions-rdb")
	case "python", "python3", "manage.py", "django-admin", "drush", "wp", "supabase":
		return slices.Contains(a.Args, "dumpdata") || slices.Contains(a.Args, "sql-dump") || slices.Contains(a.Args, "sql:dump") ||
			a.Name == "wp" && a.sub("db", "export") || a.Name == "supabase" && a.sub("db", "dump") && a.Has("--data-only")
	case "etcdctl":
		return a.Sub == "get" && a.Has("--prefix") && slices.ContainsFunc(a.Args, func(s string) bool { return s == "" || s == "/" })
	}
	return a.facts().dumps && !leavesRows(a.Name, a.Args)
}

// leavesRows reports whether a dump is of the tables alone, without what is in
// them.
func leavesRows(name string, args []string) bool {
	return slices.ContainsFunc(args, func(s string) bool {
		return s == "-s" || s == "--schema-only" || s == "--no-data" || s == "-d" && strings.HasPrefix(name, "mysql") || strings.Contains(s, " --schema-only") || strings.Contains(s, " --no-data")
	})
}

// copies reports whether a statement prints a table for others: COPY ... TO STDOUT.
func copies(args []string) bool {
	return slices.ContainsFunc(args, func(s string) bool {
		return len(s) <= mostStatement && hasFold(s, "copy") && hasFold(s, "to stdout")
	})
}

// rows is what a statement prints that asks for all rows of a table. People look at
// them, and mail them; see wholeSent.
const rows = "rows of a table"

// printsRows reports whether a statement in the arguments asks for all rows of a
// table.
func printsRows(args []string) bool {
	return slices.ContainsFunc(args, func(s string) bool {
		return len(s) <= mostStatement && hasFold(s, "select") && hasFold(s, "* from ") && !hasFold(s, " where ") && !hasFold(s, " limit ") && !hasFold(s, "information_schema") && !hasFold(s, "from pg_")
	})
}

// hasFold reports whether a text has a word in letters of any case. The word is in
// small ones.
func hasFold(s, word string) bool {
	for i := 0; i+len(word) <= len(s); i++ {
		if s[i]|0x20 == word[0]|0x20 && strings.EqualFold(s[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

// watches reports whether a command prints what people type, say or see.
func watches(a *act) bool {
	switch a.Name {
	case "xinput":
		return strings.HasPrefix(a.Sub, "test")
	case "evtest", "showkey", "logkeys", "xev", "libinput", "script", "interception", "intercept":
		return a.Name != "libinput" || a.Sub == "debug-events"
	case "arecord", "parec", "parecord", "pw-record", "rec":
		return !a.Has("d") && !a.Has("--duration")
	case "ffmpeg", "ffmpeg.exe", "gst-launch-1.0":
		return slices.ContainsFunc(a.Args, isWatching)
	case "import", "scrot", "maim", "grim", "xwd", "screencapture", "spectacle", "flameshot", "gnome-screenshot", "fswebcam", "imagesnap":
		return true
	}
	return false
}

// isWatching reports whether a source of ffmpeg is the screen or a microphone.
func isWatching(arg string) bool {
	switch arg {
	case "x11grab", "gdigrab", "kmsgrab", "avfoundation", "pulse", "alsa", "dshow", "ximagesrc", "pulsesrc", "alsasrc", "pipewiresrc":
		return true
	}
	return false
}

// streams is ffmpeg and the like, which send what they record themselves.
func streams(a *act) {
	if !watches(a) {
		return
	}
	for _, arg := range a.few(a.Args) {
		if strings.Contains(arg, "://") && isOutside(hostOf(arg)) {
			a.add(effect.Effect{Verb: effect.Send, Object: arg, From: secret})
		}
	}
}

// showsEnvironment reports whether ps is told to show the variables of processes:
// the letter e without a dash, or -E.
func showsEnvironment(args []string) bool {
	for i, arg := range args {
		if strings.Contains(arg, "=") || i > 0 && strings.HasPrefix(args[i-1], "-") {
			continue
		}
		if body, dashes := cutDashes(arg); dashes == 0 && strings.Contains(body, "e") && strings.Trim(body, "acefghlmnrsuvwxSTUXjo") == "" || dashes == 1 && strings.Contains(body, "E") {
			return true
		}
	}
	return false
}
