package policy_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
)

// computerForms are the forms of an answer with one computer call.
func computerForms(item string) map[string]func(sluicetest.Enforcement) sluicetest.Delivered {
	stream := responsesOf(responsesBegin, itemEvent("added", 0, strings.Replace(item, `"completed"`, `"in_progress"`, 1)), itemEvent("done", 0, item), responsesEnd(item))
	body := `{"id":"r","object":"response","status":"completed","model":"m","output":[` + item + `]}`
	return map[string]func(sluicetest.Enforcement) sluicetest.Delivered{
		"stream": func(n sluicetest.Enforcement) sluicetest.Delivered {
			return n.Stream(context.Background(), sluicetest.OpenAIResponses, strings.NewReader(stream))
		},
		"body": func(n sluicetest.Enforcement) sluicetest.Delivered {
			return n.Body(context.Background(), sluicetest.OpenAIResponses, []byte(body))
		},
	}
}

// A computer call has one action or a batch of actions, and clients do the batch if there is
// one: it is judged, whatever single action stands beside it.
func TestAttackABatchOfActionsIsJudged(t *testing.T) {
	t.Parallel()
	const batch = `"actions":[{"type":"click","x":1,"y":2},{"type":"type","text":"X9ZZY"}]`
	for _, beside := range []string{``, `"action":null,`, `"action":{"type":"wait"},`, `"action":{"type":"wait"},"actions":[],`, `"Action":{"type":"wait"},`} {
		item := `{"id":"i","type":"computer_call","call_id":"c","status":"completed",` + beside + batch + `,"pending_safety_checks":[]}`
		for form, run := range computerForms(item) {
			if d := run(sluicetest.Enforcement{Set: set(t, byName("memory"))}); leaks(d) {
				t.Errorf("%s with %q: it left\n%s", form, beside, d.Bytes)
			}
		}
	}
	for _, beside := range []string{``, `"action":null,`} {
		item := `{"id":"i","type":"computer_call","call_id":"c","status":"completed",` + beside + batch + `,"pending_safety_checks":[]}`
		for form, run := range computerForms(item) {
			if d := run(sluicetest.Enforcement{Set: set(t, allows("judge"))}); d.Err != nil || !bytes.Contains(d.Bytes, []byte(item)) {
				t.Errorf("%s with %q: an allowed batch did not pass: %v\n%s", form, beside, d.Err, d.Bytes)
			}
		}
	}
	// An empty batch is none.
	item := `{"id":"i","type":"computer_call","call_id":"c","status":"completed","action":{"type":"type","text":"X9ZZY"},"actions":[]}`
	for form, run := range computerForms(item) {
		if d := run(sluicetest.Enforcement{Set: set(t, allows("judge"))}); d.Err != nil || !bytes.Contains(d.Bytes, []byte(item)) {
			t.Errorf("%s: an allowed action did not pass: %v\n%s", form, d.Err, d.Bytes)
		}
	}
}

// A call of a built-in tool that a policy changes leaves with the changed body and no other,
// wherever it has it.
func TestAttackAChangedBuiltInCallKeepsNothingOfItself(t *testing.T) {
	t.Parallel()
	changes := policy.Definition{Name: "change", Policy: &policy.Policy{Change: func(_ context.Context, s *policy.Subject) policy.Change {
		if !strings.Contains(s.Block.Arguments, "X9ZZY") {
			return policy.Change{}
		}
		return policy.Change{Action: policy.Rewrite, Text: strings.ReplaceAll(s.Block.Arguments, "X9ZZY", "tame")}
	}}}
	for name, item := range map[string]string{
		"a batch of actions": `{"id":"i","type":"computer_call","call_id":"c","status":"completed","actions":[{"type":"type","text":"X9ZZY"}],"pending_safety_checks":[]}`,
		"an action":          `{"id":"i","type":"computer_call","call_id":"c","status":"completed","action":{"type":"type","text":"X9ZZY"},"actions":null}`,
		"an odd action":      `{"id":"i","type":"computer_call","call_id":"c","status":"completed","action":{"type":"computer_call","text":"X9ZZY"}}`,
		"an unknown member":  `{"id":"i","type":"computer_call","call_id":"c","status":"completed","steps":[{"type":"type","text":"X9ZZY"}]}`,
		"a shell":            `{"id":"i","type":"shell_call","call_id":"c","status":"completed","commands":["X9ZZY"]}`,
		"a local shell":      `{"id":"i","type":"local_shell_call","call_id":"c","status":"completed","exec":{"command":["X9ZZY"]}}`,
		"a patch":            `{"id":"i","type":"apply_patch_call","call_id":"c","status":"completed","patch":"X9ZZY"}`,
	} {
		for form, run := range computerForms(item) {
			d := run(sluicetest.Enforcement{Set: set(t, changes)})
			if d.Err != nil || leaks(d) || !bytes.Contains(d.Bytes, []byte("tame")) || name == "an odd action" && !bytes.Contains(d.Bytes, []byte(`"action":{"type":"computer_call","text":"tame"}`)) {
				t.Errorf("%s, %s: %v\n%s", name, form, d.Err, d.Bytes)
			}
		}
	}
}
