package policies_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/policies"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/policy"
)

func TestRecommendedPoliciesDenyADestructiveCommandAndTellTheModel(t *testing.T) {
	guard, err := policies.Load("preset:recommended")
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{chunk: 3}
	m := scripted.New(
		scripted.Round{scripted.Text("Cleaning."), scripted.Call("Bash", `{"command":"rm -rf /"}`), scripted.Call("Bash", `{"command":"ls"}`)},
		scripted.Round{scripted.Text("Sorry.")},
	)
	c, err := agent.New(agent.Config{Model: m, Tools: r.tools(), Advisors: []agent.Advisor{guard}})
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.Call(t.Context(), &agent.Request{Text: "clean up"})
	if err != nil || res.Reason != agent.Done || res.Text() != "Sorry." {
		t.Fatal(res, err)
	}
	if len(r.ran) != 1 || r.ran[0] != `Bash {"command":"ls"}` {
		t.Errorf("ran %q", r.ran)
	}
	said := m.Requests()[1].Messages
	results := said[len(said)-1].Blocks
	if len(results) != 2 || !results[0].Failed || !strings.HasPrefix(results[0].Text, "Sluice denied this tool call before it ran (delete /, and everything in it): ") || results[1].Failed {
		t.Errorf("the model was told %+v", results)
	}
}

func TestVerdicts(t *testing.T) {
	bash := scripted.Call("Bash", `{"command":"x"}`)
	list := scripted.Call("list", `{"path":"."}`)
	for _, tc := range []struct {
		name   string
		set    policy.Definition
		round  scripted.Round
		events string
		ran    string
		model  string // what the model is told, empty if it is not asked again
		noLoop bool
		record string
	}{
		{
			name: "allow", set: on(nil), round: scripted.Round{scripted.Text("a"), bash},
			events: "text a\ntool_start Bash\ntool_delta {\"command\":\"x\"}\ntool_end {\"command\":\"x\"}\nround_end",
			ran:    `Bash {"command":"x"}`, model: "result of Bash, key sk-0123456789", record: "allow",
		},
		{
			name: "annotate", set: on(map[string]policy.Action{"Bash": policy.Annotate}), round: scripted.Round{bash},
			events: "tool_start Bash\ntool_delta {\"command\":\"x\"}\ntool_end {\"command\":\"x\"}\nround_end",
			ran:    `Bash {"command":"x"}`, model: "result of Bash, key sk-0123456789", record: "annotate",
		},
		{
			name: "block tells the model", set: on(map[string]policy.Action{"Bash": policy.Block}), round: scripted.Round{scripted.Text("a"), bash},
			events: "text a\ntool_start Bash\ntool_end {\"command\":\"x\"}\nround_end",
			model:  denial, record: "block feedback",
		},
		{
			name: "block of one call leaves the others", set: on(map[string]policy.Action{"Bash": policy.Block}), round: scripted.Round{bash, list, scripted.Text("b")},
			events: "tool_start Bash\ntool_end {\"command\":\"x\"}\ntool_start list\ntool_delta {\"path\":\".\"}\ntool_end {\"path\":\".\"}\ntext b\nround_end",
			ran:    `list {"path":"."}`, model: denial + "|result of list, key sk-0123456789", record: "block feedback",
		},
		{
			name: "block end_turn ends the turn", set: on(map[string]policy.Action{"Bash": policy.BlockEndTurn}), round: scripted.Round{scripted.Text("a"), bash},
			events: "text a\ntext \n\n" + blocked + "\nround_end",
			record: "block end_turn",
		},
		{
			name: "block end_turn of one call leaves the others", set: on(map[string]policy.Action{"Bash": policy.BlockEndTurn}), round: scripted.Round{bash, list},
			events: "text " + blocked + "\ntool_start list\ntool_delta {\"path\":\".\"}\ntool_end {\"path\":\".\"}\nround_end",
			ran:    `list {"path":"."}`, model: "result of list, key sk-0123456789", record: "block end_turn",
		},
		{
			name: "without a loop nobody tells the model", set: on(map[string]policy.Action{"Bash": policy.Block}), round: scripted.Round{bash},
			events: "text " + blocked + "\nround_end", noLoop: true, record: "block end_turn",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := &rig{cfg: policies.Config{Set: setOf(t, tc.set)}, chunk: 100, noLoop: tc.noLoop}
			res, err := r.run(t, tc.round, scripted.Round{scripted.Text("done")})
			if err != nil {
				t.Fatal(err)
			}
			got, rest, _ := strings.Cut(r.told(), "round_end")
			if got+"round_end" != tc.events {
				t.Errorf("events:\n%s\nwant\n%s", got, tc.events)
			}
			if ran := strings.Join(r.ran, "|"); ran != tc.ran {
				t.Errorf("ran %q, want %q", ran, tc.ran)
			}
			if asked := r.model.Requests(); tc.model == "" {
				if len(asked) != 1 || res.Reason != agent.Done || res.Answer.Finish != llm.FinishStop || res.Answer.HasCalls() {
					t.Errorf("the turn went on: %s, %+v", rest, res)
				}
			} else if len(asked) != 2 || result(asked[1]) != tc.model {
				t.Errorf("the model was told %q", result(asked[len(asked)-1]))
			}
			found := false
			for _, rec := range r.records {
				found = found || rec.Verdict.Action.String() == tc.record
			}
			if !found {
				t.Errorf("no record of %s in %+v", tc.record, r.records)
			}
		})
	}
}

func TestAbortFailsTheRun(t *testing.T) {
	r := &rig{cfg: policies.Config{Set: setOf(t, on(map[string]policy.Action{"Bash": policy.Abort}))}, chunk: 2}
	res, err := r.run(t, scripted.Round{scripted.Text("ab"), scripted.Call("Bash", `{"command":"x"}`)})
	if a := aborted(err); a == nil || a.Policy != "on" || res.Reason != agent.Failed {
		t.Fatal(err, res)
	}
	if r.told() != "text ab" || len(r.ran) > 0 {
		t.Error(r.told(), r.ran)
	}
}

func TestARewrittenCallIsWhatRunsAndWhatIsRemembered(t *testing.T) {
	set := load(t, `
policies:
  - name: dry
    when: call.name == "Bash"
    then: {rewrite: {add: {dry_run: "true"}}}
  - name: no-keys
    find: {pattern: 'sk-[0-9]+'}
    then: {redact: "[key]"}
`)
	for _, tc := range []struct{ call, args, want string }{
		{"Bash", `{"command":"x"}`, `{"command":"x","dry_run":true}`},
		{"list", `{"path":"sk-123"}`, `{"path":"[key]"}`},
	} {
		r := &rig{cfg: policies.Config{Set: set}, chunk: 4}
		_, err := r.run(t, scripted.Round{scripted.Text("abc"), scripted.Call(tc.call, tc.args)}, scripted.Round{scripted.Text("ok")})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.ran) != 1 || r.ran[0] != tc.call+" "+tc.want {
			t.Errorf("ran %q", r.ran)
		}
		if strings.Contains(r.told(), tc.args) || !strings.Contains(r.told(), "tool_delta "+tc.want+"\ntool_end "+tc.want) {
			t.Error(r.told())
		}
		calls := 0
		for _, m := range r.model.Requests()[1].Messages {
			for _, b := range m.Blocks {
				if b.Kind == llm.ToolCall {
					calls++
					if b.Arguments != tc.want {
						t.Error("the history has", b.Arguments)
					}
				}
			}
		}
		if calls != 1 {
			t.Error(calls, "calls in the history")
		}
	}
}

func TestCallsThatNobodyCanJudgeNeverPass(t *testing.T) {
	for name, round := range map[string]scripted.Round{
		"cut":               {scripted.Call("list", `{"path":`), scripted.Finish(llm.FinishLength)},
		"no name":           {scripted.Call("", `{"path":"."}`)},
		"two readings":      {scripted.Call("list", `{"path":".","path":"/"}`)},
		"not JSON":          {scripted.Call("list", `path`)},
		"not an object":     {scripted.Call("list", `[1]`)},
		"larger than a MiB": {scripted.Call("list", `{"path":"`+strings.Repeat("x", 1<<20)+`"}`)},
	} {
		t.Run(name, func(t *testing.T) {
			r := &rig{cfg: policies.Config{Set: setOf(t, on(nil))}, chunk: 1000}
			if _, err := r.run(t, round, scripted.Round{scripted.Text("ok")}); err != nil {
				t.Fatal(err)
			}
			if len(r.ran) > 0 || strings.Contains(r.told(), "tool_delta") {
				t.Error(r.ran, r.told()[:min(300, len(r.told()))])
			}
			if r.records[0].Verdict.Action != policy.BlockFeedback || r.records[0].Verdict.Policy != "sluice" {
				t.Errorf("%+v", r.records[0].Verdict)
			}
		})
	}
}

func TestShadowOnlyRecords(t *testing.T) {
	set, err := setOf(t, on(map[string]policy.Action{"Bash": policy.Block})).Shadowed()
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{cfg: policies.Config{Set: set}}
	if _, err := r.run(t, scripted.Round{scripted.Call("Bash", `{}`)}, scripted.Round{scripted.Text("ok")}); err != nil {
		t.Fatal(err)
	}
	if len(r.ran) != 1 {
		t.Error("it did not run")
	}
	if len(r.records) != 2 || len(r.records[0].Verdicts) != 1 || !r.records[0].Verdicts[0].Shadow || r.records[0].Verdict.Action != policy.Allow {
		t.Errorf("%+v", r.records)
	}
}

func TestEachRoundTakesTheCurrentSet(t *testing.T) {
	live := policy.NewLive(setOf(t, on(nil)))
	r := &rig{cfg: policies.Config{Live: live}}
	strict := setOf(t, on(map[string]policy.Action{"Bash": policy.Block}))
	r.seen = func(ev agent.Event) bool {
		if ev.Type == agent.EventToolResult {
			live.Swap(strict)
		}
		return true
	}
	call := scripted.Call("Bash", `{}`)
	if _, err := r.run(t, scripted.Round{call}, scripted.Round{call}, scripted.Round{scripted.Text("ok")}); err != nil {
		t.Fatal(err)
	}
	if len(r.ran) != 1 || result(r.model.Requests()[2]) != denial {
		t.Error(r.ran, result(r.model.Requests()[2]))
	}
}

func TestPoliciesKnowTheExchange(t *testing.T) {
	var x *policy.Exchange
	set := setOf(t, policy.Func("look", func(s *policy.Subject) policy.Verdict {
		x = s.Exchange
		return policy.Verdict{Action: policy.Allow}
	}))
	r := &rig{cfg: policies.Config{Set: set, Session: policy.Session{Cwd: "/repo"}, Key: policy.Key{Name: "k"}}}
	if _, err := r.run(t, scripted.Round{scripted.Call("list", `{}`)}, scripted.Round{scripted.Text("ok")}); err != nil {
		t.Fatal(err)
	}
	if x.Session.ID != "c1" || x.Session.Client != "sluice agent" || x.Session.Cwd != "/repo" || x.Key.Name != "k" || x.Ledger == nil {
		t.Errorf("%+v", x)
	}
	if a := x.Asked(); a.UserText() != "go on" || x.Tool("list") == nil {
		t.Errorf("%+v", a)
	}
}

func TestWhatCannotWorkIsRefused(t *testing.T) {
	set := setOf(t, on(nil))
	for name, cfg := range map[string]policies.Config{
		"no set":           {},
		"a set and a live": {Set: set, Live: policy.NewLive(set)},
		"outside the loop": {Set: set, Order: agent.OutsideLoop},
		"an unknown way":   {Set: set, Asks: 7},
	} {
		if _, err := policies.New(cfg); err == nil {
			t.Error(name, "was not refused")
		}
	}
	if _, err := policies.Load("testdata/none.yaml"); err == nil {
		t.Error("a file that is not there was loaded")
	}
}
