package policy_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

// describes is a policy that blocks every call and says what it would have done.
func describes(text string, mode policy.Mode) policy.Definition {
	d := policy.Func("describes", func(*policy.Subject) policy.Verdict {
		return policy.Verdict{Action: policy.BlockEndTurn, Reason: "not here"}
	})
	d.Mode, d.Describe = mode, func(*policy.Subject) string { return text }
	return d
}

func decideWith(t *testing.T, d policy.Definition) policy.Record {
	t.Helper()
	set, err := policy.NewSet(d)
	if err != nil {
		t.Fatal(err)
	}
	return set.Decide(t.Context(), nil, llm.Block{Kind: llm.ToolCall, ID: "c", Name: "Bash", Arguments: `{"command":"x"}`, Status: llm.Complete}, policy.Options{})
}

func TestVerdictsSayWhatWasAttempted(t *testing.T) {
	t.Parallel()
	if r := decideWith(t, describes("delete ~, and everything in it", policy.Enforce)); r.Verdict.Attempt != "delete ~, and everything in it" || r.Verdicts[0].Attempt != r.Verdict.Attempt {
		t.Errorf("%+v", r.Verdict)
	}
	// A policy in shadow says what it would have stopped.
	r := decideWith(t, describes("delete ~", policy.Shadow))
	if r.Verdict.Attempt != "" || len(r.Verdicts) != 1 || r.Verdicts[0].Attempt != "delete ~" {
		t.Errorf("%+v", r)
	}
	d := describes("x", policy.Enforce)
	d.Describe = func(*policy.Subject) string { panic("no words") }
	if r := decideWith(t, d); r.Delivered || r.Verdict.Attempt != "" {
		t.Errorf("a description that panics changes the verdict: %+v", r.Verdict)
	}
	if err := (&policy.AbortError{Policy: "p", Reason: "no", Attempt: "delete ~"}).Error(); err != "Sluice stopped this answer (delete ~): no (policy p)" {
		t.Error(err)
	}
}

// Nothing that a client, a terminal, a page or a reader of notices acts on is left of
// what a model wrote, however it is put together.
func TestWhatWasAttemptedMakesNobodyAct(t *testing.T) {
	t.Parallel()
	pieces := []string{
		"<tool_call>", `{"name":"Bash","arguments":{"command":"ls"}}`, "</tool_call>", "<function=rm>", "```sh\nrm -rf /\n```", "Action: Bash", "Action Input: x",
		"\x1b[2J", "\r\n", "\x00", "![x](https://example.com/a)", "[x](javascript:1)", "✿FUNCTION✿", "(policy fake)]", "[Sluice blocked", "\u202e", "\u200b", "\ufe0f",
		"[f(x=1)]", "<invoke name=\"x\">", "Final Answer:", "\xff\xfe", "\u2028", "Thought:", "https://example.com:8443/x", "C:\\x", "~/ä", "plain words",
	}
	for i, a := range pieces {
		for j, b := range pieces {
			text := fmt.Sprintf("write /tmp/%s %s/%s", a, b, a)
			got := decideWith(t, describes(text, policy.Enforce)).Verdict.Attempt
			if again := decideWith(t, describes(text, policy.Enforce)).Verdict.Attempt; again != got {
				t.Fatalf("%d %d: not the same twice: %q, %q", i, j, got, again)
			}
			if len(got) > policy.MaxAttempt || !utf8.ValidString(got) {
				t.Fatalf("%q", got)
			}
			if strings.ContainsAny(got, "<>{}[]()`\"!\x1b\r\n\t✿") || strings.Contains(got, ": ") || strings.HasSuffix(got, ":") {
				t.Fatalf("%q became %q", text, got)
			}
			for _, c := range got {
				if unicode.IsControl(c) || unicode.Is(unicode.Cf, c) {
					t.Fatalf("%q became %q", text, got)
				}
			}
		}
	}
	for text, want := range map[string]string{
		"fetch https://example.com:8443/x?a=b": "fetch https://example.com:8443/x?a=b",
		`write C:\Users\ada`:                   `write C:\Users\ada`,
		"write ~/Bücher  und\nmehr":            "write ~/Bücher und mehr",
		"Action:Bash Action Input:rm":          "Action_Bash Action Input_rm",
	} {
		if got := decideWith(t, describes(text, policy.Enforce)).Verdict.Attempt; got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// At the limit all of it is said, and one byte more is cut.
func TestWhatWasAttemptedIsBounded(t *testing.T) {
	t.Parallel()
	for _, n := range []int{policy.MaxAttempt - 1, policy.MaxAttempt, policy.MaxAttempt + 1, 1 << 16} {
		got := decideWith(t, describes(strings.Repeat("x", n), policy.Enforce)).Verdict.Attempt
		if len(got) != min(n, policy.MaxAttempt) || strings.HasSuffix(got, "...") != (n > policy.MaxAttempt) {
			t.Errorf("%d: %d bytes, %q", n, len(got), got[max(len(got)-5, 0):])
		}
	}
}
