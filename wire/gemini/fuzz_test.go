package gemini_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/edit"
	"github.com/sluice-project/sluice/wire/gemini"
)

// collect decodes payloads into a state. The error is the decoder's; a limit of
// the state counts as one.
func collect(tb testing.TB, lines [][]byte) (*stream.State, []stream.Deviation, error) {
	tb.Helper()
	d, s := gemini.NewDecoder(), stream.NewState(stream.Limits{})
	var c stream.Chunk
	apply := func() error {
		for i := range c.Events {
			if ev := &c.Events[i]; ev.Block >= 0 && ev.Kind == 0 {
				tb.Fatalf("an event without a kind: %+v", ev)
			} else if ev.Span.Start < 0 || ev.Span.End > len(c.Raw) {
				tb.Fatalf("an event outside its payload: %+v", ev)
			}
		}
		err := s.Apply(&c)
		if limit := (*stream.LimitError)(nil); err != nil && !errors.As(err, &limit) {
			tb.Fatalf("the state refused %s: %v", c.Raw, err)
		}
		return err
	}
	for _, line := range lines {
		c.Raw, c.Name = line, ""
		if err := d.Decode(&c); err != nil {
			if len(c.Events) > 0 {
				tb.Fatalf("events of a payload that was refused: %s", line)
			}
			return s, d.Deviations(), err
		}
		if err := apply(); err != nil {
			return s, d.Deviations(), err
		}
	}
	end := d.End(&c)
	if err := apply(); err != nil {
		return s, d.Deviations(), err
	}
	if end != nil {
		s.Cut()
	}
	return s, d.Deviations(), end
}

// digest is everything that was read, in one string.
func digest(s *stream.State) string {
	var b strings.Builder
	for _, c := range s.Choices() {
		fmt.Fprintf(&b, "choice %d %q %v\n", c.Index(), c.FinishReason(), c.Finish())
		for _, block := range c.Blocks() {
			v := block.Value()
			fmt.Fprintf(&b, "%v %q %q %q %q %q %q %q %v\n", v.Kind, v.ID, v.Name, v.Type, v.ToolUseID, v.Text, v.Arguments, v.Signature, v.Status)
		}
	}
	fmt.Fprintf(&b, "%v %v", s.Complete(), s.Err())
	return b.String()
}

func FuzzDecoder(f *testing.F) {
	for _, seed := range []string{
		hello + "\n" + callA + "\n" + ending,
		strings.Join(streamed, "\n") + "\n" + ending,
		callAB + "\n" + `{"error":{"code":1,"message":"m","status":"S"}}`,
		`[` + hello + `,{"error":"x"}]`,
		`{"promptFeedback":{"blockReason":"X"}}`,
		`{"candidates":[{"content":{"parts":[{"executableCode":{"id":"a"}},{"codeExecutionResult":{"output":"x"}},{"toolCall":{}},{"toolResponse":{}},{"inlineData":{}},{"x":1,"thoughtSignature":"s"},{"text":"","thoughtSignature":"t"}]},"index":3}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a[0]['b'][\"c\"].d","stringValue":"x"},{"jsonPath":"$.n","numberValue":1e3},{"jsonPath":"$.z","nullValue":"NULL_VALUE"},{"jsonPath":"$.t","boolValue":false}]}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		lines := bytes.Split(data, []byte("\n"))
		s, notes, err := collect(t, lines)
		again, notesAgain, errAgain := collect(t, lines)
		if digest(s) != digest(again) || !slices.Equal(notes, notesAgain) || fmt.Sprint(err) != fmt.Sprint(errAgain) {
			t.Fatal("the same bytes were read in two ways")
		}
		if err != nil || !slices.ContainsFunc(lines, func(l []byte) bool { return len(l) > 0 && l[0] == '{' }) {
			return
		}
		for _, l := range lines {
			if l = bytes.TrimSpace(l); len(l) == 0 || l[0] != '{' {
				return
			}
		}
		// All payloads as the elements of one array say the same.
		one, _, err := collect(t, [][]byte{append(append([]byte("["), bytes.Join(lines, []byte(","))...), ']')})
		if err == nil && digest(one) != digest(s) {
			t.Fatalf("in one array:\n%s\nin payloads:\n%s", digest(one), digest(s))
		}
	})
}

// made is a legal upstream answer whose blocks are marked.
type made struct {
	chunks []*stream.Chunk
	marks  map[[2]int]string // by choice and block
	args   map[string]string // arguments of the calls, by name
}

// makeAnswer makes a legal answer: every part of a block holds its mark.
func makeAnswer(tb testing.TB, r *rand.Rand, answer string) made {
	tb.Helper()
	m := made{marks: map[[2]int]string{}, args: map[string]string{}}
	choices := 1 + r.IntN(2)
	queues := make([][]string, choices)
	for c := range queues {
		last := ""
		block := 0
		for range r.IntN(6) {
			mark := fmt.Sprintf("%s-c%d-b%d;", answer, c, block)
			parts, kind := makeBlock(r, mark, last, m.args)
			if parts == nil {
				continue
			}
			m.marks[[2]int{c, block}] = mark
			queues[c] = append(queues[c], parts...)
			last = kind
			block++
		}
	}
	var lines []string
	finished := make([]bool, choices)
	for slices.Contains(finished, false) {
		var candidates []string
		for c := range queues {
			if finished[c] || len(candidates) > 0 && r.IntN(3) > 0 {
				continue
			}
			n := min(len(queues[c]), r.IntN(3))
			content := ""
			if n > 0 {
				content = `"content":{"parts":[` + strings.Join(queues[c][:n], ", ") + `],"role":"model"},`
			}
			queues[c] = queues[c][n:]
			finish := ""
			if len(queues[c]) == 0 && r.IntN(2) == 0 {
				finish = `"finishReason":"` + []string{"STOP", "MAX_TOKENS", "SAFETY"}[r.IntN(3)] + `",`
				finished[c] = true
			}
			candidates = append(candidates, fmt.Sprintf(`{%s%s"index": %d}`, content, finish, c))
		}
		usage := ""
		if r.IntN(2) == 0 {
			usage = `"usageMetadata":{"promptTokenCount":3},`
		}
		lines = append(lines, fmt.Sprintf(`{"candidates":[%s],%s"modelVersion":"m","responseId":%q}`, strings.Join(candidates, ","), usage, answer))
	}
	if r.IntN(8) == 0 { // the provider gives up instead of finishing
		lines[len(lines)-1] = `{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}`
	}
	m.chunks = chunks(tb, lines...)
	return m
}

// makeBlock returns the parts of a random block and its kind, nil if it would
// run together with the one before.
func makeBlock(r *rand.Rand, mark, last string, args map[string]string) ([]string, string) {
	switch kind := []string{"text", "thought", "call", "call", "stream", "opaque", "code"}[r.IntN(7)]; kind {
	case "text", "thought":
		if kind == last {
			return nil, ""
		}
		thought := ""
		if kind == "thought" {
			thought = `,"thought":true`
		}
		var parts []string
		for range 1 + r.IntN(3) {
			parts = append(parts, fmt.Sprintf(`{"text":%q%s}`, mark, thought))
		}
		if r.IntN(3) == 0 {
			parts = append(parts, fmt.Sprintf(`{"text":"","thoughtSignature":"sig-%s"}`, mark))
		}
		return parts, kind
	case "call":
		id := ""
		if r.IntN(2) == 0 {
			id = fmt.Sprintf(`"id":%q,`, strings.TrimSuffix(mark, ";")) // kept by a replacement
		}
		args[mark] = `{"mark":"` + mark + `"}`
		return []string{fmt.Sprintf(`{"functionCall":{%s"name":%q,"args":%s}}`, id, mark, args[mark])}, kind
	case "stream":
		parts := []string{fmt.Sprintf(`{"functionCall":{"name":%q,"willContinue":true}}`, mark)}
		text := ""
		for n := range r.IntN(4) {
			text += fmt.Sprint(mark, n)
			parts = append(parts, fmt.Sprintf(`{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"%s%d","willContinue":true}],"willContinue":true}}`, mark, n))
		}
		args[mark] = ""
		if text != "" {
			args[mark] = `{"a":"` + text + `"}`
		}
		return append(parts, `{"functionCall":{}}`), kind
	case "opaque":
		return []string{fmt.Sprintf(`{"inlineData":{"data":%q}}`, mark)}, kind
	default:
		return []string{fmt.Sprintf(`{"executableCode":{"code":%q}}`, mark)}, kind
	}
}

// driver does random things to a writer.
type driver struct {
	t    testing.TB
	r    *rand.Rand
	w    *gemini.Writer
	out  []byte
	over bool // the writer has ended
	gone map[string]bool
	own  int
	args map[string]string
}

func (d *driver) done(out []byte, err error) {
	d.out = out
	switch {
	case errors.Is(err, stream.ErrGap), errors.Is(err, stream.ErrTerminated):
		d.over = true
	case err != nil && !errors.Is(err, stream.ErrTooLate) && !errors.Is(err, stream.ErrNotWritable):
		d.t.Fatalf("unexpected error: %v", err)
	}
}

func (d *driver) block() llm.Block {
	d.own++
	name := fmt.Sprintf("own%d", d.own)
	switch d.r.IntN(3) {
	case 0:
		args := []string{"", "{}", `{"n": [1]}`}[d.r.IntN(3)]
		d.args[name] = args
		return llm.Block{Kind: llm.ToolCall, Name: name, Arguments: args, ID: []string{"", "id"}[d.r.IntN(2)]}
	case 1:
		return llm.Block{Kind: llm.Thinking, Text: name}
	default:
		return llm.Block{Kind: llm.Content, Text: name}
	}
}

func (d *driver) edit(m *made) {
	choice, block := d.r.IntN(2), d.r.IntN(6)
	switch d.r.IntN(3) {
	case 0:
		d.done(d.w.Insert(d.out, choice, d.block()))
	case 1:
		if d.w.Replace(stream.At{Choice: choice, Block: block}) == nil {
			d.gone[m.marks[[2]int{choice, block}]] = true
		}
	default:
		if b := d.block(); d.w.Replace(stream.At{Choice: choice, Block: block}, b) == nil {
			d.gone[m.marks[[2]int{choice, block}]] = true
		}
	}
}

// play writes the chunks of an answer, with edits, gaps and repetitions.
func (d *driver) play(m *made, wild bool, upTo int) {
	for i := 0; i < upTo && !d.over; i++ {
		for d.r.IntN(3) == 0 {
			d.edit(m)
		}
		luck := d.r.IntN(64)
		switch {
		case wild && luck < 8: // left out
		case wild && luck < 15:
			d.done(d.w.Write(d.out, m.chunks[d.r.IntN(len(m.chunks))]))
			if !d.over {
				d.done(d.w.Write(d.out, m.chunks[i]))
			}
		default:
			d.done(d.w.Write(d.out, m.chunks[i]))
		}
	}
}

func checkWriter(tb testing.TB, a, b uint64) {
	tb.Helper()
	r := rand.New(rand.NewPCG(a, b))
	d := &driver{t: tb, r: r, gone: map[string]bool{}, args: map[string]string{}}
	d.w = gemini.NewWriter(stream.WriterOptions{Force: r.IntN(2) == 0, NewID: func() string { return "x" }})
	wild := r.IntN(2) == 0
	first := makeAnswer(tb, r, "one")
	args := first.args
	if r.IntN(3) == 0 {
		d.play(&first, wild, r.IntN(len(first.chunks)))
		if !d.over {
			var err error
			d.out, err = d.w.Continue(d.out)
			d.done(d.out, err)
			if !d.over { // also after a refusal: a caller may not listen
				second := makeAnswer(tb, r, "two")
				maps.Copy(args, second.args)
				d.play(&second, wild, len(second.chunks))
			}
		}
	} else {
		d.play(&first, wild, len(first.chunks)-r.IntN(2)*r.IntN(len(first.chunks)))
	}
	if r.IntN(4) == 0 {
		d.out = d.w.Keepalive(d.out)
	}
	if r.IntN(4) == 0 {
		d.done(d.w.Fail(d.out, errors.New("no")))
	} else {
		d.done(d.w.Terminate(d.out))
	}
	if err := sluicetest.ValidateGemini(d.out); err != nil {
		tb.Fatalf("%v\n%s", err, d.out)
	}
	for mark := range d.gone {
		if mark != "" && bytes.Contains(d.out, []byte(mark)) {
			tb.Fatalf("%s was replaced and still left\n%s", mark, d.out)
		}
	}
	report, err := sluicetest.Inspect(sluicetest.Gemini, d.out)
	if err != nil {
		tb.Fatal(err)
	}
	if report.Failed {
		return
	}
	s, _, err := collect(tb, payloadsOf(d.out))
	if err != nil {
		tb.Fatalf("%v\n%s", err, d.out)
	}
	for _, c := range s.Choices() {
		for _, block := range c.Blocks() {
			if block.Kind() != llm.ToolCall {
				continue
			}
			want, known := args[block.Name()]
			if !known {
				want, known = d.args[block.Name()]
			}
			if !known || block.Arguments() != want {
				tb.Fatalf("the client sees the call %s(%s), which nobody made: want %q\n%s", block.Name(), block.Arguments(), want, d.out)
			}
		}
	}
}

// payloadsOf returns the payloads of a stream that has one line for each.
func payloadsOf(out []byte) [][]byte {
	var lines [][]byte
	for line := range bytes.Lines(out) {
		if data, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data: ")); ok {
			lines = append(lines, data)
		}
	}
	return lines
}

func TestWriterIsLegalWhateverItIsAskedFor(t *testing.T) {
	for seed := range uint64(3000) {
		checkWriter(t, seed, 7)
	}
}

func FuzzWriter(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) { checkWriter(t, a, b) })
}

// What is decoded is what was said, however it was cut.
func TestRandomAnswersComeBack(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 3))
		blocks := sluicetest.RandomBlocks(r, sluicetest.Gemini)
		lines := sluicetest.Build(sluicetest.Gemini, [][]llm.Block{blocks}, sluicetest.BuildOptions{Rand: r})
		var raw [][]byte
		for _, l := range lines {
			raw = append(raw, []byte(l))
		}
		s, notes, err := collect(t, raw)
		if err != nil || len(notes) > 0 {
			t.Fatalf("%v %v", err, notes)
		}
		body := &stream.Chunk{Raw: []byte(sluicetest.BuildBody(sluicetest.Gemini, [][]llm.Block{blocks}, sluicetest.BuildOptions{}))}
		whole := stream.NewState(stream.Limits{})
		if err := errors.Join(gemini.NewDecoder().DecodeWhole(body), whole.Apply(body)); err != nil {
			t.Fatal(err)
		}
		for _, state := range []*stream.State{s, whole} {
			got := state.Response().Choices[0].Blocks
			if len(got) != len(blocks) {
				t.Fatalf("got %d blocks, want %d: %s", len(got), len(blocks), lines)
			}
			for i, want := range blocks {
				g := got[i]
				if g.Kind != want.Kind || want.Kind != llm.ServerTool && want.Kind != llm.ToolResult && want.Kind != llm.Opaque &&
					(g.Text != want.Text || g.Arguments != want.Arguments || g.Signature != want.Signature || g.Name != want.Name) {
					t.Fatalf("got %+v\nwant %+v", g, want)
				}
			}
		}
	}
}

func FuzzReadRequest(f *testing.F) {
	f.Add([]byte(request))
	f.Add([]byte(`{"contents":[{"parts":[{"text":"a"},{"functionResponse":{"name":"f","response":{"a":["x",{"b":"y"}]}}},{"inline_data":{}},{"x":1}]}],"tools":[{"google_search":{}}],"system_instruction":"s"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		req, err := gemini.ReadRequest(body)
		if err != nil {
			if bad := (*llm.RequestError)(nil); !errors.As(err, &bad) {
				t.Fatalf("got %T", err)
			}
			return
		}
		checkSpans(t, body, req)
	})
}

// checkSpans redacts every text of a request, each alone, and finds every other
// byte where it was.
func checkSpans(tb testing.TB, body []byte, req *llm.Request) {
	tb.Helper()
	lists := [][]llm.Block{req.System}
	for _, m := range req.Messages {
		lists = append(lists, m.Blocks)
	}
	tried := 0
	for _, list := range lists {
		for _, b := range list {
			if string(b.Span.In(body)) != string(b.Raw) {
				tb.Fatalf("the span of %+v is not its own", b)
			}
			if b.BodySpan.IsZero() {
				continue
			}
			tried++
			if tried > 50 {
				return
			}
			var e edit.Edits
			e.ReplaceString(b.BodySpan, "[redacted]")
			edited, err := e.Apply(nil, body)
			if err != nil {
				tb.Fatal(err)
			}
			if !bytes.HasPrefix(edited, body[:b.BodySpan.Start]) || !bytes.HasSuffix(edited, body[b.BodySpan.End:]) {
				tb.Fatal("other bytes changed")
			}
			if _, err := gemini.ReadRequest(edited); err != nil {
				tb.Fatalf("an edited request cannot be read: %v\n%s", err, edited)
			}
		}
	}
	for _, tool := range req.Tools {
		if string(tool.Span.In(body)) != string(tool.Raw) {
			tb.Fatalf("the span of the tool %s is not its own", tool.Name)
		}
	}
}
