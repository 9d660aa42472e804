package shell_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/shell"
)

// lines writes commands as a reader would say them: one line each, with what
// is special in brackets.
func lines(commands []shell.Command) []string {
	out := make([]string, 0, len(commands))
	for i := range commands {
		c := &commands[i]
		line := strings.Join(append([]string{c.Name}, c.Args...), "|")
		for _, is := range []struct {
			word string
			on   bool
		}{{"sudo", c.Sudo}, {"remote", c.Remote}, {"more", c.More}, {"lost", c.DirUnknown}} {
			if is.on {
				line += " [" + is.word + "]"
			}
		}
		if c.Dir != "" {
			line += " in " + c.Dir
		}
		for _, f := range c.Reads {
			line += " <" + f
		}
		for _, f := range c.Writes {
			line += " >" + f
		}
		out = append(out, line)
	}
	return out
}

func TestSplitReadsWhatIsRun(t *testing.T) {
	cases := []struct {
		name, text string
		want       []string
		unknown    []string
	}{
		{"nothing", "", nil, nil},
		{"one command", "ls -la /tmp", []string{"ls|-la|/tmp"}, nil},
		{"a path to the program", "/usr/bin/kubectl get pods", []string{"kubectl|get|pods"}, nil},
		{"separators", "a; b && c || d | e & f\ng", []string{"a", "b", "c", "d", "e", "f", "g"}, nil},
		{"no blanks", "a;b&&c||d|e&f", []string{"a", "b", "c", "d", "e", "f"}, nil},
		{"groups", "(a; b) && { c; }", []string{"a", "b", "c"}, nil},
		{"single quotes", `echo 'a; rm -rf /'`, []string{"echo|a; rm -rf /"}, nil},
		{"double quotes", `echo "a \"b\" \x $X"`, []string{`echo|a "b" \x $X`}, nil},
		{"escapes", `r\m -r\f a\ b`, []string{"rm|-rf|a b"}, nil},
		{"quotes inside a name", `r''m "-r"f /`, []string{"rm|-rf|/"}, nil},
		{"ansi quotes", `$'\x72\155' $'a\nb\u00e9\'c'`, []string{"rm|a\nbé'c"}, nil},
		{"locale quotes", `echo $"a b"`, []string{"echo|a b"}, nil},
		{"comments", "ls # ; rm -rf /\npwd#x", []string{"ls", "pwd#x"}, nil},
		{"line continuation", "kubectl \\\n  delete \\\n ns a", []string{"kubectl|delete|ns|a"}, nil},
		{"windows line ends", "ls\r\npwd\r\n", []string{"ls", "pwd"}, nil},
		{"empty argument", `a "" ''`, []string{"a||"}, nil},
		{"keywords", "if a; then b; elif c; then d; else e; fi; while f; do g; done; ! h", []string{"a", "b", "c", "d", "e", "f", "g", "h"}, nil},
		{"for", "for x in a b; do rm $x; done", []string{"rm|$x"}, nil},
		{"for without in", "for x do rm y; done", []string{"rm|y"}, nil},
		{"for with arithmetic", "for ((i=0; i<3; i++)); do a; done", []string{"a"}, nil},
		{"case", "case $x in a|b) c;; (d) e ;; *) f; esac; g", []string{"c", "e", "f", "g"}, nil},
		{"function", "f() { rm x; }; function g { rm y; }; f", []string{"rm|x", "rm|y", "f"}, nil},
		{"test", "[[ a < b && -f c ]] && d", []string{"[[|a|b|-f|c|]]", "d"}, nil},
		{"old test", "[ -f c ] && d", []string{"[|-f|c|]", "d"}, nil},
		{"arithmetic", "((a > b)) && echo $((1 + (2 * 3)))", []string{"echo|$((1 + (2 * 3)))"}, nil},
		{"subshell in a subshell", "((a); b)", []string{"a", "b"}, nil},
		{"array", "x=(a $y); b", []string{"", "b"}, nil},

		{"assignments", "A=1 B='x y' make", []string{"make"}, nil},
		{"redirections", "a > b 2>&1 >> c < d &> e 2> f <> g >| h", []string{"a <d <g >b >c >e >f >g >h"}, nil},
		{"redirection alone", "> /etc/passwd", []string{" >/etc/passwd"}, nil},
		{"redirection of a group", "{ a; } > b", []string{"a", " >b"}, nil},
		{"here-document", "cat <<EOF > x\nrm -rf /\nEOF\nls", []string{"cat >x", "ls"}, nil},
		{"here-document with tabs", "cat <<-EOF\n\trm\n\tEOF\nls", []string{"cat", "ls"}, nil},
		{"two here-documents", "cat <<A - <<B\na\nA\nb\nB\nls", []string{"cat|-", "ls"}, nil},
		{"here-string", "cat <<< 'a b'", []string{"cat"}, nil},

		{"sudo", "sudo -u root -E rm x", []string{"rm|x [sudo]"}, nil},
		{"wrappers of wrappers", "env X=1 sudo kubectl get", []string{"kubectl|get [sudo]"}, nil},
		{"timeout", "timeout -s KILL --kill-after 3 10s rm x", []string{"rm|x"}, nil},
		{"time before a group", "time { a; }; time -p b; time while c; do d; done", []string{"a", "b", "c", "d"}, nil},
		{"coproc", "coproc N { a; }; coproc b c", []string{"a", "b|c"}, nil},
		{"nice, nohup, stdbuf, time", "nohup nice -n 5 stdbuf -oL time -f %e rm x; time -o t rm y", []string{"rm|x", "rm|y"}, nil},
		{"xargs", "ls | xargs -0 -I {} rm -rf {}", []string{"ls", "rm|-rf|{} [more]"}, nil},
		{"wrapper with nothing", "env; sudo -l", []string{"env", "sudo|-l [sudo]"}, nil},
		{"a question is not a command", "command -v rm", []string{"command|-v|rm"}, nil},
		{"sh -c", "bash -c 'rm x; ls'", []string{"bash|-c|rm x; ls", "rm|x", "ls"}, nil},
		{"sh -lc with options", "sh -eo pipefail -lc \"rm 'a b'\"", []string{"sh|-eo|pipefail|-lc|rm 'a b'", "rm|a b"}, nil},
		{"sudo of sh -c", "sudo sh -c 'rm x'", []string{"sh|-c|rm x [sudo]", "rm|x [sudo]"}, nil},
		{"sh -c in sh -c", `sh -c "sh -c 'rm x'"`, []string{"sh|-c|sh -c 'rm x'", "sh|-c|rm x", "rm|x"}, nil},
		{"env -S", "env -iS 'rm -rf' /", []string{"env|-iS|rm -rf|/", "rm|-rf|/"}, nil},
		{"su -c", "su - bob -c 'rm x'", []string{"su|-|bob|-c|rm x", "rm|x [sudo]"}, nil},
		{"find -exec", `find . -name x -exec rm -rf {} \; -exec ls {} +`, []string{`find|.|-name|x|-exec|rm|-rf|{}|;|-exec|ls|{}|+`, "rm|-rf|{} [more]", "ls|{} [more]"}, nil},
		{"ssh", "ssh -p 22 host 'rm x' && ls", []string{"ssh|-p|22|host|rm x", "rm|x [remote]", "ls"}, nil},
		{"kubectl exec", "kubectl exec -it pod -- rm x", []string{"kubectl|exec|-it|pod|--|rm|x", "rm|x [remote]"}, nil},
		{"docker exec", "docker exec -it -u root box sh -c 'rm x'", []string{"docker|exec|-it|-u|root|box|sh|-c|rm x", "sh|-c|rm x [remote]", "rm|x [remote]"}, nil},
		{"trap", "trap 'rm x' EXIT", []string{"trap|rm x|EXIT", "rm|x"}, nil},

		{"cd", "cd a && b; cd /c; d; cd ../e; f", []string{"cd|a", "b in a", "cd|/c in a", "d in /c", "cd|../e in /c", "f in /c/../e"}, nil},
		{"cd in a subshell ends with it", "(cd a; b); c", []string{"cd|a", "b in a", "c"}, nil},
		{"cd to a variable", "cd $X; b; cd /; c", []string{"cd|$X", "b [lost]", "cd|/ [lost]", "c in /"}, nil},

		{"a literal text by way of cat", "git commit -m \"$(cat <<'EOF'\nit's \"$(x)\"\nEOF\n)\"", []string{"cat", "git|commit|-m|it's \"$(x)\""}, nil},
		{"substitution", "echo $(rm x) a", []string{"rm|x", "echo|$(rm x)|a"}, []string{shell.Substitution}},
		{"substitution in quotes", `echo "a $(rm "b c")"`, []string{"rm|b c", `echo|a $(rm "b c")`}, []string{shell.Substitution}},
		{"backticks", "echo `rm x`", []string{"rm|x", "echo|`rm x`"}, []string{shell.Substitution}},
		{"backticks in backticks", "echo `a \\`rm x\\``", []string{"rm|x", "a|`rm x`", "echo|`a \\`rm x\\``"}, []string{shell.Substitution}},
		{"process substitution", "diff <(a) >(b)", []string{"a", "b", "diff|<(a)|>(b)"}, []string{shell.Substitution}},
		{"substitution in a parameter", "echo ${x:-$(rm y)}", []string{"rm|y", "echo|${x:-$(rm y)}"}, []string{shell.Substitution}},
		{"substitution in arithmetic", "echo $((1+$(a)))", []string{"a", "echo|$((1+$(a)))"}, []string{shell.Substitution}},
		{"substitution in a here-document", "cat <<E\n$(rm x)\nE", []string{"cat", "rm|x"}, []string{shell.Substitution}},
		{"no substitution in a quoted here-document", "cat <<'E'\n$(rm x)\nE", []string{"cat"}, nil},
		{"substitution in an assignment", "X=$(rm y)", []string{"rm|y", ""}, []string{shell.Substitution}},
		{"variable in an argument", "rm -rf $X/y", []string{"rm|-rf|$X/y"}, nil},
		{"variable as the command", "X=rm; $X -rf /", []string{"", "$X|-rf|/"}, []string{shell.Variable}},
		{"variable as the wrapped command", `sudo "${X}" /`, []string{"${X}|/ [sudo]"}, []string{shell.Variable}},
		{"variable as the script", `sh -c "$X"`, []string{"sh|-c|$X", "$X"}, []string{shell.Variable}},
		{"parameters of a script", `sh -c 'rm -rf "$1"/*' x ""`, []string{`sh|-c|rm -rf "$1"/*|x|`, "rm|-rf|$1/*"}, []string{shell.Variable}},
		{"wildcard as the command", "/bin/r? x", []string{"r?|x"}, []string{shell.Glob}},
		{"braces as the command", "{rm,-rf,/}", []string{"}"}, []string{shell.Glob}},
		{"braces as flags", "rm -{r,f} /", []string{"rm|-{r,f}|/"}, []string{shell.Glob}},
		{"braces in a path", "cp a{,.bak}", []string{"cp|a{,.bak}"}, nil},
		{"eval", "eval 'rm x'", []string{"eval|rm x", "rm|x"}, []string{shell.Eval}},
		{"source", ". ./x", []string{".|./x"}, []string{shell.Source}},
		{"pipe into a shell", "curl x | bash", []string{"curl|x", "bash"}, []string{shell.Pipe}},
		{"pipe into a shell with arguments", "curl x | sudo sh -s -- a", []string{"curl|x", "sh|-s|--|a [sudo]"}, []string{shell.Pipe}},
		{"pipe into an interpreter", "curl x |\n python3 -", []string{"curl|x", "python3|-"}, []string{shell.Pipe}},
		{"pipe into a shell in a group", "curl x | { cat; bash; }", []string{"curl|x", "cat", "bash"}, []string{shell.Pipe}},
		{"pipe into a shell in a loop", "curl x | while true; do sh; done", []string{"curl|x", "true", "sh"}, []string{shell.Pipe}},
		{"pipe out of a loop", "for x in a; do echo b; done | sh", []string{"echo|b", "sh"}, []string{shell.Pipe}},
		{"pipe into a shell elsewhere", "curl x | ssh h bash", []string{"curl|x", "ssh|h|bash", "bash [remote]"}, []string{shell.Pipe}},
		{"pipe into another user's shell", "a | sudo -u b -i; a | su", []string{"a", "sudo|-u|b|-i [sudo]", "a", "su"}, []string{shell.Pipe}},
		{"pipe into another machine", "a | ssh h", []string{"a", "ssh|h"}, []string{shell.Pipe}},
		{"pipe into a container", "a | docker exec -i box sh", []string{"a", "docker|exec|-i|box|sh", "sh [remote]"}, []string{shell.Pipe}},
		{"pipe into a clock", "echo rm | at now", []string{"echo|rm", "at|now"}, []string{shell.Pipe}},
		{"script from xargs", "a | xargs bash -c", []string{"a", "bash|-c [more]"}, []string{shell.Pipe}},
		{"command from xargs", "a | xargs env", []string{"a", "env [more]"}, []string{shell.Pipe}},
		{"script with what xargs gives", "a | xargs -I{} sh -c '{}'", []string{"a", "sh|-c|{} [more]", "{} [more]"}, []string{shell.Variable}},
		{"parallel", "parallel -j 4 'rm {}' ::: a", []string{"parallel|-j|4|rm {}|:::|a", "rm|{}|:::|a [more]"}, nil},
		{"a path by its name", "=rm x", []string{"=rm|x"}, []string{shell.Glob}},
		{"parentheses as an argument", "echo (rm x)", []string{"echo", "rm|x"}, []string{shell.Dialect}},
		{"substitution over a line end", "echo \"$\\\n(rm x)\"", []string{"rm|x", "echo|$\\\n(rm x)"}, []string{shell.Substitution}},
		{"pipe into a script", "a | python x.py; b | sh -c 'c'", []string{"a", "python|x.py", "b", "sh|-c|c", "c"}, nil},
		{"here-document into a shell", "bash <<EOF\nrm x\nEOF", []string{"bash", "rm|x"}, []string{shell.Heredoc}},
		{"here-string into a shell", "bash <<< 'rm x'", []string{"bash", "rm|x"}, []string{shell.Heredoc}},
		{"here-document into an interpreter", "python - <<'E'\nx\nE", []string{"python|-"}, []string{shell.Heredoc}},
		{"another shell's grammar", `powershell -Command "rm x"`, []string{"powershell|-Command|rm x", "rm|x"}, []string{shell.Dialect}},
		{"open quote", "ls; echo 'a", []string{"ls", "echo|a"}, []string{shell.Unbalanced}},
		{"open double quote", `ls "a`, []string{"ls|a"}, []string{shell.Unbalanced}},
		{"open parenthesis", "ls; (a", []string{"ls", "a"}, []string{shell.Unbalanced}},
		{"stray parenthesis", "ls) a", []string{"ls", "a"}, []string{shell.Unbalanced}},
		{"open substitution", "ls $(a", []string{"a", "ls|$(a"}, []string{shell.Unbalanced, shell.Substitution}},
		{"open here-document", "cat <<E\nx", []string{"cat"}, []string{shell.Unbalanced}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			commands, unknown := shell.Split(c.text)
			if got := lines(commands); !slices.Equal(got, c.want) {
				t.Errorf("%q\n runs %q\n want %q", c.text, got, c.want)
			}
			slices.Sort(unknown)
			want := slices.Sorted(slices.Values(c.unknown))
			if !slices.Equal(unknown, want) {
				t.Errorf("%q is unknown for %q, want %q", c.text, unknown, want)
			}
		})
	}
}

func TestFromArgsRunsOneProgram(t *testing.T) {
	cases := []struct {
		name    string
		argv    []string
		want    []string
		unknown []string
	}{
		{"no shell reads it", []string{"echo", "a; rm", "$X", "$(b)"}, []string{"echo|a; rm|$X|$(b)"}, nil},
		{"a script", []string{"bash", "-lc", "a; b"}, []string{"a", "b"}, nil},
		{"a script with parameters", []string{"bash", "-c", "$1", "x", "rm"}, []string{"$1"}, []string{shell.Variable}},
		{"wrappers", []string{"sudo", "rm", "x"}, []string{"rm|x [sudo]"}, nil},
		{"windows", []string{`C:\Windows\System32\CMD.EXE`, "/c", "del x"}, []string{"CMD|/c|del x", "del|x"}, []string{shell.Dialect}},
		{"nothing", nil, nil, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			commands, unknown := shell.FromArgs(c.argv)
			if got := lines(commands); !slices.Equal(got, c.want) || !slices.Equal(unknown, c.unknown) {
				t.Errorf("%q runs %q, unknown %q", c.argv, got, unknown)
			}
		})
	}
}

func TestDirectoriesDoNotGrowWithoutEnd(t *testing.T) {
	commands, _ := shell.Split(strings.Repeat("cd "+strings.Repeat("x", 1023)+";", 4) + "a; cd y; b; cd /; c")
	a, b, c := commands[4], commands[6], commands[8]
	if len(a.Dir) != 4095 || a.DirUnknown || b.Dir != "" && !b.DirUnknown || c.Dir != "/" || c.DirUnknown {
		t.Errorf("a in %d bytes (%v), b in %q (%v), c in %q", len(a.Dir), a.DirUnknown, b.Dir, b.DirUnknown, c.Dir)
	}
}

func TestLimitsAreNamed(t *testing.T) {
	nest := func(n int) string { return strings.Repeat("a $(", n) + "b" + strings.Repeat(")", n) }
	cases := []struct {
		name, text string
		reason     string
		over       bool
		commands   int
	}{
		{"as deep as allowed", nest(shell.MaxDepth), shell.Nesting, false, shell.MaxDepth + 1},
		{"too deep", "x;" + nest(shell.MaxDepth+1), shell.Nesting, true, shell.MaxDepth + 2},
		{"as many as allowed", strings.Repeat("a;", shell.MaxCommands), shell.Many, false, shell.MaxCommands},
		{"too many", strings.Repeat("a;", shell.MaxCommands+1), shell.Many, true, shell.MaxCommands},
		{"as long as allowed", "ls " + strings.Repeat("x", shell.MaxText-3), shell.Long, false, 1},
		{"too long", "ls;" + strings.Repeat("x", shell.MaxText-2), shell.Long, true, 2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			commands, unknown := shell.Split(c.text)
			if slices.Contains(unknown, c.reason) != c.over || len(commands) != c.commands {
				t.Errorf("%d commands, unknown %q", len(commands), unknown)
			}
		})
	}
	if _, unknown := shell.FromArgs([]string{"ls", strings.Repeat("x", shell.MaxText)}); !slices.Contains(unknown, shell.Long) {
		t.Errorf("long arguments are unknown for %q", unknown)
	}
}
