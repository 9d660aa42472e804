package rule

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/internal/advice"
)

// Whatever the conditions and the call: where a gate is shut, the condition does
// not hold.
func TestShutGatesChangeNoOutcome(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 23))
	shut, open := 0, 0
	for range 40 {
		var list []*Program
		var sources []string
		for range 1 + random.IntN(20) {
			source := richCondition(random, 2)
			if p, err := Compile(source, Options{Applies: advice.CallKinds}); err == nil {
				list, sources = append(list, p), append(sources, source)
			}
		}
		gates := NewGates(list)
		for range 20 {
			s := policy.NewSubject(randomExchange(random), richBlock(random))
			opened := gates.Open(s)
			for i, p := range list {
				if !Shut(opened, i) {
					open++
					continue
				}
				shut++
				if got, what, err := p.Match(s); got != False || what != "" || err != nil {
					t.Fatalf("%s\nfor %+v: the gate is shut, and it is %v, %q, %v", sources[i], s.Block, got, what, err)
				}
			}
		}
	}
	if shut < 500 || open < 500 {
		t.Errorf("the cases say little: %d shut, %d open", shut, open)
	}
}

func TestGates(t *testing.T) {
	rm := `call.commands.exists(c, c.is("rm") && c.has("-r"))`
	preloads := `call.commands.exists(c, ["LD_PRELOAD", "LD_AUDIT"].exists(v, v in c.env && c.env[v].matches("^/tmp/")))`
	for _, tc := range []struct {
		name, source string
		block        llm.Block
		shut         bool
	}{
		{"a command of another name", rm, bashBlock("ls -r"), true},
		{"a command of the name without what else it needs", rm, bashBlock("rm a"), true},
		{"the command", rm, bashBlock("ls; rm -r a"), false},
		{"a command that may get what it needs", rm, bashBlock("rm $X"), false},
		{"commands that are not known", rm, bashBlock("ls; $X"), false},
		{"a call that was cut", rm, llm.Block{Kind: llm.ToolCall, Name: "Bash", Arguments: `{"command":"ls"}`, Status: llm.Incomplete}, false},
		{"no command at all", rm, llm.Block{Kind: llm.ToolCall, Name: "Read", Arguments: `{"file_path":"a"}`, Status: llm.Complete}, true},
		{"a name that cannot match", `call.commands.exists(c, c.name.matches("^python[0-9.]*$") && c.sudo)`, bashBlock("sudo ls a"), true},
		{"a name that matches", `call.commands.exists(c, c.name.matches("^python[0-9.]*$") && c.sudo)`, bashBlock("sudo python3 a"), false},
		{"a source that cannot match", `call.commands.exists(c, !c.is("ls") && c.text.matches("one.*two"))`, bashBlock("echo two one"), true},
		{"a source that matches", `call.commands.exists(c, !c.is("ls") && c.text.matches("one.*two"))`, bashBlock("echo one two"), false},
		{"no variable at all", preloads, bashBlock("ls a"), true},
		{"another variable", preloads, bashBlock("LANG=C ls a"), true},
		{"the variable", preloads, bashBlock("LD_PRELOAD=/tmp/x.so ls a"), false},
		{"the variable of all commands", preloads, bashBlock("export LD_PRELOAD=/tmp/x.so; ls a"), false},
		{"one of two that are needed", `call.kind == "read" && ` + rm, bashBlock("rm -r a"), true},
		{"one of two that are enough", `call.kind == "shell" || ` + rm, bashBlock("ls"), false},
		{"something that only CEL can tell beside what is missing", `call.args.x == 1 && ` + rm, bashBlock("ls"), true},
		{"something that only CEL can tell", `call.args.x == 1 || ` + rm, bashBlock("ls"), false},
		{"no command of a kind", `call.commands.all(c, c.is("ls"))`, bashBlock("rm"), false},
		{"files that do not match", `call.writes.exists(w, w.matches("^/etc/"))`, bashBlock("echo > /tmp/x"), true},
		{"files that match", `call.writes.exists(w, w.matches("^/etc/"))`, bashBlock("echo > /etc/x"), false},
		{"files that are not known", `call.writes.exists(w, w.matches("^/etc/"))`, bashBlock("echo > $X"), false},
		{"a call as large as gates look at", rm, commentedBlock("ls", mostGatedText), true},
		{"a larger one", rm, commentedBlock("ls", mostGatedText+1), false},
		{"as many commands as gates look at", rm, bashBlock(strings.Repeat("ls;", mostGatedCommands)), true},
		{"one more", rm, bashBlock(strings.Repeat("ls;", mostGatedCommands+1)), false},
	} {
		p, err := Compile(tc.source, Options{})
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		s := policy.NewSubject(&policy.Exchange{Session: policy.Session{Cwd: "/x"}}, tc.block)
		if got := Shut(NewGates([]*Program{p}).Open(s), 0); got != tc.shut {
			t.Errorf("%s: %s for %.60s: shut is %v", tc.name, tc.source, tc.block.Arguments, got)
		}
	}
}

// commentedBlock is a call whose arguments have a size.
func commentedBlock(command string, size int) llm.Block {
	b := bashBlock(command + " # ")
	b.Arguments = strings.Replace(b.Arguments, "# ", "# "+strings.Repeat("x", size-len(b.Arguments)), 1)
	return b
}

func TestFurtherConditionsHaveNoGate(t *testing.T) {
	var list []*Program
	for i := range mostGates + 2 {
		p, err := Compile(fmt.Sprintf(`call.commands.exists(c, c.is("p%d"))`, i), Options{})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	gates, s := NewGates(list), policy.NewSubject(nil, bashBlock("p3; p65"))
	for i := range list {
		if got, want := Shut(gates.Open(s), i), i < mostGates && i != 3; got != want {
			t.Errorf("condition %d: shut is %v", i, got)
		}
	}
}
