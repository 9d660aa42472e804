package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// inserted are random texts and calls of a caller. A call has an id of its own,
// none, or one that is taken.
func inserted(r *rand.Rand, taken []llm.Block) []llm.Block {
	var list []llm.Block
	for i := range r.IntN(5) {
		if r.IntN(2) == 0 {
			list = append(list, llm.Block{Kind: llm.Content, Status: llm.Complete, Text: fmt.Sprintf("inserted \"%d\"\n", i)})
			continue
		}
		call := llm.Block{Kind: llm.ToolCall, Status: llm.Complete, Name: "inserted", Arguments: fmt.Sprintf(`{"n":%d}`, i)}
		switch r.IntN(3) {
		case 0:
			call.ID = fmt.Sprintf("own_%d", i)
		case 1:
			for j := range taken {
				if taken[j].Kind == llm.ToolCall {
					call.ID = taken[j].ID
				}
			}
		}
		list = append(list, call)
	}
	return list
}

// together is what an answer holds that keeps some of its blocks and gets
// others: in Responses they are last, elsewhere texts go before the first call.
func together(format wire.Format, kept, own []llm.Block) []llm.Block {
	if format == wire.OpenAIResponses {
		return slices.Concat(kept, own)
	}
	isCall := func(b llm.Block) bool { return b.Kind == llm.ToolCall }
	at := slices.IndexFunc(kept, isCall)
	if at < 0 {
		at = len(kept)
	}
	texts := slices.DeleteFunc(slices.Clone(own), isCall)
	calls := slices.DeleteFunc(slices.Clone(own), func(b llm.Block) bool { return !isCall(b) })
	return slices.Concat(kept[:at], texts, kept[at:], calls)
}

// checkWhole checks that a body is legal and holds exactly some blocks.
func checkWhole(t *testing.T, format wire.Format, body []byte, want []llm.Block) {
	t.Helper()
	if err := sluicetest.ValidateBody(string(format), body); err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	state, err := play(format, [][]byte{body}, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	got := answerOf(state)
	if len(want) == 0 && len(got) == 1 && got[0].Text == "[content removed]" {
		got = nil // a message must not be empty
	}
	g, w := values(joined(format, ordered(format, got))), values(joined(format, ordered(format, want)))
	if !slices.Equal(g, w) {
		t.Fatalf("written\n%s\nwant\n%s\n%s", strings.Join(g, "\n"), strings.Join(w, "\n"), body)
	}
	if format == wire.OpenAIResponses {
		return // it has no finish reason for tool calls
	}
	calls := slices.ContainsFunc(want, func(b llm.Block) bool { return b.Kind == llm.ToolCall })
	if reason := state.Choice(0).Finish(); (reason == llm.FinishToolCalls) != calls {
		t.Fatalf("the answer has calls: %v, its finish is %s\n%s", calls, reason, body)
	}
}

// checkOver checks that a writer has written all it ever will.
func checkOver(t *testing.T, w stream.Writer, c *stream.Chunk) {
	t.Helper()
	_, writeErr := w.Write(nil, c)
	_, insertErr := w.Insert(nil, 0, llm.Block{Kind: llm.Content, Text: "late"})
	_, continueErr := w.Continue(nil)
	_, terminateErr := w.Terminate(nil)
	_, failErr := w.Fail(nil, nil)
	for _, err := range []error{writeErr, insertErr, continueErr, terminateErr, failErr, w.Replace(stream.At{Block: 99})} {
		if !errors.Is(err, stream.ErrTerminated) {
			t.Fatalf("after the end: %v", err)
		}
	}
	if alive := w.Keepalive(nil); len(alive) > 0 {
		t.Fatalf("after the end: %s", alive)
	}
}

func TestInsertedBlocksAreInTheWholeAnswer(t *testing.T) {
	eachSeed(t, func(t *testing.T, format wire.Format, r *rand.Rand) {
		body := []byte(sluicetest.BuildBody(string(format), [][]llm.Block{sluicetest.RandomBlocks(r, string(format))}, sluicetest.BuildOptions{}))
		var chunks []*stream.Chunk
		state, err := play(format, [][]byte{body}, func(c *stream.Chunk) { chunks = append(chunks, c.Clone()) })
		if err != nil {
			t.Fatal(err)
		}
		own := inserted(r, answerOf(state))
		writer := format.NewWriter(stream.WriterOptions{Whole: true, Force: r.IntN(4) == 0})
		var out []byte
		insert := func(blocks []llm.Block) {
			if out, err = writer.Insert(out, 0, blocks...); err != nil {
				t.Fatal(err)
			}
		}
		half := r.IntN(len(own) + 1)
		insert(own[:half])
		var kept []llm.Block
		for _, b := range state.Blocks() {
			if r.IntN(2) == 0 {
				kept = append(kept, b.Value())
			} else if err := writer.Replace(b.At()); err != nil {
				t.Fatal(err)
			}
		}
		insert(own[half:])
		if out = writer.Keepalive(out); len(out) > 0 {
			t.Fatalf("written before the answer came: %s", out)
		}
		for _, c := range chunks {
			if out, err = writer.Write(out, c); err != nil {
				t.Fatal(err)
			}
		}
		if len(own) == 0 && len(kept) == len(state.Blocks()) && !bytes.Equal(out, body) {
			t.Fatalf("an answer that nobody edits changed on the way\n%s\nwant\n%s", out, body)
		}
		checkWhole(t, format, out, together(format, kept, own))
		checkOver(t, writer, chunks[0])
	})
}

func TestWholeAnswerOfInsertedBlocksAlone(t *testing.T) {
	eachSeed(t, func(t *testing.T, format wire.Format, r *rand.Rand) {
		blocks := slices.DeleteFunc(sluicetest.RandomBlocks(r, string(format)), func(b llm.Block) bool {
			return b.Kind == llm.ServerTool || b.Kind == llm.ToolResult || b.Kind == llm.Opaque
		})
		writer := format.NewWriter(stream.WriterOptions{Whole: true})
		var out []byte
		var err error
		for _, b := range blocks {
			if out, err = writer.Insert(out, 0, b); err != nil || len(out) > 0 {
				t.Fatalf("insert %s: %v, %s", b.Kind, err, out)
			}
		}
		if out, err = writer.Terminate(out); err != nil {
			t.Fatal(err)
		}
		checkWhole(t, format, out, blocks)
		checkOver(t, writer, &stream.Chunk{Raw: out, Whole: true})
	})
}

func TestWholeAnswerThatFails(t *testing.T) {
	for _, format := range wire.Formats() {
		writer := format.NewWriter(stream.WriterOptions{Whole: true})
		out, err := writer.Insert(nil, 0, llm.Block{Kind: llm.Content, Text: "inserted"})
		if err != nil {
			t.Fatal(err)
		}
		if out, err = writer.Fail(out, errors.New("out of order")); err != nil {
			t.Fatal(err)
		}
		report, err := sluicetest.InspectBody(string(format), out)
		if err != nil || !report.Failed || report.Ended || !bytes.Contains(out, []byte("out of order")) {
			t.Errorf("%s: %v, %+v\n%s", format, err, report, out)
		}
		checkOver(t, writer, &stream.Chunk{Raw: []byte("{}"), Whole: true})
	}
}

// An answer that was announced as whole and streams anyway is a stream, with
// the insertions.
func TestAnswerThatStreamsAllTheSame(t *testing.T) {
	for _, format := range []wire.Format{wire.OpenAIChat, wire.Anthropic, wire.OpenAIResponses} {
		payloads := asBytes(sluicetest.Build(string(format), [][]llm.Block{{{Kind: llm.Content, Text: "hello"}}}, sluicetest.BuildOptions{}))
		writer := format.NewWriter(stream.WriterOptions{Whole: true})
		out, err := writer.Insert(nil, 0, llm.Block{Kind: llm.Content, Text: "inserted"})
		if err != nil || len(out) > 0 {
			t.Fatalf("%v, %s", err, out)
		}
		_, err = play(format, payloads, func(c *stream.Chunk) {
			if out, err = writer.Write(out, c); err != nil {
				t.Errorf("%s: %v", format, err)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		report, err := sluicetest.Inspect(string(format), out)
		if err != nil || !report.Ended || strings.Join(report.Texts, "") != "insertedhello" {
			t.Errorf("%s: %v, %+v\n%s", format, err, report, out)
		}
	}
}

// TestWholeWriterIsLegalWhateverItIsAskedFor drives the writers with random
// requests around one answer that may never come.
func TestWholeWriterIsLegalWhateverItIsAskedFor(t *testing.T) {
	kinds := []llm.Kind{llm.Content, llm.Thinking, llm.Refusal, llm.ToolCall}
	eachSeed(t, func(t *testing.T, format wire.Format, r *rand.Rand) {
		some := func() (list []llm.Block) {
			for range r.IntN(3) {
				b := llm.Block{Kind: kinds[r.IntN(len(kinds))], Text: []string{"", "own"}[r.IntN(2)], ID: []string{"", "same"}[r.IntN(2)]}
				if b.Kind == llm.ToolCall {
					b.Name, b.Arguments = "own", `{"a":1}`
				}
				if b.Kind == llm.Thinking && r.IntN(2) == 0 {
					b.Signature = "signed"
				}
				list = append(list, b)
			}
			return list
		}
		choices := [][]llm.Block{sluicetest.RandomBlocks(r, string(format))}
		if r.IntN(3) == 0 {
			choices = append(choices, sluicetest.RandomBlocks(r, string(format)))
		}
		body := []byte(sluicetest.BuildBody(string(format), choices, sluicetest.BuildOptions{}))
		var chunks []*stream.Chunk
		if _, err := play(format, [][]byte{body}, func(c *stream.Chunk) { chunks = append(chunks, c.Clone()) }); err != nil {
			t.Fatal(err)
		}
		writer := format.NewWriter(stream.WriterOptions{Whole: true, Force: r.IntN(4) == 0})
		var out []byte
		var log []string
		step := func(name string, err error) {
			if log = append(log, fmt.Sprintf("%s: %v", name, err)); len(out) > 0 {
				t.Fatalf("written before the answer came: %s\n%s", out, strings.Join(log, "\n"))
			}
		}
		var err error
		for range r.IntN(8) {
			choice := r.IntN(5) / 2
			switch r.IntN(5) {
			case 0, 1:
				out, err = writer.Insert(out, choice, some()...)
				step(fmt.Sprintf("insert into %d", choice), err)
			case 2:
				at := stream.At{Choice: choice, Block: r.IntN(len(choices[0]) + 1)}
				step(fmt.Sprintf("replace %+v", at), writer.Replace(at, some()...))
			case 3:
				out, err = writer.Continue(writer.Keepalive(out))
				step("continue", err)
			default:
				out, err = writer.Write(out, chunks[1]) // the end of the bytes
				step("end", err)
			}
		}
		switch r.IntN(4) {
		case 0:
			out, err = writer.Terminate(out)
		case 1:
			out, err = writer.Fail(out, stream.ErrIncomplete)
		default:
			out, err = writer.Write(out, chunks[0])
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, strings.Join(log, "\n"))
		}
		if err := sluicetest.ValidateBody(string(format), out); err != nil {
			t.Fatalf("%v\n%s\n%s", err, strings.Join(log, "\n"), out)
		}
		checkOver(t, writer, chunks[0])
	})
}
