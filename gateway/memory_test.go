package gateway_test

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// A request of any shape costs memory in proportion to its bytes, whether it is
// served or refused, with all recommended policies: at most mostTimes of them is
// allocated, over all of the exchange, beside what any small request needs. What
// is allocated is more than what is ever held at once; what is held while the
// upstream is asked is measured as well.
const mostTimes = 8

// bigShapes are requests that a hostile client can make as large as it likes. one
// is a piece of it, of which there are as many as there is room for; n counts them.
var bigShapes = map[string]func(format wire.Format, size int) []byte{
	"empty parts":      func(f wire.Format, size int) []byte { return inMessage(f, repeated(size, "{}")) },
	"numbers as parts": func(f wire.Format, size int) []byte { return inMessage(f, repeated(size, "0")) },
	"text parts": func(f wire.Format, size int) []byte {
		return inMessage(f, repeated(size, map[wire.Format]string{
			wire.Gemini: `{"text":"a"}`, wire.OpenAIResponses: `{"type":"input_text","text":"a"}`,
		}[f], `{"type":"text","text":"a"}`))
	},
	"long text parts": func(f wire.Format, size int) []byte {
		text := strings.Repeat("some words, ", 80)
		return inMessage(f, repeated(size, map[wire.Format]string{
			wire.Gemini: `{"text":"` + text + `"}`, wire.OpenAIResponses: `{"type":"input_text","text":"` + text + `"}`,
		}[f], `{"type":"text","text":"`+text+`"}`))
	},
	"calls": func(f wire.Format, size int) []byte {
		switch f {
		case wire.Gemini:
			return inMessage(f, repeated(size, `{"functionCall":{"name":"Bash","args":{"command":"ls"}}}`))
		case wire.Anthropic:
			return inMessage(f, numbered(size, `{"type":"tool_use","id":"c#","name":"Bash","input":{"command":"ls #"}}`))
		case wire.OpenAIResponses:
			return inHistory(f, numbered(size, `{"type":"function_call","call_id":"c#","name":"Bash","arguments":"{\"command\":\"ls #\"}"}`))
		default:
			return inHistory(f, `{"role":"assistant","tool_calls":[`+numbered(size, `{"id":"c#","type":"function","function":{"name":"Bash","arguments":"{\"command\":\"ls #\"}"}}`)+`]}`)
		}
	},
	"empty calls": func(f wire.Format, size int) []byte {
		switch f {
		case wire.Gemini:
			return inMessage(f, repeated(size, `{"functionCall":{}}`))
		case wire.Anthropic:
			return inMessage(f, repeated(size, `{"type":"tool_use"}`))
		case wire.OpenAIResponses:
			return inHistory(f, repeated(size, `{"type":"function_call"}`))
		default:
			return inHistory(f, `{"role":"assistant","tool_calls":[`+repeated(size, "{}")+`]}`)
		}
	},
	"messages": func(f wire.Format, size int) []byte {
		return inHistory(f, repeated(size, map[wire.Format]string{wire.Gemini: `{"role":"user","parts":[{"text":"a"}]}`}[f], `{"role":"user","content":"a"}`))
	},
	"empty messages": func(f wire.Format, size int) []byte { return inHistory(f, repeated(size, "{}")) },
	"long messages": func(f wire.Format, size int) []byte {
		text := strings.Repeat("some words, ", 80)
		return inHistory(f, repeated(size, map[wire.Format]string{wire.Gemini: `{"role":"user","parts":[{"text":"` + text + `"}]}`}[f], `{"role":"user","content":"`+text+`"}`))
	},
	"results": func(f wire.Format, size int) []byte { return manyResults(f, size, "total 12") },
	"long results": func(f wire.Format, size int) []byte {
		return manyResults(f, size, strings.Repeat("drwxr-xr-x 2 root root 4096 some_file.txt\\n", 25))
	},
	"one result of many texts":  func(f wire.Format, size int) []byte { return oneResult(f, `[`+repeated(size, `"a"`)+`]`) },
	"one result of empty parts": func(f wire.Format, size int) []byte { return oneResult(f, `[`+repeated(size, `{}`)+`]`) },
	"one long result": func(f wire.Format, size int) []byte {
		return oneResult(f, `"`+strings.Repeat("drwxr-xr-x 2 root root 4096 some_file.txt ", size/42)+`"`)
	},
	"a result of escapes": func(f wire.Format, size int) []byte { return oneResult(f, `"`+strings.Repeat(`\n\u00e9`, size/8)+`"`) },
	"a deep result": func(f wire.Format, size int) []byte {
		return oneResult(f, strings.Repeat(`{"a":`, 400)+`"`+strings.Repeat("word ", size/5)+`"`+strings.Repeat("}", 400))
	},
	"deep results": func(f wire.Format, size int) []byte {
		deep := strings.Repeat(`{"a":`, 400) + `"a"` + strings.Repeat("}", 400)
		return oneResult(f, `[`+repeated(size, deep)+`]`)
	},
	"escapes": func(f wire.Format, size int) []byte {
		return inHistory(f, saying(f, strings.Repeat(`\n\u00e9`, size/8)))
	},
	"one long text": func(f wire.Format, size int) []byte {
		return inHistory(f, saying(f, strings.Repeat("some words, ", size/12)))
	},
	"deep parts": func(f wire.Format, size int) []byte {
		return inMessage(f, repeated(size, strings.Repeat(`{"a":`, 400)+`{}`+strings.Repeat("}", 400)))
	},
	"tools": func(f wire.Format, size int) []byte {
		return withTools(f, numbered(size, map[wire.Format]string{
			wire.Gemini: `{"name":"t#"}`, wire.Anthropic: `{"name":"t#","input_schema":{}}`, wire.OpenAIResponses: `{"type":"function","name":"t#"}`,
			wire.OpenAIChat: `{"type":"function","function":{"name":"t#"}}`,
		}[f]))
	},
	"empty tools": func(f wire.Format, size int) []byte { return withTools(f, repeated(size, "{}")) },
	"long tools": func(f wire.Format, size int) []byte {
		text := strings.Repeat("some words, ", 200)
		return withTools(f, numbered(size, map[wire.Format]string{
			wire.Gemini: `{"name":"t#","description":"` + text + `"}`, wire.Anthropic: `{"name":"t#","description":"` + text + `","input_schema":{}}`,
			wire.OpenAIResponses: `{"type":"function","name":"t#","description":"` + text + `"}`,
			wire.OpenAIChat:      `{"type":"function","function":{"name":"t#","description":"` + text + `"}}`,
		}[f]))
	},
	"one large schema": func(f wire.Format, size int) []byte {
		schema := `{"type":"object","properties":{` + numbered(size, `"p#":{"type":"string"}`) + `}}`
		return withTools(f, map[wire.Format]string{
			wire.Gemini: `{"name":"Bash","parameters":` + schema + `}`, wire.Anthropic: `{"name":"Bash","input_schema":` + schema + `}`,
			wire.OpenAIResponses: `{"type":"function","name":"Bash","parameters":` + schema + `}`,
			wire.OpenAIChat:      `{"type":"function","function":{"name":"Bash","parameters":` + schema + `}}`,
		}[f])
	},
	"instructions in parts": func(f wire.Format, size int) []byte {
		switch f {
		case wire.Gemini:
			return with(f, `"systemInstruction":{"parts":[`+repeated(size, `{"text":"a"}`)+`]}`)
		case wire.Anthropic:
			return with(f, `"system":[`+repeated(size, `{"type":"text","text":"a"}`)+`]`)
		case wire.OpenAIResponses:
			return with(f, `"instructions":[`+repeated(size, `{"role":"developer","content":"a"}`)+`]`)
		default:
			return inHistory(f, repeated(size, `{"role":"system","content":"a"}`))
		}
	},
	"members": func(f wire.Format, size int) []byte { return with(f, numbered(size, `"m#":0`)) },
	"members of a message": func(f wire.Format, size int) []byte {
		return inHistory(f, `{"role":"user",`+numbered(size, `"m#":[0]`)+`}`)
	},
	"members of a part": func(f wire.Format, size int) []byte {
		return inMessage(f, `{"type":"x",`+numbered(size, `"m#":"a"`)+`}`)
	},
	"a large call": func(f wire.Format, size int) []byte {
		input := `{` + numbered(size, `"m#":"a"`) + `}`
		switch f {
		case wire.Gemini:
			return inMessage(f, `{"functionCall":{"name":"Bash","args":`+input+`}}`)
		case wire.Anthropic:
			return inMessage(f, `{"type":"tool_use","id":"c","name":"Bash","input":`+input+`}`)
		case wire.OpenAIResponses:
			return inHistory(f, `{"type":"function_call","call_id":"c","name":"Bash","arguments":`+strconv.Quote(input)+`}`)
		default:
			return inHistory(f, `{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"Bash","arguments":`+strconv.Quote(input)+`}}]}`)
		}
	},
	"a long command": func(f wire.Format, size int) []byte {
		command := strings.Repeat("echo a; ", size/8)
		switch f {
		case wire.Gemini:
			return inMessage(f, `{"functionCall":{"name":"Bash","args":{"command":"`+command+`"}}}`)
		case wire.Anthropic:
			return inMessage(f, `{"type":"tool_use","id":"c","name":"Bash","input":{"command":"`+command+`"}}`)
		case wire.OpenAIResponses:
			return inHistory(f, `{"type":"function_call","call_id":"c","name":"Bash","arguments":"{\"command\":\"`+command+`\"}"}`)
		default:
			return inHistory(f, `{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"Bash","arguments":"{\"command\":\"`+command+`\"}"}}]}`)
		}
	},
}

// repeated is a list of the first piece that is not empty, about as long as size.
func repeated(size int, pieces ...string) string {
	for _, piece := range pieces {
		if piece != "" {
			return strings.TrimSuffix(strings.Repeat(piece+",", max(size/(len(piece)+1), 1)), ",")
		}
	}
	return ""
}

// numbered is a list of pieces in which each # is a number.
func numbered(size int, piece string) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strings.ReplaceAll(piece, "#", strconv.Itoa(i)))
	}
	return b.String()
}

func saying(f wire.Format, text string) string {
	if f == wire.Gemini {
		return `{"role":"user","parts":[{"text":"` + text + `"}]}`
	}
	return `{"role":"user","content":"` + text + `"}`
}

// inMessage is a request with parts in one message of the assistant.
func inMessage(f wire.Format, parts string) []byte {
	if f == wire.Gemini {
		return inHistory(f, `{"role":"model","parts":[`+parts+`]}`)
	}
	return inHistory(f, `{"role":"assistant","content":[`+parts+`]}`)
}

// inHistory is a request with messages.
func inHistory(f wire.Format, messages string) []byte {
	key := map[wire.Format]string{wire.Gemini: "contents", wire.OpenAIResponses: "input"}[f]
	if key == "" {
		key = "messages"
	}
	return []byte(`{"model":"m","stream":true,"` + key + `":[` + saying(f, "hi") + `,` + messages + `]}`)
}

// with is a request with one more member.
func with(f wire.Format, member string) []byte {
	body := bytes.TrimSuffix(inHistory(f, saying(f, "go on")), []byte("}"))
	return append(body, ","+member+"}"...)
}

func withTools(f wire.Format, tools string) []byte {
	if f == wire.Gemini {
		return with(f, `"tools":[{"functionDeclarations":[`+tools+`]}]`)
	}
	return with(f, `"tools":[`+tools+`]`)
}

// results is a request with calls and their results, one by one.
func manyResults(f wire.Format, size int, text string) []byte {
	return inHistory(f, numbered(size, map[wire.Format]string{
		wire.Gemini: `{"role":"model","parts":[{"functionCall":{"name":"Bash","args":{"command":"ls #"}}}]},{"role":"user","parts":[{"functionResponse":{"name":"Bash","response":{"output":"` + text + `"}}}]}`,
		wire.Anthropic: `{"role":"assistant","content":[{"type":"tool_use","id":"c#","name":"Bash","input":{"command":"ls #"}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c#","content":"` + text + `"}]}`,
		wire.OpenAIResponses: `{"type":"function_call","call_id":"c#","name":"Bash","arguments":"{\"command\":\"ls #\"}"},{"type":"function_call_output","call_id":"c#","output":"` + text + `"}`,
		wire.OpenAIChat: `{"role":"assistant","tool_calls":[{"id":"c#","type":"function","function":{"name":"Bash","arguments":"{\"command\":\"ls #\"}"}}]},` +
			`{"role":"tool","tool_call_id":"c#","content":"` + text + `"}`,
	}[f]))
}

// oneResult is a request with a call and its result, which is the JSON value.
func oneResult(f wire.Format, value string) []byte {
	switch f {
	case wire.Gemini:
		return inHistory(f, `{"role":"model","parts":[{"functionCall":{"name":"Bash","args":{"command":"ls"}}}]},{"role":"user","parts":[{"functionResponse":{"name":"Bash","response":{"output":`+value+`}}}]}`)
	case wire.Anthropic:
		return inHistory(f, `{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"Bash","input":{"command":"ls"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":`+value+`}]}`)
	case wire.OpenAIResponses:
		return inHistory(f, `{"type":"function_call","call_id":"c","name":"Bash","arguments":"{\"command\":\"ls\"}"},{"type":"function_call_output","call_id":"c","output":`+value+`}`)
	default:
		return inHistory(f, `{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"Bash","arguments":"{\"command\":\"ls\"}"}}]},{"role":"tool","tool_call_id":"c","content":`+value+`}`)
	}
}

// measured is a gateway without a network whose cost can be measured. Its upstream
// answers every request with a text and a call.
type measured struct {
	*gateway.Gateway

	held func() // is called while the upstream is asked
}

func newMeasured(t testing.TB) *measured {
	t.Helper()
	m := &measured{}
	g, err := gateway.New(gateway.Config{Policies: policy.NewLive(recommended()), Transport: m, Observe: func(gateway.Event) {}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	m.Gateway = g
	return m
}

// RoundTrip answers in the dialect of the path.
func (m *measured) RoundTrip(r *http.Request) (*http.Response, error) {
	if m.held != nil {
		m.held()
	}
	if r.Body != nil {
		_ = r.Body.Close()
	}
	for _, format := range wire.Formats() {
		if path, _, _ := strings.Cut(target(format, true), "?"); r.URL.Path == path {
			events := sluicetest.SSE(string(format), sluicetest.Build(string(format), [][]llm.Block{said("hm", "git push origin main")}, sluicetest.BuildOptions{}))
			return &http.Response{
				StatusCode: http.StatusOK, Header: headers("Content-Type", "text/event-stream"), ContentLength: -1,
				Body: io.NopCloser(bytes.NewReader(events)), Request: r,
			}, nil
		}
	}
	return nil, io.ErrUnexpectedEOF
}

// ask serves one request and returns what the client got, how many bytes were
// allocated, in how many pieces, and how many were held while the upstream was
// asked.
func (m *measured) ask(format wire.Format, body []byte) (got *httptest.ResponseRecorder, bytesAll, pieces, held int) {
	var before, during, after runtime.MemStats
	r := httptest.NewRequest(http.MethodPost, target(format, true), bytes.NewReader(body))
	got = httptest.NewRecorder()
	runtime.GC()
	runtime.ReadMemStats(&before)
	m.held = func() {
		runtime.GC()
		runtime.ReadMemStats(&during)
	}
	m.ServeHTTP(got, r)
	runtime.ReadMemStats(&after)
	return got, int(after.TotalAlloc - before.TotalAlloc), int(after.Mallocs - before.Mallocs), max(0, int(during.HeapAlloc)-int(before.HeapAlloc))
}

func TestMeasure(t *testing.T) {
	m := newMeasured(t)
	for _, format := range wire.Formats() {
		m.ask(format, question(format, true))
		for _, name := range slices.Sorted(maps.Keys(bigShapes)) {
			body := bigShapes[name](format, mega()<<20)
			begin := time.Now()
			got, all, pieces, held := m.ask(format, body)
			t.Logf("%-17s %-28s %5dK status %d all %5.1fx held %5.1fx mallocs %7d %v", format, name, len(body)>>10, got.Code, float64(all)/float64(len(body)), float64(held)/float64(len(body)), pieces, time.Since(begin))
		}
	}
}

func mega() int {
	n, _ := strconv.Atoi(os.Getenv("MEGA"))
	return max(n, 1)
}
