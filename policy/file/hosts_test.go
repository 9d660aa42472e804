package file_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/stream"
)

// opinionated is a model that finds everything as risky as it says.
type opinionated struct{ risk string }

var questionID = regexp.MustCompile(`Question (\S+)`)

func (m opinionated) Stream(ctx context.Context, req *llm.Request) iter.Seq2[stream.Event, error] {
	id := questionID.FindStringSubmatch(req.Messages[0].Blocks[0].Text)[1]
	answer := fmt.Sprintf(`{"id":%q,"risk":%s,"reason":"it looks so"}`, id, m.risk)
	return scripted.New(scripted.Round{scripted.Text(answer)}).Stream(ctx, req)
}

func TestAJudgeIsAsked(t *testing.T) {
	t.Parallel()
	models := func(name string) (model.Model, error) {
		if name == "none" {
			return nil, errors.New("no such model is set up: use one of 0.1, 0.9")
		}
		return opinionated{risk: name}, nil
	}
	o := file.Options{Models: models}
	for _, tc := range []struct {
		name, policy string
		want         policy.Action
		reason       string
	}{
		{"low risk", `{judge: {model: "0.1"}, then: block}`, policy.Allow, ""},
		{"high risk", `{judge: {model: "0.9"}, then: {block: end_turn}}`, policy.BlockEndTurn, "it looks so"},
		{"high risk, with a reason", `{judge: {model: "0.9"}, then: block, reason: ask first}`, policy.BlockEndTurn, "ask first: the judge p found it too risky"},
		{"a threshold", `{judge: {model: "0.9", threshold: 0.95, timeout: 1s, retries: 0, cache: 0s}, then: block}`, policy.Allow, ""},
		{"annotate", `{judge: {model: "0.9"}, then: annotate}`, policy.Annotate, ""},
		{"not asked", `{judge: {model: "0.9"}, when: 'call.raw_name == "T"', then: block}`, policy.Allow, ""},
		{"asked about the unknown", `{judge: {model: "0.1"}, when: 'session.cwd == "/"', then: block}`, policy.Allow, ""},
		{"not asked about the unknown", `{judge: {model: "0.1"}, when: 'session.cwd == "/"', then: block, on_unknown: block}`, policy.BlockEndTurn, ""},
		{"an answer that is none", `{judge: {model: "7", retries: 0}, then: block}`, policy.BlockEndTurn, ""},
		{"an answer that is none, allowed", `{judge: {model: "7", retries: 0}, then: block, on_error: allow}`, policy.Annotate, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			loaded := must(t, o, "policies:\n  - {name: p, "+tc.policy[1:]+"\n")
			got := loaded.Set.Decide(t.Context(), nil, shell("ls"), policy.Options{})
			if got.Verdict.Action != tc.want || !strings.Contains(got.Verdict.Reason, tc.reason) {
				t.Errorf("got %s: %s, want %s: %s", got.Verdict.Action, got.Verdict.Reason, tc.want, tc.reason)
			}
		})
	}
	got := problemsOf(t, o, "policies:\n  - {name: p, judge: {model: none}, then: block}\n")
	if want := `f:2:30: policy p: the model "none" cannot be used: no such model is set up: use one of 0.1, 0.9`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	must(t, o, "policies:\n  - {name: p, judge: {model: none}, then: block, mode: disabled}\n")
}

// A host can say what the failure of a judge or hook counts as. Policies that
// ask nobody are not concerned, and what cannot be stopped is not refused.
func TestTheHostSaysWhatAFailureCountsAs(t *testing.T) {
	t.Parallel()
	failing := func(string) (model.Model, error) { return opinionated{risk: "7"}, nil }
	for _, tc := range []struct {
		name   string
		counts policy.Action
		policy string
		want   policy.Action
		shown  string
	}{
		{"as the policy says", 0, `{judge: {model: m, retries: 0}, then: block, on_error: allow}`, policy.Annotate, "allow"},
		{"blocks all the same", policy.Block, `{judge: {model: m, retries: 0}, then: {block: end_turn}, on_error: allow}`, policy.BlockEndTurn, "block end_turn"},
		{"passes all the same", policy.Allow, `{judge: {model: m, retries: 0}, then: block}`, policy.Annotate, "allow"},
		{"a hook too", policy.Allow, `{hook: {url: "http://127.0.0.1:1/", retries: 0}, then: block}`, policy.Annotate, "allow"},
		{"a policy that asks nobody", policy.Allow, `{when: '1 / (size(call.raw_name) - size(call.raw_name)) > 0', then: block}`, policy.BlockEndTurn, "block"},
		{"what cannot be stopped", policy.Block, `{judge: {model: m}, applies_to: [server_tool], then: annotate}`, policy.Allow, "allow"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			source := "policies:\n  - {name: p, " + tc.policy[1:] + "\n"
			loaded := must(t, file.Options{Models: failing, OnError: tc.counts}, source)
			got := loaded.Set.Decide(t.Context(), nil, shell("ls"), policy.Options{})
			if got.Verdict.Action != tc.want || loaded.Policies[0].OnError != tc.shown {
				t.Errorf("got %s (on_error %s), want %s (%s)", got.Verdict.Action, loaded.Policies[0].OnError, tc.want, tc.shown)
			}
			plain := must(t, file.Options{Models: failing}, source)
			if same := plain.Set.Version() == loaded.Set.Version(); same != (loaded.Policies[0].OnError == plain.Policies[0].OnError) {
				t.Errorf("the version is the same: %v", same)
			}
		})
	}
}

func TestAHookIsAsked(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Connection", "close")
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"action":"block","reason":"said so"}`)
	}))
	defer server.Close()
	o := file.Options{Secret: func(name string) (string, error) { return "secret of " + name, nil }}
	loaded := must(t, o, "policies:\n  - {name: p, hook: {url: '"+server.URL+"', secret_env: S, timeout: 5s, retries: 2, cache: 1m}, then: abort}\n")
	got := loaded.Set.Decide(t.Context(), nil, shell("ls"), policy.Options{})
	if got.Verdict.Action != policy.Abort || got.Verdict.Reason != "said so" {
		t.Errorf("got %s: %s %v", got.Verdict.Action, got.Verdict.Reason, got.Verdict.Err)
	}
	refused := problemsOf(t, o, "policies:\n  - {name: p, hook: {url: 'http://example.com/'}, then: block}\n")
	if !strings.HasPrefix(refused, "f:2:27: policy p: the url is not https") {
		t.Errorf("got %s", refused)
	}
}

// A hook whose secret the host does not have is not asked, and counts as one that fails.
func TestAHookWithoutItsSecretIsNotAsked(t *testing.T) {
	t.Parallel()
	asked := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked = true
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"action":"allow"}`)
	}))
	defer server.Close()
	o := file.Options{Secret: func(string) (string, error) { return "", fmt.Errorf("no: %w", file.ErrNotAsked) }}
	for onError, want := range map[string]policy.Action{"block": policy.BlockEndTurn, "allow": policy.Annotate} {
		loaded := must(t, o, "policies:\n  - {name: p, hook: {url: '"+server.URL+"', secret_env: S}, then: block, on_error: "+onError+"}\n")
		got := loaded.Set.Decide(t.Context(), nil, shell("ls"), policy.Options{}).Verdict
		if asked || got.Action != want || !errors.Is(got.Err, file.ErrNotAsked) || loaded.Policies[0].Hook != "" {
			t.Errorf("on_error %s: %s %v, asked %v at %q", onError, got.Action, got.Err, asked, loaded.Policies[0].Hook)
		}
	}
}

func TestWhatTheHostDoesNotOfferIsWarnedOf(t *testing.T) {
	t.Parallel()
	const source = `policies:
  - {name: asks, then: ask}
  - {name: asks-if-unknown, when: 'session.cwd == "/"', then: block, on_unknown: ask}
  - {name: tells, then: {block: feedback}}
  - {name: tells-about-text, applies_to: [content], then: {block: feedback}}
  - {name: off, then: ask, mode: disabled}
`
	var got []string
	for _, w := range must(t, file.Options{}, source).Warnings {
		got = append(got, w.String())
	}
	want := []string{
		"f:2:24: policy asks: nobody can be asked here, so ask will block: use block, or set up an approver",
		"f:3:63: policy asks-if-unknown: nobody can be asked here, so ask will block: use block, or set up an approver",
		"f:4:25: policy tells: block: feedback acts as end_turn here, because this host cannot tell the model",
		"f:5:59: policy tells-about-text: block: feedback is about calls, and acts as end_turn on content",
		"f:5:59: policy tells-about-text: block: feedback acts as end_turn here, because this host cannot tell the model",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	offered := must(t, file.Options{Feedback: true, Approver: true}, source)
	if len(offered.Warnings) != 1 {
		t.Errorf("got %v, want one warning", offered.Warnings)
	}
}
