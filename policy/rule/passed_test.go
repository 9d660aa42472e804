package rule_test

import (
	"fmt"
	"testing"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

func called(tool, arguments string) *policy.Subject {
	return policy.NewSubject(nil, llm.Block{Kind: llm.ToolCall, Name: tool, Arguments: arguments, Status: llm.Complete})
}

// inProgram is the same call, made by a program.
func inProgram(program string) *policy.Subject {
	return called("exec", `{"code":`+string(jsonscan.AppendString(nil, program))+`}`)
}

// Whatever holds for a call holds for it where something else makes it: a dispatcher, a
// list of calls, a program, and a program that is called by one.
func TestACallThatIsPassedOnIsJudgedLikeThatCall(t *testing.T) {
	t.Parallel()

	const tool = "mcp__github__push_files"
	for _, args := range []string{`{"branch":"main","files":[]}`, `{"branch":"dev","files":[]}`, `{}`} {
		for _, source := range []string{
			`call.server == "github"`,
			`call.name == "push_files"`,
			`call.raw_name == "mcp__github__push_files"`,
			`call.raw_name.matches("push_files$")`,
			`call.server == "github" && call.args.branch == "main"`,
			`call.server == "github" && !has(call.args.branch)`,
			`call.server == "github" && has(call.args.branch) && call.args.branch in ["main", "master"]`,
			`call.server == "gitlab"`,
			`call.kind == "mcp"`,
			`call.server == "github" && call.raw.contains("main")`,
		} {
			p := compile(t, source)
			want, _, err := p.Match(called(tool, args))
			if err != nil {
				t.Fatal(err)
			}
			program := fmt.Sprintf("const a = %s; await tools.%s(a)", args, tool)
			for name, s := range map[string]*policy.Subject{
				"a program":             inProgram(program),
				"a program as text":     policy.NewSubject(nil, llm.Block{Kind: llm.ToolCall, Name: "exec", Type: "custom_tool_call", Arguments: program, Status: llm.Complete}),
				"a function":            inProgram(fmt.Sprintf("async function f(t, a) { return tools[t](a) }\nawait f('mcp__' + 'github' + '__push_files', %s)", args)),
				"several calls":         inProgram("await tools.read_file({path: 'x'});" + program),
				"a program in a call":   inProgram("await tools.exec({code: " + string(jsonscan.AppendString(nil, program)) + "})"),
				"a dispatcher":          called("call_tool", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, args)),
				"a dispatcher of lists": called("multi_tool_use.parallel", fmt.Sprintf(`{"tool_uses":[{"recipient_name":"functions.%s","parameters":%s}]}`, tool, args)),
			} {
				if source == `call.raw_name == "mcp__github__push_files"` && name == "a dispatcher of lists" {
					continue // it was written with a prefix
				}
				got, _, err := p.Match(s)
				if got != want || err != nil {
					t.Errorf("%s: %s %s: got %v, %v, want %v", source, name, args, got, err, want)
				}
				if got != rule.False && rule.NewGates([]*rule.Program{p}).Open(s) == 0 {
					t.Errorf("%s: %s %s: the gate is shut", source, name, args)
				}
				if explained, err := p.Explain(s); err != nil || explained.Outcome != got {
					t.Errorf("%s: %s %s: explained as %+v, %v", source, name, args, explained, err)
				}
			}
		}
	}
}

// What a program computes is not known, and the rest is.
func TestWhatAProgramComputesIsUnknown(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct {
		program, source string
		want            rule.Outcome
	}{
		{"tools.mcp__github__push_files({branch: process.argv[2], path: 'x'})", `call.args.branch == "main"`, rule.Unknown},
		{"tools.mcp__github__push_files({branch: process.argv[2], path: 'x'})", `call.args.path == "x"`, rule.True},
		{"tools.mcp__github__push_files({branch: process.argv[2], path: 'x'})", `call.args.path == "y"`, rule.False},
		{"tools.mcp__github__push_files({branch: process.argv[2], path: 'x'})", `call.server == "github" && has(call.args.branch)`, rule.True},
		{"tools.mcp__github__push_files({branch: 'ma' + 'in', path: process.argv[2]})", `call.args.branch == "main"`, rule.True},
		{"tools.mcp__github__push_files(JSON.parse(process.argv[2]))", `call.server == "github" && call.args.branch == "main"`, rule.Unknown},
		{"tools.mcp__github__push_files(JSON.parse(process.argv[2]))", `call.server == "gitlab" && call.args.branch == "main"`, rule.False},
		{"tools[process.argv[2]]({branch: 'main'})", `call.server == "github" && call.args.branch == "main"`, rule.Unknown},
		{"tools[process.argv[2]]({branch: 'dev'})", `call.server == "github" && call.args.branch == "main"`, rule.False},
		{"const x = 1 + 2; console.log(x)", `call.server == "github"`, rule.False},
	} {
		p := compile(t, tc.source)
		s := inProgram(tc.program)
		if got, _, err := p.Match(s); got != tc.want || err != nil {
			t.Errorf("%s: %s: got %v, %v, want %v", tc.program, tc.source, got, err, tc.want)
		}
		if tc.want != rule.False && rule.NewGates([]*rule.Program{p}).Open(s) == 0 {
			t.Errorf("%s: %s: the gate is shut", tc.program, tc.source)
		}
	}
}
