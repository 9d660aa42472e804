package gateway_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// remembered is an answer with a call that is blocked, which the provider
// remembers under an id.
func remembered(stream bool, id string, blocks []llm.Block) sluicetest.Reply {
	return reply(wire.OpenAIResponses, stream, blocks, sluicetest.BuildOptions{ID: id})
}

// input is the input of a request as the upstream got it.
func input(t *testing.T, body []byte) []map[string]any {
	t.Helper()
	var r struct {
		Input []map[string]any `json:"input"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return r.Input
}

// The provider remembers a blocked call, unknown to the client, and waits for
// its result: the gateway answers it.
func TestBlockedCallsAreAnsweredInTheNextRequest(t *testing.T) {
	t.Parallel()
	const mine = `{"role":"user","content":"go on","big":12345678901234567890}`
	for _, stream := range []bool{true, false} {
		for _, tc := range []struct {
			name, first, next, want string
		}{
			{
				"a list", `"input":"hi"`, `"previous_response_id":"resp_x","input":[ ` + mine + ` ],"z":1`,
				`"previous_response_id":"resp_x","input":[ %s,` + mine + ` ],"z":1`,
			},
			{"an empty list", `"input":"hi"`, `"previous_response_id":"resp_x","input":[]`, `"previous_response_id":"resp_x","input":[%s]`},
			{
				"a text", `"input":"hi"`, `"previous_response_id":"resp_x","input":"go on\u0021"`,
				`"previous_response_id":"resp_x","input":[%s,{"type":"message","role":"user","content":"go on\u0021"}]`,
			},
			{"a conversation by name", `"conversation":"conv_1","input":"hi"`, `"conversation":"conv_1","input":[` + mine + `]`, `"conversation":"conv_1","input":[%s,` + mine + `]`},
			{
				"a conversation as an object", `"conversation":{"id":"conv_1"},"input":"hi"`, `"input":[` + mine + `],"conversation":{"id":"conv_1"}`,
				`"input":[%s,` + mine + `],"conversation":{"id":"conv_1"}`,
			},
		} {
			t.Run(fmt.Sprintf("%s stream=%t", tc.name, stream), func(t *testing.T) {
				t.Parallel()
				b := newBench(t, nil, remembered(stream, "resp_x", said("ok", harmful)), remembered(stream, "resp_y", said("better")))
				begin := fmt.Sprintf(`{"model":"m","stream":%t,`, stream)
				if s := b.do(http.MethodPost, "/v1/responses", nil, []byte(begin+tc.first+"}")).story(); s.end.Blocked != 1 {
					t.Fatalf("%d blocked", s.end.Blocked)
				}
				got := b.do(http.MethodPost, "/v1/responses", nil, []byte(begin+tc.next+"}"))
				if got.status != http.StatusOK {
					t.Fatalf("status %d %s", got.status, got.body)
				}
				sent := b.lastAsked().Body
				items := input(t, sent)
				if len(items) == 0 || items[0]["type"] != "function_call_output" || items[0]["call_id"] != "call_a" || !strings.Contains(fmt.Sprint(items[0]["output"]), "Blocked by Sluice") {
					t.Fatalf("the upstream got %s", sent)
				}
				output := bytes.Index(sent, []byte(`{"type":"function_call_output"`))
				end := output + bytes.IndexByte(sent[output:], '}') + 1
				if want := fmt.Sprintf(begin+tc.want+"}", sent[output:end]); string(sent) != want {
					t.Errorf("the upstream got\n%s\nwant\n%s", sent, want)
				}
			})
		}
	}
}

func TestOnlyBlockedCallsAreAnswered(t *testing.T) {
	t.Parallel()
	blocks := append(said("ok", "ls", harmful),
		llm.Block{Kind: llm.ToolCall, ID: "call_x", Type: "custom_tool_call", Name: "exec", Arguments: `await tools.exec_command({cmd:"rm -rf / --no-preserve-root"})`})
	b := newBench(t, func(c *gateway.Config) {
		c.Policies = policies(t, "policies:\n  - {name: no-rm, when: 'call.raw.contains(\"rm -rf\")', then: block, reason: do not}\n")
	}, remembered(true, "resp_x", blocks))
	if s := b.ask(wire.OpenAIResponses, true).story(); s.end.Blocked != 2 {
		t.Fatalf("%d blocked: %+v", s.end.Blocked, s.records)
	}
	next := `{"previous_response_id":"resp_x","input":[{"type":"function_call_output","call_id":"call_a","output":"x"}]}`
	b.do(http.MethodPost, "/v1/responses", nil, []byte(next))
	got := make(map[string]string)
	for _, item := range input(t, b.lastAsked().Body) {
		got[fmt.Sprint(item["call_id"])] += fmt.Sprint(item["type"])
	}
	want := map[string]string{"call_a": "function_call_output", "call_b": "function_call_output", "call_x": "custom_tool_call_output"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the upstream got results for %v, want %v", got, want)
	}
	for name, body := range map[string]string{
		"another answer":         `{"previous_response_id":"resp_other","input":[]}`,
		"no answer":              `{"input":[]}`,
		"null":                   `{"previous_response_id":null,"input":"x"}`,
		"answered by the client": `{"previous_response_id":"resp_x","input":[{"type":"function_call_output","call_id":"call_b","output":"x"},{"type":"custom_tool_call_output","call_id":"call_x","output":"x"}]}`,
	} {
		b.do(http.MethodPost, "/v1/responses", nil, []byte(body))
		if sent := string(b.lastAsked().Body); sent != body {
			t.Errorf("%s: the upstream got\n%s\nwant\n%s", name, sent, body)
		}
	}
	for _, body := range []string{`{"previous_response_id":"resp_x"}`, `{"previous_response_id":"resp_x","input":7}`} {
		if got := b.do(http.MethodPost, "/v1/responses", nil, []byte(body)); got.status != http.StatusBadRequest {
			t.Errorf("%s: status %d", body, got.status)
		}
	}
}

// A conversation that the provider keeps remembers the answers: they are given
// once. An answer can be gone on from as often as the client likes.
func TestBlockedCallsOfAConversationAreAnsweredOnce(t *testing.T) {
	t.Parallel()
	overloaded := sluicetest.JSON(529, `{}`)
	b := newBench(t, nil, remembered(true, "resp_x", said("ok", harmful)), overloaded, remembered(true, "resp_y", said("better")))
	b.do(http.MethodPost, "/v1/responses", nil, []byte(`{"stream":true,"conversation":"conv_1","input":"hi"}`)).story()
	for i, want := range []bool{true, true, false} { // the first does not get through
		b.do(http.MethodPost, "/v1/responses", nil, []byte(`{"stream":true,"conversation":"conv_1","input":"hi"}`)).story()
		if sent := b.lastAsked().Body; bytes.Contains(sent, []byte("call_a")) != want {
			t.Errorf("request %d: the upstream got %s", i, sent)
		}
	}
	for range 2 {
		b.do(http.MethodPost, "/v1/responses", nil, []byte(`{"stream":true,"previous_response_id":"resp_x","input":"hi"}`)).story()
		if sent := b.lastAsked().Body; !bytes.Contains(sent, []byte("call_a")) {
			t.Errorf("the upstream got %s", sent)
		}
	}
}

// Every kind of call has its kind of result.
func TestResultsOfBlockedCallsHaveTheirForm(t *testing.T) {
	t.Parallel()
	const reason = `: say \"no\" (policy none). The call did not run."`
	texts := strings.NewReplacer("TEXT", `"Blocked by Sluice`+reason, "RUN", `"Blocked by Sluice (run ls)`+reason, "WRITE", `"Blocked by Sluice (write a)`+reason)
	for item, want := range map[string]string{
		`{"type":"function_call","id":"x_1","call_id":"call_1","name":"f","arguments":"{}","status":"completed"}`:                              `{"type":"function_call_output","call_id":"call_1","output":TEXT}`,
		`{"type":"custom_tool_call","id":"x_1","call_id":"call_1","name":"f","input":"x","status":"completed"}`:                                `{"type":"custom_tool_call_output","call_id":"call_1","output":TEXT}`,
		`{"type":"mcp_approval_request","id":"call_1","name":"run","server_label":"s","arguments":"{}"}`:                                       `{"type":"mcp_approval_response","approval_request_id":"call_1","approve":false,"reason":TEXT}`,
		`{"type":"local_shell_call","id":"x_1","call_id":"call_1","action":{"type":"exec","command":["ls"],"env":{}},"status":"completed"}`:    `{"type":"local_shell_call_output","call_id":"call_1","output":RUN}`,
		`{"type":"shell_call","id":"x_1","call_id":"call_1","action":{"commands":["ls"]},"status":"completed","environment":{"type":"local"}}`: `{"type":"shell_call_output","call_id":"call_1","output":[{"stdout":"","stderr":RUN,"outcome":{"type":"exit","exit_code":1}}]}`,
		`{"type":"apply_patch_call","id":"x_1","call_id":"call_1","operation":{"type":"delete_file","path":"a"},"status":"completed"}`:         `{"type":"apply_patch_call_output","call_id":"call_1","status":"failed","output":WRITE}`,
	} {
		b := newBench(t, func(c *gateway.Config) {
			c.Policies = policies(t, "policies:\n  - {name: none, then: block, reason: \"say \\\"no\\\"\"}\n")
		}, sluicetest.JSON(http.StatusOK, stored("completed", item)))
		b.ask(wire.OpenAIResponses, false).story()
		b.do(http.MethodPost, "/v1/responses", nil, []byte(`{"previous_response_id":"resp_1","input":[]}`))
		want = `{"previous_response_id":"resp_1","input":[` + texts.Replace(want) + `]}`
		if sent := string(b.lastAsked().Body); sent != want {
			t.Errorf("the upstream got\n%s\nwant\n%s", sent, want)
		}
	}
}

// SDKs send their history upon this error.
func TestThreadsWithABlockedCallAreGone(t *testing.T) {
	t.Parallel()
	for _, stream := range []bool{true, false} {
		b := newBench(t, nil, reply(wire.Anthropic, stream, said("ok", harmful), sluicetest.BuildOptions{ID: "msg_x"}), reply(wire.Anthropic, stream, said("ok", "ls"), sluicetest.BuildOptions{ID: "msg_y"}))
		body := func(thread string) []byte {
			return fmt.Appendf(nil, `{"model":"m","stream":%t,"max_tokens":9,"thread":%s,"messages":[{"role":"user","content":"hi"}]}`, stream, thread)
		}
		b.do(http.MethodPost, "/v1/messages", nil, body(`{"type":"create"}`)).story()
		got := b.do(http.MethodPost, "/v1/messages", nil, body(`{"type":"continue","previous_message_id":"msg_x"}`))
		var e struct {
			Error struct {
				Type    string `json:"type"`
				Details struct {
					Code string `json:"error_code"`
				} `json:"details"`
			} `json:"error"`
		}
		if err := json.Unmarshal(got.body, &e); err != nil || got.status != http.StatusNotFound || e.Error.Details.Code != "thread_not_found" || e.Error.Type != "not_found_error" {
			t.Errorf("status %d %s", got.status, got.body)
		}
		if n := len(b.up.Requests()); n != 1 {
			t.Errorf("the upstream got %d requests", n)
		}
		// The history starts a new thread, which can be continued.
		b.do(http.MethodPost, "/v1/messages", nil, body(`{"type":"create"}`)).story()
		if got := b.do(http.MethodPost, "/v1/messages", nil, body(`{"type":"continue","previous_message_id":"msg_y"}`)); got.status != http.StatusOK {
			t.Errorf("status %d %s", got.status, got.body)
		}
	}
}

// stored is an answer of Responses as it is kept by the provider.
func stored(status, output string) string {
	return `{"id":"resp_1","object":"response","created_at":1,"status":"` + status + `","model":"m","output":[` + output + `],"usage":null,"error":null,"incomplete_details":null,"x":12345678901234567890}`
}

const (
	storedText = `{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":[{"type":"output_text","text":"hi","annotations":[]}]}`
	storedCall = `{"type":"function_call","id":"fc_1","call_id":"call_1","name":"Bash","arguments":"{\"command\":\"rm -rf / --no-preserve-root\"}","status":"completed"}`
	storedOK   = `{"type":"function_call","id":"fc_2","call_id":"call_2","name":"Bash","arguments":"{\"command\":\"ls\"}","status":"completed"}`
)

// Answers that are stored are judged when they are fetched: they are the
// originals.
func TestStoredAnswersAreJudged(t *testing.T) {
	t.Parallel()
	for _, request := range []string{"GET /v1/responses/resp_1", "POST /v1/responses/resp_1/cancel", "GET /v1/responses/resp_1?include=x", "POST /v1/responses/compact", "POST /v1/responses"} {
		method, path, _ := strings.Cut(request, " ")
		body := []byte(`{"model":"m","input":[]}`)
		if method == http.MethodGet || strings.HasSuffix(path, "cancel") {
			body = nil
		}
		for name, tc := range map[string]struct {
			body    string
			blocked bool
		}{
			"queued":                   {stored("queued", ""), false},
			"in progress":              {stored("in_progress", ""), false},
			"in progress with a text":  {stored("in_progress", strings.Replace(storedText, `"completed"`, `"in_progress"`, 1)), false},
			"cancelled":                {stored("cancelled", ""), false},
			"completed":                {stored("completed", storedText), false},
			"completed with calls":     {stored("completed", storedText+","+storedOK), false},
			"incomplete":               {stored("incomplete", storedText), false},
			"with a harmful call":      {stored("completed", storedText+","+storedCall+","+storedOK), true},
			"queued and a call":        {stored("queued", storedCall), true},
			"cancelled after a call":   {stored("cancelled", storedCall), true},
			"in progress after a call": {stored("in_progress", storedCall), true},
		} {
			b := newBench(t, nil, sluicetest.JSON(http.StatusOK, tc.body))
			got := b.do(method, path, nil, body)
			if tc.blocked {
				if strings.Contains(string(got.body), "no-preserve-root") || strings.Contains(string(got.body), "call_1") || got.story().end.Blocked != 1 {
					t.Errorf("%s, %s: status %d %s", request, name, got.status, got.body)
				}
				continue
			}
			if got.status != http.StatusOK || string(got.body) != tc.body {
				t.Errorf("%s, %s: status %d %s\nwant %s", request, name, got.status, got.body, tc.body)
			}
		}
	}
}

func TestStoredAnswersAreJudgedAsStreams(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/v1/responses/resp_1?stream=true", "/v1/responses/resp_1?x=1&stream=true&starting_after=2"} {
		answer := remembered(true, "resp_1", said("ok", "ls"))
		b := newBench(t, nil, answer, remembered(true, "resp_1", said("ok", harmful)))
		if got := b.do(http.MethodGet, path, nil, nil); !bytes.Equal(got.body, answer.Body) {
			t.Errorf("status %d %s", got.status, got.body)
		}
		got := b.do(http.MethodGet, path, nil, nil)
		if report, err := sluicetest.Inspect(sluicetest.OpenAIResponses, got.body); err != nil || len(report.Calls) > 0 || !report.Ended {
			t.Errorf("the client understood %+v, %v", report, err)
		}
	}
}

// A stream that is taken up again begins in the middle.
func TestStreamsThatAreTakenUpAgain(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"ls", harmful} {
		answer := remembered(true, "resp_1", said("a long text", command))
		whole := answer.Body
		for n := range len(payloadsOf(t, whole)) {
			rest := sluicetest.Events(whole[answer.Event(n):])
			b := newBench(t, nil, rest)
			got := b.do(http.MethodGet, fmt.Sprintf("/v1/responses/resp_1?stream=true&starting_after=%d", n-1), nil, nil)
			if command == "ls" && !bytes.Equal(got.body, rest.Body) {
				t.Errorf("after event %d: status %d\n%s\nwant\n%s", n, got.status, got.body, rest.Body)
			}
			if strings.Contains(string(got.body), "no-preserve-root") {
				t.Errorf("after event %d: a call that is blocked passes:\n%s", n, got.body)
			}
		}
	}
}

// An answer of a compaction is a list of items, which become history.
func TestCompactionsAreJudged(t *testing.T) {
	t.Parallel()
	compaction := func(items string) string {
		return `{"id":"resp_1","object":"response.compaction","created_at":1,"output":[` + items + `],"usage":{"input_tokens":1,"output_tokens":2,"total_tokens":3}}`
	}
	plain := compaction(`{"type":"message","id":"msg_1","role":"user","status":"completed","content":[{"type":"input_text","text":"hi"}]},{"type":"compaction","id":"cmp_1","encrypted_content":"AA=="}`)
	b := newBench(t, nil, sluicetest.JSON(http.StatusOK, plain), sluicetest.JSON(http.StatusOK, compaction(storedCall+`,{"type":"compaction","id":"cmp_1","encrypted_content":"AA=="}`)))
	for _, want := range []string{plain, ""} {
		got := b.do(http.MethodPost, "/v1/responses/compact", nil, []byte(`{"model":"m","input":[]}`))
		if want != "" && (got.status != http.StatusOK || string(got.body) != want) {
			t.Errorf("status %d %s\nwant %s", got.status, got.body, want)
		}
		if want == "" && (strings.Contains(string(got.body), "no-preserve-root") || got.status != http.StatusOK || !strings.Contains(string(got.body), "AA==")) {
			t.Errorf("status %d %s", got.status, got.body)
		}
	}
}

// A canary proves that calls are judged on this very way, and asks no provider.
func TestCanary(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, format wire.Format, stream bool) {
		none, err := policy.NewSet()
		if err != nil {
			t.Fatal(err)
		}
		inspect := sluicetest.InspectBody
		if stream {
			inspect = sluicetest.Inspect
		}
		for name, set := range map[string]*policy.Set{"recommended": recommended(), "none": none} {
			b := newBench(t, func(c *gateway.Config) { c.Policies = policy.NewLive(set) })
			got := b.ask(format, stream, "X-Sluice-Canary", "1")
			report, err := inspect(string(format), got.body)
			if err != nil || !report.Ended || got.status != http.StatusOK {
				t.Fatalf("status %d, %+v, %v\n%s", got.status, report, err, got.body)
			}
			if want := map[string]int{"recommended": 0, "none": 1}[name]; len(report.Calls) != want {
				t.Errorf("%s: the calls are %+v", name, report.Calls)
			}
			if n := len(b.up.Requests()); n != 0 {
				t.Errorf("the upstream got %d requests", n)
			}
		}
	})
}
