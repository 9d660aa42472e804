package gateway_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// recall is a policy that records what it sees of the conversation before the
// request whenever it judges a call. It blocks what is harmful.
type recall struct {
	mu  sync.Mutex
	was []string
}

func (r *recall) set(t *testing.T) *policy.Live {
	t.Helper()
	set, err := policy.NewSet(policy.Func("recall", func(s *policy.Subject) policy.Verdict {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.was = append(r.was, remembers(s.Exchange))
		if strings.Contains(s.Block.Arguments, harmful) {
			return policy.Verdict{Action: policy.Block, Reason: "no"}
		}
		return policy.Verdict{Action: policy.Allow}
	}))
	if err != nil {
		t.Fatal(err)
	}
	return policy.NewLive(set)
}

// last is what the policy saw at the last call.
func (r *recall) last() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.was) == 0 {
		return "never asked"
	}
	return r.was[len(r.was)-1]
}

func remembers(x *policy.Exchange) string {
	if x.Earlier == nil {
		return "everything is in the request"
	}
	messages, known := x.Earlier()
	var said []string
	for _, m := range messages {
		for _, b := range m.Blocks {
			said = append(said, fmt.Sprintf("%s %s %s%s", m.Role, b.Kind, b.Text, b.Arguments))
		}
	}
	if !known {
		said = append(said, "and more")
	}
	return strings.Join(said, "; ")
}

func TestPoliciesSeeWhatAContinuedAnswerWentOnFrom(t *testing.T) {
	t.Parallel()
	const (
		ls    = `assistant tool_call {"command":"ls"}`
		first = `user content hi; assistant content ok; ` + ls
	)
	for _, stream := range []bool{true, false} {
		for _, tc := range []struct{ name, first, second, third, want string }{
			{"by the answer", `"input":"hi"`, `"previous_response_id":"resp_1","input":"go"`, `"previous_response_id":"resp_2","input":"on"`,
				first + `; user content go; assistant content ok; ` + ls},
			{"another way from an earlier answer", `"input":"hi"`, `"previous_response_id":"resp_1","input":"go"`, `"previous_response_id":"resp_1","input":"on"`, first},
			{"results of calls", `"input":"hi"`, `"previous_response_id":"resp_1","input":[{"type":"function_call_output","call_id":"call_a","output":"a.txt"}]`,
				`"previous_response_id":"resp_2","input":"on"`, first + `; tool tool_result a.txt; assistant content ok; ` + ls},
			{"an answer that nobody heard", `"input":"hi"`, `"input":"hi"`, `"previous_response_id":"resp_0","input":"on"`, "and more"},
			{"on from an answer that nobody heard", `"input":"hi"`, `"previous_response_id":"resp_0","input":"go"`, `"previous_response_id":"resp_2","input":"on"`,
				`user content go; assistant content ok; ` + ls + `; and more`},
			{"a conversation that others may have begun", `"conversation":"conv_1","input":"hi"`, `"conversation":{"id":"conv_1"},"input":"go"`, `"conversation":"conv_1","input":"on"`,
				first + `; user content go; assistant content ok; ` + ls + `; and more`},
			{"an answer that was not to be stored", `"store":false,"input":"hi"`, `"previous_response_id":"resp_1","input":"go"`, `"previous_response_id":"resp_1","input":"on"`, "and more"},
			{"an answer made in the background", `"background":true,"input":"hi"`, `"input":"go"`, `"previous_response_id":"resp_1","input":"on"`, "and more"},
			{"the whole history in the request", `"input":"hi"`, `"input":"hi"`, `"input":"on"`, "everything is in the request"},
		} {
			t.Run(fmt.Sprintf("%s stream=%t", tc.name, stream), func(t *testing.T) {
				t.Parallel()
				var r recall
				b := newBench(t, func(c *gateway.Config) { c.Policies = r.set(t) },
					remembered(stream, "resp_1", said("ok", "ls")), remembered(stream, "resp_2", said("ok", "ls")), remembered(stream, "resp_3", said("ok", "ls")))
				for _, body := range []string{tc.first, tc.second, tc.third} {
					b.do(http.MethodPost, "/v1/responses", nil, fmt.Appendf(nil, `{"model":"m","stream":%t,%s}`, stream, body)).story()
				}
				if got := r.last(); got != tc.want {
					t.Errorf("the policy is told\n%s\nwant\n%s", got, tc.want)
				}
			})
		}
	}
}

// What was kept from the client did not happen.
func TestBlockedCallsAreNoPartOfTheConversation(t *testing.T) {
	t.Parallel()
	var r recall
	b := newBench(t, func(c *gateway.Config) { c.Policies = r.set(t) }, remembered(true, "resp_1", said("ok", harmful, "ls")), remembered(true, "resp_2", said("ok", "ls")))
	b.do(http.MethodPost, "/v1/responses", nil, []byte(`{"stream":true,"input":"hi"}`)).story()
	b.do(http.MethodPost, "/v1/responses", nil, []byte(`{"stream":true,"previous_response_id":"resp_1","input":"go"}`)).story()
	if got, want := r.last(), `user content hi; assistant content ok; assistant tool_call {"command":"ls"}`; got != want {
		t.Errorf("the policy is told\n%s\nwant\n%s", got, want)
	}
}

func TestThreadsAreRemembered(t *testing.T) {
	t.Parallel()
	var r recall
	answer := func(id string) sluicetest.Reply {
		return reply(wire.Anthropic, true, said("ok", "ls"), sluicetest.BuildOptions{ID: id})
	}
	b := newBench(t, func(c *gateway.Config) { c.Policies = r.set(t) }, answer("msg_1"), answer("msg_2"), answer("msg_3"))
	for _, thread := range []string{`{"type":"create"}`, `{"type":"continue","previous_message_id":"msg_1"}`, `null`} {
		b.do(http.MethodPost, "/v1/messages", nil, []byte(`{"stream":true,"max_tokens":9,"thread":`+thread+`,"messages":[{"role":"user","content":"hi"}]}`)).story()
	}
	want := []string{"everything is in the request", `user content hi; assistant content ok; assistant tool_call {"command":"ls"}`, "everything is in the request"}
	if fmt.Sprint(r.was) != fmt.Sprint(want) {
		t.Errorf("the policy is told\n%q\nwant\n%q", r.was, want)
	}
}

// An id of one client says nothing about what another one said.
func TestConversationsBelongToWhoeverHasThem(t *testing.T) {
	t.Parallel()
	var r recall
	b := newBench(t, func(c *gateway.Config) {
		c.Policies = r.set(t)
		namesake := sluiceKey("slk_c", "a")
		namesake.User = "c@example.com"
		c.Keys = []gateway.Key{sluiceKey("slk_a", "a"), sluiceKey("slk_b", "b"), namesake}
	}, remembered(true, "resp_1", said("ok", "ls")), remembered(true, "resp_2", said("ok", "ls")), remembered(true, "resp_3", said("ok", "ls")), remembered(true, "resp_4", said("ok", "ls")))
	ask := func(key, body string) string {
		b.do(http.MethodPost, "/v1/responses", headers("X-Sluice-Key", key), []byte(body)).story()
		return r.last()
	}
	ask("slk_a", `{"stream":true,"input":"hi"}`)
	for _, other := range []string{"slk_b", "slk_c"} {
		if got := ask(other, `{"stream":true,"previous_response_id":"resp_1","input":"go"}`); got != "and more" {
			t.Errorf("another client is told %s", got)
		}
	}
	if got := ask("slk_a", `{"stream":true,"previous_response_id":"resp_1","input":"go"}`); !strings.HasPrefix(got, "user content hi") {
		t.Errorf("the client itself is told %s", got)
	}
}

// An answer that broke off is not what the provider remembers.
func TestHalfAnAnswerIsNotRemembered(t *testing.T) {
	t.Parallel()
	var r recall
	body := sluicetest.SSE(string(wire.OpenAIResponses), sluicetest.Build(string(wire.OpenAIResponses), [][]llm.Block{said("ok", "ls")}, sluicetest.BuildOptions{ID: "resp_1"}))
	b := newBench(t, func(c *gateway.Config) { c.Policies = r.set(t) }, sluicetest.Events(body[:len(body)-3]), remembered(true, "resp_2", said("ok", "ls")))
	b.do(http.MethodPost, "/v1/responses", nil, []byte(`{"stream":true,"input":"hi"}`)).story()
	b.do(http.MethodPost, "/v1/responses", nil, []byte(`{"stream":true,"previous_response_id":"resp_1","input":"go"}`)).story()
	if got := r.last(); got != "and more" {
		t.Errorf("the policy is told %s", got)
	}
}
