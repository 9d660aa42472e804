package project

import (
	"fmt"
	"strings"
	"testing"
)

// bomb is YAML whose aliases expand to more than any machine holds.
func bomb(command string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "a0: &a0 [%q, %q]\n", command, command)
	for i := 1; i < 40; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [*a%d, *a%d]\n", i, i, i-1, i-1)
	}
	return b.String()
}

// What is beyond the bounds is unknown, and what can be read of it is read.
func TestHostileYAMLIsUnknown(t *testing.T) {
	t.Parallel()

	for name, content := range map[string]string{
		"aliases":   bomb("rm a b"),
		"size":      "x: rm a b\n" + strings.Repeat("# y\n", MaxYAML/4),
		"flow":      strings.Repeat("[", 5*maxYAMLDepth) + "rm a b",
		"depth":     strings.Repeat("[", maxYAMLDepth+2) + "rm a b" + strings.Repeat("]", maxYAMLDepth+2),
		"itself":    "a: &a\n  b: *a\n",
		"documents": strings.Repeat("a: rm a b\n---\n", maxDocuments+1) + "a: rm c d\n",
	} {
		for reader, s := range map[string]Steps{"Texts": Texts(whole(content)), "Playbook": Playbook(whole(content)), "Taskfile": Taskfile(whole(content), nil), "YAMLWords": YAMLWords(whole(content), []string{"run"})} {
			if !s.Unknown {
				t.Errorf("too much of %s: %s says that nothing is unknown", name, reader)
			}
		}
	}
	if s := Texts(whole(bomb("rm a b"))); len(s.Commands) == 0 {
		t.Error("nothing is read of YAML with too many aliases")
	}
}

// hostileTexts are texts that cost parsers much.
var hostileTexts = map[string]func(n int) string{
	"aliases":     func(int) string { return bomb("rm a b") },
	"flow":        func(n int) string { return strings.Repeat("[", n) },
	"flow maps":   func(n int) string { return strings.Repeat("{a: ", n/4) },
	"dashes":      func(n int) string { return strings.Repeat("- ", n/2) },
	"lines":       func(n int) string { return strings.Repeat("- a b\n", n/6) },
	"questions":   func(n int) string { return strings.Repeat("? ", n/2) },
	"colons":      func(n int) string { return strings.Repeat("a: ", n/3) },
	"keys":        func(n int) string { return strings.Repeat("a: b c\n", n/7) },
	"nested keys": nested,
	"anchors":     func(n int) string { return strings.Repeat("- &a b c\n", n/9) },
	"quotes":      func(n int) string { return strings.Repeat(`"`, n) },
	"tags":        func(n int) string { return strings.Repeat("!!a ", n/4) },
	"tabs":        func(n int) string { return strings.Repeat("\t", n) },
	"block":       func(n int) string { return "a: |\n" + strings.Repeat(" x\n", n/3) },
	"plain":       func(n int) string { return "a: " + strings.Repeat("x ", n/2) },
	"documents":   func(n int) string { return strings.Repeat("---\n", n/4) },
	"comments":    func(n int) string { return strings.Repeat("#\n", n/2) + "a: b c" },
	"key per key": manyKeys,
	"targets":     func(n int) string { return strings.Repeat("a: a\n\t$(A)\n", n/11) },
	"variables":   func(n int) string { return strings.Repeat("A = $(A)$(A)\n", n/13) + "a:\n\t$(A)\n" },
	"braces":      func(n int) string { return strings.Repeat("run{", n/4) },
	"words":       func(n int) string { return strings.Repeat("run(", n/4) },
	"elements":    func(n int) string { return strings.Repeat("<executable>a<arg", n/17) },
	"deletes":     func(n int) string { return strings.Repeat("<delete dir='a'", n/15) },
	"python":      func(n int) string { return strings.Repeat("@task\ndef a(c):\n x\n", n/20) },
}

func nested(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "k%d: {<<: {a: b c}}\n", i)
	}
	return b.String()
}

// everyReader reads a text in all ways.
func everyReader(text string) {
	for _, f := range []File{{Content: text, Whole: true}, {Content: text}, {Content: text, Unparsed: true}} {
		Make(f, MakeSetting{Goals: []string{"a"}})
		Make(f, MakeSetting{Open: func(string) (File, bool) { return whole("a:\n\tb c\n"), true }})
		Scripts(f, []string{"a"}, false)
		Taskfile(f, []string{"a"})
		Playbook(f)
		Texts(f)
		Lines(f)
		Quoted(f)
		Settings(f)
		ComposerScripts(f)
		CMakeLists(f)
	}
	NamedTasks(text, []string{"a"})
	Programs(text)
	Compose(whole(text))
	Containerfile(text)
	TakesHost(whole(text))
	Words(text, []string{"run", "a"})
	YAMLWords(whole(text), []string{"run", "a"})
	Blocks(text, []string{"run", "a"})
	Elements(text)
	Dune(text)
	CMake(text)
	Puppet(text)
	GoGenerate(text)
	Backend(text)
	PackageSettings(text)
	PythonTasks(text, []string{"a"})
}

func BenchmarkHostile(b *testing.B) {
	for name, make := range hostileTexts {
		for reader, read := range map[string]func(string){
			"texts":    func(s string) { Texts(whole(s)) },
			"taskfile": func(s string) { Taskfile(whole(s), []string{"a"}) },
			"playbook": func(s string) { Playbook(whole(s)) },
			"keys":     func(s string) { YAMLWords(whole(s), []string{"run"}) },
			"compose":  func(s string) { Compose(whole(s)) },
			"objects":  func(s string) { TakesHost(whole(s)) },
			"make":     func(s string) { Make(whole(s), MakeSetting{Goals: []string{"a"}}) },
			"words":    func(s string) { Words(s, []string{"run"}) },
			"elements": func(s string) { Elements(s) },
			"python":   func(s string) { PythonTasks(s, []string{"a"}) },
		} {
			for _, size := range []int{MaxYAML, 1 << 20} {
				text := make(size)
				b.Run(fmt.Sprintf("%s/%s/%d", name, reader, size), func(b *testing.B) {
					b.SetBytes(int64(len(text)))
					for b.Loop() {
						read(text)
					}
				})
			}
		}
	}
}

func FuzzReaders(f *testing.F) {
	for _, text := range []string{
		"a: b\n\tc d\n", `{"scripts":{"a":"b c"}}`, "tasks:\n  a: [b c]\n", "- file: {path: /a, state: absent}\n", "services:\n  a: {volumes: ['/:/b']}\n", "x: &a [*a]\n", "<<: *a", "? [a]: b", "a: !!binary x\n---\n...\n",
		"<delete dir='a'/><executable>a</executable><arg line='b'/>", "(run a)", "run: |\n  a\n", "run('a'", "run '''", "@task\ndef a(c):\n  b\n", "{ // x", `{"a": 1,}`, "hostPath:\n  path: /\n", "RUN [\"a\"]\\\n",
		"include a\nA = $(A)$(A)\nb: $(A)", "registry=https://a", "COMMAND a)REMOVE b)", "%: %\n\ta",
	} {
		f.Add(text)
	}
	for _, make := range hostileTexts {
		f.Add(make(4096))
	}
	f.Fuzz(func(_ *testing.T, text string) { everyReader(text) })
}
