package model_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire"
)

// randomRequest invents a conversation that every dialect has a form for: turns
// alternate, every call has its result. With own it uses the format's own words
// for blocks, as a decoder would.
func randomRequest(r *rand.Rand, format wire.Format) *llm.Request {
	req := &llm.Request{Model: "m-" + randomWord(r), Stream: r.IntN(2) == 0}
	if r.IntN(2) == 0 {
		req.MaxTokens = 1 + r.IntN(100_000)
	}
	if r.IntN(2) == 0 {
		t := float64(r.IntN(200)) / 100
		req.Temperature = &t
	}
	if r.IntN(2) == 0 {
		req.System = []llm.Block{{Kind: llm.Content, Text: randomText(r)}}
	}
	if r.IntN(3) == 0 {
		req.Extra = map[string]json.RawMessage{"metadata": json.RawMessage(`{"user_id":"u"}`), "x": json.RawMessage(`[1, null]`)}
	}
	for range r.IntN(4) {
		tool := llm.Tool{Name: randomWord(r), Schema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}}}`)}
		if r.IntN(2) == 0 {
			tool.Description = randomText(r)
		}
		req.Tools = append(req.Tools, tool)
	}
	n := 0
	say := func(role llm.Role, blocks ...llm.Block) {
		req.Messages = append(req.Messages, llm.Message{Role: role, Blocks: blocks})
	}
	for range 1 + r.IntN(4) {
		user := []llm.Block{{Kind: llm.Content, Text: randomText(r)}}
		if r.IntN(4) == 0 {
			user = append(user, llm.Block{Kind: llm.Content, Text: randomText(r)})
		}
		say(llm.User, user...)
		var turn, results []llm.Block
		if r.IntN(3) == 0 {
			b := llm.Block{Kind: llm.Thinking, Text: randomText(r)}
			if format != wire.OpenAIChat {
				b.Signature = randomWord(r)
			}
			turn = append(turn, b)
		}
		if r.IntN(3) > 0 {
			turn = append(turn, llm.Block{Kind: llm.Content, Text: randomText(r)})
		}
		for range r.IntN(4) {
			n++
			call := llm.Block{Kind: llm.ToolCall, ID: fmt.Sprintf("call-%d_%s", n, randomWord(r)), Name: randomWord(r), Arguments: randomArguments(r)}
			turn = append(turn, call)
			results = append(results, llm.Block{Kind: llm.ToolResult, ToolUseID: call.ID, Name: call.Name, Text: randomText(r)})
			if r.IntN(4) == 0 {
				results = append(results, llm.Block{Kind: llm.ToolResult, ToolUseID: call.ID, Name: call.Name, Text: randomText(r)})
			}
		}
		if len(turn) == 0 || turn[len(turn)-1].Kind == llm.Thinking { // thinking alone is no answer
			turn = append(turn, llm.Block{Kind: llm.Content, Text: randomText(r)})
		}
		if r.IntN(3) == 0 { // as in dialects whose history is a flat list
			for _, b := range turn {
				say(llm.Assistant, b)
			}
		} else {
			say(llm.Assistant, turn...)
		}
		if len(results) > 0 {
			say(llm.ToolRole, results...)
		}
	}
	return req
}

func randomWord(r *rand.Rand) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEF0123456789_"
	word := make([]byte, 1+r.IntN(10))
	for i := range word {
		word[i] = letters[r.IntN(len(letters))]
	}
	return string(word)
}

func randomText(r *rand.Rand) string {
	pieces := []string{"hello", " ", "\n", `"`, `\`, "日本", "😀", "\u2028", "</script>", "\x00", "\t", "{}", "data: x", "é"}
	var b strings.Builder
	b.WriteString("t")
	for range r.IntN(8) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func randomArguments(r *rand.Rand) string {
	switch r.IntN(4) {
	case 0:
		return "{}"
	case 1:
		return `{"n": 12345678901234567890, "deep": [{"a": null}]}`
	}
	quoted, _ := json.Marshal(randomText(r))
	return `{"text": ` + string(quoted) + `}`
}

// fact is what must survive of a block.
type fact struct {
	side                                     llm.Role
	kind                                     llm.Kind
	id, name, text, args, signature, answers string
}

// facts lists what a request says, whatever messages it is divided into.
func facts(req *llm.Request) []fact {
	var list []fact
	for i := range req.System {
		list = append(list, fact{side: llm.System, kind: llm.Content, text: req.System[i].Text})
	}
	for i := range req.Messages {
		m := &req.Messages[i]
		side := m.Role
		if side == llm.ToolRole {
			side = llm.User
		}
		for j := range m.Blocks {
			b := &m.Blocks[j]
			f := fact{side: side, kind: b.Kind, text: b.Text, args: b.Arguments, signature: b.Signature, answers: b.ToolUseID}
			if b.Kind == llm.ToolCall {
				f.id, f.name = b.ID, b.Name
			}
			list = append(list, f)
		}
	}
	return list
}

func checkRoundTrip(t *testing.T, format wire.Format, req *llm.Request) {
	t.Helper()
	body, err := format.AppendRequest([]byte("before"), req)
	if err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	if !strings.HasPrefix(string(body), "before") {
		t.Fatalf("%s: dst was changed: %.40q", format, body)
	}
	body = body[len("before"):]
	if !json.Valid(body) {
		t.Fatalf("%s: not JSON: %s", format, body)
	}
	back, err := format.ReadRequest(body)
	if err != nil {
		t.Fatalf("%s: %v\n%s", format, err, body)
	}
	if want, got := facts(req), facts(back); !reflect.DeepEqual(want, got) {
		t.Fatalf("%s:\nwant %+v\ngot  %+v\n%s", format, want, got, body)
	}
	if format != wire.Gemini && (back.Model != req.Model || back.Stream != req.Stream) {
		t.Fatalf("%s: model %q, stream %v\n%s", format, back.Model, back.Stream, body)
	}
	if req.MaxTokens > 0 && back.MaxTokens != req.MaxTokens || (req.Temperature == nil) != (back.Temperature == nil) ||
		req.Temperature != nil && *req.Temperature != *back.Temperature {
		t.Fatalf("%s: limits differ: %s", format, body)
	}
	for name, value := range req.Extra {
		if string(back.Extra[name]) != string(value) {
			t.Fatalf("%s: extra %s is %s", format, name, back.Extra[name])
		}
	}
	if len(back.Tools) != len(req.Tools) {
		t.Fatalf("%s: %d tools of %d", format, len(back.Tools), len(req.Tools))
	}
	for i := range req.Tools {
		want, got := &req.Tools[i], &back.Tools[i]
		if got.Name != want.Name || got.Description != want.Description || string(got.Schema) != string(want.Schema) {
			t.Fatalf("%s: tool %+v became %+v", format, want, got)
		}
	}
	// What was read is written again as the same request, and then stays.
	again, err := format.AppendRequest(nil, back)
	if err != nil {
		t.Fatalf("%s: what was read cannot be written: %v\n%s", format, err, body)
	}
	third, err := format.ReadRequest(again)
	if err != nil || !reflect.DeepEqual(facts(back), facts(third)) {
		t.Fatalf("%s: %v\nonce  %s\ntwice %s", format, err, body, again)
	}
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	for _, format := range wire.Formats() {
		t.Run(string(format), func(t *testing.T) {
			for seed := range uint64(400) {
				checkRoundTrip(t, format, randomRequest(rand.New(rand.NewPCG(seed, 1)), format))
			}
		})
	}
}

func FuzzWhatIsWrittenIsReadBack(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		for _, format := range wire.Formats() {
			checkRoundTrip(t, format, randomRequest(rand.New(rand.NewPCG(a, b)), format))
		}
	})
}

// FuzzRequestsOfClients writes what a client sent, in its own dialect and in the
// others: it is read back as the same, or refused with a reason.
func FuzzRequestsOfClients(f *testing.F) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 7))
		for i, format := range wire.Formats() {
			body, _ := format.AppendRequest(nil, randomRequest(r, format))
			f.Add(byte(i), body)
		}
	}
	f.Fuzz(func(t *testing.T, from byte, body []byte) {
		formats := wire.Formats()
		req, err := formats[int(from)%len(formats)].ReadRequest(body)
		if err != nil {
			return
		}
		for _, to := range formats {
			out, err := to.AppendRequest([]byte("x"), req)
			if err != nil {
				if bad := new(llm.RequestError); !errors.As(err, &bad) || string(out) != "x" {
					t.Fatalf("%s: refused with %T and %q", to, err, out)
				}
				continue
			}
			if _, err := to.ReadRequest(out[1:]); err != nil {
				t.Fatalf("%s wrote what it cannot read: %v\n%s\nfrom %s", to, err, out[1:], body)
			}
		}
	})
}

func TestCorpusRequestsAreWrittenAsTheyWereRead(t *testing.T) {
	root := os.Getenv("SLUICE_CORPUS")
	if root == "" {
		t.Skip("SLUICE_CORPUS is not set: the recorded requests are not part of the repository")
	}
	files, _ := filepath.Glob(filepath.Join(root, "requests", "*.json"))
	if len(files) == 0 {
		t.Fatal("no requests")
	}
	for _, name := range files {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		format := wire.OpenAIChat
		for prefix, other := range map[string]wire.Format{"anthropic": wire.Anthropic, "gemini": wire.Gemini, "openai-responses": wire.OpenAIResponses} {
			if strings.HasPrefix(filepath.Base(name), prefix) {
				format = other
			}
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			req, err := format.ReadRequest(body)
			if err != nil {
				t.Fatal(err)
			}
			checkRoundTrip(t, format, req)
			for _, other := range wire.Formats() {
				if out, err := other.AppendRequest(nil, req); err == nil {
					if _, err := other.ReadRequest(out); err != nil {
						t.Errorf("as %s: %v\n%s", other, err, out)
					}
				} else if len(req.Extra) == 0 || !strings.Contains(err.Error(), "Extra") {
					t.Errorf("as %s: %v", other, err)
				}
			}
		})
	}
}
