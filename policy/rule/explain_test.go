package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// tree writes an explanation as text, one part in a line.
func tree(b *strings.Builder, p *rule.Part, indent string) {
	b.WriteString(indent)
	if p.Of != "" {
		b.WriteString("{" + p.Of + "} ")
	}
	fmt.Fprintf(b, "%s %s", p.Result, p.Text)
	for _, v := range p.Values {
		fmt.Fprintf(b, "; %s = %s", v.Name, v.Value)
	}
	if p.Missing != "" {
		b.WriteString("; " + p.Missing)
	}
	b.WriteByte('\n')
	for _, kid := range p.Parts {
		tree(b, kid, indent+"  ")
	}
}

// An explanation says which part was true, false or unknown, and with which values.
func TestExplain(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct{ name, source, command, want string }{
		{
			"no effect matches", `call.kind == "shell" && call.effects.exists(e, e.verb == "delete" && e.touches(["/etc/**"]))`, "cat /etc/passwd; rm a",
			`false call.kind == "shell" && call.effects.exists(e, e.verb == "delete" && e.touches(["/etc/**"]))
  true call.kind == "shell"; call.kind = "shell"
  false call.effects.exists(e, …)
    {read /etc/passwd} false e.verb == "delete" && e.touches(["/etc/**"])
      false e.verb == "delete"; e.verb = "read"
      true e.touches(["/etc/**"]); e.object = "/etc/passwd"
    {delete /w/a} false e.verb == "delete" && e.touches(["/etc/**"])
      true e.verb == "delete"; e.verb = "delete"
      false e.touches(["/etc/**"]); e.object = "/w/a"
`,
		},
		{
			"the element that matches", `call.commands.exists(c, c.is("rm") && c.has("-r"))`, "ls; rm -r a; rm b",
			`true call.commands.exists(c, …)
  {rm -r a} true c.is("rm") && c.has("-r")
    true c.is("rm"); c.name = "rm"
    true c.has("-r"); c.args = ["-r", "a"]
`,
		},
		{
			"nothing to look at", `call.urls.exists(u, u.host() == "a.example")`, "ls",
			`false call.urls.exists(u, …); call.urls = empty
`,
		},
		{
			"a negation", `!(call.name in params.names) || !has(session.client)`, "ls",
			`true !(call.name in params.names) || !has(session.client)
  false !(call.name in params.names); call.name = "Bash"
  true !has(session.client)
`,
		},
		{
			"what is unknown", `session.client == "codex" || call.commands.exists(c, c.is("rm"))`, "$X",
			`unknown session.client == "codex" || call.commands.exists(c, c.is("rm")); call.commands, session.client
  unknown session.client == "codex"; session.client = not known; session.client
  unknown call.commands.exists(c, …); call.commands
    {not known} unknown c.is("rm")
    {$X} false c.is("rm"); c.name = "$X"
`,
		},
		{
			"a key that is missing", `call.args.force == true`, "ls",
			`false call.args.force == true; no such key: force
`,
		},
		{
			"a choice", `!(type(call.args.command) == string ? call.args.command == "ls" && call.kind == "shell" && session.cwd == "/somewhere/else" : call.kind == "read")`, "ls",
			`true !(…)
  false type(call.args.command) == string ? … : …
    true type(call.args.command) == string; call.args.command = "ls"
    false call.args.command == "ls" && call.kind == "shell" && session.cwd == "/somewhere/else"
      true call.args.command == "ls"; call.args.command = "ls"
      true call.kind == "shell"; call.kind = "shell"
      false session.cwd == "/somewhere/else"; session.cwd = "/w"
`,
		},
		{
			"what fails behind what is false", `call.kind == "read" && "abc".charAt(size(call.kind)) == "x"`, "ls",
			`false call.kind == "read" && "abc".charAt(size(call.kind)) == "x"
  false call.kind == "read"; call.kind = "shell"
`,
		},
		{
			"a map with one key", `call.args == {"a": 1, "b": 2}`, "ls",
			`false call.args == {"a": 1, "b": 2}; call.args = a map with 1 key
`,
		},
	} {
		p, err := rule.Compile(tc.source, rule.Options{Params: map[string]any{"names": []any{"Bash"}}})
		if err != nil {
			t.Fatal(err)
		}
		s := policy.NewSubject(&policy.Exchange{Session: policy.Session{Cwd: "/w"}}, bash(tc.command))
		part, err := p.Explain(s)
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		var b strings.Builder
		tree(&b, part, "")
		if b.String() != tc.want {
			t.Errorf("%s:\ngot\n%swant\n%s", tc.name, b.String(), tc.want)
		}
	}
}

// An explanation comes to the same as the condition, for the conditions and the
// examples of the presets.
func TestExplanationsAgreeWithConditions(t *testing.T) {
	t.Parallel()

	conditions, calls := presets(t)
	step := 97
	if testing.Short() {
		step = 499
	}
	for name, p := range conditions {
		for i := 0; i < len(calls); i += step {
			s := policy.NewSubject(nil, calls[i])
			want, _, err := p.Match(s)
			if err != nil {
				continue
			}
			part, err := p.Explain(s)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if part.Outcome != want {
				t.Errorf("%s: %s: explained as %v, is %v", name, calls[i].Arguments, part.Outcome, want)
			}
		}
	}
}

// An explanation knows the names of a program as the condition does: its parts are what the
// whole is.
func TestExplainKnowsOtherNamesOfPrograms(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct {
		is, command string
		want        bool
	}{{"terraform", "tf apply", true}, {"terraform", "tf destroy", false}, {"kubectl", "k apply -f x", true}, {"kubectl", "kubecolor delete x", false}} {
		p := compile(t, fmt.Sprintf(`call.commands.exists(c, c.is(%q) && c.sub == "apply")`, tc.is))
		s := policy.NewSubject(nil, bash(tc.command))
		whole, err := p.Explain(s)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		tree(&b, whole, "")
		if got := b.String(); !strings.Contains(got, "true c.is(") || strings.Contains(got, "true c.sub ==") != tc.want || strings.HasPrefix(got, "true") != tc.want {
			t.Errorf("%s:\n%s", tc.command, got)
		}
	}
}
