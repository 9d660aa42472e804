package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// retell is a function of texts that can be applied piece by piece: at is where
// the piece begins in its text.
type retell struct {
	name string
	f    func(at int, piece string) string
}

var retellings = []retell{
	{"every e becomes longer", func(_ int, piece string) string { return strings.ReplaceAll(piece, "e", "XYZ") }},
	{"no vowels", func(_ int, piece string) string {
		return strings.NewReplacer("a", "", "e", "", "i", "", "o", "", "u", "").Replace(piece)
	}},
	{"capitals", func(_ int, piece string) string {
		b := []byte(piece)
		for i, c := range b {
			if 'a' <= c && c <= 'z' {
				b[i] = c - 'a' + 'A'
			}
		}
		return string(b)
	}},
	{"nothing after some bytes", func(at int, piece string) string {
		if at >= 8 {
			return ""
		}
		return strings.ReplaceAll(piece, "e", "_")
	}},
	{"nothing at all", func(int, string) string { return "" }},
}

// marker is a word of every text of the built answers that every edit changes.
const marker = "zebeedee"

// editor does what an engine does that edits texts in flight: it changes the
// data of events and moves the offsets of those that follow.
type editor struct {
	f func(at int, piece string) string
	// always marks a whole as edited also if it repeats what was written.
	always bool
	texts  map[[2]int]*editedText
	first  int // the first chunk that was edited, -1 if none was
}

type editedText struct {
	in, out string
	edited  bool
}

func newEditor(f func(int, string) string, always bool) *editor {
	return &editor{f: f, always: always, texts: map[[2]int]*editedText{}, first: -1}
}

func isText(kind llm.Kind) bool { return kind == llm.Content || kind == llm.Refusal }

func (e *editor) edit(c *stream.Chunk) {
	for i := range c.Events {
		ev := &c.Events[i]
		if !isText(ev.Kind) || ev.Field != stream.Body {
			continue
		}
		at := [2]int{ev.Choice, ev.Block}
		text := e.texts[at]
		if text == nil {
			text = &editedText{}
			e.texts[at] = text
		}
		said := string(ev.Data)
		switch ev.Type {
		case stream.EventDelta:
			told := e.f(len(text.in), said)
			e.mark(c, ev, text, told)
			if text.edited {
				ev.Offset = len(text.out)
			}
			text.in, text.out = text.in+said, text.out+told
		case stream.EventWhole:
			if said == text.in && !(e.always && text.edited) {
				continue // the writer must know what it wrote
			}
			told := text.out
			if said != text.in {
				told = e.f(0, said)
			}
			e.mark(c, ev, text, told)
			text.in, text.out = said, told
		case stream.EventStart:
			if said != "" {
				e.mark(c, ev, text, e.f(0, said))
			}
		default:
		}
	}
	if c.Edited && e.first < 0 {
		e.first = c.Seq
	}
}

func (e *editor) mark(c *stream.Chunk, ev *stream.Event, text *editedText, told string) {
	if told == string(ev.Data) {
		return
	}
	ev.Data = []byte(told)
	ev.Edited, c.Edited, text.edited = true, true, true
}

// want are the blocks of a choice as they must be written.
func (e *editor) want(choice int, blocks []llm.Block) []llm.Block {
	blocks = slices.Clone(blocks)
	for i := range blocks {
		if text := e.texts[[2]int{choice, i}]; text != nil && isText(blocks[i].Kind) {
			blocks[i].Text = text.out
		}
	}
	return blocks
}

// said leaves out what is optional: texts of which nothing is left. It joins
// what formats without block ends cannot separate.
func said(format wire.Format, blocks []llm.Block) []string {
	blocks = slices.DeleteFunc(slices.Clone(blocks), func(b llm.Block) bool {
		return isText(b.Kind) && (b.Text == "" || b.Text == "[content removed]")
	})
	var all []string
	for _, b := range joined(format, blocks) {
		if b.Kind == llm.ToolCall && b.Arguments == "" {
			b.Arguments = "{}"
		}
		if format == wire.Gemini {
			b.Arguments = strings.ReplaceAll(b.Arguments, "\n", " ") // between tokens: an event is one data line
		}
		all = append(all, fmt.Sprintf("%s %s name=%q sig=%q text=%q args=%q", b.Kind, b.Status, b.Name, b.Signature, b.Text, b.Arguments))
	}
	return all
}

func blocksIn(s *stream.State, choice int) []llm.Block {
	var blocks []llm.Block
	for _, b := range s.Choice(choice).Blocks() {
		blocks = append(blocks, b.Value())
	}
	return blocks
}

// rewriteEdited decodes payloads, edits the chunks and writes them. It checks
// that everything before the first edit leaves unchanged.
func rewriteEdited(t *testing.T, format wire.Format, payloads [][]byte, e *editor, opts stream.WriterOptions,
	decide func(stream.Writer, *stream.State),
) (out []byte, state *stream.State, end error) {
	t.Helper()
	var chunks []*stream.Chunk
	state, end = play(format, payloads, func(c *stream.Chunk) { chunks = append(chunks, c.Clone()) })
	writer, clean := format.NewWriter(opts), format.NewWriter(opts)
	if decide != nil {
		decide(writer, state)
	}
	var before []byte
	for _, c := range chunks {
		e.edit(c)
		var err error
		if out, err = writer.Write(out, c); err != nil {
			t.Fatalf("write: %v\n%s\n%s", err, c.Raw, out)
		}
		if e.first < 0 && decide == nil {
			before, _ = clean.Write(before, c)
		}
	}
	if !bytes.HasPrefix(out, before) {
		t.Fatalf("what came before the first edit changed\n%s\nwant\n%s", out, before)
	}
	return out, state, end
}

// checkEdited checks that what was written says exactly what was asked for.
func checkEdited(t *testing.T, format wire.Format, out []byte, e *editor, state *stream.State, want func(choice int) []llm.Block) {
	t.Helper()
	payloads := [][]byte{out}
	if isStream(out) {
		payloads = readEvents(t, out)
	}
	again, err := play(format, payloads, nil)
	if err != nil {
		t.Fatalf("what was written cannot be read: %v\n%s", err, out)
	}
	for _, ch := range state.Choices() {
		n := ch.Index()
		blocks := e.want(n, blocksIn(state, n))
		if want != nil {
			blocks = want(n)
		}
		if g, w := said(format, blocksIn(again, n)), said(format, blocks); !slices.Equal(g, w) {
			t.Fatalf("choice %d says\n%s\nwant\n%s\n%s", n, strings.Join(g, "\n"), strings.Join(w, "\n"), out)
		}
		for _, b := range again.Choice(n).Blocks() {
			if other, twice := b.Other(); twice {
				t.Fatalf("block %d is told twice: %q and %q\n%s", b.Position(), b.Text(), other, out)
			}
		}
		if word := ch.FinishReason(); word != "" && word != again.Choice(n).FinishReason() {
			t.Fatalf("finish %q, want %q", again.Choice(n).FinishReason(), ch.FinishReason())
		}
	}
}

// isStream reports whether what was written is a stream of events. A Gemini
// answer in one payload can be either.
func isStream(out []byte) bool {
	body := bytes.TrimSpace(out)
	return !bytes.HasPrefix(body, []byte("{")) && !bytes.HasPrefix(body, []byte("["))
}

func checkLegal(format wire.Format, out []byte) error {
	if isStream(out) {
		return sluicetest.Validate(string(format), out)
	}
	return sluicetest.ValidateBody(string(format), out)
}

// withMarkers puts the marker into every text.
func withMarkers(blocks []llm.Block) []llm.Block {
	for i := range blocks {
		if isText(blocks[i].Kind) {
			blocks[i].Text += marker + " and " + marker
		}
	}
	return blocks
}

func randomChoices(r *rand.Rand, format wire.Format) [][]llm.Block {
	choices := [][]llm.Block{withMarkers(sluicetest.RandomBlocks(r, string(format)))}
	if format == wire.OpenAIChat || format == wire.Gemini {
		for range r.IntN(3) {
			choices = append(choices, withMarkers(sluicetest.RandomBlocks(r, string(format))))
		}
	}
	return choices
}

func TestEditedTextsAreWrittenAsTheyWereEdited(t *testing.T) {
	eachSeed(t, func(t *testing.T, format wire.Format, r *rand.Rand) {
		choices := randomChoices(r, format)
		how := retellings[r.IntN(len(retellings))]
		e := newEditor(how.f, r.IntN(2) == 0)
		whole := r.IntN(3) == 0
		payloads := asBytes(sluicetest.Build(string(format), choices, randomOptions(r)))
		if whole {
			payloads = [][]byte{[]byte(sluicetest.BuildBody(string(format), choices, sluicetest.BuildOptions{}))}
		}
		opts := stream.WriterOptions{Force: r.IntN(4) == 0, Whole: whole && r.IntN(2) == 0}
		out, state, err := rewriteEdited(t, format, payloads, e, opts, nil)
		if err != nil {
			t.Fatal(err)
		}
		checkEdited(t, format, out, e, state, nil)
		if err := checkLegal(format, out); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if bytes.Contains(out, []byte(marker)) {
			t.Fatalf("%s: a text is left as it was\n%s", how.name, out)
		}
	})
}

func TestEditedTextsBesideReplacedCalls(t *testing.T) {
	eachSeed(t, func(t *testing.T, format wire.Format, r *rand.Rand) {
		choices := [][]llm.Block{withMarkers(sluicetest.RandomBlocks(r, string(format)))}
		e := newEditor(retellings[r.IntN(len(retellings))].f, r.IntN(2) == 0)
		whole := r.IntN(3) == 0
		payloads := asBytes(sluicetest.Build(string(format), choices, randomOptions(r)))
		if whole {
			payloads = [][]byte{[]byte(sluicetest.BuildBody(string(format), choices, sluicetest.BuildOptions{}))}
		}
		replaced := map[int]llm.Block{}
		out, state, err := rewriteEdited(t, format, payloads, e, stream.WriterOptions{}, func(w stream.Writer, s *stream.State) {
			for _, b := range s.Blocks() {
				if v := b.Value(); v.Kind == llm.ToolCall && r.IntN(2) == 0 {
					v.Arguments, v.Signature = `{"rewritten":true}`, ""
					replaced[b.Position()] = v
					if err := w.Replace(b.At(), v); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		checkEdited(t, format, out, e, state, func(int) []llm.Block {
			blocks := e.want(0, blocksIn(state, 0))
			for i, b := range replaced {
				blocks[i] = b
			}
			return blocks
		})
		if err := checkLegal(format, out); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if bytes.Contains(out, []byte(marker)) {
			t.Fatalf("a text is left as it was\n%s", out)
		}
	})
}

// checkAsLegal checks that an answer that was legal when it arrived is legal
// after it was edited.
func checkAsLegal(t *testing.T, format wire.Format, payloads [][]byte, out []byte) {
	t.Helper()
	if clean, err := rewrite(format, payloads, nil); err != nil || checkLegal(format, clean) != nil {
		return
	}
	if err := checkLegal(format, out); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func TestCorpusEditedTexts(t *testing.T) {
	for _, s := range corpus(t) {
		t.Run(string(s.format)+"/"+s.name, func(t *testing.T) {
			payloads := readLines(t, s.path)
			for i, how := range retellings {
				e := newEditor(how.f, i%2 == 0)
				out, state, end := rewriteEdited(t, s.format, payloads, e, stream.WriterOptions{}, nil)
				if end != nil || toldTwice(state) {
					continue // it failed, was truncated or is two answers
				}
				checkEdited(t, s.format, out, e, state, nil)
				checkAsLegal(t, s.format, payloads, out)
			}
		})
	}
}

func TestCorpusEditedWholeResponses(t *testing.T) {
	for _, format := range wire.Formats() {
		files, err := filepath.Glob(filepath.Join(corpusDir(t), string(format), "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no whole responses of %s: %v", format, err)
		}
		for _, path := range files {
			t.Run(string(format)+"/"+filepath.Base(path), func(t *testing.T) {
				body, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				for i, how := range retellings {
					e := newEditor(how.f, i%2 == 0)
					out, state, end := rewriteEdited(t, format, [][]byte{body}, e, stream.WriterOptions{Whole: i%2 == 0}, nil)
					if end != nil {
						continue
					}
					checkEdited(t, format, out, e, state, nil)
					checkAsLegal(t, format, [][]byte{body}, out)
				}
			})
		}
	}
}

func TestOnlyTextsCanBeEdited(t *testing.T) {
	eachSeed(t, func(t *testing.T, format wire.Format, r *rand.Rand) {
		payloads := asBytes(sluicetest.Build(string(format), [][]llm.Block{sluicetest.RandomBlocks(r, string(format))}, randomOptions(r)))
		writer := format.NewWriter(stream.WriterOptions{})
		_, err := play(format, payloads, func(c *stream.Chunk) {
			for i := range c.Events {
				ev := c.Events[i]
				if isText(ev.Kind) && ev.Field == stream.Body && ev.Type != stream.EventEnd && ev.Type != stream.EventHint {
					continue
				}
				d := c.Clone()
				d.Edited, d.Events[i].Edited = true, true
				if out, err := writer.Write(nil, d); len(out) > 0 || !errors.Is(err, stream.ErrNotWritable) {
					t.Fatalf("%s of %s: %v, %s", ev.Type, ev.Kind, err, out)
				}
			}
			if out, err := writer.Write(nil, c); err != nil || c.Raw != nil && !bytes.Contains(out, c.Raw) {
				t.Fatalf("what was refused left a trace: %v, %s", err, out)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// Whatever else the writer is asked for, and whatever chunks are left out or
// repeated: the answer is legal, and nothing of the old texts is in it.
func TestEditedAnswersAreLegalWhateverIsAskedFor(t *testing.T) {
	eachSeed(t, func(t *testing.T, format wire.Format, r *rand.Rand) {
		choices := randomChoices(r, format)
		e := newEditor(retellings[r.IntN(len(retellings))].f, r.IntN(2) == 0)
		var todo []*stream.Chunk
		payloads := asBytes(sluicetest.Build(string(format), choices, randomOptions(r)))
		if _, err := play(format, payloads, func(c *stream.Chunk) {
			d := c.Clone()
			e.edit(d)
			todo = append(todo, d)
		}); err != nil {
			t.Fatal(err)
		}
		writer := format.NewWriter(stream.WriterOptions{Force: r.IntN(4) == 0})
		var out []byte
		var log []string
		step := func(name string, err error) { log = append(log, fmt.Sprintf("%s: %v", name, err)) }
		for len(todo) > 0 {
			var err error
			switch r.IntN(24) {
			case 0:
				log = append(log, "leave out")
				todo = todo[1:]
				continue
			case 1:
				log = append(log, "repeat")
				todo = append([]*stream.Chunk{todo[0]}, todo...)
			case 2:
				if len(todo) > 1 {
					log = append(log, "swap")
					todo[0], todo[1] = todo[1], todo[0]
				}
			case 3:
				out, err = writer.Insert(out, 0, llm.Block{Kind: llm.Content, Text: "inserted"})
				step("insert", err)
			case 4, 5:
				at := r.IntN(len(choices[0]))
				step("replace", writer.Replace(stream.At{Block: at, Kind: choices[0][at].Kind}, llm.Block{Kind: llm.Content, Text: "replaced"}))
			}
			out, err = writer.Write(out, todo[0])
			step(fmt.Sprintf("write %d %v", todo[0].Seq, todo[0].Edited), err)
			todo = todo[1:]
		}
		out, _ = writer.Terminate(out)
		if err := sluicetest.Validate(string(format), out); err != nil {
			t.Fatalf("%v\n%s\n%s", err, strings.Join(log, "\n"), out)
		}
		if bytes.Contains(out, []byte(marker)) {
			t.Fatalf("a text is left as it was\n%s\n%s", strings.Join(log, "\n"), out)
		}
	})
}

// TestOnlyTheTextOfAPayloadChanges shows the bytes: each secret becomes [gone].
func TestOnlyTheTextOfAPayloadChanges(t *testing.T) {
	for _, tc := range []struct {
		name   string
		format wire.Format
		in     []string
		want   []string
	}{
		{
			"chat: a delta loses its logprobs and keeps the rest", wire.OpenAIChat,
			[]string{
				`{"id":"a","object":"chat.completion.chunk", "x" : 1,"choices":[{"index":0,"delta":{"role":"assistant","content":"a secret"},"logprobs":{"content":[{"token":"secret"}]},"finish_reason":null,"token_ids":[7],"content_filter_results":{}},{"index":1,"delta":{"role":"assistant","content":"open"},"logprobs":{"content":[]},"finish_reason":null}]}`,
			},
			[]string{
				`{"id":"a","object":"chat.completion.chunk", "x" : 1,"choices":[{"index":0,"delta":{"role":"assistant","content":"a [gone]"},"logprobs":null,"finish_reason":null,"token_ids":null,"content_filter_results":{}},{"index":1,"delta":{"role":"assistant","content":"open"},"logprobs":{"content":[]},"finish_reason":null}]}`,
			},
		},
		{
			"chat: a list keeps its other parts", wire.OpenAIChat,
			[]string{
				`{"id":"a","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"secret","n":1},{"type":"reference","reference_ids":[1]},{"type":"text","text":"drop"}]},"finish_reason":null}]}`,
			},
			[]string{
				`{"id":"a","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"[gone]","n":1},{"type":"reference","reference_ids":[1]}]},"finish_reason":null}]}`,
			},
		},
		{
			"chat: a delta of which nothing is left is not sent, the next one has the role", wire.OpenAIChat,
			[]string{
				`{"id":"a","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":"drop"},"finish_reason":null}]}`,
				`{"id":"a","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"b"},"finish_reason":null}]}`,
			},
			[]string{
				`{"id":"a","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"b","role":"assistant"},"finish_reason":null}]}`,
			},
		},
		{
			"chat: a whole message", wire.OpenAIChat,
			[]string{
				`{"id":"a","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"a secret","annotations":[{"type":"url_citation"}]},"logprobs":{"content":[{"token":"secret"}]},"finish_reason":"stop"},{"index":1,"message":{"role":"assistant","content":[{"type":"text","text":"drop"},{"type":"text","text":"b"}]},"finish_reason":"stop"},{"index":2,"message":{"role":"assistant","content":"drop"},"finish_reason":"stop"}]}`,
			},
			[]string{
				`{"id":"a","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"a [gone]","annotations":[{"type":"url_citation"}]},"logprobs":null,"finish_reason":"stop"},{"index":1,"message":{"role":"assistant","content":[{"type":"text","text":"b"}]},"finish_reason":"stop"},{"index":2,"message":{"role":"assistant","content":null},"finish_reason":"stop"}]}`,
			},
		},
		{
			"anthropic: a text that the block begins with, deltas, citations", wire.Anthropic,
			[]string{
				`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"c","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}`,
				`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"secret","citations":[]}}`,
				`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" and secret"}, "x": 1}`,
				`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"drop"}}`,
				`{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{"type":"char_location","cited_text":"the secret source"}}}`,
				`{"type":"content_block_stop","index":0}`,
				`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`,
				`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"drop"}}`,
				`{"type":"content_block_stop","index":1}`,
				`{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":5}}`,
				`{"type":"message_stop"}`,
			},
			[]string{
				`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"c","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}`,
				`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"[gone]","citations":[]}}`,
				`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" and [gone]"}, "x": 1}`,
				`{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{"type":"char_location","cited_text":"the secret source"}}}`,
				`{"type":"content_block_stop","index":0}`,
				`{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":5}}`,
				`{"type":"message_stop"}`,
			},
		},
		{
			"anthropic: a block that has begun is not left empty", wire.Anthropic,
			[]string{
				`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"c","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}`,
				`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
				`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"drop"}}`,
				`{"type":"content_block_stop","index":0}`,
				`{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":5}}`,
				`{"type":"message_stop"}`,
			},
			[]string{
				`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"c","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}`,
				`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
				`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"[content removed]"}}`,
				`{"type":"content_block_stop","index":0}`,
				`{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":5}}`,
				`{"type":"message_stop"}`,
			},
		},
		{
			"anthropic: a whole message", wire.Anthropic,
			[]string{
				`{"id":"m","type":"message","role":"assistant","model":"c","content":[{"type":"text","text":"drop"},{"type":"text","text":"a secret","citations":[{"cited_text":"x"}]}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`,
			},
			[]string{
				`{"id":"m","type":"message","role":"assistant","model":"c","content":[{"type":"text","text":"a [gone]","citations":[{"cited_text":"x"}]}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`,
			},
		},
		{
			"anthropic: a whole message of which nothing is left", wire.Anthropic,
			[]string{
				`{"id":"m","type":"message","role":"assistant","model":"c","content":[{"type":"text","text":"drop"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`,
			},
			[]string{
				`{"id":"m","type":"message","role":"assistant","model":"c","content":[{"type":"text","text":"[content removed]"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`,
			},
		},
		{
			"gemini: parts, a proof, and what quotes the text", wire.Gemini,
			[]string{
				`{"candidates":[{"content":{"role":"model","parts":[{"text":"secret","thought":true},{"text":"a secret","x":1},{"text":"drop","thoughtSignature":"c2ln"}]},"index":0,"avgLogprobs":-1},{"content":{"role":"model","parts":[{"text":"open"}]},"index":1,"avgLogprobs":-1}],"modelVersion":"g","responseId":"r"}`,
				`{"candidates":[{"content":{"role":"model","parts":[{"text":"drop"}]},"index":0}],"modelVersion":"g","responseId":"r"}`,
				`{"candidates":[{"finishReason":"STOP","index":0,"groundingMetadata":{"webSearchQueries":["q"],"groundingSupports":[{"segment":{"text":"a secret"}}]}},{"finishReason":"STOP","index":1}],"modelVersion":"g","responseId":"r"}`,
			},
			[]string{
				`{"candidates":[{"content":{"role":"model","parts":[{"text":"secret","thought":true},{"text":"a [gone]","x":1},{"text":"","thoughtSignature":"c2ln"}]},"index":0},{"content":{"role":"model","parts":[{"text":"open"}]},"index":1,"avgLogprobs":-1}],"modelVersion":"g","responseId":"r"}`,
				`{"candidates":[{"finishReason":"STOP","index":0,"groundingMetadata":{"webSearchQueries":["q"]}},{"finishReason":"STOP","index":1}],"modelVersion":"g","responseId":"r"}`,
			},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := newEditor(func(_ int, piece string) string {
				if piece == "drop" {
					return ""
				}
				return strings.ReplaceAll(piece, "secret", "[gone]")
			}, false)
			out, _, _ := rewriteEdited(t, tc.format, asBytes(tc.in), e, stream.WriterOptions{}, nil)
			payloads := []string{string(out)}
			if isStream(out) {
				payloads = nil
				for _, p := range readEvents(t, out) {
					payloads = append(payloads, string(p))
				}
			}
			if !slices.Equal(payloads, tc.want) {
				t.Errorf("written\n%s\nwant\n%s", strings.Join(payloads, "\n"), strings.Join(tc.want, "\n"))
			}
		})
	}
}

// TestEditedTextHasOneWordingInAllItsCopies shows the bytes of Responses, where
// a text has up to four copies.
func TestEditedTextHasOneWordingInAllItsCopies(t *testing.T) {
	const (
		created = `{"type":"response.created","response":{"id":"r","object":"response","status":"in_progress","model":"m","output":[]}}`
		added   = `{"type":"response.output_item.added","output_index":0,"item":{"id":"i","type":"message","status":"in_progress","role":"assistant","content":[]}}`
		part    = `{"type":"response.content_part.added","item_id":"i","output_index":0,"content_index":0,"part":{"type":"output_text","annotations":[],"text":""}}`
	)
	delta := func(part int, text string) string {
		return fmt.Sprintf(`{"type":"response.output_text.delta","item_id":"i","output_index":0,"content_index":%d,"delta":%q,"logprobs":[],"x":1}`, part, text)
	}
	textDone := func(part int, text string) string {
		return fmt.Sprintf(`{"type":"response.output_text.done","item_id":"i","output_index":0,"content_index":%d,"text":%q,"logprobs":[]}`, part, text)
	}
	onePart := func(text string) string {
		return fmt.Sprintf(`{"type":"output_text","annotations":[{"type":"url_citation","url":"u","start_index":0,"end_index":3}],"logprobs":[],"text":%q}`, text)
	}
	partDone := func(part int, text string) string {
		return fmt.Sprintf(`{"type":"response.content_part.done","item_id":"i","output_index":0,"content_index":%d,"part":%s}`, part, onePart(text))
	}
	item := func(texts ...string) string {
		for i := range texts {
			texts[i] = onePart(texts[i])
		}
		return `{"id":"i","type":"message","status":"completed","role":"assistant","content":[` + strings.Join(texts, ",") + `]}`
	}
	itemDone := func(item string) string {
		return `{"type":"response.output_item.done","output_index":0,"item":` + item + `}`
	}
	completed := func(item, said string) string {
		return fmt.Sprintf(`{"type":"response.completed","response":{"id":"r","object":"response","status":"completed","model":"m","output":[%s],"output_text":%q}}`, item, said)
	}
	logged := func(payload string) string {
		return strings.ReplaceAll(payload, `"logprobs":[]`, `"logprobs":[{"token":"secret"}]`)
	}
	own := func(payload string) string { // as the writer words a delta itself
		return strings.NewReplacer(`,"x":1`, ``, `"annotations":[{"type":"url_citation","url":"u","start_index":0,"end_index":3}]`, `"annotations":[]`).Replace(payload)
	}
	ownPart := strings.Replace(part, `"annotations":[],`, `"annotations":[],"logprobs":[],`, 1)
	for _, tc := range []struct {
		name     string
		in, want []string
	}{
		{
			"a delta that was edited after one that was not",
			[]string{
				created, added, part, delta(0, "an open "), logged(delta(0, "secret")), delta(0, "."), logged(textDone(0, "an open secret.")),
				logged(partDone(0, "an open secret.")), itemDone(logged(item("an open secret."))), completed(logged(item("an open secret.")), "an open secret."),
			},
			[]string{
				created, added, part, delta(0, "an open "), delta(0, "[gone]"), delta(0, "."), textDone(0, "an open [gone]."),
				partDone(0, "an open [gone]."), itemDone(item("an open [gone].")), completed(item("an open [gone]."), "an open [gone]."),
			},
		},
		{
			"a delta of which nothing is left",
			[]string{
				created, added, part, delta(0, "a"), delta(0, "drop"), textDone(0, "adrop"), partDone(0, "adrop"), itemDone(item("adrop")),
				completed(item("adrop"), "adrop"),
			},
			[]string{
				created, added, part, delta(0, "a"), textDone(0, "a"), partDone(0, "a"), itemDone(item("a")), completed(item("a"), "a"),
			},
		},
		{
			"a text of which nothing is left",
			[]string{
				created, added, part, delta(0, "drop"), textDone(0, "drop"), partDone(0, "drop"), itemDone(item("drop")),
				completed(item("drop"), "drop"),
			},
			[]string{
				created, added, part, textDone(0, ""), partDone(0, ""), itemDone(item("")), completed(item(""), ""),
			},
		},
		{
			"two parts of one block, the second edited",
			[]string{
				created, added, part, delta(0, "open"), textDone(0, "open"), partDone(0, "open"),
				strings.Replace(part, `"content_index":0`, `"content_index":1`, 1), delta(1, "secret"), textDone(1, "secret"), partDone(1, "secret"),
				itemDone(item("open", "secret")), completed(item("open", "secret"), "opensecret"),
			},
			[]string{
				created, added, part, delta(0, "open"), textDone(0, "open"), partDone(0, "open"),
				strings.Replace(part, `"content_index":0`, `"content_index":1`, 1), delta(1, "[gone]"), textDone(1, "[gone]"), partDone(1, "[gone]"),
				itemDone(item("open", "[gone]")), completed(item("open", "[gone]"), "open[gone]"),
			},
		},
		{
			"a first part without deltas, the second edited",
			[]string{
				created, added, part, textDone(0, "open"),
				strings.Replace(part, `"content_index":0`, `"content_index":1`, 1), delta(1, "secret"), itemDone(item("open", "secret")),
				completed(item("open", "secret"), "opensecret"),
			},
			[]string{
				created, added, part, textDone(0, "open"),
				strings.Replace(part, `"content_index":0`, `"content_index":1`, 1), delta(1, "[gone]"),
				own(textDone(1, "[gone]")), own(partDone(1, "[gone]")), itemDone(item("open", "[gone]")),
				completed(item("open", "[gone]"), "open[gone]"),
			},
		},
		{
			"a text that comes with the end of its item",
			[]string{created, added, itemDone(item("a secret")), completed(item("a secret"), "a secret")},
			[]string{
				created, added, ownPart, own(delta(0, "a [gone]")), own(textDone(0, "a [gone]")), own(partDone(0, "a [gone]")),
				itemDone(item("a [gone]")), completed(item("a [gone]"), "a [gone]"),
			},
		},
		{
			"a text that comes with the end of the answer",
			[]string{created, completed(item("a secret"), "a secret")},
			[]string{
				created, strings.Replace(added, "in_progress", "completed", 1), ownPart, own(delta(0, "a [gone]")), own(textDone(0, "a [gone]")),
				own(partDone(0, "a [gone]")),
				`{"type":"response.output_item.done","item":` + item("a [gone]") + `,"output_index":0}`,
				completed(item("a [gone]"), "a [gone]"),
			},
		},
		{
			"a final word that is another than the deltas",
			[]string{
				created, added, part, delta(0, "one"), textDone(0, "a secret"), partDone(0, "a secret"), itemDone(item("a secret")),
				completed(item("a secret"), "a secret"),
			},
			[]string{
				created, added, part, delta(0, "one"), textDone(0, "a [gone]"), partDone(0, "a [gone]"), itemDone(item("a [gone]")),
				completed(item("a [gone]"), "a [gone]"),
			},
		},
		{
			"content that is a string",
			[]string{
				created, added, part, delta(0, "secret"), itemDone(`{"id":"i","type":"message","status":"completed","role":"assistant","content":"secret"}`),
				completed(`{"id":"i","type":"message","status":"completed","role":"assistant","content":"secret"}`, "secret"),
			},
			[]string{
				created, added, part, delta(0, "[gone]"), own(textDone(0, "[gone]")), own(partDone(0, "[gone]")),
				itemDone(`{"id":"i","type":"message","status":"completed","role":"assistant","content":"[gone]"}`),
				completed(`{"id":"i","type":"message","status":"completed","role":"assistant","content":"[gone]"}`, "[gone]"),
			},
		},
		{
			"a text that its item begins with",
			[]string{
				created, strings.Replace(added, `[]`, `[`+onePart("secret")+`]`, 1), itemDone(item("secret")), completed(item("secret"), "secret"),
			},
			[]string{
				created, strings.Replace(added, `[]`, `[`+onePart("[gone]")+`]`, 1), itemDone(item("[gone]")), completed(item("[gone]"), "[gone]"),
			},
		},
		{
			"a whole response",
			[]string{
				`{"id":"r","object":"response","status":"completed","model":"m","output":[` + logged(item("a secret")) + `],"output_text":"a secret"}`,
			},
			[]string{
				`{"id":"r","object":"response","status":"completed","model":"m","output":[` + item("a [gone]") + `],"output_text":"a [gone]"}`,
			},
		},
		{
			"a whole response with two parts of one block",
			[]string{
				`{"id":"r","object":"response","status":"completed","model":"m","output":[` + item("a sec", "ret") + `]}`,
			},
			[]string{
				`{"id":"r","object":"response","status":"completed","model":"m","output":[` + item("a [gone]", "") + `]}`,
			},
		},
	} {
		for _, always := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%v", tc.name, always), func(t *testing.T) {
				e := newEditor(func(_ int, piece string) string {
					return strings.ReplaceAll(strings.ReplaceAll(piece, "drop", ""), "secret", "[gone]")
				}, always)
				out, _, _ := rewriteEdited(t, wire.OpenAIResponses, asBytes(tc.in), e, stream.WriterOptions{}, nil)
				payloads := []string{string(out)}
				if isStream(out) {
					payloads = nil
					for _, p := range readEvents(t, out) {
						payloads = append(payloads, string(p))
					}
				}
				if !slices.Equal(payloads, tc.want) {
					t.Errorf("written\n%s\nwant\n%s", strings.Join(payloads, "\n"), strings.Join(tc.want, "\n"))
				}
			})
		}
	}
}
