package wire_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// seeds is how many random answers each property meets in each format.
func seeds() uint64 {
	if os.Getenv("SLUICE_FULL") != "" {
		return 400
	}
	return 120
}

// eachSeed runs a property for every format and many random answers.
func eachSeed(t *testing.T, property func(t *testing.T, format wire.Format, r *rand.Rand)) {
	for _, format := range wire.Formats() {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			for seed := range seeds() {
				property(t, format, rand.New(rand.NewPCG(seed, 7)))
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
}

func randomOptions(r *rand.Rand) sluicetest.BuildOptions {
	return sluicetest.BuildOptions{
		Rand: r, Usage: r.IntN(2) == 0, Quirks: sluicetest.Quirks(r.Uint32()), MaxPiece: 1 + r.IntN(40),
	}
}

func asBytes(payloads []string) [][]byte {
	out := make([][]byte, len(payloads))
	for i, p := range payloads {
		out[i] = []byte(p)
	}
	return out
}

// values are the blocks of the first choice, as far as a stream can carry what
// was put in: the provider's own words and its JSON are left out.
func values(blocks []llm.Block) []string {
	var all []string
	for _, b := range blocks {
		text := b.Text
		if b.Kind == llm.ToolResult || b.Kind == llm.Opaque {
			text = ""
		}
		if b.Kind == llm.ToolCall && b.Arguments == "" {
			b.Arguments = "{}"
		}
		all = append(all, fmt.Sprintf("%s %s name=%q sig=%q text=%q args=%q", b.Kind, b.Status, b.Name, b.Signature, text, b.Arguments))
	}
	return all
}

func answerOf(s *stream.State) []llm.Block {
	var blocks []llm.Block
	for _, b := range s.Blocks() {
		blocks = append(blocks, b.Value())
	}
	return blocks
}

func TestAnyChunkingGivesTheBlocksThatWereSent(t *testing.T) {
	eachSeed(t, func(t *testing.T, format wire.Format, r *rand.Rand) {
		want := sluicetest.RandomBlocks(r, string(format))
		var first string
		for range 3 {
			payloads := sluicetest.Build(string(format), [][]llm.Block{want}, randomOptions(r))
			state, err := play(format, asBytes(payloads), nil)
			if err != nil {
				t.Fatalf("%v\n%s", err, strings.Join(payloads, "\n"))
			}
			got := answerOf(state)
			if !slices.Equal(values(got), values(want)) {
				t.Fatalf("blocks\n%s\nwant\n%s", strings.Join(values(got), "\n"), strings.Join(values(want), "\n"))
			}
			if first == "" {
				first = state.FinishReason()
			}
			if state.FinishReason() != first {
				t.Fatalf("finish %q, in another chunking %q", state.FinishReason(), first)
			}
		}
	})
}

func TestWholeResponseGivesTheSameBlocksAsItsStream(t *testing.T) {
	eachSeed(t, func(t *testing.T, format wire.Format, r *rand.Rand) {
		want := sluicetest.RandomBlocks(r, string(format))
		body := sluicetest.BuildBody(string(format), [][]llm.Block{want}, sluicetest.BuildOptions{})
		payloads := sluicetest.Build(string(format), [][]llm.Block{want}, randomOptions(r))
		whole, err := play(format, [][]byte{[]byte(body)}, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, body)
		}
		streamed, err := play(format, asBytes(payloads), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := values(ordered(format, answerOf(whole))), values(ordered(format, answerOf(streamed))); !slices.Equal(got, want) {
			t.Fatalf("whole\n%s\nstreamed\n%s\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), body)
		}
		if whole.FinishReason() != streamed.FinishReason() {
			t.Fatalf("finish %q whole, %q streamed", whole.FinishReason(), streamed.FinishReason())
		}
	})
}

// ordered joins what a Chat message cannot keep apart: its members have no
// order, and each text is there once.
func ordered(format wire.Format, blocks []llm.Block) []llm.Block {
	if format != wire.OpenAIChat {
		return blocks
	}
	var out []llm.Block
	for _, kind := range []llm.Kind{llm.Thinking, llm.Content, llm.Refusal} {
		joined := llm.Block{Kind: kind, Status: llm.Complete}
		for _, b := range blocks {
			if b.Kind == kind {
				joined.Text += b.Text
			}
		}
		out = append(out, joined)
	}
	for _, b := range blocks {
		if b.Kind == llm.ToolCall {
			out = append(out, b)
		}
	}
	return out
}

func TestPassThroughIsByteIdentical(t *testing.T) {
	eachSeed(t, func(t *testing.T, format wire.Format, r *rand.Rand) {
		blocks := [][]llm.Block{sluicetest.RandomBlocks(r, string(format))}
		payloads := asBytes(sluicetest.Build(string(format), blocks, randomOptions(r)))
		out, err := rewrite(format, payloads, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(readEvents(t, out), payloads, bytes.Equal) {
			t.Fatal("payloads changed on the way")
		}
		body := []byte(sluicetest.BuildBody(string(format), blocks, sluicetest.BuildOptions{}))
		if out, err = rewrite(format, [][]byte{body}, nil); err != nil || !bytes.Contains(out, body) {
			t.Fatalf("a whole response changed on the way: %v\n%s\nwant\n%s", err, out, body)
		}
	})
}

// rewrite decodes payloads, lets edit decide about the blocks once all have
// arrived, and writes the chunks.
func rewrite(format wire.Format, payloads [][]byte, edit func(stream.Writer, *stream.State) error) ([]byte, error) {
	var chunks []*stream.Chunk
	state, err := play(format, payloads, func(c *stream.Chunk) { chunks = append(chunks, c.Clone()) })
	if err != nil {
		return nil, err
	}
	writer := format.NewWriter(stream.WriterOptions{})
	if edit != nil {
		if err := edit(writer, state); err != nil {
			return nil, err
		}
	}
	var out []byte
	for _, c := range chunks {
		if out, err = writer.Write(out, c); err != nil {
			return out, err
		}
	}
	return out, nil
}

func TestWrittenBlocksReadBack(t *testing.T) {
	eachSeed(t, func(t *testing.T, format wire.Format, r *rand.Rand) {
		var blocks []llm.Block
		for _, b := range sluicetest.RandomBlocks(r, string(format)) {
			switch b.Kind {
			case llm.Content, llm.Thinking, llm.Refusal, llm.ToolCall:
				blocks = append(blocks, b)
			case llm.ServerTool, llm.ToolResult, llm.Opaque:
			}
		}
		writer := format.NewWriter(stream.WriterOptions{})
		var out []byte
		var err error
		for _, b := range blocks {
			if out, err = writer.Insert(out, 0, b); err != nil {
				t.Fatalf("insert %s: %v", b.Kind, err)
			}
		}
		if out, err = writer.Terminate(out); err != nil {
			t.Fatal(err)
		}
		if err := sluicetest.Validate(string(format), out); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		state, err := play(format, readEvents(t, out), nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if got, want := values(joined(format, answerOf(state))), values(joined(format, blocks)); !slices.Equal(got, want) {
			t.Fatalf("read back\n%s\nwritten\n%s\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), out)
		}
	})
}

// joined makes one of neighbouring texts of one kind, as formats without block
// ends do, and forgets texts that are empty.
func joined(format wire.Format, blocks []llm.Block) []llm.Block {
	if format == wire.Anthropic || format == wire.OpenAIResponses {
		return blocks
	}
	var out []llm.Block
	for _, b := range blocks {
		if n := len(out); n > 0 && out[n-1].Kind == b.Kind && b.Kind != llm.ToolCall && out[n-1].Signature == "" {
			out[n-1].Text += b.Text
			out[n-1].Signature = b.Signature
			continue
		}
		out = append(out, b)
	}
	return out
}

func TestRemovedBlocksAreGoneAndTheOthersAreAsTheyCame(t *testing.T) {
	eachSeed(t, func(t *testing.T, format wire.Format, r *rand.Rand) {
		blocks := sluicetest.RandomBlocks(r, string(format))
		opts := randomOptions(r)
		payloads := asBytes(sluicetest.Build(string(format), [][]llm.Block{blocks}, opts))
		keep := make([]bool, len(blocks))
		for i := range keep {
			keep[i] = r.IntN(2) == 0
		}
		out, err := rewrite(format, payloads, func(w stream.Writer, _ *stream.State) error {
			for i := range blocks {
				if !keep[i] {
					if err := w.Replace(stream.At{Block: i}); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		checkKept(t, format, out, blocks, func(i int) ([]llm.Block, bool) {
			return []llm.Block{blocks[i]}, keep[i]
		})
	})
}

// checkKept checks that a written stream is legal and holds exactly the blocks
// that were kept, in their order.
func checkKept(t *testing.T, format wire.Format, out []byte, blocks []llm.Block, kept func(i int) ([]llm.Block, bool)) {
	t.Helper()
	if err := sluicetest.Validate(string(format), out); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	state, err := play(format, readEvents(t, out), nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var want []llm.Block
	for i := range blocks {
		if with, ok := kept(i); ok {
			want = append(want, with...)
		}
	}
	got := answerOf(state)
	if len(want) == 0 && len(got) == 1 && got[0].Text == "[content removed]" {
		got = nil // a message must not be empty
	}
	if g, w := values(joined(format, got)), values(joined(format, want)); !slices.Equal(g, w) {
		t.Fatalf("written\n%s\nwant\n%s\n%s", strings.Join(g, "\n"), strings.Join(w, "\n"), out)
	}
}

func TestReplacedCallsBecomeWhatTheyWereReplacedBy(t *testing.T) {
	eachSeed(t, func(t *testing.T, format wire.Format, r *rand.Rand) {
		blocks := sluicetest.RandomBlocks(r, string(format))
		payloads := asBytes(sluicetest.Build(string(format), [][]llm.Block{blocks}, randomOptions(r)))
		rewritten := map[int]llm.Block{}
		for i, b := range blocks {
			if b.Kind == llm.ToolCall && r.IntN(2) == 0 {
				b.Arguments = `{"rewritten":true}`
				b.Signature = ""
				rewritten[i] = b
			}
		}
		out, err := rewrite(format, payloads, func(w stream.Writer, _ *stream.State) error {
			for i, b := range rewritten {
				if err := w.Replace(stream.At{Block: i}, b); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		checkKept(t, format, out, blocks, func(i int) ([]llm.Block, bool) {
			if b, ok := rewritten[i]; ok {
				return []llm.Block{b}, true
			}
			return []llm.Block{blocks[i]}, true
		})
	})
}

// TestBlockedCallsBecomeAnExplanation is what a gateway does with an answer:
// every blocked call is replaced by a text; nothing of it may be left, and the
// finish must fit what is.
func TestBlockedCallsBecomeAnExplanation(t *testing.T) {
	eachSeed(t, func(t *testing.T, format wire.Format, r *rand.Rand) {
		blocks := sluicetest.RandomBlocks(r, string(format))
		for i := range blocks {
			if blocks[i].Kind == llm.ToolCall {
				blocks[i].Arguments = fmt.Sprintf(`{"secret":"marker-%d-marker"}`, i)
				blocks[i].Type = strings.NewReplacer("custom_tool_call", "function_call", "custom", "function").Replace(blocks[i].Type)
			}
		}
		whole := r.IntN(3) == 0
		payloads := asBytes(sluicetest.Build(string(format), [][]llm.Block{blocks}, randomOptions(r)))
		if whole {
			payloads = [][]byte{[]byte(sluicetest.BuildBody(string(format), [][]llm.Block{blocks}, sluicetest.BuildOptions{}))}
		}
		var allowed, blocked []string
		out, err := rewrite(format, payloads, func(w stream.Writer, s *stream.State) error {
			for _, b := range s.Blocks() {
				if b.Kind() != llm.ToolCall {
					continue
				}
				if r.IntN(2) == 0 {
					allowed = append(allowed, b.Arguments())
					continue
				}
				blocked = append(blocked, b.Arguments())
				if err := w.Replace(b.At(), llm.Block{Kind: llm.Content, Text: "[blocked]"}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		report, err := sluicetest.Inspect(string(format), out)
		if whole && !bytes.HasPrefix(out, []byte("data:")) {
			report, err = sluicetest.InspectBody(string(format), out)
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var got []string
		for _, c := range report.Calls {
			got = append(got, canonical(t, c.Arguments))
		}
		for i := range allowed {
			allowed[i] = canonical(t, allowed[i])
		}
		if !slices.Equal(got, allowed) {
			t.Fatalf("the client gets %q, allowed were %q\n%s", got, allowed, out)
		}
		for _, args := range blocked {
			marker := strings.Split(args, `"`)[3]
			if bytes.Contains(out, []byte(marker)) {
				t.Fatalf("a part of a blocked call is left: %s\n%s", marker, out)
			}
		}
		if n := strings.Count(strings.Join(report.Texts, ""), "[blocked]"); n != len(blocked) {
			t.Fatalf("%d explanations for %d blocked calls\n%s", n, len(blocked), out)
		}
		toolFinish := report.Finish == "tool_calls" || report.Finish == "tool_use"
		if toolFinish && len(allowed) == 0 {
			t.Fatalf("finish %s with no call left\n%s", report.Finish, out)
		}
	})
}

func canonical(t *testing.T, arguments string) string {
	var v any
	if err := json.Unmarshal([]byte(arguments), &v); err != nil {
		t.Fatalf("%v in %s", err, arguments)
	}
	out, _ := json.Marshal(v)
	return string(out)
}

// TestWriterIsLegalWhateverItIsAskedFor drives the writers with random requests
// in random order, chunks left out, repeated and reordered included.
func TestWriterIsLegalWhateverItIsAskedFor(t *testing.T) {
	eachSeed(t, func(t *testing.T, format wire.Format, r *rand.Rand) {
		blocks := sluicetest.RandomBlocks(r, string(format))
		chunks := func() []*stream.Chunk {
			var all []*stream.Chunk
			payloads := asBytes(sluicetest.Build(string(format), [][]llm.Block{blocks}, randomOptions(r)))
			if _, err := play(format, payloads, func(c *stream.Chunk) { all = append(all, c.Clone()) }); err != nil {
				t.Fatal(err)
			}
			return all
		}
		writer := format.NewWriter(stream.WriterOptions{Force: r.IntN(4) == 0})
		var out []byte
		var err error
		var log []string
		todo := chunks()
		step := func(name string, err error) {
			log = append(log, fmt.Sprintf("%s: %v", name, err))
		}
		for len(todo) > 0 {
			switch r.IntN(24) {
			case 0: // leave one out
				log = append(log, "leave out")
				todo = todo[1:]
				continue
			case 1: // swap two
				if len(todo) > 1 {
					log = append(log, "swap")
					todo[0], todo[1] = todo[1], todo[0]
				}
			case 2: // repeat one
				log = append(log, "repeat")
				todo = append([]*stream.Chunk{todo[0]}, todo...)
			case 3:
				out, err = writer.Insert(out, 0, llm.Block{Kind: llm.Content, Text: "inserted"})
				step("insert text", err)
			case 4:
				out, err = writer.Insert(out, 0, llm.Block{Kind: llm.ToolCall, Name: "inserted", Arguments: "{}"})
				step("insert call", err)
			case 5, 6:
				var with []llm.Block
				for range r.IntN(3) {
					with = append(with, []llm.Block{
						{Kind: llm.Content, Text: "replaced"},
						{Kind: llm.ToolCall, Name: "replaced", Arguments: `{"a":1}`},
					}[r.IntN(2)])
				}
				at := stream.At{Block: r.IntN(len(blocks) + 1)}
				if at.Block < len(blocks) && r.IntN(2) == 0 {
					at.Kind = blocks[at.Block].Kind
				}
				step("replace", writer.Replace(at, with...))
			case 7:
				out = writer.Keepalive(out)
			case 8:
				if r.IntN(4) == 0 {
					out, err = writer.Continue(out)
					step("continue", err)
					todo = chunks()
				}
			}
			if len(todo) == 0 {
				break
			}
			out, err = writer.Write(out, todo[0])
			step(fmt.Sprintf("write %d", todo[0].Seq), err)
			todo = todo[1:]
		}
		if out, err = writer.Terminate(out); err != nil && !errors.Is(err, stream.ErrTerminated) {
			t.Fatalf("terminate: %v", err)
		}
		if err := sluicetest.Validate(string(format), out); err != nil {
			t.Fatalf("%v\n%s\n%s", err, strings.Join(log, "\n"), out)
		}
		if again, err := writer.Terminate(nil); len(again) > 0 || !errors.Is(err, stream.ErrTerminated) {
			t.Fatalf("the answer can be ended twice: %q, %v", again, err)
		}
	})
}
