package wire_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/recording"
	"github.com/sluice-project/sluice/wire/sse"
)

// The recorded corpus is not part of the repository. SLUICE_CORPUS names the
// directory that holds it; INDEX.md there says what each stream contains.

const corpusSize = 217

type corpusStream struct {
	format wire.Format
	name   string
	path   string
	// choices maps a choice to the names of its blocks and how many there are;
	// names are kinds or provider types.
	choices map[int]map[string]int
	finish  string
	failed  bool
}

func corpusDir(t testing.TB) string {
	dir := os.Getenv("SLUICE_CORPUS")
	if dir == "" {
		t.Skip("SLUICE_CORPUS does not name the directory of the recorded corpus; its streams are not checked here")
	}
	return dir
}

func corpus(t testing.TB) []corpusStream {
	dir := corpusDir(t)
	index, err := os.Open(filepath.Join(dir, "INDEX.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer index.Close()
	var streams []corpusStream
	var format wire.Format
	lines := bufio.NewScanner(index)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if rest, ok := strings.CutPrefix(line, "## "); ok {
			format, _ = wire.ParseFormat(strings.Fields(rest)[0])
			continue
		}
		if format == "" || !strings.HasPrefix(line, "| ") {
			continue
		}
		cells := strings.Split(line, "|")
		file, _, _ := strings.Cut(strings.TrimSpace(cells[1]), " ")
		if !strings.HasSuffix(file, ".jsonl") {
			continue
		}
		s := corpusStream{
			format: format, name: strings.TrimSuffix(file, ".jsonl"),
			path:    filepath.Join(dir, string(format), file),
			choices: parseBlocks(t, strings.TrimSpace(cells[4])),
			finish:  strings.TrimSpace(cells[5]),
			failed:  strings.HasSuffix(strings.TrimSpace(cells[6]), "error"),
		}
		streams = append(streams, s)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(streams) != corpusSize {
		t.Fatalf("INDEX.md lists %d streams, want %d", len(streams), corpusSize)
	}
	return streams
}

var choicePrefix = regexp.MustCompile(`^choice (\d+): `)

// parseBlocks reads a cell such as "1 content, 2 tool_call; choice 1: content".
func parseBlocks(t testing.TB, cell string) map[int]map[string]int {
	choices := map[int]map[string]int{}
	for part := range strings.SplitSeq(cell, ";") {
		part = strings.TrimSpace(part)
		choice := 0
		if m := choicePrefix.FindStringSubmatch(part); m != nil {
			choice, _ = strconv.Atoi(m[1])
			part = strings.TrimPrefix(part, m[0])
		}
		blocks := map[string]int{}
		choices[choice] = blocks
		if part == "none" {
			continue
		}
		for item := range strings.SplitSeq(part, ",") {
			fields := strings.Fields(item)
			n := 1
			if len(fields) == 2 {
				var err error
				if n, err = strconv.Atoi(fields[0]); err != nil {
					t.Fatalf("cannot read %q in INDEX.md", cell)
				}
			}
			blocks[fields[len(fields)-1]] += n
		}
	}
	return choices
}

// clientTypes are the provider types that INDEX.md uses for calls that the
// client executes.
var clientTypes = []string{
	"custom", "custom_tool_call", "local_shell_call", "apply_patch_call", "mcp_approval_request",
}

// indexName is what INDEX.md calls a block.
func indexName(b *stream.Block) string {
	switch b.Kind() {
	case llm.Content, llm.Thinking:
		return b.Kind().String()
	case llm.Refusal:
		// INDEX.md counts the message items of Responses, whatever they say.
		if b.Type() == "message" {
			return "content"
		}
		return "refusal"
	case llm.ToolCall:
		if b.Type() == "custom" {
			return "custom_tool_call"
		}
		if slices.Contains(clientTypes, b.Type()) || b.Type() == "shell_call" {
			return b.Type()
		}
		return "tool_call"
	case llm.ServerTool, llm.ToolResult, llm.Opaque:
	}
	return b.Type()
}

// play decodes payloads and returns the state and how the answer ended.
func play(format wire.Format, payloads [][]byte, take func(*stream.Chunk)) (*stream.State, error) {
	decoder, state := format.NewDecoder(), stream.NewState(stream.Limits{})
	var c stream.Chunk
	for _, p := range payloads {
		c.Raw, c.Name = p, ""
		if err := decoder.Decode(&c); err != nil {
			return state, err
		}
		if err := state.Apply(&c); err != nil {
			return state, err
		}
		if take != nil {
			take(&c)
		}
	}
	c.Raw, c.Name = nil, ""
	cut := decoder.End(&c)
	if err := state.Apply(&c); err != nil {
		return state, err
	}
	if take != nil {
		take(&c)
	}
	if cut != nil {
		state.Cut()
		return state, cut
	}
	if err := state.Err(); err != nil {
		return state, err
	}
	return state, nil
}

func readLines(t testing.TB, path string) [][]byte {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
}

func readEvents(t testing.TB, body []byte) [][]byte {
	r := sse.NewReader(bytes.NewReader(body), sse.Options{})
	var payloads [][]byte
	for {
		ev, err := r.Next()
		if errors.Is(err, io.EOF) {
			return payloads
		}
		if err != nil {
			t.Fatalf("read what was written: %v", err)
		}
		payloads = append(payloads, bytes.Clone(ev.Data))
	}
}

// blocksOf is what two readings of one answer must agree on.
func blocksOf(s *stream.State) string {
	var b strings.Builder
	for _, c := range s.Choices() {
		fmt.Fprintf(&b, "choice %d finish %q\n", c.Index(), c.FinishReason())
		for _, block := range c.Blocks() {
			fmt.Fprintf(&b, "  %s %s id=%q name=%q type=%q for=%q sig=%q\n    %q\n", block.Kind(), block.Status(),
				block.ID(), block.Name(), block.Type(), block.ToolUseID(), block.Signature(), block.Text())
		}
	}
	return b.String()
}

func TestCorpusBlocksAndFinish(t *testing.T) {
	for _, s := range corpus(t) {
		t.Run(string(s.format)+"/"+s.name, func(t *testing.T) {
			state, err := play(s.format, readLines(t, s.path), nil)
			for number, want := range s.choices {
				got := map[string]int{}
				for _, b := range state.Choice(number).Blocks() {
					got[indexName(b)]++
				}
				if !maps.Equal(got, want) {
					t.Errorf("choice %d has blocks %v, want %v\n%s", number, got, want, blocksOf(state))
				}
			}
			if len(s.choices) < len(state.Choices()) {
				t.Errorf("%d choices, want %d", len(state.Choices()), len(s.choices))
			}
			word := state.FinishReason()
			if want := strings.ReplaceAll(s.finish, "None", ""); word != want {
				t.Errorf("finish %q, want %q", word, want)
			}
			wantErr(t, s, err)
		})
	}
}

// wantErr checks how a stream ended against what INDEX.md says about it.
func wantErr(t *testing.T, s corpusStream, err error) {
	t.Helper()
	switch {
	case s.failed:
		if _, ok := errors.AsType[*stream.ProviderError](err); !ok {
			t.Errorf("ended with %v, want the provider's error", err)
		}
	case s.name == "synth-no-done-no-finish" || s.name == "synth-truncated":
		if !errors.Is(err, stream.ErrIncomplete) {
			t.Errorf("ended with %v, want ErrIncomplete", err)
		}
	case err != nil:
		t.Errorf("ended with %v, want a complete answer", err)
	}
}

func TestCorpusPassesThroughByteIdentical(t *testing.T) {
	for _, s := range corpus(t) {
		t.Run(string(s.format)+"/"+s.name, func(t *testing.T) {
			payloads := readLines(t, s.path)
			writer := s.format.NewWriter(stream.WriterOptions{})
			var out []byte
			_, _ = play(s.format, payloads, func(c *stream.Chunk) {
				var err error
				if out, err = writer.Write(out, c); err != nil {
					t.Fatal(err)
				}
			})
			got := readEvents(t, out)
			if !slices.EqualFunc(got, payloads, bytes.Equal) {
				t.Errorf("%d payloads left, want the same %d as came", len(got), len(payloads))
			}
		})
	}
}

func TestCorpusForcedRecodeSaysTheSame(t *testing.T) {
	for _, s := range corpus(t) {
		t.Run(string(s.format)+"/"+s.name, func(t *testing.T) {
			state, wantEnd := play(s.format, readLines(t, s.path), nil)
			var out bytes.Buffer
			file, err := os.Open(s.path)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			err = recording.Recode(&out, file, recording.RecodeOptions{
				Options: recording.Options{Format: s.format}, To: s.format, Force: true,
			})
			if fmt.Sprint(err) != fmt.Sprint(wantEnd) {
				t.Fatalf("recode ended with %v, want %v", err, wantEnd)
			}
			again, end := play(s.format, readEvents(t, out.Bytes()), nil)
			if fmt.Sprint(end) != fmt.Sprint(wantEnd) {
				t.Errorf("the recoded stream ends with %v, want %v", end, wantEnd)
			}
			if got, want := sameBlocks(again, state), sameBlocks(state, state); got != want {
				t.Errorf("the recoded stream says\n%s\nwant\n%s", got, want)
			}
			if wantEnd == nil && !toldTwice(state) {
				if err := sluicetest.Validate(string(s.format), out.Bytes()); err != nil {
					t.Errorf("the recoded stream is not legal: %v\n%s", err, out.Bytes())
				}
			}
		})
	}
}

// toldTwice reports whether the provider sent two versions of a block. A writer
// that passes deltas on as they come cannot take the first version back.
func toldTwice(s *stream.State) bool {
	return slices.ContainsFunc(s.Blocks(), func(b *stream.Block) bool {
		_, twice := b.Other()
		return twice
	})
}

var (
	ids       = regexp.MustCompile(`id="[^"]*"`)
	textTypes = regexp.MustCompile(`(content|thinking) (\w+) id name="" type="[^"]*"`)
)

// sameBlocks leaves out what a forced recode may add or make usual: ids that
// were missing, a finish that original never said, the member that a text of
// Chat Completions comes in.
func sameBlocks(s, original *stream.State) string {
	text := ids.ReplaceAllString(blocksOf(s), "id")
	text = textTypes.ReplaceAllString(text, "$1 $2 id")
	for i, c := range original.Choices() {
		if c.FinishReason() == "" && i < len(s.Choices()) {
			text = strings.Replace(text, fmt.Sprintf("finish %q", s.Choices()[i].FinishReason()), "finish", 1)
		}
	}
	return text
}

func TestCorpusAnySplitOfTheBytesGivesTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range corpus(t) {
		t.Run(string(s.format)+"/"+s.name, func(t *testing.T) {
			payloads := readLines(t, s.path)
			want, wantEnd := play(s.format, payloads, nil)
			var body []byte
			for _, p := range payloads {
				body = sse.AppendEvent(body, "", p)
			}
			reader := sse.NewReader(sluicetest.Chopped(body, r), sse.Options{})
			var again [][]byte
			for {
				ev, err := reader.Next()
				if err != nil {
					if !errors.Is(err, io.EOF) {
						t.Fatal(err)
					}
					break
				}
				again = append(again, bytes.Clone(ev.Data))
			}
			got, end := play(s.format, again, nil)
			if blocksOf(got) != blocksOf(want) || fmt.Sprint(end) != fmt.Sprint(wantEnd) {
				t.Errorf("split bytes give\n%s%v\nwant\n%s%v", blocksOf(got), end, blocksOf(want), wantEnd)
			}
		})
	}
}

func TestCorpusCutAnywhereIsNeverAGoodEnd(t *testing.T) {
	for _, s := range corpus(t) {
		payloads := readLines(t, s.path)
		full, end := play(s.format, payloads, nil)
		if end != nil {
			continue // it is cut or failed as it is
		}
		t.Run(string(s.format)+"/"+s.name, func(t *testing.T) {
			for n := range payloads {
				state, err := play(s.format, payloads[:n], nil)
				if err == nil && !state.Finished() && len(full.Choices()) > 0 {
					t.Fatalf("cut after %d of %d payloads it counts as complete", n, len(payloads))
				}
				for _, b := range state.Blocks() {
					if b.Status() == llm.Open {
						t.Fatalf("cut after %d payloads block %d is still open", n, b.Position())
					}
				}
			}
		})
	}
}

func TestCorpusWholeResponses(t *testing.T) {
	for _, format := range wire.Formats() {
		files, err := filepath.Glob(filepath.Join(corpusDir(t), string(format), "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no whole responses of %s: %v", format, err)
		}
		for _, path := range files {
			t.Run(string(format)+"/"+filepath.Base(path), func(t *testing.T) {
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				report, err := recording.Inspect(bytes.NewReader(data), recording.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if report.Format != format && report.Error == nil {
					t.Errorf("detected %s", report.Format)
				}
				if !report.Complete && report.Error == nil {
					t.Errorf("not complete: %v", report.Failure)
				}
				for _, c := range report.Choices {
					for i, b := range c.Blocks {
						if b.Status != llm.Complete && c.FinishReason != nil && *c.FinishReason != "incomplete" {
							t.Errorf("block %d is %s", i, b.Status)
						}
					}
				}
			})
		}
	}
}

func TestCorpusFormatsAreDetected(t *testing.T) {
	for _, s := range corpus(t) {
		file, err := os.Open(s.path)
		if err != nil {
			t.Fatal(err)
		}
		report, err := recording.Inspect(file, recording.Options{})
		file.Close()
		if err != nil {
			t.Errorf("%s/%s: %v", s.format, s.name, err)
			continue
		}
		if report.Format != s.format {
			t.Errorf("%s/%s is detected as %s", s.format, s.name, report.Format)
		}
	}
}

func TestCorpusRequestsKeepTheirBytes(t *testing.T) {
	formats := map[string]wire.Format{
		"openai-chat-": wire.OpenAIChat, "azure-chat-": wire.OpenAIChat, "openrouter-": wire.OpenAIChat,
		"anthropic-": wire.Anthropic, "openai-responses-": wire.OpenAIResponses, "gemini": wire.Gemini,
	}
	files, err := filepath.Glob(filepath.Join(corpusDir(t), "requests", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no requests: %v", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			body, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for prefix, format := range formats {
				if strings.HasPrefix(filepath.Base(path), prefix) {
					checkRequest(t, format, body)
					return
				}
			}
			t.Fatal("no format for this file name")
		})
	}
}

// checkRequest checks that a second turn of a tool loop is read as one, with
// spans that are where they say.
func checkRequest(t *testing.T, format wire.Format, body []byte) {
	req, err := format.ReadRequest(body)
	if err != nil {
		t.Fatal(err)
	}
	calls, results := map[string]bool{}, 0
	for _, m := range req.Messages {
		for _, b := range m.Blocks {
			switch b.Kind {
			case llm.ToolCall:
				calls[b.ID] = true
			case llm.ToolResult:
				results++
				if !calls[b.ToolUseID] {
					t.Errorf("result for %q, which was never called", b.ToolUseID)
				}
			case llm.Content, llm.Thinking, llm.Refusal, llm.ServerTool, llm.Opaque:
			}
			if !b.BodySpan.IsZero() && b.Text != "" {
				if first := b.BodySpan.In(body)[0]; first != '"' {
					t.Errorf("the body span of a %s block begins with %q", b.Kind, first)
				}
			}
		}
	}
	if len(calls) == 0 || results == 0 {
		t.Errorf("%d calls and %d results, want some of both", len(calls), results)
	}
	if len(req.Tools) == 0 {
		t.Error("no tools")
	}
}
