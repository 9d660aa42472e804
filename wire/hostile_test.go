package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/recording"
	"github.com/sluice-project/sluice/wire/sse"
)

// The matrix of bad inputs. Whatever arrives, in any format: a typed error or
// the right result, within the configured limits, in bounded memory, without a
// panic and without a lost block. These tests must not run in parallel with
// others: they measure memory.

// hostile is what a format's hostile streams are made of.
type hostile struct {
	format wire.Format
	// begin and end surround every stream, open and close surround deltas.
	begin, end, open, closing []string
	// empty is a delta that says nothing, text one that says %s, call one whole
	// call with the number %[1]d.
	empty, text string
	call        []string
	// nested is a payload with %s in a place that nobody reads.
	nested string
	// many is one payload with %s where a list of many small things can stand,
	// with its smallest elements.
	many []crowd
}

type crowd struct{ payload, element string }

var hostiles = []hostile{
	{
		format: wire.OpenAIChat,
		end:    []string{`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`, `[DONE]`},
		empty:  `{"choices":[{"index":0,"delta":{"content":""},"finish_reason":null}]}`,
		text:   `{"choices":[{"index":0,"delta":{"content":"%s"},"finish_reason":null}]}`,
		call: []string{
			`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":%[1]d,"id":"c%[1]d","type":"function","function":{"name":"f","arguments":"{\"n\":"}}]}}]}`,
			`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":%[1]d,"function":{"arguments":"%[1]d}"}}]}}]}`,
		},
		nested: `{"choices":[],"vendor":%s}`,
		many: []crowd{
			{`{"choices":[%s]}`, `{"finish_reason":"a"},{"finish_reason":"b"}`},
			{`{"choices":[{"delta":{"tool_calls":[%s]}}]}`, `{}`},
			{`{"choices":[{"delta":{"tool_calls":[%s]}}]}`, `{"function":{"arguments":"a"}}`},
			{`{"choices":[{"delta":{"content":[%s]}}]}`, `1`},
			{`{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[%s]}]}}]}`, `{"text":"a"}`},
			{`{"choices":[{"delta":{"reasoning_details":[%s]}}]}`, `1`},
			{`{"choices":[{"delta":{%s}}]}`, `"a":1`},
		},
	},
	{
		format: wire.Anthropic,
		begin: []string{
			`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"c","content":[],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}`,
		},
		end: []string{
			`{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":2}}`,
			`{"type":"message_stop"}`,
		},
		open:    []string{`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`},
		closing: []string{`{"type":"content_block_stop","index":0}`},
		empty:   `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":""}}`,
		text:    `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"%s"}}`,
		call: []string{
			`{"type":"content_block_start","index":%[1]d,"content_block":{"type":"tool_use","id":"c%[1]d","name":"f","input":{}}}`,
			`{"type":"content_block_delta","index":%[1]d,"delta":{"type":"input_json_delta","partial_json":"{\"n\":%[1]d}"}}`,
			`{"type":"content_block_stop","index":%[1]d}`,
		},
		nested: `{"type":"ping","vendor":%s}`,
		many: []crowd{
			{`{"type":"message_start","message":{"id":"m","content":[%s]}}`, `{"type":"t"}`},
			{`{"type":"message","content":[%s]}`, `{}`},
		},
	},
	{
		format: wire.OpenAIResponses,
		begin:  []string{`{"type":"response.created","response":{"id":"r","object":"response","status":"in_progress","output":[]}}`},
		end:    []string{`{"type":"response.completed","response":{"id":"r","object":"response","status":"completed","output":[]}}`},
		open:   []string{`{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"m","role":"assistant","content":[]}}`},
		empty:  `{"type":"response.output_text.delta","output_index":0,"content_index":0,"item_id":"m","delta":""}`,
		text:   `{"type":"response.output_text.delta","output_index":0,"content_index":0,"item_id":"m","delta":"%s"}`,
		call: []string{
			`{"type":"response.output_item.added","output_index":%[1]d,"item":{"type":"function_call","id":"f%[1]d","call_id":"c%[1]d","name":"f","arguments":""}}`,
			`{"type":"response.output_item.done","output_index":%[1]d,"item":{"type":"function_call","id":"f%[1]d","call_id":"c%[1]d","name":"f","arguments":"{\"n\":%[1]d}"}}`,
		},
		nested: `{"type":"response.in_progress","vendor":%s}`,
		many: []crowd{
			{`{"type":"response.completed","response":{"output":[%s]}}`, `{}`},
			{`{"type":"response.output_item.done","output_index":0,"item":{"type":"message","content":[%s]}}`, `{}`},
			{`{"type":"response.output_item.done","output_index":0,"item":{"type":"message","content":[%s]}}`, `{"type":"refusal"},{"type":"text"}`},
		},
	},
	{
		format: wire.Gemini,
		end:    []string{`{"candidates":[{"index":0,"content":{"parts":[]},"finishReason":"STOP"}]}`},
		empty:  `{"candidates":[{"index":0,"content":{"parts":[{"text":""}]}}]}`,
		text:   `{"candidates":[{"index":0,"content":{"parts":[{"text":"%s"}]}}]}`,
		call:   []string{`{"candidates":[{"index":0,"content":{"parts":[{"functionCall":{"id":"c%[1]d","name":"f","args":{"n":%[1]d}}}]}}]}`},
		nested: `{"candidates":[],"vendor":%s}`,
		many: []crowd{
			{`{"candidates":[%s]}`, `{"finishReason":"A"},{"finishReason":"B"}`},
			{`{"candidates":[{"content":{"parts":[%s]}}]}`, `{"text":"a"}`},
			{`{%s}`, `"a":1`},
			{`[%s]`, `{}`},
		},
	},
}

func eachHostile(t *testing.T, test func(t *testing.T, h *hostile)) {
	t.Helper()
	for i := range hostiles {
		t.Run(string(hostiles[i].format), func(t *testing.T) { test(t, &hostiles[i]) })
	}
}

// frame puts payloads into events, as the format's writer would.
func (h *hostile) frame(payloads ...string) string {
	var b []byte
	for _, p := range payloads {
		name := ""
		if _, rest, ok := strings.Cut(p, `{"type":"`); ok && strings.HasPrefix(p, `{"type":"`) {
			name, _, _ = strings.Cut(rest, `"`)
		}
		b = sse.AppendEvent(b, name, []byte(p))
	}
	return string(b)
}

// around returns a stream of middle between the format's beginning and end.
func (h *hostile) around(middle io.Reader) io.Reader {
	return io.MultiReader(
		strings.NewReader(h.frame(h.begin...)), middle, strings.NewReader(h.frame(h.end...)))
}

// inText returns a stream of middle inside an open text block.
func (h *hostile) inText(middle io.Reader) io.Reader {
	return h.around(io.MultiReader(
		strings.NewReader(h.frame(h.open...)), middle, strings.NewReader(h.frame(h.closing...))))
}

// generated is a reader of n texts, made as they are read.
type generated struct {
	n, next int
	make    func(i int) string
	left    string
}

func (g *generated) Read(p []byte) (int, error) {
	done := 0
	for done < len(p) {
		if g.left == "" {
			if g.next == g.n {
				break
			}
			g.left = g.make(g.next)
			g.next++
		}
		n := copy(p[done:], g.left)
		done += n
		g.left = g.left[n:]
	}
	if done == 0 {
		return 0, io.EOF
	}
	return done, nil
}

func repeated(text string, n int) io.Reader {
	return &generated{n: n, make: func(int) string { return text }}
}

// watched looks at the heap while it is read.
type watched struct {
	io.Reader

	reads int
	peak  uint64
}

func (w *watched) Read(p []byte) (int, error) {
	if w.reads++; w.reads%64 == 0 {
		w.look()
	}
	return w.Reader.Read(p)
}

func (w *watched) look() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	w.peak = max(w.peak, m.HeapAlloc)
}

// inspect reads a stream and fails the test if that took more memory than most,
// or if the error is not one of the typed ones.
func inspect(t *testing.T, r io.Reader, opts recording.Options, most uint64) *recording.Report {
	t.Helper()
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	w := &watched{Reader: r}
	report, err := recording.Inspect(w, opts)
	w.look()
	if w.peak > before.HeapAlloc+most {
		t.Errorf("reading took %d MiB, more than %d MiB", (w.peak-before.HeapAlloc)>>20, most>>20)
	}
	switch {
	case err != nil:
		if !recording.IsUnreadable(err) && !typed(err) {
			t.Errorf("untyped error %T: %v", err, err)
		}
		return nil
	case report.Complete && report.Failure != nil:
		t.Errorf("complete, and failed: %v", report.Failure)
	case !report.Complete && !typed(report.Failure):
		t.Errorf("not complete, and untyped failure %T: %v", report.Failure, report.Failure)
	}
	return report
}

func typed(err error) bool {
	var (
		protocol *stream.ProtocolError
		limit    *stream.LimitError
		provider *stream.ProviderError
	)
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, sse.ErrTooLong) ||
		errors.As(err, &protocol) || errors.As(err, &limit) || errors.As(err, &provider)
}

const mebi = 1 << 20

// A stream that is cut anywhere is not complete unless all of it was there, and
// no call of it counts as whole with other arguments than it has.
func TestCutAnywhere(t *testing.T) {
	for _, format := range wire.Formats() {
		t.Run(string(format), func(t *testing.T) {
			r := rand.New(rand.NewPCG(11, 7))
			want := []llm.Block{
				{Kind: llm.Content, Text: "I will look — at “it”. 🙂"},
				{Kind: llm.ToolCall, ID: "call_1", Name: "read", Arguments: `{"path":"/tmp/a","n":[1,2,{"x":"é"}]}`},
				{Kind: llm.ToolCall, ID: "call_2", Name: "write", Arguments: `{"path":"/tmp/b","text":"\"quoted\"\n"}`},
			}
			payloads := sluicetest.Build(string(format), [][]llm.Block{want}, sluicetest.BuildOptions{Rand: r, MaxPiece: 9, Usage: true})
			h := hostile{format: format}
			whole := h.frame(payloads...)
			full := inspect(t, strings.NewReader(whole), recording.Options{Format: format}, 64*mebi)
			if full == nil || !full.Complete || len(full.Choices[0].Blocks) != len(want) {
				t.Fatalf("the stream itself is not read: %+v", full)
			}
			for cut := 0; cut < len(whole); cut += 1 + r.IntN(7) {
				report, err := recording.Inspect(strings.NewReader(whole[:cut]), recording.Options{Format: format})
				if err != nil {
					if !recording.IsUnreadable(err) {
						t.Fatalf("cut at %d: untyped error %T: %v", cut, err, err)
					}
					continue
				}
				checkCut(t, cut, report, full)
			}
		})
	}
}

func checkCut(t *testing.T, cut int, report, full *recording.Report) {
	t.Helper()
	if report.Complete != (report.Failure == nil) || !report.Complete && !typed(report.Failure) {
		t.Fatalf("cut at %d: complete=%v, failure %T: %v", cut, report.Complete, report.Failure, report.Failure)
	}
	var blocks []recording.Block
	if len(report.Choices) > 0 {
		blocks = report.Choices[0].Blocks
	}
	whole := full.Choices[0].Blocks
	if len(blocks) > len(whole) || report.Complete && len(blocks) < len(whole) {
		t.Fatalf("cut at %d: %d blocks of %d", cut, len(blocks), len(whole))
	}
	for i, b := range blocks {
		if b.Kind == llm.ToolCall && b.Status == llm.Complete && b != whole[i] {
			t.Fatalf("cut at %d: a call counts as whole: %+v", cut, b)
		}
		if b.Arguments == "{}" && b.Status == llm.Incomplete {
			continue // what a call begins with where the format has it
		}
		if !strings.HasPrefix(whole[i].Arguments, b.Arguments) || !strings.HasPrefix(whole[i].Text, b.Text) {
			t.Fatalf("cut at %d: block %d is none of the answer: %+v", cut, i, b)
		}
	}
}

// What is no answer is refused with a typed error.
func TestGarbage(t *testing.T) {
	eachHostile(t, func(t *testing.T, h *hostile) {
		r := rand.New(rand.NewPCG(3, 9))
		noise := make([]byte, 64<<10)
		for i := range noise {
			noise[i] = byte(r.Uint32())
		}
		inputs := []string{
			"", "\x00", "\xff\xfe{\x00}\x00", "\ufeff", "<html>502 Bad Gateway</html>", "null", "[]", "{}", "[[]]", `"data: {}"`,
			"data:\n\n", "data\n\n", "event: x\n\n", "data: {}\n\n", "data: []\n\n", "data: null\n\n", "data: 1\n\n", "data: {\n\n",
			"data: {\"type\":1}\n\n", "data: {\"choices\":{}}\n\n", "data: {\"candidates\":{}}\n\n", "\r\r\r", ":\n", "data: [DONE]\n\n",
			string(noise), "data: " + strings.ReplaceAll(string(noise), "\n", " ") + "\n\n",
		}
		for _, in := range inputs {
			report := inspect(t, strings.NewReader(in), recording.Options{Format: h.format}, 32*mebi)
			if report == nil || len(report.Choices) == 0 {
				continue
			}
			t.Errorf("%.40q has choices: %+v", in, report.Choices)
		}
		// Garbage inside an answer ends it, whatever came before.
		middle := "data: " + strings.ReplaceAll(string(noise), "\n", " ") + "\n\n"
		report := inspect(t, h.around(strings.NewReader(middle)), recording.Options{Format: h.format}, 32*mebi)
		if report != nil && report.Complete {
			t.Error("garbage was passed over")
		}
	})
}

// One line of 100 MB costs no more than the limit allows.
func TestEndlessLine(t *testing.T) {
	eachHostile(t, func(t *testing.T, h *hostile) {
		long := func() io.Reader { return repeated(strings.Repeat("a", 64<<10), 1600) }
		for name, in := range map[string]io.Reader{
			"data":    io.MultiReader(strings.NewReader("data: {\"a\":\""), long()),
			"event":   io.MultiReader(strings.NewReader("event: "), long()),
			"unknown": io.MultiReader(strings.NewReader("retry"), long()),
			"json":    io.MultiReader(strings.NewReader("{\"a\":\""), long()),
			"array":   io.MultiReader(strings.NewReader("[{\"a\":\""), long()),
			"lines":   io.MultiReader(strings.NewReader("data: {\n"), repeated("data: \"a\n", 12_000_000)),
		} {
			t.Run(name, func(t *testing.T) {
				_, err := recording.Inspect(in, recording.Options{Format: h.format, MaxPayload: mebi})
				if name != "unknown" && !errors.Is(err, sse.ErrTooLong) {
					t.Errorf("got %v, want an event that is too long", err)
				}
			})
		}
		said := h.frame(fmt.Sprintf(h.text, "said"))
		inText := h.inText(io.MultiReader(strings.NewReader(said+"data: {\"a\":\""), long()))
		report := inspect(t, inText, recording.Options{Format: h.format, MaxPayload: mebi}, 16*mebi)
		if report == nil || report.Complete || !errors.Is(report.Failure, sse.ErrTooLong) || report.Choices[0].Blocks[0].Text != "said" {
			t.Errorf("got %+v, want an event that is too long", report)
		}
	})
}

// Bytes that are not UTF-8 are kept as they are.
func TestInvalidUTF8(t *testing.T) {
	const bad = "a\xff\xc3\x28\xed\xa0\x80\xf8\x88b"
	eachHostile(t, func(t *testing.T, h *hostile) {
		in := h.inText(strings.NewReader(h.frame(fmt.Sprintf(h.text, bad))))
		report := inspect(t, in, recording.Options{Format: h.format}, 16*mebi)
		if report == nil || !report.Complete || report.Choices[0].Blocks[0].Text != bad {
			t.Errorf("got %+v", report)
		}
	})
}

// Nesting that is too deep is refused, also where nobody reads it.
func TestDeepNesting(t *testing.T) {
	eachHostile(t, func(t *testing.T, h *hostile) {
		for _, depth := range []int{100, 100_000} {
			for _, nest := range []string{
				strings.Repeat("[", depth) + strings.Repeat("]", depth),
				strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth),
				strings.Repeat("[", depth),
			} {
				in := h.around(strings.NewReader(h.frame(fmt.Sprintf(h.nested, nest))))
				report := inspect(t, in, recording.Options{Format: h.format}, 32*mebi)
				legal := depth == 100 && !strings.HasSuffix(nest, "[")
				if got := report != nil && report.Complete; got != legal {
					t.Errorf("depth %d, %.12s: complete=%v", depth, nest, got)
				}
			}
		}
	})
}

// Comments without end cost nothing and hide nothing.
func TestEndlessComments(t *testing.T) {
	eachHostile(t, func(t *testing.T, h *hostile) {
		comments := io.MultiReader(
			repeated(": keep-alive\n\n", 250_000),
			strings.NewReader(":"), repeated(strings.Repeat("x", 64<<10), 256), strings.NewReader("\n"),
		)
		in := h.inText(io.MultiReader(comments, strings.NewReader(h.frame(fmt.Sprintf(h.text, "said")))))
		report := inspect(t, in, recording.Options{Format: h.format}, 16*mebi)
		if report == nil || !report.Complete || report.Choices[0].Blocks[0].Text != "said" {
			t.Errorf("got %+v", report)
		}
	})
}

// A great many deltas that say nothing cost nothing and open nothing. A million
// take a while with the race detector: SLUICE_FULL asks for them.
func TestEmptyDeltas(t *testing.T) {
	n := 30_000
	if os.Getenv("SLUICE_FULL") != "" {
		n = 1_000_000
	}
	eachHostile(t, func(t *testing.T, h *hostile) {
		empty := repeated(h.frame(h.empty), n)
		said := strings.NewReader(h.frame(fmt.Sprintf(h.text, "said")))
		report := inspect(t, h.inText(io.MultiReader(empty, said)), recording.Options{Format: h.format}, 16*mebi)
		if report == nil || !report.Complete || len(report.Choices[0].Blocks) != 1 || report.Choices[0].Blocks[0].Text != "said" {
			t.Errorf("got %+v", report)
		}
		if report != nil && report.Payloads < n {
			t.Errorf("%d payloads were read", report.Payloads)
		}
	})
}

// As many blocks as the limit allows arrive, each with its own arguments, and
// leave as they came; one more is a limit error.
func TestManyBlocks(t *testing.T) {
	eachHostile(t, func(t *testing.T, h *hostile) {
		calls := func(n int) io.Reader {
			return h.around(&generated{n: n, make: func(i int) string {
				payloads := make([]string, len(h.call))
				for k, p := range h.call {
					payloads[k] = fmt.Sprintf(p, i)
				}
				return h.frame(payloads...)
			}})
		}
		const n = stream.DefaultMaxBlocks
		report := inspect(t, calls(n), recording.Options{Format: h.format}, 96*mebi)
		if report == nil || !report.Complete || len(report.Choices) != 1 || len(report.Choices[0].Blocks) != n {
			t.Fatal("blocks were lost")
		}
		for i, b := range report.Choices[0].Blocks {
			if b.Kind != llm.ToolCall || b.Status != llm.Complete || b.ID != fmt.Sprintf("c%d", i) || b.Arguments != fmt.Sprintf(`{"n":%d}`, i) {
				t.Fatalf("block %d is %+v", i, b)
			}
		}
		few := stream.Limits{Blocks: 100}
		report = inspect(t, calls(101), recording.Options{Format: h.format, Limits: few}, 96*mebi)
		if limit := new(stream.LimitError); report == nil || !errors.As(report.Failure, &limit) {
			t.Errorf("one block more than allowed: %v", report)
		}

		var in, out bytes.Buffer
		opts := recording.RecodeOptions{Options: recording.Options{Format: h.format}, To: h.format}
		if err := recording.Recode(&out, io.TeeReader(calls(300), &in), opts); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(in.Bytes(), out.Bytes()) {
			t.Error("what passes through is changed")
		}
	})
}

// One payload of very many very small things costs a bounded multiple of it.
func TestCrowdedPayload(t *testing.T) {
	eachHostile(t, func(t *testing.T, h *hostile) {
		for _, crowd := range h.many {
			const size = mebi / 4
			body := strings.Repeat(crowd.element+",", size/(len(crowd.element)+1)) + crowd.element
			payload := []byte(strings.Replace(crowd.payload, "%s", body, 1))
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			decoder, state := h.format.NewDecoder(), stream.NewState(stream.Limits{})
			chunk := stream.Chunk{Raw: payload}
			err := decoder.Decode(&chunk)
			if err == nil {
				err = state.Apply(&chunk)
			}
			runtime.ReadMemStats(&after)
			if got := after.TotalAlloc - before.TotalAlloc; got > 128*mebi {
				t.Errorf("%.60s: %d MiB for a payload of a quarter of a MiB", payload, got>>20)
			}
			if err != nil && !typed(err) {
				t.Errorf("%.60s: untyped error %T: %v", payload, err, err)
			}
		}
	})
}

// The name of an event cannot carry a line of its own to clients that break
// lines in more places than the standard does.
func TestNameCarriesNoLine(t *testing.T) {
	eachHostile(t, func(t *testing.T, h *hostile) {
		for _, line := range []string{"\u2028", "\u2029", "\u0085", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x00"} {
			smuggled := "event: x" + line + "data: {}" + line + line + "\n"
			in := h.inText(strings.NewReader(smuggled + h.frame(fmt.Sprintf(h.text, "said"))))
			var out bytes.Buffer
			opts := recording.RecodeOptions{Options: recording.Options{Format: h.format}, To: h.format}
			if err := recording.Recode(&out, in, opts); err != nil && !typed(err) && !recording.IsUnreadable(err) {
				t.Errorf("untyped error %T: %v", err, err)
			}
			if strings.Contains(out.String(), line) {
				t.Errorf("%q passed", line)
			}
		}
	})
}

// evil is what a client must not run unjudged.
const evil = `{"command":"rm -rf /"}`

// Calls that an official client, or one whose JSON reader does not mind the case
// of names, would find in places where a careless reader does not look. Each
// answer fails, or the call is reported with exactly its arguments.
func TestHiddenCalls(t *testing.T) {
	quoted := `"{\"command\":\"rm -rf /\"}"`
	chatCall := `[{"index":0,"id":"a","type":"function","function":{"name":"bash","arguments":` + quoted + `}}]`
	use := `{"type":"tool_use","id":"t","name":"bash","input":` + evil + `}`
	item := `{"type":"function_call","id":"f","call_id":"c","name":"bash","arguments":` + quoted + `}`
	harmless := `{"type":"function_call","id":"f","call_id":"c","name":"bash","arguments":"{}"}`
	chat, anthropic, responses, gemini := &hostiles[0], &hostiles[1], &hostiles[2], &hostiles[3]
	tests := []struct {
		name     string
		h        *hostile
		payloads []string
		alone    bool // without the beginning and end of the format
	}{
		{"message after delta", chat, []string{`{"choices":[{"index":0,"delta":{},"message":{"tool_calls":` + chatCall + `}}]}`}, false},
		{"message before delta", chat, []string{`{"choices":[{"index":0,"message":{"tool_calls":` + chatCall + `},"delta":{"content":"a"}}]}`}, false},
		{"function_call in message", chat, []string{`{"choices":[{"delta":{},"message":{"function_call":{"name":"bash","arguments":` + quoted + `}}}]}`}, false},
		{"whole message beside delta", chat, []string{`{"object":"chat.completion","choices":[{"index":0,"delta":{"content":"a"},"message":{"tool_calls":` + chatCall + `},"finish_reason":"tool_calls"}]}`}, true},
		{"other letters", chat, []string{`{"choices":[{"index":0,"delta":{"content":"a","Tool_Calls":` + chatCall + `}}]}`}, false},
		{"other letters outside", chat, []string{`{"choices":[],"CHOICES":[{"index":0,"delta":{"tool_calls":` + chatCall + `}}]}`}, false},
		{"long s", chat, []string{`{"choices":[],"choiceſ":[{"index":0,"delta":{"tool_calls":` + chatCall + `}}]}`}, false},
		{"other letters in a call", chat, []string{`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"bash","arguments":"{}","Arguments":` + quoted + `}}]}}]}`}, false},
		{"after the finish", chat, []string{chat.end[0], `{"choices":[{"index":0,"delta":{"tool_calls":` + chatCall + `}}]}`}, true},
		{"whole message as an event", anthropic, []string{`{"type":"message_stop","role":"assistant","content":[` + use + `],"stop_reason":"tool_use"}`}, true},
		{"in message_start", anthropic, []string{`{"type":"message_start","message":{"id":"m","content":[` + use + `],"stop_reason":"tool_use"}}`, `{"type":"message_stop"}`}, true},
		{"other letters", anthropic, []string{`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"a","Type":"tool_use","id":"t","name":"bash","input":` + evil + `}}`, `{"type":"content_block_stop","index":0}`}, false},
		{"other letters outside", anthropic, []string{`{"type":"ping","Type":"content_block_start","index":0,"content_block":` + use + `}`}, false},
		{"prefilled, then a space", anthropic, []string{
			`{"type":"content_block_start","index":0,"content_block":` + use + `}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":" "}}`,
			`{"type":"content_block_stop","index":0}`,
		}, false},
		{"whole response as an event", responses, []string{`{"type":"response.completed","object":"response","status":"completed","response":{"output":[]},"output":[` + item + `]}`}, true},
		{"only in the output", responses, []string{`{"type":"response.completed","response":{"status":"completed","output":[` + item + `]}}`}, true},
		{"done twice", responses, []string{
			`{"type":"response.output_item.done","output_index":0,"item":` + harmless + `}`,
			`{"type":"response.output_item.done","output_index":0,"item":` + item + `}`,
		}, false},
		{"another one in the output", responses, []string{
			`{"type":"response.output_item.done","output_index":0,"item":` + harmless + `}`,
			`{"type":"response.completed","response":{"status":"completed","output":[` + item + `]}}`,
		}, true},
		{"other letters", responses, []string{`{"type":"response.output_item.done","output_index":0,"item":{"type":"message","content":[],"Type":"function_call","call_id":"c","name":"bash","arguments":` + quoted + `}}`}, false},
		{"other letters in the response", responses, []string{`{"type":"response.completed","response":{"status":"completed","output":[],"Output":[` + item + `]}}`}, true},
		{"snake case", gemini, []string{`{"candidates":[{"index":0,"content":{"parts":[{"function_call":{"name":"bash","args":` + evil + `}}]}}]}`}, false},
		{"other letters", gemini, []string{`{"candidates":[{"index":0,"content":{"parts":[{"text":"a","FunctionCall":{"name":"bash","args":` + evil + `}}]}}]}`}, false},
	}
	for _, test := range tests {
		t.Run(string(test.h.format)+"/"+test.name, func(t *testing.T) {
			payloads := test.payloads
			if !test.alone {
				payloads = append(append(append([]string{}, test.h.begin...), payloads...), test.h.end...)
			}
			p := stream.NewProcessor(test.h.format.NewDecoder(), stream.Limits{}, nil, nil)
			for _, payload := range payloads {
				if err := p.Feed(t.Context(), "", []byte(payload)); err != nil {
					return
				}
			}
			if err := p.End(t.Context()); err != nil {
				return
			}
			for _, b := range p.State().Blocks() {
				other, _ := b.Other()
				if b.Kind() == llm.ToolCall && b.Name() == "bash" && (b.Arguments() == evil || other == evil) {
					return
				}
			}
			t.Error("the answer counts as complete and the call was not told")
		})
	}
}

// A request does not hide a tool from its reader that a provider would see.
func TestHiddenTools(t *testing.T) {
	for _, test := range []struct {
		format wire.Format
		body   string
	}{
		{wire.OpenAIChat, `{"messages":[],"tools":[{"type":"function","function":{"name":"evil"},"tools":[]}]}`},
		{wire.OpenAIChat, `{"messages":[],"tools":[{"type":"custom","function":{"name":"nice"},"custom":{"name":"evil"}}]}`},
		{wire.OpenAIChat, `{"messages":[],"Tools":[{"type":"function","function":{"name":"evil"}}]}`},
		{wire.OpenAIChat, `{"messages":[],"tools":[],"tools":[{"type":"function","function":{"name":"evil"}}]}`},
		{wire.Anthropic, `{"messages":[],"Tools":[{"name":"evil"}]}`},
		{wire.Anthropic, `{"messages":[],"tools":[],"tools":[{"name":"evil"}]}`},
		{wire.OpenAIResponses, `{"input":"","TOOLS":[{"type":"function","name":"evil"}]}`},
		{wire.OpenAIResponses, `{"input":"","tools":[{"type":"function","name":"evil","tools":[]}]}`},
		{wire.Gemini, `{"contents":[],"tools":[{"function_declarations":[{"name":"evil"}]}]}`},
		{wire.Gemini, `{"contents":[],"tools":[{"functionDeclarations":[],"function_declarations":[{"name":"evil"}]}]}`},
	} {
		request, err := test.format.ReadRequest([]byte(test.body))
		if err != nil {
			continue
		}
		found := false
		for i := range request.Tools {
			found = found || request.Tools[i].Name == "evil"
		}
		if !found {
			t.Errorf("%s: the tool is hidden in %s", test.format, test.body)
		}
	}
}
