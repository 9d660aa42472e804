package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/invocation"
)

// sessions are programs that take what they do line by line from whoever started them,
// with the first word of their arguments where that decides. Shells are not among them:
// the lines behind one are read as commands anyway.
var sessions = map[string]string{
	"python": "", "python3": "", "ipython": "", "node": "", "irb": "", "pry": "", "php": "-a", "lua": "", "jjs": "", "jrunscript": "", "jshell": "", "tclsh": "", "wish": "", "expect": "", "erl": "", "iex": "", "ghci": "", "julia": "", "R": "", "guile": "", "octave": "", "gnuplot": "", "gdb": "",
	"psql": "", "mysql": "", "mariadb": "", "sqlite3": "", "redis-cli": "", "valkey-cli": "", "keydb-cli": "", "mongosh": "", "mongo": "", "cqlsh": "", "clickhouse-client": "", "sqlplus": "", "sqlcmd": "", "duckdb": "",
	"terraform": "console", "tofu": "console", "ftp": "", "sftp": "", "lftp": "", "smbclient": "", "ed": "", "dc": "", "bc": "",
}

// languages are those of them that read a program instead if they are given one.
var languages = []string{"python", "python3", "ipython", "node", "irb", "pry", "lua", "jjs", "jrunscript", "jshell", "tclsh", "wish", "expect", "ghci", "julia", "R", "guile", "octave", "gnuplot"}

// typed is what may be meant for a program that a line starts: the lines behind it,
// which a person or a tool for terminals types while it runs. Where it does not wait
// for them, they are commands, and are read as such too. It is not sure that the program
// waits if it has options, which may be the program that it reads.
func (r *reader) typed(c *invocation.Command) (lines string, sure bool) {
	first, ok := sessions[c.Name]
	if !ok || r.Depth > 1 || first != "" && (len(c.Args) == 0 || c.Args[0] != first) || c.Text == "" || len(r.Src) > invocation.MostKnown {
		return "", false
	}
	sure = len(c.Args) == 0 || !slices.Contains(languages, c.Name)
	if !sure && !strings.HasPrefix(c.Args[0], "-") {
		return "", false // a script
	}
	_, lines, _ = strings.Cut(r.Src, c.Text+"\n")
	return lines, sure
}
