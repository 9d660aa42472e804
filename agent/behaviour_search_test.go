package agent_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/model/scripted"
)

// catalogue has more tools than a model should be told at once: a program's own way to show
// those that were searched for.
type catalogue struct {
	tools []*agent.Tool
	// lastOnly forgets what was found in earlier rounds.
	lastOnly bool
	// most is how many are found if the model does not say.
	most int
}

// discovery is what was found: the name of a tool, and the round of the search.
type discovery struct {
	name  string
	round int
}

type query struct {
	About string `json:"about"`
	Most  int    `json:"most,omitempty"`
}

// search is the one tool that is declared from the beginning.
func (c *catalogue) search() *agent.Tool {
	find := agent.NewTool("search", "Finds tools.", func(_ context.Context, q query) ([]string, error) {
		found := []string{}
		most := q.Most
		if most <= 0 {
			most = c.most
		}
		for _, t := range c.tools {
			if strings.Contains(t.Description, q.About) && len(found) < most {
				found = append(found, t.Name)
			}
		}
		return found, nil
	})
	// What was found is kept for the run with the round of the search. Calls of one round
	// run at the same time; those that search wait for each other.
	run := find.Run
	find.Sequential = true
	find.Run = func(ctx context.Context, call agent.Call) (agent.Output, error) {
		out, err := run(ctx, call)
		if err != nil {
			return out, err
		}
		values := agent.ValuesOf(ctx)
		found, _ := values.Get("found").([]discovery)
		for _, t := range c.tools {
			if strings.Contains(out.Text, `"`+t.Name+`"`) {
				found = append(slices.Clip(found), discovery{t.Name, call.Round})
			}
		}
		values.Set("found", found)
		return out, nil
	}
	return find
}

// reveal is the hook Before: it declares what was found.
func (c *catalogue) reveal(_ context.Context, req *agent.Request) error {
	if c.tools == nil {
		return errors.New("the catalogue is empty")
	}
	req.System = strings.TrimSpace(req.System + "\nSearch for tools before you say that you have none.")
	found, _ := req.Values.Get("found").([]discovery)
	last := 0
	for _, d := range found {
		last = max(last, d.round)
	}
	for _, t := range c.tools {
		known := slices.ContainsFunc(found, func(d discovery) bool { return d.name == t.Name && (!c.lastOnly || d.round == last) })
		if known && !slices.Contains(req.Tools, t) {
			req.Tools = append(req.Tools, t)
		}
	}
	return nil
}

// declared are the names of the tools in each request, in its order.
func (r *rig) declared() []string {
	var all []string
	for _, req := range r.model.Requests() {
		var names []string
		for _, tool := range req.Tools {
			names = append(names, tool.Name)
		}
		all = append(all, strings.Join(names, " "))
	}
	return all
}

// searching is an agent with a catalogue of four tools.
func searching(t *testing.T, c *catalogue, cfg agent.Config, rounds ...scripted.Round) (*rig, *ledger) {
	t.Helper()
	l := &ledger{}
	if c.tools == nil {
		for _, name := range []string{"rain", "wind", "mail", "fax"} {
			c.tools = append(c.tools, l.tool(name, name+"!"))
		}
		for i, about := range []string{"weather", "weather", "post", "post"} {
			c.tools[i].Description = about
		}
	}
	c.most = 5
	cfg.Tools = []*agent.Tool{c.search()}
	cfg.Loop.Before = c.reveal
	return newRig(t, cfg, rounds...), l
}

func find(about string) scripted.Step {
	return scripted.Call("search", fmt.Sprintf(`{"about":%q}`, about))
}

// Searching for tools is not built in, because the index and its lifetime are up to the program; a tool that searches and
// the hook Before declare tools once they are found, in a call and in a stream, and what was not found cannot be called.
func TestDifferent135ToolsAreShownWhenTheyWereFound(t *testing.T) {
	t.Parallel()
	bothPaths(t, func(t *testing.T, ask func(*agent.Client, *agent.Request) (*agent.Result, error)) {
		r, l := searching(t, &catalogue{}, agent.Config{System: "Be brief."},
			scripted.Round{scripted.Call("rain", "{}"), find("weather")},
			scripted.Round{scripted.Call("rain", `{"in":"Rome"}`), find("post")},
			scripted.Round{scripted.Call("wind", "{}"), scripted.Call("mail", "{}")},
			scripted.Round{scripted.Text("Fine.")},
			scripted.Round{scripted.Text("Hello.")})
		result, err := ask(r.Client, &agent.Request{Text: "How is it?"})
		if err != nil || result.Text() != "Fine." {
			t.Fatalf("answered %q: %v", result.Text(), err)
		}
		texts := resultTexts(result.Messages)
		if want := []string{`there is no tool "rain": use one of search`, `["rain","wind"]`, "rain!", `["mail","fax"]`, "wind!", "mail!"}; !equalStrings(texts, want...) {
			t.Errorf("the results are %q, want %q", texts, want)
		}
		if _, err := ask(r.Client, &agent.Request{Text: "hi"}); err != nil {
			t.Fatal(err)
		}
		// What was found is shown from then on, and another run begins anew.
		if got, want := r.declared(), []string{"search", "search rain wind", "search rain wind mail fax", "search rain wind mail fax", "search"}; !equalStrings(got, want...) {
			t.Errorf("declared were %q, want %q", got, want)
		}
		for i, req := range r.model.Requests() {
			if got := req.System[0].Text; got != "Be brief.\nSearch for tools before you say that you have none." {
				t.Errorf("request %d is told %q", i+1, got)
			}
		}
		if !strings.HasPrefix(l.ran(), `rain{"in":"Rome"} `) || len(l.calls) != 3 {
			t.Errorf("ran %q", l.ran())
		}
	})
}

// The tools that are declared can also be only those that the last round found, with all its searches, and the model's
// number of results takes precedence over the program's.
func TestDifferent135OnlyTheLastSearchesCanBeShown(t *testing.T) {
	t.Parallel()
	r, _ := searching(t, &catalogue{lastOnly: true}, agent.Config{},
		scripted.Round{find("weather")},
		scripted.Round{scripted.Call("search", `{"about":"weather","most":1}`), find("post")},
		scripted.Round{find("nothing"), scripted.Call("search", `{"about":"post","most":1}`)},
		scripted.Round{scripted.Text("Fine.")})
	r.ask("How is it?")
	if got, want := r.declared(), []string{"search", "search rain wind", "search rain mail fax", "search mail"}; !equalStrings(got, want...) {
		t.Errorf("declared were %q, want %q", got, want)
	}
}

// Which tools were found does not depend on the messages of a round, so they do not vanish with a memory inside of a loop
// without history, and the caller's values carry them to the next turn.
func TestDifferent135FoundToolsDoNotVanishWithTheHistory(t *testing.T) {
	t.Parallel()
	r, l := searching(t, &catalogue{}, remembering(t, agent.LoopConfig{}),
		scripted.Round{find("post")}, scripted.Round{scripted.Call("fax", "{}")}, scripted.Round{scripted.Text("Sent.")},
		scripted.Round{scripted.Call("mail", "{}")}, scripted.Round{scripted.Text("Sent.")})
	session := &agent.Values{}
	for _, text := range []string{"Send a fax.", "And a mail."} {
		if _, err := r.Call(t.Context(), &agent.Request{Text: text, Conversation: "c", Values: session}); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := r.declared(), []string{"search", "search mail fax", "search mail fax", "search mail fax", "search mail fax"}; !equalStrings(got, want...) {
		t.Errorf("declared were %q, want %q", got, want)
	}
	if l.ran() != "fax{} mail{}" {
		t.Errorf("ran %q", l.ran())
	}
}

// A catalogue that cannot be used is the program's error: the hook's error ends the run before the model is asked.
func TestDifferent135AnEmptyCatalogueEndsTheRun(t *testing.T) {
	t.Parallel()
	bothPaths(t, func(t *testing.T, ask func(*agent.Client, *agent.Request) (*agent.Result, error)) {
		c := &catalogue{}
		r, _ := searching(t, c, agent.Config{}, scripted.Round{scripted.Text("Fine.")})
		c.tools = nil
		_, err := ask(r.Client, &agent.Request{Text: "?"})
		wantError(t, err, "the catalogue is empty")
		r.wants(0, "")
	})
}
