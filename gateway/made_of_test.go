package gateway_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/wire"
)

// times is a list of n pieces.
func times(n int, piece string) string { return strings.TrimSuffix(strings.Repeat(piece+",", n), ",") }

// madeOf are requests of n messages, parts or tools, the first message of inHistory
// and its part included.
var madeOf = map[string]map[string]func(f wire.Format, n int) []byte{
	"messages": {
		"short ones": func(f wire.Format, n int) []byte { return inHistory(f, times(n-1, saying(f, "a"))) },
		"empty ones": func(f wire.Format, n int) []byte { return inHistory(f, times(n-1, "{}")) },
	},
	"parts": {
		"texts": func(f wire.Format, n int) []byte {
			return inMessage(f, times(n-1, map[wire.Format]string{wire.Gemini: `{"text":"a"}`, wire.OpenAIResponses: `{"type":"output_text","text":"a"}`}[f]+
				map[wire.Format]string{wire.Anthropic: `{"type":"text","text":"a"}`, wire.OpenAIChat: `{"type":"text","text":"a"}`}[f]))
		},
		"nothings": func(f wire.Format, n int) []byte { return inMessage(f, times(n-1, "{}")) },
		"parts of a result": func(f wire.Format, n int) []byte {
			switch f {
			case wire.Gemini: // its results have none
				return inMessage(f, times(n-1, `{"functionResponse":{"name":"a","response":{}}}`))
			case wire.OpenAIResponses, wire.Anthropic, wire.OpenAIChat:
			}
			return oneResult(f, `[`+times(n-2, map[wire.Format]string{wire.OpenAIResponses: `{"type":"input_text","text":"a"}`}[f]+
				map[wire.Format]string{wire.Anthropic: `{"type":"text","text":"a"}`, wire.OpenAIChat: `{"type":"text","text":"a"}`}[f])+`]`)
		},
		"instructions": func(f wire.Format, n int) []byte {
			switch f {
			case wire.Gemini:
				return with(f, `"systemInstruction":{"parts":[`+times(n-2, `{"text":"a"}`)+`]}`)
			case wire.Anthropic:
				return with(f, `"system":[`+times(n-2, `{"type":"text","text":"a"}`)+`]`)
			case wire.OpenAIResponses:
				return with(f, `"instructions":[`+times(n-2, `{"role":"developer","content":"a"}`)+`]`)
			case wire.OpenAIChat:
			}
			return inHistory(f, `{"role":"system","content":[`+times(n-1, `{"type":"text","text":"a"}`)+`]}`)
		},
	},
	"tools": {
		"declared ones": func(f wire.Format, n int) []byte {
			return withTools(f, times(n, map[wire.Format]string{
				wire.Gemini: `{"name":"t"}`, wire.Anthropic: `{"name":"t","input_schema":{}}`, wire.OpenAIResponses: `{"type":"function","name":"t"}`,
				wire.OpenAIChat: `{"type":"function","function":{"name":"t"}}`,
			}[f]))
		},
	},
}

// At a limit a request is served, one over it is refused before the upstream is
// asked, in the words of the dialect, with the limit's name and what to do; whether
// policies look at the request or not.
func TestWhatARequestMayBeMadeOf(t *testing.T) {
	t.Parallel()
	none, err := policy.NewSet()
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range wire.Formats() {
		for _, set := range []*policy.Set{recommended(), none} {
			small := llm.RequestLimits{Messages: 300, Parts: 700, Tools: 400}
			b := newBench(t, func(c *gateway.Config) {
				c.Policies = policy.NewLive(set)
				c.Limits.Request = small
			}, reply(format, true, said("ok")))
			for what, shapes := range madeOf {
				limit := map[string]int{"messages": small.Messages, "parts": small.Parts, "tools": small.Tools}[what]
				for name, shape := range shapes {
					if got := b.do(http.MethodPost, target(format, true), nil, shape(format, limit)); got.status != http.StatusOK {
						t.Errorf("%s: %d %s (%s): status %d %s", format, limit, what, name, got.status, got.body)
					}
					asked := len(b.up.Requests())
					got := b.do(http.MethodPost, target(format, true), nil, shape(format, limit+1))
					message, kind := errorIn(t, format, got.body)
					if got.status != http.StatusBadRequest || !strings.Contains(message, fmt.Sprintf("more than %d %s", limit, what)) || !strings.Contains(message, "limits."+what) {
						t.Errorf("%s: %d %s (%s): status %d %s", format, limit+1, what, name, got.status, got.body)
					}
					if kind != "invalid_request_error" && kind != "INVALID_ARGUMENT" {
						t.Errorf("%s: the error is of the type %s", format, kind)
					}
					if len(b.up.Requests()) != asked {
						t.Errorf("%s: the upstream was asked", format)
					}
				}
			}
		}
	}
}

// The defaults leave room for the longest conversations of agents.
func TestLongConversationsAreServed(t *testing.T) {
	t.Parallel()
	for _, format := range wire.Formats() {
		b := newBench(t, nil, reply(format, true, said("ok")))
		if got := b.do(http.MethodPost, target(format, true), nil, inHistory(format, times(4000, saying(format, "some words"))+`,`+lastOf(manyTurns(format, 2000)))); got.status != http.StatusOK {
			t.Errorf("%s: status %d %s", format, got.status, got.body)
		}
	}
}

// manyTurns is a request with so many calls and their results.
func manyTurns(f wire.Format, n int) []byte {
	one := manyResults(f, 1, "total 12")
	return inHistory(f, times(n, lastOf(one)))
}

// lastOf are the messages of a request that follow the first.
func lastOf(body []byte) string {
	text := string(body)
	_, text, _ = strings.Cut(text, "hi\"")
	text = text[strings.IndexByte(text, ',')+1:]
	return strings.TrimSuffix(text, "]}")
}

// The members of a body are bounded, and how deep it nests.
func TestMembersAndDepthOfARequest(t *testing.T) {
	t.Parallel()
	for _, format := range wire.Formats() {
		b := newBench(t, nil, reply(format, true, said("ok")))
		deep := func(n int) []byte { return with(format, `"x":`+strings.Repeat("[", n-1)+strings.Repeat("]", n-1)) }
		if got := b.do(http.MethodPost, target(format, true), nil, deep(jsonscan.MaxDepth)); got.status != http.StatusOK {
			t.Errorf("%s: at the limit of depth: status %d %s", format, got.status, got.body)
		}
		got := b.do(http.MethodPost, target(format, true), nil, deep(jsonscan.MaxDepth+1))
		if message, _ := errorIn(t, format, got.body); got.status != http.StatusBadRequest || !strings.Contains(message, fmt.Sprint("deeper than ", jsonscan.MaxDepth)) {
			t.Errorf("%s: over the limit of depth: status %d %s", format, got.status, got.body)
		}
		const own = 3 // model, stream and the messages
		if got := b.do(http.MethodPost, target(format, true), nil, with(format, numberedMembers(llm.MaxMembers-own))); got.status != http.StatusOK {
			t.Errorf("%s: at the limit of members: status %d %s", format, got.status, got.body)
		}
		got = b.do(http.MethodPost, target(format, true), nil, with(format, numberedMembers(llm.MaxMembers-own+1)))
		if message, _ := errorIn(t, format, got.body); got.status != http.StatusBadRequest || !strings.Contains(message, fmt.Sprintf("more than %d members", llm.MaxMembers)) {
			t.Errorf("%s: over the limit of members: status %d %s", format, got.status, got.body)
		}
	}
}

func numberedMembers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"m%d":0`, i)
	}
	return b.String()[1:]
}

// A request that is only counted or cached is bounded as well.
func TestForwardedRequestsAreBounded(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(c *gateway.Config) { c.Limits.Request.Parts = 10 }, reply(wire.Anthropic, false, said("ok")))
	body := func(n int) []byte {
		return oneResult(wire.Anthropic, `[`+times(n-2, `{"type":"text","text":"a"}`)+`]`)
	}
	if got := b.do(http.MethodPost, "/v1/messages/count_tokens", nil, body(10)); got.status != http.StatusOK {
		t.Errorf("at the limit: status %d %s", got.status, got.body)
	}
	if got := b.do(http.MethodPost, "/v1/messages/count_tokens", nil, body(11)); got.status != http.StatusBadRequest || !strings.Contains(string(got.body), "limits.parts") {
		t.Errorf("over the limit: status %d %s", got.status, got.body)
	}
}

// wideObjects are requests with an object of n members that is a message, a part, a
// part of a result or a tool.
var wideObjects = map[string]func(f wire.Format, n int) []byte{
	"a message": func(f wire.Format, n int) []byte {
		return inHistory(f, strings.TrimSuffix(saying(f, "a"), "}")+","+numberedMembers(n-2)+"}")
	},
	"a part": func(f wire.Format, n int) []byte {
		if f == wire.Gemini {
			return inMessage(f, `{"text":"a",`+numberedMembers(n-1)+`}`)
		}
		return inMessage(f, `{"type":"`+map[bool]string{true: "output_text", false: "text"}[f == wire.OpenAIResponses]+`","text":"a",`+numberedMembers(n-2)+`}`)
	},
	"a part of a result": func(f wire.Format, n int) []byte {
		if f == wire.Gemini { // its results have none
			return inMessage(f, `{"functionResponse":{"name":"a","response":{}},`+numberedMembers(n-1)+`}`)
		}
		return oneResult(f, `[{"type":"`+map[bool]string{true: "input_text", false: "text"}[f == wire.OpenAIResponses]+`","text":"a",`+numberedMembers(n-2)+`}]`)
	},
	"a tool": func(f wire.Format, n int) []byte {
		if f == wire.Gemini || f == wire.Anthropic {
			return withTools(f, `{"name":"t",`+numberedMembers(n-1)+`}`)
		}
		return withTools(f, `{"type":"function","name":"t",`+numberedMembers(n-2)+`}`)
	},
}

// No object of a request has more members than policies can read, whether they look
// at the request before the answer or only at calls in it.
func TestMembersOfOneObject(t *testing.T) {
	t.Parallel()
	for _, format := range wire.Formats() {
		for name, set := range map[string]*policy.Set{"recommended": recommended(), "about calls": seesRequest(t)} {
			b := newBench(t, func(c *gateway.Config) { c.Policies = policy.NewLive(set) }, reply(format, true, said("ok", "ls")))
			for what, shape := range wideObjects {
				if got := b.do(http.MethodPost, target(format, true), nil, shape(format, llm.MaxMembers)); got.status != http.StatusOK || strings.Contains(string(got.body), blindness) {
					t.Errorf("%s, %s: %s at the limit: status %d %.300s", format, name, what, got.status, got.body)
				}
				asked := len(b.up.Requests())
				got := b.do(http.MethodPost, target(format, true), nil, shape(format, llm.MaxMembers+1))
				if got.status != http.StatusBadRequest {
					t.Errorf("%s, %s: %s over the limit: status %d %.300s", format, name, what, got.status, got.body)
					continue
				}
				if message, _ := errorIn(t, format, got.body); !strings.Contains(message, fmt.Sprintf("more than %d members", llm.MaxMembers)) || len(b.up.Requests()) != asked {
					t.Errorf("%s, %s: %s over the limit: %s", format, name, what, message)
				}
			}
		}
	}
}

// Items that are not objects count like all others.
func TestItemsThatAreTextsAreCounted(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(c *gateway.Config) {
		c.Policies = policy.NewLive(seesRequest(t))
		c.Limits.Request.Messages = 300
	}, reply(wire.OpenAIResponses, true, said("ok", "ls")))
	body := func(n int) []byte { return inHistory(wire.OpenAIResponses, times(n-1, `"a"`)) }
	if got := b.do(http.MethodPost, "/v1/responses", nil, body(300)); got.status != http.StatusOK || strings.Contains(string(got.body), blindness) {
		t.Errorf("at the limit: status %d %.300s", got.status, got.body)
	}
	if got := b.do(http.MethodPost, "/v1/responses", nil, body(301)); got.status != http.StatusBadRequest || !strings.Contains(string(got.body), "limits.messages") {
		t.Errorf("over the limit: status %d %.300s", got.status, got.body)
	}
}

// blindness is what seesRequest says about a call whose request it cannot see.
const blindness = "the request is not there"

// seesRequest is a policy about calls that needs the request.
func seesRequest(t *testing.T) *policy.Set {
	t.Helper()
	set, err := policy.NewSet(policy.Func("sees", func(s *policy.Subject) policy.Verdict {
		if s.Exchange.Asked() == nil {
			return policy.Verdict{Action: policy.Block, Reason: blindness}
		}
		return policy.Verdict{Action: policy.Allow}
	}))
	if err != nil {
		t.Fatal(err)
	}
	return set
}
