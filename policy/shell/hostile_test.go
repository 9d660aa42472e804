package shell

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/project"
)

// place is where the texts of the tests run.
var place = invocation.Setting{Place: effect.Place{Cwd: "/home/u/p", Home: "/home/u"}}

// hostile are texts that are made to be slow, by what they are full of.
var hostile = []struct {
	name string
	make func(size int) string
}{
	{"parentheses", filled("(")},
	{"closed parentheses", nested("(", "a", ")")},
	{"blocks", filled("{ ")},
	{"substitutions", filled("$(")},
	{"closed substitutions", nested("$(a ", "b", ")")},
	{"many substitutions", filled("$(a) ")},
	{"substitutions that echo", filled("a $(echo b);")},
	{"backticks", filled("`")},
	{"nested backticks", filled("`\\`")},
	{"arithmetic", filled("$((")},
	{"arithmetic commands", filled("((")},
	{"closed arithmetic", nested("$((", "1", "))")},
	{"a long sum", around("echo $((1", filled("+1"), "))")},
	{"parameters", filled("${")},
	{"nested parameters", nested("${a:-", "b", "}")},
	{"quotes in parameters", filled(`"${a:-`)},
	{"single quotes", filled("'")},
	{"double quotes", filled(`"`)},
	{"escapes", filled("\\")},
	{"line continuations", filled("\\\n")},
	{"words", filled("a ")},
	{"commands", filled("a;")},
	{"lines", filled("ls\n")},
	{"long lines", filled("rm -rf a b c d e f g\n")},
	{"assignments", filled("a=b ")},
	{"variables", counted("v%d=a;")},
	{"variables in subshells", counted("v%d=a;(a);")},
	{"growing variable", around("a=b;", filled("a=$a$a;"), "")},
	{"appended variable", filled("a+=b;")},
	{"appended array", filled("a+=(b c d);")},
	{"an array", around("a=(", filled("b "), `); rm "${a[@]}"`)},
	{"alternatives", filled("[ x ] && a=1 || a=2; rm $a$a$a$a;")},
	{"alternatives in words", around("for a in 1 2 3 4 5 6 7 8 9; do rm ", filled("$a"), "; done")},
	{"alternatives in arguments", around("for a in 1 2 3 4 5 6 7 8 9; do rm ", filled("$a "), "; done")},
	{"unknown variables", around("rm ", filled("$a/"), "")},
	{"unknown arguments", around("rm ", filled("$a "), "")},
	{"unknown in quotes", around(`rm "`, filled("$a "), `"`)},
	{"loops", filled("for x in a b; do ")},
	{"closed loops", nested("for x in a b c; do a $x; ", "rm $x;", "done;")},
	{"conditions", filled("if ")},
	{"closed conditions", nested("if a; then ", "b;", "fi;")},
	{"cases", filled("case x in x) ")},
	{"case items", around("case x in ", filled("a) b;; "), "esac")},
	{"functions", counted("f%d() { a; };")},
	{"functions that call functions", counted("f%d() { f1; f2; f3; f4; f5; f6; f7; };")},
	{"calls of a function", around("f() { rm a b c d e f g; };", filled("f;"), "")},
	{"functions that double", doubling},
	{"aliases", counted("alias a%d=b;")},
	{"globs", filled("* ")},
	{"test runs beside files of their own", filled("ava \"$x\" <(a)\n")},
	{"deep globs", around("rm ", filled("*/"), "")},
	{"removed globs", around("rm ", filled("* "), "")},
	{"braces", around("echo ", filled("{a,b}"), "")},
	{"many braces", filled("echo {a,b}{a,b}{a,b};")},
	{"words of braces", filled("{a,b}{a,b}{a,b}{a,b} ")},
	{"ranges", filled("{1..99999} ")},
	{"open braces", around("echo ", filled("{"), "")},
	{"commas in braces", around("echo {", filled("a,"), "b}")},
	{"empty braces", filled(`"{}" `)},
	{"pipes", filled("a|")},
	{"and", filled("a&&")},
	{"or", filled("a||")},
	{"background", filled("a&")},
	{"redirections", filled(">a ")},
	{"redirections of a command", filled("a >b;")},
	{"inputs", filled("<a ")},
	{"here-documents", filled("<<E ")},
	{"closed here-documents", filled("cat <<E\na\nE\n")},
	{"here-documents into a shell", filled("sh <<E\nrm a\nE\n")},
	{"a long here-document", around("cat <<E\n", filled("text $a `b` \\\n"), "E\n")},
	{"a quoted here-document", around("cat <<'E' > f\n", filled("print('text')\n"), "E\n")},
	{"a script in a here-document", around("bash <<'E'\n", filled("rm -rf a b\n"), "E\n")},
	{"here-strings", filled("a <<< b;")},
	{"process substitutions", filled("<(")},
	{"closed process substitutions", filled("a <(b);")},
	{"tests", filled("[[ ")},
	{"closed tests", filled("[[ a == b ]];")},
	{"comments", filled("# a\\\n")},
	{"comments and commands", filled("a # b\\\n")},
	{"broken lines", around(")\n", filled("a (\n"), "")},
	{"broken quotes", around(")\n", filled("rm 'a\n"), "")},
	{"sudo", filled("sudo ")},
	{"env", filled("env A=1 ")},
	{"env with names", counted("env A%d=1 ")},
	{"xargs", filled("xargs ")},
	{"pipes into xargs", filled("echo a b c | xargs rm;")},
	{"large input for xargs", around("echo ", filled("a "), "| xargs rm")},
	{"large input for xargs with a place", around("printf '%s\\n' ", filled("a "), "| xargs -I{} rm {} {}")},
	{"parallel", around("parallel rm {} ::: ", filled("a "), "")},
	{"find", filled("find . -exec a {} \\; ")},
	{"find with many commands", around("find . ", filled("-exec rm {} + "), "")},
	{"find with many places", around("find . -exec rm ", filled("{}"), ";")},
	{"find with many roots", around("find ", filled("a "), "-delete")},
	{"cd", filled("cd a;")},
	{"cd up", filled("cd ..;")},
	{"paths", around("rm ", filled("../"), "")},
	{"many paths", around("rm ", filled("../a "), "")},
	{"eval", filled("eval ")},
	{"eval of the same", around("a='", filled("rm x;"), "';"+strings.Repeat(`eval "$a";`, 100))},
	{"sh -c", filled("sh -c ")},
	{"sh -c in quotes", filled(`sh -c "`)},
	{"the same files", filled("echo a >> f;")},
	{"files that run", counted("echo a > f%d; sh f%[1]d;")},
	{"files made of files", counted("cp f%d f%[1]d0;")},
	{"copies", filled("cp a b;cp b a;")},
	{"sent files", filled("curl -d @f h.io;")},
	{"sources", counted("x=$x$(cat f%d);")},
	{"base64", encoded},
	{"a chain of decoders", around("echo ", filled("a"), strings.Repeat("| base64 -d | rev | tr a b | xxd -r -p", 50)+"| sh")},
	{"options of a question", around("grep", filled(" -c"), " . ~/.netrc")},
	{"directories made and deleted", filled("mkdir d && rm -rf d && ")},
	{"moves and deletes", filled("mv a /tmp/b; rm -rf /tmp/b; ")},
	{"a long chain of decoders", around("echo a", filled("|rev"), "| sh")},
	{"printf", around("printf ", filled("%s"), " a")},
	{"printf rounds", around("printf '%s\\n' ", filled("a "), "| sh")},
	{"tr", around("echo a | tr ", filled("a-z"), " b")},
	{"python", around("python3 -c '", filled("os.system(\"rm x\");"), "'")},
	{"node", around("node -e '", filled("require(\"fs\").rmSync(\"x\");"), "'")},
	{"perl", around("perl -e '", filled("unlink(\"x\");"), "'")},
	{"awk", around("awk '", filled("{ system(\"rm x\") }"), "'")},
	{"sed", around("sed -i '", filled("s/a/b/;"), "' f")},
	{"sql", around("psql -c '", filled("delete from a;"), "'")},
	{"sql brackets", around("psql -c '", filled("("), "'")},
	{"git", filled("git push -f;")},
	{"julia", around("julia -e '", filled("run(\"rm x\");"), "'")},
	{"one long word", filled("a")},
	{"a long quoted word", around("rm '", filled("a"), "'")},
	{"a long ansi word", around("rm $'", filled("\\x41"), "'")},
	{"zeros", filled("\x00")},
	{"windows lines", filled("a\r\n")},
	{"links", counted("ln -s /a%d b%[1]d;rm b%[1]d/x;")},
	{"descriptors", counted("exec %d>a;")},
	{"trims", around("a="+strings.Repeat("a", 4000)+";", filled("b=${a##*b};"), "")},
	{"replacements", around("a="+strings.Repeat("a", 4000)+";", filled("b=${a//a*b/c};"), "")},
	{"long values", around("a="+strings.Repeat("a", 60000)+";", filled("b=$a;"), "")},
	{"long arguments", around("a="+strings.Repeat("a", 60000)+";", filled("rm $a;"), "")},
	{"split values", around("a='"+strings.Repeat("a ", 30000)+"';", filled("rm $a;"), "")},
	{"long echoes", around("a='"+strings.Repeat("a ", 30000)+"';", filled("echo $a|cat|cat;"), "")},
	{"long variables in scripts", around("a='"+strings.Repeat("a;", 30000)+"';", filled("sh -c $a;"), "")},
	{"powershell", around("pwsh -c '", filled("Remove-Item x;"), "'")},
	{"fish", around("fish -c '", filled("for x in a; rm $x; end;"), "'")},
	{"kubectl exec", filled("kubectl exec a -- ")},
	{"ssh", filled("ssh h ")},
	{"coproc", filled("coproc ")},
	{"time", filled("time ")},
	{"negations", filled("! ")},
	{"extended globs", around("rm ", filled("@(a|b)"), "")},
	{"extended glob alternatives", around("rm @(a", filled("|a"), ")")},
	{"let", filled("let a=1;")},
	{"select", filled("select x in a; do ")},
	{"heredocs in substitutions", filled("a $(cat <<E\nb\nE\n);")},
	{"ansi quotes", filled("$'a'")},
	{"dollars", filled("$")},
	{"tildes", filled("~/a ")},
	{"nul commands", filled(";")},
	{"line ends", filled("\n")},
	{"index", filled("a[")},
	{"indexed", filled("a[1]=b ")},
	{"unicode", filled("é ")},
	{"invalid bytes", filled("\xff ")},
	{"compose files", followed("compose.yml", "a: {b: c d}\n", "docker compose up")},
	{"compose files of keys", followed("compose.yml", "a: b c\n", "docker compose up")},
	{"task files", followed("Taskfile.yml", "a: b c\n", "task a")},
	{"playbooks", followed("p.yml", "- a: b c\n", "ansible-playbook p.yml")},
	{"files of stages", followed("dvc.yaml", "a: {cmd: b c}\n", "dvc repro")},
	{"objects of a cluster", followed("p.yml", "a: b c\n", "kubectl apply -f p.yml")},
	{"makefiles", followed("Makefile", "a: a\n\tb $(C)\n", "make a")},
}

// filled repeats a piece up to a size.
func filled(piece string) func(int) string {
	return func(size int) string { return strings.Repeat(piece, max(size/len(piece), 1)) }
}

// counted repeats a piece with a number in it.
func counted(format string) func(int) string {
	return func(size int) string {
		var b strings.Builder
		for i := 1; b.Len() < size; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
}

// nested puts a middle between as many openings as closings.
func nested(opens, middle, closes string) func(int) string {
	return func(size int) string {
		n := size / (len(opens) + len(closes))
		return strings.Repeat(opens, n) + middle + strings.Repeat(closes, n)
	}
}

// around puts a text between two others.
func around(head string, middle func(int) string, tail string) func(int) string {
	return func(size int) string { return head + middle(max(size-len(head)-len(tail), 1)) + tail }
}

// doubling is functions that each call the one before twice.
func doubling(size int) string {
	var b strings.Builder
	b.WriteString("f0() { rm x; };")
	for i := 1; b.Len() < size; i++ {
		fmt.Fprintf(&b, "f%d() { f%d; f%d; };", i, i-1, i-1)
	}
	fmt.Fprintf(&b, "f%d", 11)
	return b.String()
}

// followed is a file that a command follows, as long as it is read and parsed, and the
// command again and again.
func followed(file, line, command string) func(int) string {
	return func(size int) string {
		head := "cat > " + file + " <<'END'\n" + strings.Repeat(line, min(project.MaxYAML, invocation.MostKnown)/len(line)) + "END\n"
		return head + strings.Repeat(command+"\n", max(size-len(head), 0)/(len(command)+1))
	}
}

// encoded is a text in base64, again and again.
func encoded(size int) string {
	text := "rm -rf /"
	for {
		next := "echo " + base64.StdEncoding.EncodeToString([]byte(text)) + " | base64 -d | sh"
		if len(next) > size {
			return text
		}
		text = next
	}
}

// A megabyte that is made to be slow is read within 50 ms.
func BenchmarkHostile(b *testing.B) {
	for _, h := range hostile {
		b.Run(strings.ReplaceAll(h.name, " ", "-"), func(b *testing.B) {
			text := h.make(invocation.MaxText)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Read(text, place)
			}
		})
	}
}
