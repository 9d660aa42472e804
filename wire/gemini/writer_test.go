package gemini_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/gemini"
)

// chunks decodes payloads; the last chunk is that of the end.
func chunks(tb testing.TB, lines ...string) []*stream.Chunk {
	tb.Helper()
	d := gemini.NewDecoder()
	var list []*stream.Chunk
	for _, line := range lines {
		c := &stream.Chunk{Raw: []byte(line)}
		if err := d.Decode(c); err != nil {
			tb.Fatalf("%s: %v", line, err)
		}
		list = append(list, c.Clone())
	}
	c := &stream.Chunk{}
	if err := d.End(c); err != nil && !errors.Is(err, stream.ErrIncomplete) {
		tb.Fatal(err)
	}
	return append(list, c.Clone())
}

// script drives a writer and fails the test where an error was not expected.
type script struct {
	t   *testing.T
	w   *gemini.Writer
	out []byte
}

func start(t *testing.T, force bool) *script {
	t.Helper()
	return &script{t: t, w: gemini.NewWriter(stream.WriterOptions{Force: force, NewID: func() string { return "new" }})}
}

func (s *script) write(list ...*stream.Chunk) {
	s.t.Helper()
	for _, c := range list {
		var err error
		if s.out, err = s.w.Write(s.out, c); err != nil {
			s.t.Fatalf("writing %s: %v", c.Raw, err)
		}
	}
}

func (s *script) replace(block int, with ...llm.Block) {
	s.t.Helper()
	if err := s.w.Replace(stream.At{Block: block}, with...); err != nil {
		s.t.Fatalf("replacing %d: %v", block, err)
	}
}

func (s *script) insert(blocks ...llm.Block) {
	s.t.Helper()
	var err error
	if s.out, err = s.w.Insert(s.out, 0, blocks...); err != nil {
		s.t.Fatalf("inserting: %v", err)
	}
}

func (s *script) terminate() {
	s.t.Helper()
	var err error
	if s.out, err = s.w.Terminate(s.out); err != nil {
		s.t.Fatal(err)
	}
}

// lines are the payloads that were written; it checks that they are legal.
func (s *script) lines() string {
	s.t.Helper()
	if err := sluicetest.ValidateGemini(s.out); err != nil {
		s.t.Errorf("not legal: %v\n%s", err, s.out)
	}
	return strings.ReplaceAll(strings.TrimSpace(strings.ReplaceAll(string(s.out), "data: ", "")), "\n\n", "\n")
}

func (s *script) want(lines ...string) {
	s.t.Helper()
	if got, want := s.lines(), strings.Join(lines, "\n"); got != want {
		s.t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func text(s string) llm.Block { return llm.Block{Kind: llm.Content, Text: s} }

func call(name, args string) llm.Block {
	return llm.Block{Kind: llm.ToolCall, Name: name, Arguments: args}
}

const (
	hello  = `{"candidates":[{"content":{"parts":[{"text":"Hello"}],"role":"model"},"index":0}],"modelVersion":"m","responseId":"r"}`
	callA  = `{"candidates":[{"content":{"parts":[{"functionCall":{"id":"1","name":"a","args":{"x": 1}},"thoughtSignature":"s"}],"role":"model"},"index":0}],"modelVersion":"m","responseId":"r"}`
	callB  = `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"b"}}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":1},"modelVersion":"m","responseId":"r"}`
	callAB = `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"a","args":{}}}, {"functionCall":{"name":"b"}}],"role":"model"},"index":0}],"modelVersion":"m","responseId":"r"}`
	ending = `{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":9},"modelVersion":"m","responseId":"r"}`
	// stopped is what the writer itself ends an answer with.
	stopped = `{"candidates":[{"finishReason":"STOP","index":0}],"modelVersion":"m","responseId":"r"}`
)

func TestUneditedChunksKeepTheirBytes(t *testing.T) {
	s := start(t, false)
	spaced := strings.ReplaceAll(hello, ":", " :  ")
	s.write(chunks(t, spaced, callA, ending)...)
	s.want(spaced, callA, ending)
}

func TestForceOnlyAddsWhatIsMissing(t *testing.T) {
	s := start(t, true)
	s.write(chunks(t, hello, `{"candidates":[{"content":{"parts":[{"text":"!"}]}}]}`, `{"candidates":[{"finishReason":"STOP"}]}`)...)
	s.want(hello, `{"candidates":[{"content":{"parts":[{"text":"!"}],"role":"model"},"index":0}]}`, `{"candidates":[{"finishReason":"STOP","index":0}]}`)
}

func TestReplace(t *testing.T) {
	notice := text("blocked")
	for _, tc := range []struct {
		name  string
		lines []string
		do    func(s *script)
		want  []string
	}{
		{
			"a call is removed, its chunk with it", []string{hello, callA, ending},
			func(s *script) { s.replace(1) },
			[]string{hello, ending},
		},
		{
			"a call is removed, the usage of its chunk stays", []string{hello, callB, ending},
			func(s *script) { s.replace(1) },
			[]string{hello, `{"candidates":[{"index":0}],"usageMetadata":{"promptTokenCount":1},"modelVersion":"m","responseId":"r"}`, ending},
		},
		{
			"a call becomes a text", []string{hello, callA, ending},
			func(s *script) { s.replace(1, notice) },
			[]string{hello, strings.Replace(callA, `{"functionCall":{"id":"1","name":"a","args":{"x": 1}},"thoughtSignature":"s"}`, `{"text":"blocked"}`, 1), ending},
		},
		{
			"a call becomes another, keeps its id and loses its signature", []string{callA, ending},
			func(s *script) { s.replace(0, call("a", "{\n\"x\": 2}")) },
			[]string{strings.Replace(callA, `{"functionCall":{"id":"1","name":"a","args":{"x": 1}},"thoughtSignature":"s"}`, `{"functionCall":{"id":"1","name":"a","args":{"x":2}}}`, 1), ending},
		},
		{
			"one of two calls in a chunk is removed", []string{callAB, ending},
			func(s *script) { s.replace(0) },
			[]string{strings.Replace(callAB, `{"functionCall":{"name":"a","args":{}}}, `, ``, 1), ending},
		},
		{
			"the text for the second call goes before the first", []string{callAB, ending},
			func(s *script) { s.replace(1, notice) },
			[]string{strings.Replace(callAB, `{"functionCall":{"name":"a","args":{}}}, {"functionCall":{"name":"b"}}`, `{"text":"blocked"},{"functionCall":{"name":"a","args":{}}}`, 1), ending},
		},
		{
			"the text for both calls", []string{callAB, ending},
			func(s *script) { s.replace(0, text("1")); s.replace(1, text("2")) },
			[]string{strings.Replace(callAB, `{"functionCall":{"name":"a","args":{}}}, {"functionCall":{"name":"b"}}`, `{"text":"1"}, {"text":"2"}`, 1), ending},
		},
		{
			"the text for a call after one that was sent takes its place", []string{callA, callB, ending},
			func(s *script) { s.replace(1, notice) },
			[]string{callA, strings.Replace(callB, `{"functionCall":{"name":"b"}}`, `{"text":"blocked"}`, 1), ending},
		},
		{
			"a text becomes another, over its chunks", []string{hello, hello, ending},
			func(s *script) { s.replace(0, notice) },
			[]string{strings.Replace(hello, "Hello", "blocked", 1), ending},
		},
		{
			"a text becomes nothing when it is replaced by an empty one", []string{hello, callA, ending},
			func(s *script) { s.replace(0, text("")) },
			[]string{callA, ending},
		},
		{
			"what quotes a removed text goes with it",
			[]string{hello, `{"candidates":[{"content":{"parts":[{"text":"!"}],"role":"model"},"finishReason":"STOP","citationMetadata":{"citations":[]},"groundingMetadata":{"groundingSupports":[{"segment":{"text":"Hello!"}}],"webSearchQueries":["q"]},"logprobsResult":{"a":1}}]}`},
			func(s *script) { s.replace(0) },
			[]string{`{"candidates":[{"finishReason":"STOP","groundingMetadata":{"webSearchQueries":["q"]}}]}`},
		},
		{
			"the finish is kept whatever was removed",
			[]string{strings.Replace(callA, `"index":0`, `"finishReason":"MAX_TOKENS","index":0`, 1)},
			func(s *script) { s.replace(0) },
			[]string{`{"candidates":[{"finishReason":"MAX_TOKENS","index":0}],"modelVersion":"m","responseId":"r"}`},
		},
		{
			"a streamed call is removed with all its parts",
			append([]string{hello}, append(streamed, ending)...),
			func(s *script) { s.replace(1) },
			[]string{hello, ending},
		},
		{
			"a streamed call becomes a whole one",
			append([]string{hello}, append(streamed, ending)...),
			func(s *script) { s.replace(1, call("g", "")) },
			[]string{hello, `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"g"}}]}}],"responseId":"r"}`, ending},
		},
		{
			"an opaque part becomes a text",
			[]string{`{"candidates":[{"content":{"parts":[{"inlineData":{"data":"x"}}],"role":"model"},"finishReason":"STOP"}]}`},
			func(s *script) { s.replace(0, notice) },
			[]string{`{"candidates":[{"content":{"parts":[{"text":"blocked"}],"role":"model"},"finishReason":"STOP"}]}`},
		},
		{
			"the signature that follows a removed text goes too",
			[]string{hello, `{"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"s"}],"role":"model"},"finishReason":"STOP"}]}`},
			func(s *script) { s.replace(0) },
			[]string{`{"candidates":[{"finishReason":"STOP"}]}`},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := start(t, false)
			list := chunks(t, tc.lines...)
			tc.do(s)
			s.write(list...)
			s.want(tc.want...)
		})
	}
}

// streamed is a call whose arguments come in pieces.
var streamed = []string{
	`{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f","willContinue":true}}]}}],"responseId":"r"}`,
	`{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.p","stringValue":"/tmp","willContinue":true}],"willContinue":true}}]}}],"responseId":"r"}`,
	`{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.p","stringValue":"/x"}],"willContinue":true}}]}}],"responseId":"r"}`,
	`{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{}}]}}],"responseId":"r"}`,
}

func TestReplaceIsRefused(t *testing.T) {
	s := start(t, false)
	list := chunks(t, hello, callA, callB, ending)
	s.write(list[0])
	for _, tc := range []struct {
		name  string
		block int
		with  llm.Block
		want  error
	}{
		{"what was sent", 0, text("x"), stream.ErrAlreadySent},
		{"by thinking", 1, llm.Block{Kind: llm.Thinking, Text: "x"}, stream.ErrNotWritable},
		{"by a refusal", 1, llm.Block{Kind: llm.Refusal, Text: "x"}, stream.ErrNotWritable},
		{"by an opaque block", 1, llm.Block{Kind: llm.Opaque}, stream.ErrNotWritable},
		{"by a call without a name", 1, call("", "{}"), stream.ErrNotWritable},
		{"by a call with arguments that are no object", 1, call("f", "[]"), stream.ErrNotWritable},
		{"by a call with arguments that are no JSON", 1, call("f", "{"), stream.ErrNotWritable},
		{"by a call with a key twice", 1, call("f", `{"a":1,"a":2}`), stream.ErrNotWritable},
		{"a block that cannot be", -1, text("x"), stream.ErrNotWritable},
	} {
		if err := s.w.Replace(stream.At{Block: tc.block}, tc.with); !errors.Is(err, tc.want) {
			t.Errorf("%s: got %v, want %v", tc.name, err, tc.want)
		}
	}
	s.write(list[1:]...)
	s.want(hello, callA, callB, ending)
	if err := s.w.Replace(stream.At{Block: 3}, text("x")); !errors.Is(err, stream.ErrTerminated) {
		t.Errorf("after the end: %v", err)
	}
}

func TestReplaceTwiceOnceItWasWritten(t *testing.T) {
	s := start(t, false)
	s.replace(0, text("x"))
	s.write(chunks(t, hello, ending)[:1]...)
	if err := s.w.Replace(stream.At{Block: 0}, text("y")); !errors.Is(err, stream.ErrAlreadySent) {
		t.Errorf("got %v", err)
	}
}

func TestInsert(t *testing.T) {
	const note = `{"candidates":[{"content":{"role":"model","parts":[{"text":"note"}]},"index":0}],"modelVersion":"m","responseId":"r"}`
	for _, tc := range []struct {
		name string
		do   func(s *script, list []*stream.Chunk)
		want []string
	}{
		{
			"before anything came",
			func(s *script, list []*stream.Chunk) { s.insert(text("note")); s.write(list...) },
			[]string{strings.Replace(note, `,"modelVersion":"m","responseId":"r"`, "", 1), hello, callA, ending},
		},
		{
			"between chunks, with the answer's envelope",
			func(s *script, list []*stream.Chunk) { s.write(list[0]); s.insert(text("note")); s.write(list[1:]...) },
			[]string{hello, note, callA, ending},
		},
		{
			"nothing",
			func(s *script, list []*stream.Chunk) { s.insert(text("")); s.write(list...) },
			[]string{hello, callA, ending},
		},
		{
			"a call whose id is taken",
			func(s *script, list []*stream.Chunk) {
				s.write(list[:2]...)
				b := call("c", `{"y":2}`)
				b.ID = "1"
				s.insert(b)
				s.write(list[2:]...)
			},
			[]string{hello, callA, `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"id":"call_new","name":"c","args":{"y":2}}}]},"index":0}],"modelVersion":"m","responseId":"r"}`, ending},
		},
		{
			"a call of upstream whose id was taken",
			func(s *script, list []*stream.Chunk) {
				b := call("c", "")
				b.ID = "1"
				s.insert(b)
				s.write(list[1:]...)
			},
			[]string{`{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"id":"1","name":"c"}}]},"index":0}]}`, strings.Replace(callA, `"id":"1"`, `"id":"call_new"`, 1), ending},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := start(t, false)
			tc.do(s, chunks(t, hello, callA, ending))
			s.want(tc.want...)
		})
	}
}

func TestInsertIsRefused(t *testing.T) {
	s := start(t, false)
	list := chunks(t, callA, ending)
	for _, b := range []llm.Block{{Kind: llm.Refusal, Text: "x"}, {Kind: llm.ServerTool}, {Kind: llm.Opaque}, {Kind: llm.ToolResult}, {}} {
		if _, err := s.w.Insert(nil, 0, b); !errors.Is(err, stream.ErrNotWritable) {
			t.Errorf("%v: %v", b.Kind, err)
		}
	}
	s.write(list[0])
	if out, err := s.w.Insert(nil, 0, text("x")); !errors.Is(err, stream.ErrTooLate) || out != nil {
		t.Errorf("text after a call: %v", err)
	}
	s.write(list[1])
	if out, err := s.w.Insert(nil, 0, call("f", "")); !errors.Is(err, stream.ErrTooLate) || out != nil {
		t.Errorf("a call after the finish: %v", err)
	}
	s.write(list[2])
	s.want(callA, ending)
}

func TestInsertedCallWaitsForTheStreamedOne(t *testing.T) {
	inserted := `{"functionCall":{"name":"g"}}`
	s := start(t, false)
	list := chunks(t, append(append([]string{}, streamed...), ending)...)
	s.write(list[:2]...)
	s.insert(call("g", ""))
	s.write(list[2:]...)
	s.want(streamed[0], streamed[1], streamed[2], strings.Replace(streamed[3], `{"functionCall":{}}`, `{"functionCall":{}},`+inserted, 1), ending)
}

func TestInsertedBlocksComeBack(t *testing.T) {
	blocks := []llm.Block{
		{Kind: llm.Thinking, Text: "hm", Signature: "sig="},
		{Kind: llm.Content, Text: "a\n\"b\"\u2028"},
		{Kind: llm.ToolCall, ID: "1", Name: "f", Arguments: `{"a": [1, 2.50]}`, Signature: "s2"},
		{Kind: llm.ToolCall, Name: "f"},
	}
	s := start(t, false)
	s.insert(blocks...)
	s.terminate()
	s.lines()
	state := stream.NewState(stream.Limits{})
	for _, c := range chunks(t, strings.Split(s.lines(), "\n")...) {
		if err := state.Apply(c); err != nil {
			t.Fatal(err)
		}
	}
	got := state.Response().Choices[0].Blocks
	if len(got) != len(blocks) || !state.Complete() {
		t.Fatalf("got %+v", got)
	}
	for i, b := range blocks {
		g := got[i]
		if g.Kind != b.Kind || g.ID != b.ID || g.Name != b.Name || g.Text != b.Text || g.Arguments != b.Arguments || g.Signature != b.Signature {
			t.Errorf("got %+v, want %+v", g, b)
		}
	}
}

func TestContinueKeepsTheFirstAnswersEnvelope(t *testing.T) {
	second := strings.NewReplacer(`"m"`, `"m2"`, `"r"`, `"r2"`)
	s := start(t, false)
	s.write(chunks(t, hello, callA, ending)[0])
	out, err := s.w.Continue(s.out)
	if err != nil {
		t.Fatal(err)
	}
	s.out = out
	s.write(chunks(t, second.Replace(hello), second.Replace(callA), second.Replace(ending))...)
	s.want(hello, hello, callA, ending)
}

func TestContinueIsRefused(t *testing.T) {
	s := start(t, false)
	s.write(chunks(t, hello, ending)[:2]...)
	if _, err := s.w.Continue(nil); !errors.Is(err, stream.ErrTooLate) {
		t.Errorf("after the finish: %v", err)
	}
	s = start(t, false)
	s.write(chunks(t, streamed...)[:1]...)
	out, err := s.w.Continue(s.out)
	if !errors.Is(err, stream.ErrGap) || !strings.Contains(string(out), `"error"`) {
		t.Errorf("in a call: %v %s", err, out)
	}
}

func TestTerminate(t *testing.T) {
	for _, tc := range []struct {
		name string
		n    int
		want []string
	}{
		{"nothing was sent", 0, []string{`{"candidates":[{"finishReason":"STOP","index":0}]}`}},
		{"text was sent", 1, []string{hello, stopped}},
		{"a call was sent", 2, []string{hello, callA, stopped}},
		{"the finish was sent", 3, []string{hello, callA, ending}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := start(t, false)
			s.write(chunks(t, hello, callA, ending)[:tc.n]...)
			s.terminate()
			s.want(tc.want...)
			for name, do := range map[string]func() ([]byte, error){
				"Write":     func() ([]byte, error) { return s.w.Write(nil, chunks(t, hello)[0]) },
				"Insert":    func() ([]byte, error) { return s.w.Insert(nil, 0, text("x")) },
				"Continue":  func() ([]byte, error) { return s.w.Continue(nil) },
				"Terminate": func() ([]byte, error) { return s.w.Terminate(nil) },
				"Fail":      func() ([]byte, error) { return s.w.Fail(nil, nil) },
				"Replace":   func() ([]byte, error) { return nil, s.w.Replace(stream.At{Block: 0}) },
			} {
				if out, err := do(); !errors.Is(err, stream.ErrTerminated) || len(out) > 0 {
					t.Errorf("%s afterwards: %q, %v", name, out, err)
				}
			}
			if out := s.w.Keepalive(nil); out != nil {
				t.Errorf("Keepalive afterwards: %q", out)
			}
		})
	}
}

func TestTerminateInTheMiddleOfACallFails(t *testing.T) {
	s := start(t, false)
	s.write(chunks(t, streamed...)[:2]...)
	s.terminate()
	if got := s.lines(); !strings.Contains(got, `{"error":{"code":502,`) || strings.Contains(got, "STOP") {
		t.Errorf("got %s", got)
	}
}

func TestPieceOfACallLeftOut(t *testing.T) {
	for _, order := range [][]int{{0, 2, 3}, {0, 1, 3}, {0, 2, 1, 3}, {0, 1, 2, 4}} {
		s := start(t, false)
		list := chunks(t, append(append([]string{}, streamed...), ending)...)
		var err error
		for _, i := range order {
			if s.out, err = s.w.Write(s.out, list[i]); err != nil {
				break
			}
		}
		if !errors.Is(err, stream.ErrGap) || !strings.Contains(s.lines(), `"error"`) {
			t.Errorf("%v: got %v\n%s", order, err, s.out)
		}
	}
	s := start(t, false) // what is only repeated does no harm
	list := chunks(t, append(append([]string{}, streamed...), ending)...)
	s.write(list[0], list[1], list[1], list[2], list[0], list[3], list[3], list[4], list[4], list[5])
	s.want(append(append([]string{}, streamed...), ending, `{"candidates":[{"index":0}],"usageMetadata":{"promptTokenCount":9},"modelVersion":"m","responseId":"r"}`)...)
}

func TestFinishLeftOut(t *testing.T) {
	s := start(t, false)
	list := chunks(t, hello, callA, ending)
	s.write(list[0], list[1], list[3])
	s.want(hello, callA, stopped)
}

func TestFail(t *testing.T) {
	for _, tc := range []struct {
		name  string
		cause error
		want  string
	}{
		{"an error of Sluice", errors.New("judge \"x\" failed"), `{"error":{"code":502,"message":"judge \"x\" failed","status":"UNAVAILABLE"}}`},
		{"no cause", nil, `{"error":{"code":502,"message":"the answer failed","status":"UNAVAILABLE"}}`},
		{"the provider's own", &stream.ProviderError{Raw: []byte("{\"code\":429,\n\"message\":\"slow\"}")}, `{"error":{"code":429,"message":"slow"}}`},
		{"the provider's words", &stream.ProviderError{Type: "RESOURCE_EXHAUSTED", Code: "429", Message: "slow"}, `{"error":{"code":429,"message":"slow","status":"RESOURCE_EXHAUSTED"}}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := start(t, false)
			s.write(chunks(t, hello)[0])
			out, err := s.w.Fail(s.out, tc.cause)
			if err != nil {
				t.Fatal(err)
			}
			s.out = out
			s.want(hello, tc.want)
		})
	}
}

func TestProviderErrorPassesAndNothingFollows(t *testing.T) {
	const failure = `{"error":{"code":503,"message":"x","status":"UNAVAILABLE"}}`
	for _, edited := range []bool{false, true} {
		s := start(t, edited)
		s.write(chunks(t, hello, failure)...)
		if _, err := s.w.Insert(nil, 0, text("x")); !errors.Is(err, stream.ErrTooLate) {
			t.Errorf("got %v", err)
		}
		s.terminate()
		s.want(hello, failure)
	}
}

func TestBlockedPromptPasses(t *testing.T) {
	const blocked = `{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":8}}`
	for _, force := range []bool{false, true} {
		s := start(t, force)
		s.write(chunks(t, blocked)[0])
		s.terminate()
		s.want(blocked)
	}
}

func TestKeepalive(t *testing.T) {
	s := start(t, false)
	s.write(chunks(t, hello)[0])
	s.out = s.w.Keepalive(s.out)
	if !strings.HasSuffix(string(s.out), "\n\n\n\n") {
		t.Errorf("got %q", s.out)
	}
}

func whole(t *testing.T, body string) *stream.Chunk {
	t.Helper()
	c := &stream.Chunk{Raw: []byte(body)}
	if err := gemini.NewDecoder().DecodeWhole(c); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestWholeResponseIsWrittenAsABody(t *testing.T) {
	body := strings.Replace(callAB, `"index":0`, "\"finishReason\":\"STOP\",\n\"index\":0", 1)
	s := start(t, false)
	s.write(whole(t, body))
	if string(s.out) != body {
		t.Errorf("got %s", s.out)
	}
	if _, err := s.w.Terminate(nil); !errors.Is(err, stream.ErrTerminated) {
		t.Errorf("got %v", err)
	}
	s.write(&stream.Chunk{Seq: 1}) // the end of the bytes says nothing more

	s = start(t, false)
	s.replace(0)
	s.replace(1, text("blocked"))
	s.write(whole(t, body))
	want := strings.Replace(body, `{"functionCall":{"name":"a","args":{}}}, {"functionCall":{"name":"b"}}`, `{"text":"blocked"}`, 1)
	if string(s.out) != want {
		t.Errorf("got %s, want %s", s.out, want)
	}
	if err := sluicetest.ValidateBody(sluicetest.Gemini, s.out); err != nil {
		t.Error(err)
	}

	s = start(t, false) // after a notice the body is one more chunk
	s.insert(text("note"))
	s.write(whole(t, strings.ReplaceAll(body, "\n", "")))
	s.want(`{"candidates":[{"content":{"role":"model","parts":[{"text":"note"}]},"index":0}]}`, strings.ReplaceAll(body, "\n", ""))
}
